/* What `varabs certify` found, as text. */
#include "report/certify/certify_report.h"

#include "report/certify/lacking.h"

#include <string.h>

enum { MOST_NAMES = 24, TITLE = 15 };

/* ---- the counterexample ---- */

/* Locations by the names of the concrete model where a location is in both. */
static void print_locations(struct items *items, const struct certify_report *report,
                            enum side side, const struct trace_state *state) {
    const struct network *network = report->visible->networks[side];
    for (uint32_t i = 0; i < network->process_count; i++) {
        const struct process *process = &network->processes[i];
        print_item(items, "%s.%s", process->name, location_name(process, state->locations[i]));
    }
}

/* Values of slots of one role: all, or those that another state had otherwise. Without such a
 * state zeros are left out. Whether there was something to print. */
static bool print_values(struct items *items, const struct certify_report *report, enum side side,
                         const struct trace_state *before, const struct trace_state *state,
                         bool is_visible) {
    const struct visible *visible = report->visible;
    bool has_zeros = false;
    for (uint32_t i = 0; i < visible->networks[side]->slot_count; i++) {
        enum slot_role role = visible->roles[side][i];
        if (role == ROLE_META || (role == ROLE_VISIBLE) != is_visible) continue;
        if (before && before->values[i] == state->values[i]) continue;
        has_zeros |= !before && !state->values[i];
        if (before || state->values[i])
            print_item(items, "%s = %d", visible->names[side][i], state->values[i]);
    }
    if (has_zeros) print_item(items, items->has_any ? "others 0" : "all 0");
    return items->has_any;
}

/* The variables that only one side has. */
static void print_hidden(FILE *file, const struct certify_report *report, enum side side,
                         const struct trace_state *before, const struct trace_state *state) {
    const char *name = side_text(side);
    struct items items = items_begin(file, report->arena, LINE_INDENT + strlen(name) + 2);
    const struct visible *visible = report->visible;
    bool has_any = false;
    for (uint32_t i = 0; i < visible->networks[side]->slot_count && !has_any; i++)
        has_any =
            (visible->roles[side][i] == ROLE_IGNORED || visible->roles[side][i] == ROLE_ALONE) &&
            (!before || before->values[i] != state->values[i]);
    if (!has_any) return;
    fprintf(file, "%*s%s: ", LINE_INDENT, "", name);
    print_values(&items, report, side, before, state, false);
    fputc('\n', file);
}

static struct items start_items(FILE *file, const struct certify_report *report) {
    return items_begin(file, report->arena, LINE_INDENT);
}

static void print_position(FILE *file, const struct certify_report *report,
                           const struct refutation *refutation, uint32_t index) {
    const struct trace_state *states[SIDE_COUNT], *before[SIDE_COUNT] = {NULL, NULL};
    struct items items = start_items(file, report);
    for (int side = 0; side < SIDE_COUNT; side++) {
        states[side] = refutation_state(refutation, (enum side)side, index);
        if (index) before[side] = refutation_state(refutation, (enum side)side, index - 1);
    }
    fprintf(file, "%3u  ", index);
    if (!index) {
        print_locations(&items, report, SIDE_CONCRETE, states[SIDE_CONCRETE]);
        fprintf(file, "\n%*s", LINE_INDENT, "");
        items = start_items(file, report);
    }
    if (!print_values(&items, report, SIDE_CONCRETE, before[SIDE_CONCRETE], states[SIDE_CONCRETE],
                      true))
        fputs(index ? "no value changes" : "no variables are compared", file);
    fputc('\n', file);
    for (int side = 0; side < SIDE_COUNT; side++)
        print_hidden(file, report, (enum side)side, before[side], states[side]);
}

static void print_move(FILE *file, const struct certify_report *report, enum side side,
                       const struct trace_step *step, bool stays) {
    const char *who = arena_printf(report->arena, "%s ", side_text(side));
    if (step)
        print_step(file, who, step, report->arena);
    else if (stays)
        fprintf(file, "      %s-> stays, for it lacks these processes\n", who);
    else
        fprintf(file, "      %s-> stutters, for no step is possible\n", who);
}

static void print_duel(FILE *file, const struct certify_report *report,
                       const struct refutation *refutation, uint32_t index) {
    enum side mover = refutation->steps[index].mover, other = other_side(mover);
    uint32_t choices = refutation->steps[index].choices;
    bool stays = refutation->steps[index].is_silent;
    print_move(file, report, mover, refutation_step(refutation, mover, index), false);
    print_move(file, report, other, refutation_step(refutation, other, index), stays);
    if (choices > 1)
        fprintf(file, "      (to one of %u states that look like that; the others fail, too)\n",
                choices);
}

