/* What carries over to the original, as a table. */
#include "report/guarantee_report.h"

#include "lang/syntax/query_text.h"

#include <assert.h>
#include <string.h>

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

struct note_list {
    VEC(const char *) list;
};

/* The number of a note, counted from 1. */
static uint32_t number_of(struct note_list *notes, const char *note, struct arena *arena) {
    assert(note);
    for (uint32_t i = 0; i < notes->list.count; i++)
        if (!strcmp(notes->list.items[i], note)) return i + 1;
    VEC_PUSH(arena, &notes->list, note);
    return notes->list.count;
}

static void print_row(FILE *file, const struct guarantee *guarantee, struct note_list *notes,
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

/* Nothing where the model has no queries. */
void print_guarantees(FILE *file, const struct guarantees *guarantees,
                      const struct abstraction *abstraction) {
    const struct explored *original = &guarantees->original;
    struct arena *arena = abstraction->arena;
    struct note_list notes = {0};
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
