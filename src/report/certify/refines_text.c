/* What `varabs refines` found, as text. */
#include "report/certify/refines_report.h"

#include <string.h>

enum { MOST_NAMES = 24, MOST_VALUES = 12, TITLE = 14, ACTION = 14 };

/* ---- the head ---- */

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static uint32_t count_actions(const struct counterexample *counter) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < counter->trace->step_count; i++)
        count += counter->labels[i] != LABEL_HIDDEN;
    return count;
}

static void print_unfair(FILE *file, const struct trace_refinement *refinement) {
    const struct counterexample *counter = refinement->counterexample;
    bool is_for_ever = !counter->constraint->is_strong || counter->trace->end == TRACE_DEADLOCK;
    fprintf(file,
            "does not refine: a %srun takes %s no more, which is possible %s in the abstract "
            "model\n",
            refinement->fair[SIDE_CONCRETE].list.count ? "fair " : "", counter->constraint->name,
            is_for_ever ? "for ever" : "again and again");
}

static void print_failure(FILE *file, const struct refines_report *report) {
    const struct counterexample *counter = report->refinement->counterexample;
    uint32_t count = counter ? count_actions(counter) : 0;
    if (!counter) {
        fputs("does not refine\n", file);
    } else if (counter->kind == COUNTER_BLOCKED) {
        fprintf(file,
                "does not refine: after %u action%s the concrete model does what the abstract "
                "cannot\n",
                count - 1, plural(count - 1));
    } else if (counter->kind == COUNTER_UNFAIR) {
        print_unfair(file, report->refinement);
    } else {
        fprintf(file, "does not refine: after %u action%s the concrete model %s\n", count,
                plural(count),
                counter->kind == COUNTER_STOPPED ? "stops where the abstract one goes on"
                                                 : "refuses what the abstract one does not");
    }
}

static void print_verdict(FILE *file, const struct refines_report *report) {
    const struct trace_refinement *refinement = report->refinement;
    switch (refinement->outcome) {
    case REFINE_HOLDS:
        fprintf(file, "refines%s\n",
                refinement->sides[SIDE_CONCRETE].errors
                    ? ", if the concrete model has no runtime errors"
                    : "");
        break;
    case REFINE_FAILS: print_failure(file, report); break;
    case REFINE_UNKNOWN:
        if (refinement->limit != LIMIT_NONE)
            fprintf(file, "unknown: ended by %s\n", limit_text(refinement->limit));
        else
            fputs("unknown: the abstract model has runtime errors on the way\n", file);
        break;
    }
}

static struct items begin_line(FILE *file, const struct refines_report *report, const char *title) {
    fprintf(file, "%-*s", TITLE, title);
    return items_begin(file, report->arena, TITLE);
}

static void print_alphabet(FILE *file, const struct refines_report *report) {
    const struct alphabet *alphabet = report->alphabet;
    struct items items = begin_line(file, report, "visible");
    for (uint32_t i = 0; i < alphabet->actions.count && i < MOST_NAMES; i++) {
        const struct action_source *sources = alphabet->actions.items[i].sources;
        bool is_in[SIDE_COUNT];
        for (int side = 0; side < SIDE_COUNT; side++)
            is_in[side] = sources[side].channel || sources[side].tag;
        print_item(&items, "%s%s", alphabet->actions.items[i].name,
                   !is_in[SIDE_ABSTRACT]   ? " (concrete only)"
                   : !is_in[SIDE_CONCRETE] ? " (abstract only)"
                                           : "");
    }
    if (alphabet->actions.count > MOST_NAMES)
        print_item(&items, "and %u more", alphabet->actions.count - MOST_NAMES);
    fputc('\n', file);
    items = begin_line(file, report, "hidden");
    for (uint32_t i = 0; i < alphabet->hidden.count && i < MOST_NAMES; i++)
        print_item(&items, "%s%s", alphabet->hidden.items[i].name,
                   hidden_where(&alphabet->hidden.items[i]));
    if (alphabet->hidden.count > MOST_NAMES)
        print_item(&items, "and %u more", alphabet->hidden.count - MOST_NAMES);
    if (alphabet->hides_internal) print_item(&items, "steps without channel");
    if (!items.has_any) fputs("nothing", file);
    fputc('\n', file);
}

static bool is_asked(const struct fair_constraints *constraints) {
    return constraints->list.count || constraints->schemas.count;
}

