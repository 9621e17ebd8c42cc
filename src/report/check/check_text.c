/* What `varabs check` found, as text. */
#include "report/check/check_report.h"

#include "lang/print/print.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/query_text.h"
#include "report/check/epistemic_report.h"
#include "report/check/verdict_text.h"

#include <string.h>

/* ---- traces ---- */

static void print_traces(FILE *file, const struct check_report *report) {
    const struct verification *verification = report->verification;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        const char *kind = answer->verdict == VERDICT_SATISFIED ? "witness" : "counterexample";
        struct concretize_report concrete;
        if (!answer->trace) continue;
        fprintf(file, "\n%s: %s\n", kind,
                query_formula(report->arena, answer->query->xml->formula->text.content));
        print_trace(file, report->network, answer->trace, report->arena);
        if (answer->other) {
            struct epistemic_report epistemic = {report->network, answer, report->arena};
            fprintf(file, "\nwhat %s takes it for:\n", answer->known->pair.agent->name);
            print_trace(file, report->network, answer->other, report->arena);
            print_same(file, &epistemic);
        }
        if (!concretize_report_of(report, answer, &concrete) || !concrete.result->trace) continue;
        fprintf(file, "\nthe same %s in the original:\n", kind);
        print_trace(file, report->original, concrete.result->trace, report->arena);
    }
    if (!verification->error_trace) return;
    fprintf(file, "\nerror: %s\n", fault_name(verification->error.kind));
    print_trace(file, report->network, verification->error_trace, report->arena);
    fprintf(file, "      fails at %s\n",
            position_text(report->network, verification->error.span.begin, report->arena));
}

/* ---- what became of a run in the original ---- */

/* "P: idle -> busy, Q: ready -> ready". */
static void print_participants(struct items *items, const struct trace_step *step) {
    for (uint32_t i = 0; i < step->part_count; i++)
        print_item(items, "%s: %s -> %s", step->parts[i]->process->name,
                   location_name(step->parts[i]->process, step->parts[i]->source),
                   location_name(step->parts[i]->process, step->parts[i]->target));
}

static void print_break(FILE *file, const struct concretize_report *report) {
    const struct concretization *result = report->result;
    struct items items = items_begin(file, report->arena, LINE_WIDTH / 2);
    items.indent = 15;
    fprintf(file, "spurious: the original cannot take step %u", result->step + 1);
    if (result->round)
        fprintf(file, " after %u more round%s of the loop", result->round,
                result->round > 1 ? "s" : "");
    fputs(" (", file);
    print_participants(&items, &report->run->steps[result->step]);
    fputs(")\n", file);
    if (!result->slot_count) return;
    fprintf(file, "%*sit depends on ", 13, "");
    items = items_begin(file, report->arena, 28); /* after these words */
    items.indent = 15;
    for (uint32_t i = 0; i < result->slot_count; i++) {
        const struct slot *slot = &report->network->slots[result->slots[i]];
        print_item(&items, "%s", slot_name(report->network, slot, report->arena));
    }
    fputc('\n', file);
}

/* One line, wrapped. */
static void print_concretization(FILE *file, const struct concretize_report *report) {
    const struct concretization *result = report->result;
    fprintf(file, "%*s", 13, "");
    if (result->outcome == CONCRETE_REAL)
        fprintf(file, "so it is in the original: a run of %u steps\n", result->trace->step_count);
    else if (result->outcome == CONCRETE_SPURIOUS && result->is_at_end)
        fputs("spurious: the original has the run, but there it proves nothing\n", file);
    else if (result->outcome == CONCRETE_SPURIOUS)
        print_break(file, report);
    else if (result->problem)
        fprintf(file, "not known of the original: %s\n", result->problem);
    else
        fprintf(file, "not known of the original: ended by %s\n", limit_text(result->limit));
}

/* ---- verdicts and figures ---- */

static void print_bounds(FILE *file, const struct answer *answer, struct arena *arena) {
    const struct query *query = answer->query;
    bool is_open = answer->verdict == VERDICT_UNKNOWN;
    for (uint32_t i = 0; i < query->expr_count; i++) {
        const struct bounds_of *bounds = &answer->bounds[i];
        fprintf(file, "             %s: ", expr_text(query->exprs[i], arena));
        if (!bounds->is_found)
            fputs(is_open ? "no such state so far" : "no such state is reachable", file);
        else if (!query_traits(query->quantifier)->wants_upper)
            fprintf(file, "at least %d", bounds->lower);
        else if (!query_traits(query->quantifier)->wants_lower)
            fprintf(file, "at most %d", bounds->upper);
        else
            fprintf(file, "from %d to %d", bounds->lower, bounds->upper);
        if (bounds->is_found && is_open) fputs(" so far", file);
        fputc('\n', file);
    }
}