static void print_initial_difference(FILE *file, const struct certify_report *report) {
    const struct visible *visible = report->visible;
    const struct trace_state *states[SIDE_COUNT];
    fputs("  0  the initial states look different\n", file);
    for (int side = 0; side < SIDE_COUNT; side++)
        states[side] = refutation_state(report->certification->refutation, (enum side)side, 0);
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct items items = items_begin(file, report->arena, LINE_INDENT + 10);
        fprintf(file, "%*s%s: ", LINE_INDENT, "", side_text((enum side)side));
        for (uint32_t i = 0; i < visible->process_count; i++) {
            const uint32_t *index = visible->processes[i].index;
            uint32_t one = states[SIDE_CONCRETE]->locations[index[SIDE_CONCRETE]];
            uint32_t two = states[SIDE_ABSTRACT]->locations[index[SIDE_ABSTRACT]];
            if (visible->codes[SIDE_CONCRETE][i][one] == visible->codes[SIDE_ABSTRACT][i][two])
                continue;
            const struct process *process = &visible->networks[side]->processes[index[side]];
            print_item(&items, "%s.%s", process->name,
                       location_name(process, states[side]->locations[index[side]]));
        }
        for (uint32_t i = 0; i < visible->slot_count; i++) {
            const uint32_t *index = visible->slots[i].index;
            if (states[SIDE_CONCRETE]->values[index[SIDE_CONCRETE]] !=
                states[SIDE_ABSTRACT]->values[index[SIDE_ABSTRACT]])
                print_item(&items, "%s = %d", visible->names[side][index[side]],
                           states[side]->values[index[side]]);
        }
        fputc('\n', file);
    }
}

/* The step that nothing follows. */
static void print_unmatched(FILE *file, const struct certify_report *report) {
    const struct refutation *refutation = report->certification->refutation;
    enum side mover = refutation->mover, other = other_side(mover);
    const struct trace_state *last = refutation_state(refutation, mover, refutation->count - 1);
    struct items items = start_items(file, report);
    print_move(file, report, mover, unmatched_step(refutation), false);
    if (!refutation->is_stutter) {
        fprintf(file, "%*s", LINE_INDENT, "");
        if (!print_values(&items, report, mover, last, unmatched_state(refutation), true))
            fputs("no value changes", file);
        fputc('\n', file);
    }
    if (refutation->choices > 1)
        fprintf(file,
                "      %s: %u steps are possible here, none to a state that looks like that\n",
                side_text(other), refutation->choices);
    else
        fprintf(file, "      %s: %s\n", side_text(other),
                refutation->choices
                    ? "1 step is possible here, but not to a state that looks like that"
                    : "no step is possible here");
    if (refutation->has_fault)
        fprintf(file, "      %s: %s at %s, which is no step\n", side_text(other),
                fault_name(refutation->fault.kind),
                position_text(report->visible->networks[other], refutation->fault.span.begin,
                              report->arena));
}

/* Both runs. */
static void print_run(FILE *file, const struct certify_report *report,
                      const struct refutation *refutation) {
    for (uint32_t i = 0; i < refutation->count; i++) {
        print_position(file, report, refutation, i);
        if (i + 1 < refutation->count) print_duel(file, report, refutation, i);
    }
}

/* Where time may pass in one model only. */
static void print_time_run(FILE *file, const struct certify_report *report) {
    const struct certification *certification = report->certification;
    const struct refutation *refutation = certification->time_refutation;
    if (certification->time != SIMULATION_FAILS) return;
    if (!refutation) {
        fprintf(file, "\nthe run to where time differs is left out: ended by %s\n",
                limit_text(certification->limit));
        return;
    }
    fputs("\nwhere time differs:\n", file);
    print_run(file, report, refutation);
    fprintf(file, "      %s: time may pass here\n      %s: time may not pass here\n",
            side_text(refutation->mover), side_text(other_side(refutation->mover)));
}

static void print_counterexample(FILE *file, const struct certify_report *report) {
    const struct refutation *refutation = report->certification->refutation;
    if (!refutation && report->certification->outcome == SIMULATION_FAILS)
        fprintf(file, "\nthe counterexample is left out: ended by %s\n",
                limit_text(report->certification->limit));
    if (!refutation) return;
    fputs("\ncounterexample:\n", file);
    if (refutation->is_initial) {
        print_initial_difference(file, report);
        return;
    }
    print_run(file, report, refutation);
    print_unmatched(file, report);
}

/* ---- verdict and figures ---- */

