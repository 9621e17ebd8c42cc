/* The summary of an abstraction. */
#include "abstract/claim/taken_out.h"
#include "abstract/facts/unseen.h"
#include "report/abstraction/abstraction_report.h"
#include "report/guarantee_report.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 5 };

static void print_prepared(FILE *file, const struct split *split) {
    const struct references *references = &split->references;
    for (uint32_t i = 0; i < split->copies.count; i++) {
        const struct split_copy *copy = &split->copies.items[i];
        fprintf(file, "  template %s: %u process%s of %s\n", copy->name, copy->process_count,
                copy->process_count > 1 ? "es" : "", copy->template);
    }
    for (uint32_t i = 0; i < references->list.count && i < MOST_LINES; i++)
        fprintf(file, "  template %s: parameter %s is %s now\n", references->list.items[i].template,
                references->list.items[i].parameter, references->list.items[i].variable);
    if (references->list.count > MOST_LINES)
        fprintf(file, "  and %u more parameters in the report\n",
                references->list.count - MOST_LINES);
    uint32_t count = split->record.variables.count;
    for (uint32_t i = 0; i < count && i < MOST_LINES; i++)
        fprintf(file, "%s %s",
                i ? "," : "  only for the record:", split->record.variables.items[i]);
    if (count > MOST_LINES) fprintf(file, " and %u more", count - MOST_LINES);
    if (count) fputc('\n', file);
}

static void print_taken_out(FILE *file, const struct taken_out *taken_out) {
    for (uint32_t i = 0; taken_out && i < taken_out->processes.count; i++)
        fprintf(file, "%s %s", i ? "," : "  without processes that nothing depends on:",
                taken_out->processes.items[i]);
    if (taken_out) fputc('\n', file);
}

/* Where the edge stands that a reason begins with (fold_edge_name); 0 if it is about none. */
static position place_of_reason(const struct model *model, const char *reason) {
    static const char word[] = ": edge ";
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        size_t size = strlen(template->symbol->name);
        if (strncmp(reason, template->symbol->name, size) != 0 ||
            strncmp(reason + size, word, sizeof word - 1) != 0)
            continue;
        unsigned long number = strtoul(reason + size + sizeof word - 1, NULL, 10);
        if (number >= 1 && number <= template->edge_count)
            return template->edges[number - 1].xml->element->at;
    }
    return 0;
}

static void print_reasons(FILE *file, const struct abstraction *abstraction) {
    const struct model *model = abstraction->network->model;
    const struct explored_exact *explored = abstraction->explored;
    if (explored) {
        fprintf(file, "  shown by exploration: %llu states %s, %llu now, and the same steps\n",
                (unsigned long long)explored->states_before,
                explored->is_to_original ? "before" : "after the other removals",
                (unsigned long long)explored->states_after);
        return;
    }
    if (abstraction->not_shown)
        fprintf(file, "  exploring does not show that it is exact: %s\n", abstraction->not_shown);
    for (uint32_t i = 0; i < abstraction->inexact.count && i < MOST_LINES; i++) {
        const char *reason = abstraction->inexact.items[i];
        position at = place_of_reason(model, reason);
        struct source_location place = source_locate(&model->document->source, at);
        fprintf(file, "  %s ", i ? "        " : "because:");
        if (at) fprintf(file, "%s:%u:%u: ", model->document->source.name, place.line, place.column);
        fprintf(file, "%s\n", reason);
    }
    if (abstraction->inexact.count > MOST_LINES)
        fprintf(file, "           and %u more reasons in the report\n",
                abstraction->inexact.count - MOST_LINES);
}

/* The variables that make no difference, all of them together. */
static void print_together(FILE *file, const struct abstraction *abstraction) {
    const struct request *request = abstraction->request;
    uint32_t count = request->removals.count;
    if (!abstraction->classes || !abstraction->is_exact || abstraction->explored) return;
    fputs(count > 1 ? "  no difference together:" : "  no difference:", file);
    for (uint32_t i = 0; i < count && i < MOST_LINES; i++) {
        const struct removal *removal = &request->removals.items[i];
        fprintf(file, "%s %s%s", i ? "," : "",
                variable_name(abstraction->arena, removal->template, removal->symbol),
                removal->is_whole ? "" : " (in part)");
    }
    if (count > MOST_LINES) fprintf(file, " and %u more", count - MOST_LINES);
    fputc('\n', file);
}