static void print_knowledge(FILE *file, const struct check_report *report,
                            const struct answer *answer) {
    struct epistemic_report epistemic = {report->network, answer, report->arena};
    if (!answer->known) return;
    if (report->semantics != SEMANTICS_KRIPKE &&
        !strcmp(semantics_of(answer->query, report->semantics), "kripke"))
        fputs("             under kripke: runs end in deadlocks only\n", file);
    if (answer->known->doubt)
        fprintf(file, "             because: %s\n", answer->known->doubt);
    else if (answer->known->outcome == KNOWN_OPEN)
        fprintf(file,
                "             open: no strategy was found among those tried, and not all were "
                "(--tries, now %llu)\n",
                (unsigned long long)answer->known->tries);
    print_observations(file, report->network, answer->known->agents, report->arena);
    if (answer->known->plan) print_strategy(file, &epistemic, 13);
    const struct plan_played *played = played_of(report, answer);
    if (played) print_played(file, played, 15);
    if (answer->known->has_large_plan)
        fprintf(file, "             its strategy is not shown: over %d states, or %d choices\n",
                PLAN_MAX_ROWS, PLAN_MAX_CHOICES);
    if (answer->known->has_pair) print_epistemic(file, &epistemic, report->shows_traces);
}

/* A run that decides the query is one that nobody expects. */
static void print_fairness(FILE *file, const struct answer *answer) {
    const char *other = answer->verdict == VERDICT_VIOLATED ? "satisfied" : "violated";
    bool is_weak = answer->turns_if_fair == TURNS_WEAKLY;
    if (answer->turns_if_fair == TURNS_UNKNOWN) return;
    if (answer->turns_if_fair >= TURNS_TOO_MANY) {
        const char *why = answer->turns_if_fair == TURNS_TOO_MANY
                              ? "there are more than 63 of them"
                              : "too many states, or a limit; ask with --strong '*'";
        fprintf(file, "             not known for fair processes: %s\n", why);
        return;
    }
    fprintf(file, "             %s if every process is %s fair (%s '*')\n", other,
            is_weak ? "weakly" : "strongly", is_weak ? "--weak" : "--strong");
}

static void print_answers(FILE *file, const struct check_report *report) {
    const struct verification *verification = report->verification;
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        verdict_print(file, answer->verdict, 10);
        fprintf(file, " %s\n",
                query_formula(report->arena, answer->query->xml->formula->text.content));
        if (answer->problem) fprintf(file, "             because: %s\n", answer->problem);
        if (answer->bounds && !answer->problem) print_bounds(file, answer, report->arena);
        print_fairness(file, answer);
        print_knowledge(file, report, answer);
        struct concretize_report concrete;
        if (concretize_report_of(report, answer, &concrete)) print_concretization(file, &concrete);
    }
    if (verification->answer_count) fputc('\n', file);
}

/* Whether some query is undecided that says no reason of its own. */
static bool is_left_open(const struct verification *verification) {
    for (uint32_t i = 0; i < verification->answer_count; i++) {
        const struct answer *answer = &verification->answers[i];
        bool is_given_up = answer->known && answer->known->outcome == KNOWN_OPEN;
        if (answer->verdict == VERDICT_UNKNOWN && !answer->problem && !is_given_up) return true;
    }
    return false;
}

static void print_end(FILE *file, const struct verification *verification) {
    const struct search *search = verification->search;
    if (search->is_complete && search->limit != LIMIT_NONE && is_left_open(verification))
        fprintf(file, "everything is explored; what is unknown ended by %s\n",
                limit_text(search->limit));
    else if (search->is_complete)
        fputs("everything is explored\n", file);
    else if (search->limit != LIMIT_NONE)
        fprintf(file, "ended by %s; there are more states\n", limit_text(search->limit));
    else
        fputs("ended as soon as every query was decided; --full explores everything\n", file);
}