/* Constraints without instances; they are looked for if the abstract model has to be fair. */
static void print_schemas(struct items *items, const struct fair_constraints *constraints,
                          bool were_looked_for) {
    for (uint32_t i = 0; i < constraints->schemas.count; i++)
        if (!fair_has_instance(constraints, i))
            print_item(items, "%s (%s%s)", constraints->schemas.items[i].name,
                       constraints->schemas.items[i].is_strong ? "strong" : "weak",
                       were_looked_for ? ": no step" : "");
}

static void print_fairness(FILE *file, const struct refines_report *report) {
    static const char *const titles[] = {"fair", "abstract fair"};
    const struct trace_refinement *refinement = report->refinement;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct fair_constraints *constraints = &refinement->fair[side];
        if (!is_asked(constraints)) continue;
        struct items items = begin_line(file, report, titles[side]);
        for (uint32_t i = 0; i < constraints->list.count; i++) {
            const struct fair_constraint *constraint = &constraints->list.items[i];
            const char *kind = constraint->is_strong ? "strong" : "weak";
            if (side == SIDE_ABSTRACT)
                print_item(&items, "%s (%s: %s)", constraint->name, kind, kept_text(refinement, i));
            else
                print_item(&items, "%s (%s)", constraint->name, kind);
        }
        print_schemas(&items, constraints, is_asked(&refinement->fair[SIDE_ABSTRACT]));
        fputc('\n', file);
    }
    if (is_asked(&refinement->fair[SIDE_CONCRETE]) && !is_asked(&refinement->fair[SIDE_ABSTRACT]))
        fprintf(file, "%*smakes no difference without fairness of the abstract model\n", TITLE, "");
}

/* ---- the counterexample ---- */

static void print_parts(FILE *file, const struct trace_step *step) {
    for (uint32_t i = 0; i < step->part_count; i++) {
        const struct edge_instance *part = step->parts[i];
        fprintf(file, "%s%s: %s -> %s", i ? "; " : "", part->process->name,
                location_name(part->process, part->source),
                location_name(part->process, part->target));
    }
}

static void print_steps(FILE *file, const struct refines_report *report) {
    const struct counterexample *counter = report->refinement->counterexample;
    uint32_t number = 0, hidden = 0;
    bool has_loop = counter->kind == COUNTER_UNFAIR && counter->trace->end == TRACE_LOOP;
    for (uint32_t i = 0; i < counter->trace->step_count; i++) {
        bool is_hidden = counter->labels[i] == LABEL_HIDDEN;
        if (has_loop && i == counter->trace->loop)
            fprintf(file, "%*sagain and again:\n", LINE_INDENT, "");
        hidden += is_hidden;
        if (is_hidden && !report->shows_hidden) continue;
        if (is_hidden)
            fprintf(file, "     %-*s ", ACTION, "");
        else
            fprintf(file, "%3u  %-*s ", ++number, ACTION,
                    label_name(&report->refinement->labels, counter->labels[i], report->arena));
        print_parts(file, &counter->trace->steps[i]);
        bool is_last = i + 1 == counter->trace->step_count;
        fputs(is_last && counter->kind == COUNTER_BLOCKED ? "  blocked\n" : "\n", file);
    }
    if (counter->kind == COUNTER_UNFAIR && !has_loop)
        fprintf(file, "%*sand nothing more\n", LINE_INDENT, "");
    if (hidden && !report->shows_hidden)
        fprintf(file, "     and %u hidden step%s: --trace shows %s\n", hidden, plural(hidden),
                hidden == 1 ? "it" : "them");
}

static void print_labels(struct items *items, const struct refines_report *report,
                         const uint32_t *labels, uint32_t count) {
    for (uint32_t i = 0; i < count && i < MOST_NAMES; i++)
        print_item(items, "%s", label_name(&report->refinement->labels, labels[i], report->arena));
    if (count > MOST_NAMES) print_item(items, "and %u more", count - MOST_NAMES);
    if (!count) print_item(items, "nothing");
}