/* D1, D3, D4: what was told apart of the data that are merged, and for which other models the same
 * holds. */
static void print_data(FILE *file, const struct abstraction *abstraction) {
    const struct context *context = &abstraction->context;
    for (uint32_t i = 0; i < context->data.count; i++) {
        const struct removed_data *data = &context->data.items[i];
        const struct data_class *class = data->class;
        fputs("  data:", file);
        for (uint32_t k = 0; k < class->variables.count && k < MOST_LINES; k++) {
            const struct symbol *symbol = class->variables.items[k];
            const struct removal *removal = removed_ever(abstraction->request, symbol);
            fprintf(file, "%s %s", k ? "," : "",
                    variable_name(abstraction->arena, removal->template, symbol));
        }
        if (class->variables.count > MOST_LINES)
            fprintf(file, " and %u more", class->variables.count - MOST_LINES);
        fputs(": told apart are", file);
        for (uint32_t k = 0; k < class->kinds.count && k < MOST_LINES; k++) {
            const struct data_kind *kind = &class->kinds.items[k];
            fprintf(file, "%s %d", k ? " |" : "", kind->lower);
            if (kind->upper > kind->lower) fprintf(file, "..%d", kind->upper);
        }
        if (class->kinds.count > MOST_LINES) fputs(" | ...", file);
        if (data->size) fprintf(file, "; the same for any %s >= %d", data->size->name, data->least);
        if (data->any)
            fprintf(file, "; the same for any %s from %d to %d", data->any->name,
                    data->any_of.lower, data->any_of.upper);
        fputc('\n', file);
    }
}

/* Where the product of all processes was tried without being asked for, and that says why the
 * abstraction is as it is. */
static void print_product(FILE *file, const struct abstraction *abstraction) {
    static const char *const outcomes[] = {
        [TRIAL_BETTER] = "the product of all processes has fewer",
        [TRIAL_TOO_LARGE] = "the product of all processes is too large for a look without "
                            "`--approx combined`"};
    const struct analysis *analysis = abstraction->analysis;
    if (!analysis->trial || analysis->trial == TRIAL_NO_BETTER || abstraction->is_exact) return;
    const struct slot *slot = &analysis->network->slots[analysis->widest.slot];
    if (unseen_has(abstraction->context.unseen, slot->symbol)) return; /* its values do not count */
    fprintf(file, "  values: with each process alone, %s has %llu; %s\n",
            slot_name(analysis->network, slot, abstraction->arena),
            (unsigned long long)analysis->widest.values, outcomes[analysis->trial]);
}

/* Variables that hold one value in place of others somewhere. */
static void print_normal(FILE *file, const struct normal *normal) {
    const char *last = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < normal->points.count; i++) {
        const char *variable = normal->points.items[i].variable;
        if (last && !strcmp(last, variable)) continue; /* at another location */
        if (count++ < MOST_LINES)
            fprintf(file, "%s %s", count > 1 ? "," : "  normalised:", variable);
        last = variable;
    }
    if (count > MOST_LINES) fprintf(file, " and %u more", count - MOST_LINES);
    if (count)
        fputs("\n    (values that make no difference are exchanged for one of them)\n", file);
}

static const char *states_of(const struct measured *measured, struct arena *arena) {
    return arena_printf(arena, "%s%llu", measured->is_complete ? "" : "> ",
                        (unsigned long long)measured->states.value);
}

/* Models for some of the queries: a line for each, and how many states there are in place of those
 * for all. */
static void print_by_query(FILE *file, const struct abstraction_report *report) {
    const struct by_query *by_query = report->by_query;
    struct arena *arena = report->abstraction->arena;
    if (!by_query) return;
    fprintf(file, "  fewer states for some queries alone (for all of them %s):\n",
            states_of(&by_query->together, arena));
    for (uint32_t i = 0; i < by_query->list.count; i++) {
        const struct query_share *share = &by_query->list.items[i];
        fprintf(file, "    %s states: %s, query", states_of(&share->measured, arena),
                report->share_names[i]);
        const char *separator = " ";
        for (uint32_t k = 0; k < by_query->query_count; k++) {
            if (!share->is_asked[k]) continue;
            fprintf(file, "%s%u", separator, k + 1);
            separator = ", ";
        }
        const char *end = ", merged:";
        for (uint32_t k = share->shared_merges; share->job && k < share->job->merge_count; k++) {
            fprintf(file, "%s\n      %s", end, share->job->merges[k]);
            end = "";
        }
        fputc('\n', file);
    }
}

