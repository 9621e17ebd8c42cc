#include "report/certify/lacking.h"

#include "report/json.h"
#include "report/trace_report.h"

#include <assert.h>

enum { TITLE = 15, MOST_CARRIED = 6 };

/* In a list that ends with one without a query. */
struct carried {
    const char *query; /* "A[]" and the like */
    bool is_about_ends;
    bool satisfied, violated; /* whether that verdict carries over */
};

/* Forms of queries about all runs, and about some run. */
static const struct carried forms[MOST_CARRIED] = {
    {.query = "A[]", .satisfied = true},
    {.query = "E<>", .violated = true},
    {.query = "A<>", .satisfied = true, .is_about_ends = true},
    {.query = "E[]", .violated = true, .is_about_ends = true},
    {.query = "-->", .satisfied = true, .is_about_ends = true}};

static bool holds(const struct lacking *lacking) {
    return lacking->certification->outcome == SIMULATION_HOLDS;
}

static const struct symbol *kept_meta(const struct lacking *lacking) {
    return visible_kept_meta(lacking->visible->networks[SIDE_CONCRETE],
                             lacking->visible->networks[SIDE_ABSTRACT]);
}

/* Whether runs of a side are followed to their ends. */
static bool follows_ends(const struct lacking *lacking, enum side side) {
    const struct certification *certification = lacking->certification;
    bool ends = lacking->options->is_stuttering || lacking->options->mode == SIMULATE_EXACT;
    if (side == SIDE_ABSTRACT) return ends;
    return ends && certification->is_silence_known && !certification->silence.may_diverge;
}

/* Nothing does unless it holds, or where a meta variable keeps its value. */
static void find_carried(struct carried carried[MOST_CARRIED], const struct lacking *lacking) {
    enum simulation_mode mode = lacking->options->mode;
    bool has_any = holds(lacking) && !kept_meta(lacking);
    for (int i = 0; i < MOST_CARRIED; i++) {
        const struct carried *form = &forms[i];
        bool is_about_ends = form->is_about_ends;
        bool may = has_any && mode != SIMULATE_MUST &&
                   (!is_about_ends || follows_ends(lacking, SIDE_CONCRETE));
        bool must = has_any && mode != SIMULATE_MAY &&
                    (!is_about_ends || follows_ends(lacking, SIDE_ABSTRACT));
        carried[i] = *form;
        carried[i].satisfied = form->satisfied ? may : must;
        carried[i].violated = form->violated ? may : must;
    }
}

/* ---- JSON ---- */

static json_t *names_of_gone(const struct visible *visible) {
    const struct network *network = visible->networks[SIDE_CONCRETE];
    json_t *list = json_array();
    for (uint32_t i = 0; i < network->process_count; i++)
        if (visible->is_gone[i]) json_array_append_new(list, text(network->processes[i].name));
    return list;
}

json_t *lacking_entry(const struct lacking *lacking) {
    const struct certification *certification = lacking->certification;
    bool is_known = certification->is_silence_known;
    struct carried carried[MOST_CARRIED];
    json_t *entry = json_object(), *list = json_array();
    find_carried(carried, lacking);
    for (int i = 0; carried[i].query; i++) {
        json_t *own = json_object();
        set(own, "query", text(carried[i].query));
        set(own, "satisfied", json_boolean(carried[i].satisfied));
        set(own, "violated", json_boolean(carried[i].violated));
        json_array_append_new(list, own);
    }
    set(entry, "processes", names_of_gone(lacking->visible));
    set(entry, "own_steps",
        is_known ? json_boolean(certification->silence.has_steps) : json_null());
    set(entry, "may_diverge",
        is_known ? json_boolean(certification->silence.may_diverge) : json_null());
    set(entry, "carries_over", list);
    return entry;
}

/* ---- text ---- */

/* Prints the forms of which these verdicts carry over; whether there are any. */
static bool print_forms(FILE *file, const struct lacking *lacking, bool satisfied, bool violated,
                        bool is_first) {
    struct carried carried[MOST_CARRIED];
    bool has_any = false;
    find_carried(carried, lacking);
    for (int i = 0; carried[i].query; i++) {
        if (carried[i].satisfied != satisfied || carried[i].violated != violated) continue;
        fprintf(file, "%s%s", has_any ? ", " : is_first ? "" : "; ", carried[i].query);
        has_any = true;
    }
    if (has_any && satisfied != violated) fputs(satisfied ? " if satisfied" : " if violated", file);
    return has_any;
}

static void print_carried(FILE *file, const struct lacking *lacking) {
    static const char *const bounds[] = {[SIMULATE_MAY] = "sup and inf as bounds of those",
                                         [SIMULATE_MUST] = "sup and inf as bounded by those",
                                         [SIMULATE_EXACT] = "sup and inf"};
    fprintf(file, "%-*s", TITLE, "carries over");
    bool has_any = print_forms(file, lacking, true, true, true);
    has_any |= print_forms(file, lacking, true, false, !has_any);
    has_any |= print_forms(file, lacking, false, true, !has_any);
    assert(has_any);
    fprintf(file, "; %s\n", bounds[lacking->options->mode]);
}

static void print_lost(FILE *file, const char *what, const char *why) {
    fprintf(file, "%-*snothing about %s: %s\n", TITLE, "", what, why);
}

void print_lacking(FILE *file, const struct lacking *lacking) {
    const struct visible *visible = lacking->visible;
    const struct certification *certification = lacking->certification;
    const struct silence *silence = &certification->silence;
    const struct network *network = visible->networks[SIDE_CONCRETE];
    struct items items = items_begin(file, lacking->arena, TITLE);
    fprintf(file, "%-*s", TITLE, "without");
    for (uint32_t i = 0; i < network->process_count; i++)
        if (visible->is_gone[i]) print_item(&items, "%s", network->processes[i].name);
    fputc('\n', file);
    if (!holds(lacking)) return;
    if (kept_meta(lacking)) return;
    print_carried(file, lacking);
    if (!certification->is_silence_known)
        print_lost(file, "ends of runs, deadlocks and next steps",
                   "what steps these processes make alone is not known");
    else if (silence->has_steps)
        print_lost(file, "deadlocks and next steps", "these processes make steps alone");
    if (!lacking->options->is_stuttering && lacking->options->mode != SIMULATE_EXACT)
        print_lost(file, "A<>, E[], -->", "--stutter compares how runs end");
    else if (silence->may_diverge && lacking->options->mode != SIMULATE_MUST)
        print_lost(file, "A<>, E[], --> of all runs of the original",
                   "these processes may step for ever");
}