/* The locations of a state, and its first values that are not zero. */
static void print_state(FILE *file, const struct refines_report *report, const char *title,
                        enum side side, const struct trace_state *state) {
    const struct network *network = report->alphabet->networks[side];
    char **names = slot_names_of(network, report->arena);
    uint32_t shown = 0;
    fprintf(file, "%*s%s", LINE_INDENT, "", title);
    struct items items = items_begin(file, report->arena, LINE_INDENT + strlen(title));
    for (uint32_t i = 0; i < network->process_count && i < MOST_NAMES; i++)
        print_item(&items, "%s.%s", network->processes[i].name,
                   location_name(&network->processes[i], state->locations[i]));
    for (uint32_t i = 0; i < network->slot_count; i++) {
        if (network->slots[i].is_meta || !state->values[i]) continue;
        if (shown++ < MOST_VALUES) print_item(&items, "%s = %d", names[i], state->values[i]);
    }
    if (shown > MOST_VALUES) print_item(&items, "and %u more", shown - MOST_VALUES);
    fputc('\n', file);
}

static void print_end(FILE *file, const struct refines_report *report) {
    const struct counterexample *counter = report->refinement->counterexample;
    const struct trace *trace = counter->trace;
    uint32_t last = trace->state_count - 1 - (counter->kind == COUNTER_BLOCKED ? 1 : 0);
    if (counter->kind == COUNTER_UNFAIR) last = counter->enabled_at;
    uint32_t count = counter->abstract_count[last];
    struct items items = items_begin(file, report->arena, LINE_INDENT + 19);
    print_state(file, report, "concrete: ", SIDE_CONCRETE, &trace->states[last]);
    if (counter->kind == COUNTER_REFUSED || counter->kind == COUNTER_STOPPED) {
        fprintf(file, "%*swhich offers only: ", LINE_INDENT, "");
        print_labels(&items, report, counter->left, counter->left_count);
        fputc('\n', file);
    }
    print_state(file, report, "abstract: ", SIDE_ABSTRACT, &counter->states[0]);
    if (count > 1) fprintf(file, "%*sor one of %u other states\n", LINE_INDENT, "", count - 1);
    fprintf(file, "%*s%s: ", LINE_INDENT, "", "which offers");
    items = items_begin(file, report->arena, LINE_INDENT + 14);
    print_labels(&items, report, counter->offered, counter->offered_count);
    fputc('\n', file);
}

/* ---- the figures ---- */

static void print_figures(FILE *file, const struct refines_report *report) {
    const struct trace_refinement *refinement = report->refinement;
    fprintf(file, "%-*s%llu concrete, %llu abstract; product %llu with %llu transition%s", TITLE,
            "states", (unsigned long long)refinement->sides[SIDE_CONCRETE].states,
            (unsigned long long)refinement->sides[SIDE_ABSTRACT].states,
            (unsigned long long)refinement->nodes, (unsigned long long)refinement->transitions,
            plural(refinement->transitions));
    if (refinement->after)
        fprintf(file, ", %llu of them after the error", (unsigned long long)refinement->after);
    fprintf(file, "\n%-*s", TITLE, "abstract side");
    if (refinement->is_deterministic)
        fputs("deterministic\n", file);
    else
        fprintf(file, "not deterministic: %u set%s of states, at most %u together\n",
                refinement->sets, plural(refinement->sets), refinement->largest_set);
}

static void print_errors(FILE *file, const struct refines_report *report) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct side_figures *figures = &report->refinement->sides[side];
        if (!figures->errors) continue;
        fprintf(file, "%-*s%llu in the %s model, left out; the first: %s: %s\n", TITLE, "errors",
                (unsigned long long)figures->errors,
                side == SIDE_CONCRETE ? "concrete" : "abstract",
                position_text(report->alphabet->networks[side], figures->first_error.span.begin,
                              report->arena),
                fault_name(figures->first_error.kind));
    }
}

/* Prints the result as text. */
void print_refines(FILE *file, const struct refines_report *report) {
    const char *names[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        names[side] = report->alphabet->networks[side]->model->document->source.name;
    fprintf(file, "%s, %s: %s\n\n", names[SIDE_CONCRETE], names[SIDE_ABSTRACT],
            refine_model_text(report->options->model));
    print_verdict(file, report);
    const struct symbol *meta = visible_kept_meta(report->alphabet->networks[SIDE_CONCRETE],
                                                  report->alphabet->networks[SIDE_ABSTRACT]);
    if (meta)
        fprintf(
            file,
            "nothing is shown for Uppaal: the meta variable '%s' keeps its value between steps, "
            "and Uppaal\nmay find other states than those that are compared\n",
            meta->name);
    if (report->refinement->counterexample) {
        print_steps(file, report);
        print_end(file, report);
    }
    fputc('\n', file);
    print_alphabet(file, report);
    print_fairness(file, report);
    print_figures(file, report);
    print_errors(file, report);
}
