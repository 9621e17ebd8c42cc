#include "report/guarantee.h"

#include "lang/syntax/query_text.h"
#include "report/member.h"

#include <string.h>

static const char *bound_text(enum bound bound) {
    static const char *const texts[] = {[BOUND_EXACT] = "exact",
                                        [BOUND_UPPER] = "upper bound",
                                        [BOUND_LOWER] = "lower bound",
                                        [BOUND_ENCLOSES] = "encloses",
                                        [BOUND_ENCLOSED] = "is enclosed"};
    return texts[bound];
}

/* One text for both semantics; it names them where they differ. */
static const char *joint_text(const char *kripke, const char *uppaal, struct arena *arena) {
    if (kripke && uppaal && !strcmp(kripke, uppaal)) return kripke;
    if (!kripke && !uppaal) return NULL;
    if (!kripke) return arena_printf(arena, "uppaal: %s", uppaal);
    if (!uppaal) return arena_printf(arena, "kripke: %s", kripke);
    return arena_printf(arena, "kripke: %s; uppaal: %s", kripke, uppaal);
}

static const char *reason_of(const struct guarantee *guarantee, struct arena *arena) {
    return joint_text(guarantee->carry[PATH_KRIPKE].reason, guarantee->carry[PATH_UPPAAL].reason,
                      arena);
}

static const char *help_of(const struct guarantee *guarantee, struct arena *arena) {
    return joint_text(guarantee->carry[PATH_KRIPKE].help, guarantee->carry[PATH_UPPAAL].help,
                      arena);
}

/* JSON */

static json_t *carry_entry(const struct carry *carry) {
    json_t *entry = json_object();
    set(entry, "satisfied", json_boolean(carry->satisfied));
    set(entry, "violated", json_boolean(carry->violated));
    return entry;
}

json_t *guarantee_entries(const struct guarantees *guarantees, struct arena *arena) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < guarantees->list.count; i++) {
        const struct guarantee *guarantee = &guarantees->list.items[i];
        struct str formula = str_trim(guarantee->query->xml->formula->text.content);
        const char *help = help_of(guarantee, arena);
        json_t *entry = json_object(), *string = json_stringn(formula.data, formula.size);
        set(entry, "formula", string ? string : json_string("(not UTF-8)"));
        set(entry, "kripke", carry_entry(&guarantee->carry[PATH_KRIPKE]));
        set(entry, "uppaal", carry_entry(&guarantee->carry[PATH_UPPAAL]));
        if (guarantee->bound) set(entry, "bound", text(bound_text(guarantee->bound)));
        set(entry, "reason", text(reason_of(guarantee, arena)));
        if (help) set(entry, "help", text(help));
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *explored_entries(const struct guarantees *guarantees) {
    const struct explored *const all[] = {&guarantees->original, &guarantees->output};
    static const char *const names[] = {"original", "output"};
    json_t *list = json_array();
    for (int i = 0; i < 2; i++) {
        if (!all[i]->is_known) continue;
        json_t *entry = json_object();
        set(entry, "model", text(names[i]));
        set(entry, "deadlocks", json_integer((json_int_t)all[i]->deadlocks));
        set(entry, "errors", json_integer((json_int_t)all[i]->errors));
        json_array_append_new(list, entry);
    }
    return list;
}

/* Table */

enum { TABLE_MAX_ROWS = 24, FORMULA_WIDTH = 64, NOTE_WIDTH = 88 };

static const char *cell_of(const struct guarantee *guarantee, enum path_semantics semantics) {
    const struct carry *carry = &guarantee->carry[semantics];
    if (guarantee->bound) return bound_text(guarantee->bound);
    if (carry->satisfied && carry->violated) return "both";
    return carry->satisfied ? "satisfied" : carry->violated ? "violated" : "-";
}

/* Why something does not carry over; NULL where each semantics has something. */
static const char *note_of(const struct guarantee *guarantee, struct arena *arena) {
    const char *notes[PATH_COUNT] = {NULL};
    for (int i = 0; i < PATH_COUNT && !guarantee->bound; i++) {
        const struct carry *carry = &guarantee->carry[i];
        if (carry->satisfied || carry->violated) continue;
        notes[i] = carry->help
                       ? arena_printf(arena, "%s; what helps: %s", carry->reason, carry->help)
                       : carry->reason;
    }
    return joint_text(notes[PATH_KRIPKE], notes[PATH_UPPAAL], arena);
}

struct notes {
    VEC(const char *) list;
};

/* The number of a note, counted from 1. */
static uint32_t number_of(struct notes *notes, const char *note, struct arena *arena) {
    for (uint32_t i = 0; i < notes->list.count; i++)
        if (!strcmp(notes->list.items[i], note)) return i + 1;
    VEC_PUSH(arena, &notes->list, note);
    return notes->list.count;
}

static void print_row(FILE *file, const struct guarantee *guarantee, struct notes *notes,
                      struct arena *arena) {
    const char *formula = query_formula(arena, guarantee->query->xml->formula->text.content);
    const char *note = note_of(guarantee, arena);
    size_t size = strlen(formula), shown = size;
    if (size > FORMULA_WIDTH) { /* never within a character of several bytes */
        shown = FORMULA_WIDTH - 3;
        while (shown && ((unsigned char)formula[shown] & 0xC0) == 0x80) shown--;
    }
    fprintf(file, "    %-12s %-12s %.*s%s", cell_of(guarantee, PATH_KRIPKE),
            cell_of(guarantee, PATH_UPPAAL), (int)shown, formula, shown < size ? "..." : "");
    if (note) fprintf(file, "  [%u]", number_of(notes, note, arena));
    fputc('\n', file);
}

static void print_note(FILE *file, uint32_t number, const char *note) {
    size_t column = (size_t)fprintf(file, "    [%u]", number);
    for (const char *word = note; *word;) {
        size_t size = strcspn(word, " ");
        if (column + 1 + size > NOTE_WIDTH) {
            fputs("\n       ", file);
            column = 7;
        }
        fprintf(file, " %.*s", (int)size, word);
        column += 1 + size;
        word += size + strspn(word + size, " ");
    }
    fputc('\n', file);
}

void print_guarantees(FILE *file, const struct guarantees *guarantees,
                      const struct abstraction *abstraction) {
    const struct explored *original = &guarantees->original;
    struct arena *arena = abstraction->arena;
    struct notes notes = {0};
    uint32_t count = guarantees->list.count;
    if (!count) return;
    fprintf(file, "  verdicts that carry over to the original:\n    %-12s %-12s query\n", "kripke",
            "uppaal");
    for (uint32_t i = 0; i < count && i < TABLE_MAX_ROWS; i++)
        print_row(file, &guarantees->list.items[i], &notes, arena);
    if (count > TABLE_MAX_ROWS)
        fprintf(file, "    and %u more in the report\n", count - TABLE_MAX_ROWS);
    for (uint32_t i = 0; i < notes.list.count; i++) print_note(file, i + 1, notes.list.items[i]);
    if (original->is_known && original->errors)
        fprintf(file, "  but the original has %llu runtime errors, at which Uppaal stops\n",
                (unsigned long long)original->errors);
    else if (!original->is_known)
        fputs("  if the original has no runtime errors, at which Uppaal would stop\n", file);
}