static void print_verdict(FILE *file, const struct certify_report *report) {
    static const char *const good[] = {
        [SIMULATE_MAY] = "a may-abstraction: it has every step of the concrete model",
        [SIMULATE_MUST] = "a must-abstraction: the concrete model has its every step",
        [SIMULATE_EXACT] = "exact: both models have the same steps"};
    static const char *const bad[] = {
        [SIMULATE_MAY] = "no may-abstraction: it lacks a step of the concrete model",
        [SIMULATE_MUST] = "no must-abstraction: the concrete model lacks one of its steps",
        [SIMULATE_EXACT] = "not exact: one model lacks a step of the other"};
    const struct certification *certification = report->certification;
    enum simulation_mode mode = report->options->mode;
    switch (certification->outcome) {
    case SIMULATION_HOLDS:
        fprintf(file, "holds: the abstraction is %s%s%s\n", good[mode],
                report->visible->is_gone && mode != SIMULATE_MUST
                    ? ", but for those of processes that it lacks"
                    : "",
                report->options->is_stuttering
                    ? ", where being stuck is a step that changes nothing"
                    : "");
        break;
    case SIMULATION_FAILS: fprintf(file, "fails: the abstraction is %s\n", bad[mode]); break;
    case SIMULATION_UNKNOWN:
        fprintf(file, "unknown: ended by %s\n", limit_text(certification->limit));
        break;
    }
}

static void print_observers(FILE *file, const struct certify_report *report) {
    const struct observer_list *observers = &report->certification->observers;
    if (report->options->observes && !observers->list.count)
        fputs("no model declares observations\n", file);
    for (uint32_t i = 0; i < observers->list.count; i++) {
        const struct observer *observer = &observers->list.items[i];
        if (observer->problem)
            fprintf(file, "%s: not known: %s\n", observer->agent, observer->problem);
        else
            fprintf(file, "%s %s\n", observer->agent,
                    !observer->sees_no_more  ? "sees more of the abstraction"
                    : observer->sees_no_less ? "sees as much of the abstraction"
                                             : "sees less of the abstraction, and no more");
    }
}

static void print_time(FILE *file, const struct certify_report *report) {
    static const char *const directions[] = {
        [SIMULATE_MAY] = "wherever it may in the concrete model",
        [SIMULATE_MUST] = "only where it may in the concrete model",
        [SIMULATE_EXACT] = "exactly where it may in the concrete model"};
    const struct certification *certification = report->certification;
    const char *direction = directions[report->options->mode];
    if (certification->outcome != SIMULATION_HOLDS) return;
    switch (certification->time) {
    case SIMULATION_HOLDS:
        fprintf(file, "time may pass in the abstraction %s: yes\n", direction);
        break;
    case SIMULATION_FAILS:
        fprintf(file,
                "time may pass in the abstraction %s: no\n"
                "A<>, E[] and --> may differ under the semantics uppaal\n",
                direction);
        break;
    case SIMULATION_UNKNOWN:
        fprintf(file, "time may pass in the abstraction %s: unknown, ended by %s\n", direction,
                limit_text(certification->limit));
        break;
    }
}

static void print_names(FILE *file, const char *title, const struct visible *visible,
                        enum side side, enum slot_role role, struct arena *arena) {
    const struct network *network = visible->networks[side];
    struct items items = items_begin(file, arena, TITLE);
    uint32_t count = 0;
    for (uint32_t i = 0; i < network->slot_count; i++) {
        if (visible->roles[side][i] != role) continue;
        if (!count++) fprintf(file, "%-*s", TITLE, title);
        if (count <= MOST_NAMES) print_item(&items, "%s", visible->names[side][i]);
    }
    if (count > MOST_NAMES) print_item(&items, "and %u more", count - MOST_NAMES);
    if (count) fputc('\n', file);
}

/* The variables that are compared by the values that stand for others. */
static void print_exchanged(FILE *file, const struct visible *visible, struct arena *arena) {
    struct items items = items_begin(file, arena, TITLE);
    uint32_t count = 0;
    for (uint32_t i = 0; i < visible->slot_count; i++) {
        if (!visible->exchanges[visible->slots[i].index[SIDE_ABSTRACT]]) continue;
        if (!count++) fprintf(file, "%-*s", TITLE, "by class");
        if (count <= MOST_NAMES)
            print_item(&items, "%s",
                       visible->names[SIDE_CONCRETE][visible->slots[i].index[SIDE_CONCRETE]]);
    }
    if (count > MOST_NAMES) print_item(&items, "and %u more", count - MOST_NAMES);
    if (count) fputc('\n', file);
}

static const char *exact_text(const struct exact *exact) {
    return exact->is_known ? exact->text : "?";
}

/* Who was taken for each other in both models, or why nobody. */
static void print_orbits(FILE *file, const struct certify_report *report) {
    const struct certification *certification = report->certification;
    const struct symmetry *joint = certification->joint;
    if (!joint) return;
    fprintf(file, "%-14s ", "  orbits");
    if (!joint->block_count) {
        fprintf(file, "of one pair each: %s\n",
                joint->refusal ? joint->refusal
                               : "nothing may change places in both models at once");
        return;
    }
    if (certification->has_orbits)
        fprintf(file, "%s%llu: ", certification->are_orbits_exact ? "" : "at most ",
                (unsigned long long)certification->orbits);
    else
        fputs("not used: ", file);
    fprintf(file, "%s\n", symmetry_blocks_text(joint, report->arena));
}

