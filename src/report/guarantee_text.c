/* What carries over to the original, as a table. */
#include "report/guarantee_report.h"

#include "lang/syntax/query_text.h"
#include "report/trace_report.h"

#include <assert.h>
#include <string.h>

enum { TABLE_MAX_ROWS = 24, FORMULA_WIDTH = 64, NOTE_WIDTH = 88, MOST_ERRORS = 3, MOST_STEPS = 20 };

static const char *word_of(const struct carry *carry) {
    if (carry->satisfied && carry->violated) return "both";
    return carry->satisfied ? "satisfied" : carry->violated ? "violated" : "-";
}

static const char *cell_of(const struct guarantee *guarantee, enum path_semantics semantics) {
    if (guarantee->bound) return bound_text(guarantee->bound);
    return word_of(&guarantee->carry[semantics]);
}

static const char *with_help(const struct carry *carry, struct arena *arena) {
    if (!carry->help) return carry->reason;
    return arena_printf(arena, "%s; what helps: %s", carry->reason, carry->help);
}

/* Why something does not carry over, or what it rests on that is only assumed; NULL where each
 * semantics has something. Of a mixed abstraction, what `varabs check` goes by. */
static const char *note_of(const struct guarantee *guarantee, struct arena *arena) {
    if (guarantee->is_mixed) return with_help(&guarantee->three_valued, arena);
    const char *notes[PATH_COUNT] = {NULL};
    for (int i = 0; i < PATH_COUNT && !guarantee->bound; i++) {
        const struct carry *carry = &guarantee->carry[i];
        if ((carry->satisfied || carry->violated) && !carry->is_assumed) continue;
        notes[i] = with_help(carry, arena);
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
    fputs("    ", file);
    if (guarantee->is_mixed) fprintf(file, "%-12s ", word_of(&guarantee->three_valued));
    fprintf(file, "%-12s %-12s %.*s%s", cell_of(guarantee, PATH_KRIPKE),
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
    struct note_list notes = {0};
    uint32_t count = guarantees->list.count;
    if (!count) return;
    if (guarantees->list.items[0].is_mixed)
        fprintf(
            file,
            "  verdicts that carry over to the original, of `varabs check`, or of other tools:\n"
            "    %-12s ",
            "check");
    else
        fputs("  verdicts that carry over to the original:\n    ", file);
    fprintf(file, "%-12s %-12s query\n", "kripke", "uppaal");
    for (uint32_t i = 0; i < count && i < TABLE_MAX_ROWS; i++)
        print_row(file, &guarantees->list.items[i], &notes, abstraction->arena);
    if (count > TABLE_MAX_ROWS)
        fprintf(file, "    and %u more in the report\n", count - TABLE_MAX_ROWS);
    for (uint32_t i = 0; i < notes.list.count; i++) print_note(file, i + 1, notes.list.items[i]);
}

const char *condition_words(const struct claim_condition *condition) {
    static const char *const words[] = {
        [CONDITION_OPEN] = ", if the original has no runtime errors",
        [CONDITION_CANNOT_FAIL] = "",
        [CONDITION_MET] = "",
        [CONDITION_BROKEN] = ", but the original has runtime errors"};
    assert((unsigned)condition->state < sizeof words / sizeof words[0]);
    return words[condition->state];
}

static void print_possible(FILE *file, const struct claim_condition *condition, uint32_t most,
                           int indent) {
    uint32_t count = condition->may_fail.list.count;
    for (uint32_t i = 0; i < count && i < most; i++) {
        const struct possible_error *error = &condition->may_fail.list.items[i];
        fprintf(file, "%*s%s:%u:%u: %s\n", indent, "", error->file, error->place.line,
                error->place.column, error->text);
    }
    if (count > most)
        fprintf(file, "%*sand %u more (`varabs info` lists them)\n", indent, "", count - most);
}

void print_may_fail(FILE *file, const struct claim_condition *condition) {
    if (!condition->is_looked_at)
        fputs("what may fail is not known: the model is too large for its values\n", file);
    else if (!condition->may_fail.list.count)
        fputs("nothing can fail\n", file);
    else
        fputs("may fail, with a runtime error:\n", file);
    print_possible(file, condition, UINT32_MAX, 2);
}

/* The run as its steps, without the states between. */
static void print_first_error(FILE *file, const struct claim_condition *condition, int indent,
                              struct arena *arena) {
    const struct trace *trace = condition->trace;
    fprintf(file, "%*s%s:%u:%u: %s\n", indent, "", condition->file, condition->place.line,
            condition->place.column, condition->error);
    if (!trace) return;
    fprintf(file, "%*sfrom the initial state, the last step fails:\n", indent, "");
    for (uint32_t i = 0; i < trace->step_count && i < MOST_STEPS; i++)
        print_step(file, "", &trace->steps[i], arena);
    if (trace->step_count > MOST_STEPS)
        fprintf(file, "      and %u more steps (`varabs check --trace` shows them)\n",
                trace->step_count - MOST_STEPS);
}

void print_condition(FILE *file, const struct claim_condition *condition, bool is_alone,
                     struct arena *arena) {
    static const char *const words[][2] = {
        [CONDITION_OPEN] =
            {"  if the original has no runtime errors, at which Uppaal would stop",
             "This is so if the original has no runtime errors, at which Uppaal would stop."},
        [CONDITION_CANNOT_FAIL] = {"  nothing in the original can fail",
                                   "Nothing in the original can fail."},
        [CONDITION_MET] = {"  the original has no runtime errors: all its states were explored",
                           "The original has no runtime errors: all its states were explored."},
        [CONDITION_BROKEN] = {"  but the original has runtime errors, at which Uppaal stops",
                              "But the original has runtime errors, at which Uppaal stops."}};
    int indent = is_alone ? 2 : 4;
    assert((unsigned)condition->state < sizeof words / sizeof words[0]);
    fprintf(file, "%s\n", words[condition->state][is_alone]);
    if (condition->state == CONDITION_OPEN) print_possible(file, condition, MOST_ERRORS, indent);
    if (condition->error) print_first_error(file, condition, indent, arena);
}