static void print_exact(FILE *file, const char *name, const struct exact *exact) {
    fprintf(file, "%-12s %s\n", name, exact->is_known ? exact->text : "unknown");
}

static void print_work(FILE *file, const struct verification *verification) {
    const struct search *search = verification->search;
    fprintf(file, "%-12s %.2f s, ", "time", search->seconds);
    if (verification->engine == ENGINE_SYMBOLIC) {
        fprintf(file, "by sets of states, nodes %llu\n", (unsigned long long)verification->nodes);
        return;
    }
    double states = (double)verification->figures.states.value;
    double rate = search->seconds > 0 ? states / search->seconds : 0;
    fprintf(file, "%.0f states/s, jobs %u\n", rate, search->options.jobs);
}

static void print_blocks(FILE *file, const struct check_report *report,
                         const struct symmetry *symmetry, const struct figures *figures) {
    if (figures->has_orbits)
        fprintf(file, "%s%llu: ", figures->are_orbits_exact ? "" : "at most ",
                (unsigned long long)figures->orbits);
    else
        fputs("not used: ", file);
    fputs(symmetry_blocks_text(symmetry, report->arena), file);
}

/* Queries that allow less to change places. */
static void print_apart(FILE *file, const struct check_report *report) {
    const struct answered_apart *apart = report->verification->apart;
    for (; apart; apart = apart->next) {
        fprintf(file, "%-12s ", "apart");
        if (apart->symmetry && apart->symmetry->block_count)
            print_blocks(file, report, apart->symmetry, &apart->figures);
        else
            fprintf(file, "%s states",
                    apart->figures.states.is_known ? apart->figures.states.text : "unknown");
        fprintf(file, ", for quer%s", apart->count > 1 ? "ies" : "y");
        for (uint32_t i = 0; i < apart->count; i++)
            fprintf(file, "%s %u", i ? "," : "", apart->queries[i] + 1);
        fputc('\n', file);
    }
}

/* Who was taken for each other, or why nobody. */
static void print_orbits(FILE *file, const struct check_report *report) {
    const struct verification *verification = report->verification;
    const struct symmetry *symmetry = verification->symmetry;
    if (!symmetry) return;
    fprintf(file, "%-12s ", "orbits");
    if (!symmetry->block_count) {
        fprintf(file, "of one state each: %s\n",
                symmetry->refusal ? symmetry->refusal
                                  : "nothing may change places while all queries stand");
        return;
    }
    print_blocks(file, report, symmetry, &verification->figures);
    fputc('\n', file);
    print_apart(file, report);
}

static void print_figures(FILE *file, const struct check_report *report) {
    const struct verification *verification = report->verification;
    print_exact(file, "states", &verification->figures.states);
    print_orbits(file, report);
    print_exact(file, "transitions", &verification->figures.transitions);
    print_exact(file, "deadlocks", &verification->figures.deadlocks);
    print_exact(file, "errors", &verification->figures.errors);
    print_work(file, verification);
    fprintf(file, "%-12s ", "memory");
    print_size(file, (double)verification->search->peak_size);
    if (verification->engine == ENGINE_EXPLICIT)
        fprintf(file, ", %.1f bytes per state", bytes_per_state(verification));
    fputc('\n', file);
    print_end(file, verification);
}

/* Prints the verdicts as text. */
void print_check(FILE *file, const struct check_report *report) {
    const struct verification *verification = report->verification;
    const struct fair_constraints *fair = &verification->fair;
    fprintf(file, "%s: queries %u, semantics %s", report->network->model->document->source.name,
            verification->answer_count,
            report->semantics == SEMANTICS_KRIPKE ? "kripke" : "uppaal");
    for (uint32_t i = 0; i < fair->list.count; i++)
        fprintf(file, "%s%s (%s)", i ? ", " : ", fair to ", fair->list.items[i].name,
                fair->list.items[i].is_strong ? "strong" : "weak");
    for (uint32_t i = 0; i < fair->schemas.count; i++)
        if (!fair_has_instance(fair, i))
            fprintf(file, ", no step of %s", fair->schemas.items[i].name);
    if (report->network->model->is_mixed)
        fputs("\na mixed model: what is satisfied or violated is so in the original, on the "
              "condition "
              "of its report",
              file);
    fputs("\n\n", file);
    print_answers(file, report);
    print_figures(file, report);
    if (report->shows_traces) print_traces(file, report);
}