static void print_figures(FILE *file, const struct certify_report *report) {
    const struct certification *certification = report->certification;
    const struct figures *concrete = &certification->figures[SIDE_CONCRETE];
    const struct figures *abstract = &certification->figures[SIDE_ABSTRACT];
    const struct {
        const char *name;
        const struct exact *concrete, *abstract;
    } rows[] = {
        {"states", &concrete->states, &abstract->states},
        {"transitions", &concrete->transitions, &abstract->transitions},
        {"deadlocks", &concrete->deadlocks, &abstract->deadlocks},
        {"errors", &concrete->errors, &abstract->errors},
    };
    fprintf(file, "\n%-14s %12s %12s\n", "", "concrete", "abstract");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fprintf(file, "%-14s %12s %12s\n", rows[i].name, exact_text(rows[i].concrete),
                exact_text(rows[i].abstract));
        if (!i && certification->has_orbits)
            fprintf(file, "%-14s %12llu %12llu\n", "  orbits", (unsigned long long)concrete->orbits,
                    (unsigned long long)abstract->orbits);
    }
    fprintf(file, "%-14s %s\n", "pairs", exact_text(&certification->pairs));
    print_orbits(file, report);
    fprintf(file, "%-14s %.2f s", "time", certification->seconds);
    if (certification->engine == ENGINE_SYMBOLIC)
        fputs(", by sets of states", file);
    else if (certification->reason)
        fprintf(file, ", state by state: by sets, %s", certification->reason);
    fputc('\n', file);
    fprintf(file, "%-14s ", "memory");
    print_size(file, (double)certification->peak_size);
    fputc('\n', file);
}

/* A variable that was removed in part is in both models, and differs. */
static void print_advice(FILE *file, const struct certify_report *report) {
    const struct visible *visible = report->visible;
    if (report->certification->outcome != SIMULATION_FAILS || report->has_report ||
        !visible->slot_count)
        return;
    fputc('\n', file);
    print_names(file, "in both models", visible, SIDE_CONCRETE, ROLE_VISIBLE, report->arena);
    fputs(
        "If one of these was removed in part (in some locations or cells, or by a merge), leave it "
        "out with\n--ignore, or hand over the report of the abstraction with --report.\n",
        file);
}

const struct symbol *certify_idle_clock(const struct visible *visible) {
    const struct symbol *clock = network_idle_clock(visible->networks[SIDE_CONCRETE]);
    return clock ? clock : network_idle_clock(visible->networks[SIDE_ABSTRACT]);
}

/* Prints the result as text. */
void print_certify(FILE *file, const struct certify_report *report) {
    const struct visible *visible = report->visible;
    const char *names[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        names[side] = visible->networks[side]->model->document->source.name;
    fprintf(file, "%s, %s: mode %s%s\n\n", names[SIDE_CONCRETE], names[SIDE_ABSTRACT],
            mode_text(report->options->mode), report->options->is_stuttering ? ", stutter" : "");
    print_verdict(file, report);
    print_time(file, report);
    print_observers(file, report);
    const struct symbol *meta =
        visible_kept_meta(visible->networks[SIDE_CONCRETE], visible->networks[SIDE_ABSTRACT]);
    if (meta && report->certification->outcome == SIMULATION_HOLDS)
        fprintf(file,
                "carries over   nothing: the meta variable '%s' keeps its value between steps, and "
                "Uppaal may find\nother states than those that are compared\n",
                meta->name);
    fprintf(file, "\n%-14s %u processes, %u variables\n", "compared", visible->process_count,
            visible->slot_count);
    if (report->found_report)
        fprintf(file, "%-14s %s, found beside the abstract model\n", "report",
                report->found_report);
    const struct lacking lacking = {visible, report->certification, report->options, report->arena};
    if (visible->is_gone) print_lacking(file, &lacking);
    print_exchanged(file, visible, report->arena);
    const struct symbol *clock = certify_idle_clock(visible);
    if (clock)
        fprintf(file, "%-14s what clocks are set to, as %s: no guard or invariant tests them\n",
                "not compared", clock->name);
    print_names(file, "ignored", visible, SIDE_CONCRETE, ROLE_IGNORED, report->arena);
    print_names(file, "only concrete", visible, SIDE_CONCRETE, ROLE_ALONE, report->arena);
    print_names(file, "only abstract", visible, SIDE_ABSTRACT, ROLE_ALONE, report->arena);
    print_figures(file, report);
    print_counterexample(file, report);
    print_time_run(file, report);
    print_advice(file, report);
}