/* Of a mixed abstraction: how many of the edges that changed are certain. */
static void print_certain(FILE *file, const struct abstraction *abstraction) {
    uint32_t counts[] = {[STRENGTH_MAY] = 0, [STRENGTH_SURE] = 0, [STRENGTH_MUST] = 0};
    if (!abstraction->context.rules->is_mixed || abstraction->favours) return;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct fold *fold = &abstraction->folds.items[i]->fold;
        for (uint32_t k = 0; k < fold->edges.count; k++) counts[fold->edges.items[k].strength]++;
    }
    uint32_t marked = counts[STRENGTH_MAY] + counts[STRENGTH_SURE];
    fprintf(file, "  certain: %u edges; @sure: %u; @may: %u\n", abstraction->edges_after - marked,
            counts[STRENGTH_SURE], counts[STRENGTH_MAY]);
    fputs(
        "  `varabs check` of this model says what holds in the original, what does not, and what\n"
        "  is unknown; to other tools it is a may-abstraction\n",
        file);
}

/* Of an abstraction that is not exact, where no query says more. */
static void print_carries(FILE *file, const struct abstract_options *options) {
    if (options->favour)
        fprintf(
            file,
            "  carries over: <<%s>> G p, (p W q), (p R q) of states if satisfied, with Ir, with "
            "wait, or\n"
            "  if the agents see which moves they have\n",
            options->favour);
    else
        fputs(options->mode == MODE_MUST
                  ? "  carries over: A[] p if violated, E<> p if satisfied\n"
                  : "  carries over: A[] p if satisfied, E<> p if violated, bounds of sup and "
                    "inf\n",
              file);
}

/* What an exact abstraction without these processes, or NULL, is not exact for (X9). */
static const char *exact_words(const struct taken_out *taken_out) {
    if (!taken_out || !taken_out->has_steps)
        return "exact: every verdict about states and runs carries over";
    return taken_out->may_diverge
               ? "exact, but that processes are gone: not for deadlocks, next steps and ends of "
                 "runs"
               : "exact, but that processes are gone: not for deadlocks and next steps";
}

void print_abstraction(FILE *file, const struct abstraction_report *report, const char *model_path,
                       const char *report_path) {
    const struct abstraction *abstraction = report->abstraction;
    const struct abstract_options *options = report->options;
    const struct claim_condition *condition = &report->guarantees->condition;
    bool is_exact =
        abstraction->is_exact && !(abstraction->may_fail && condition->state == CONDITION_BROKEN);
    const char *favour = options->favour;
    fprintf(file, "%s: %s-abstraction%s%s%s, %s%s\n", model_path, rules_of(options->mode)->name,
            favour ? " for <<" : "", favour ? favour : "", favour ? ">>" : "",
            is_exact ? exact_words(abstraction->taken_out) : "not exact",
            is_exact ? condition_words(condition) : "");
    print_taken_out(file, abstraction->taken_out);
    print_prepared(file, abstraction->split);
    fprintf(file, "  edges: %u before, %u after\n", abstraction->edges_before,
            abstraction->edges_after);
    print_certain(file, abstraction);
    print_reasons(file, abstraction);
    print_together(file, abstraction);
    print_data(file, abstraction);
    print_product(file, abstraction);
    if (report->normal) print_normal(file, report->normal);
    if (options->mode == MODE_LOWER)
        fputs("  carries over: nothing, unless `varabs certify --must` shows it\n", file);
    else
        print_guarantees(file, report->guarantees, abstraction);
    if (options->mode != MODE_LOWER && !abstraction->is_exact && !report->guarantees->list.count)
        print_carries(file, options);
    if (options->mode != MODE_LOWER) print_condition(file, condition, false, abstraction->arena);
    print_by_query(file, report);
    if (report_path) fprintf(file, "  report: %s\n", report_path);
}
