/* What `varabs suggest` found, as text. */
#include "report/abstraction/suggest_report.h"

#include "report/guarantee_report.h"
#include "report/shell.h"

#include <math.h>
#include <string.h>

enum { MOST_REFUSED = 12 };

/* Queries that say something. */
static uint32_t count_queries(const struct suggest_report *report) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->query_count; i++)
        count += report->queries[i].quantifier != QUERY_INVALID &&
                 report->queries[i].quantifier != QUERY_EMPTY;
    return count;
}

static const char *name_of(const struct suggest_report *report,
                           const struct live_variable *variable) {
    return variable_name(report->arena, variable->template, variable->symbol);
}

static const char *factor_text(double factor, struct arena *arena) {
    if (factor > 1e15) return "> 1e15";
    return arena_printf(arena, factor < 100 ? "%.3g" : "%.0f", factor);
}

static const char *states_text(const struct measured *measured, struct arena *arena) {
    if (!measured->states.is_known) return "unknown";
    return arena_printf(arena, "%s%s", measured->is_complete ? "" : "> ", measured->states.text);
}

static void print_observed(FILE *file, const struct suggest_report *report) {
    const struct live *live = report->suggestion->live;
    uint32_t queries = count_queries(report);
    const char *separator = "  observed: ";
    fprintf(file, "%s: ", report->suggestion->network->model->document->source.name);
    if (queries)
        fprintf(file, "%u %s\n", queries, queries == 1 ? "query" : "queries");
    else
        fputs("no query: nothing is observed but the locations\n", file);
    for (uint32_t i = 0; i < live->variable_count; i++) {
        if (!live->variables[i].is_observed) continue;
        fprintf(file, "%s%s", separator, name_of(report, &live->variables[i]));
        separator = ", ";
    }
    if (*separator == ',') fputs("\n", file);
    if (!live->is_complete)
        fputs("  the model is too large to be searched for dead variables\n", file);
}

static void print_removal(FILE *file, const struct suggest_report *report,
                          const struct suggested *suggested) {
    const struct candidate_removal *removal = &suggested->removal;
    struct arena *arena = report->arena;
    if (report->suggestion->is_measured)
        fprintf(file, "  %12s",
                suggested->measured.states.is_known ? states_text(&suggested->measured, arena)
                                                    : "");
    fprintf(file, "  %10s  --remove %s\n", factor_text(removal->estimate, arena),
            shell_word(removal->argument, arena));
    fprintf(file, "  %*s  %10s    %s%s\n", report->suggestion->is_measured ? 12 : -2, "", "",
            removal->reason,
            suggested->must_stands_still ? "; --must keeps the initial state only" : "");
}

static void print_header(FILE *file, const struct suggest_report *report, const char *title) {
    fprintf(file, "\n%s\n", title);
    if (report->suggestion->is_measured) fprintf(file, "  %12s", "states");
    fprintf(file, "  %10s\n", "estimate");
}

/* Variables that --auto keeps with fewer values. */
static void print_exchanged(FILE *file, const struct normal *normal, bool is_besides) {
    const char *last = NULL;
    for (uint32_t i = 0; i < normal->points.count; i++) {
        const char *variable = normal->points.items[i].variable;
        if (last && !strcmp(last, variable)) continue; /* at another location */
        fprintf(file, "%s%s",
                last         ? ", "
                : is_besides ? "  values exchanged besides: "
                             : ": ",
                variable);
        last = variable;
    }
    if (last) fputc('\n', file);
}

/* Removals for single queries. */
static void print_by_query(FILE *file, const struct by_query *by_query, struct arena *arena) {
    for (uint32_t i = 0; i < by_query->list.count; i++) {
        const struct query_share *share = &by_query->list.items[i];
        fprintf(file, "%s%s for query",
                i ? "; " : "  for some queries alone: ", states_text(&share->measured, arena));
        const char *separator = " ";
        for (uint32_t k = 0; k < by_query->query_count; k++) {
            if (!share->is_asked[k]) continue;
            fprintf(file, "%s%u", separator, k + 1);
            separator = ", ";
        }
    }
    if (by_query->list.count) fputc('\n', file);
}

/* The first line of an entry: its figures, and the removed variables. */
static void print_merge(FILE *file, const struct suggest_report *report,
                        const struct suggested_merges *own) {
    const struct merge_proposal *proposal = &own->proposal;
    struct arena *arena = report->arena;
    if (report->suggestion->is_measured)
        fprintf(file, "  %12s",
                own->measured.states.is_known ? states_text(&own->measured, arena) : "");
    fprintf(file, "  %10s  ", factor_text(exp2(proposal->gain), arena));
    for (uint32_t i = 0; i < proposal->variables.count; i++) {
        const struct cut_variable *variable = proposal->variables.items[i];
        fprintf(file, "%s%s", i ? ", " : "",
                variable_name(arena, variable->template, variable->symbol));
    }
    fputc('\n', file);
}

static int indent_of(const struct suggest_report *report) {
    return report->suggestion->is_measured ? 30 : 16;
}

/* A command that can be copied, or its options alone. */
static void print_merge_command(FILE *file, const struct suggest_report *report,
                                const struct merge_proposal *proposal, bool is_command) {
    const char *name = report->suggestion->network->model->document->source.name;
    int indent = indent_of(report);
    if (is_command)
        fprintf(file, "%*svarabs %s --may \\\n", indent, "", shell_word(name, report->arena));
    for (uint32_t i = 0; i < proposal->arguments.count; i++)
        fprintf(file, "%*s%s--merge %s%s\n", indent, "", is_command ? "  " : "",
                shell_word(proposal->arguments.items[i], report->arena),
                is_command && i + 1 < proposal->arguments.count ? " \\" : "");
}

/* What a merge costs: why it is not exact, and which queries cannot be asked any more. */
static void print_costs(FILE *file, const struct suggest_report *report,
                        const struct merge_trial *tried) {
    int indent = indent_of(report);
    for (uint32_t i = 0; i < tried->reasons.count; i++)
        fprintf(file, "%*s%s\n", indent, "", tried->reasons.items[i]);
    uint32_t more = tried->trial.reason_count - tried->reasons.count;
    if (more)
        fprintf(file, "%*sand %u more such reason%s\n", indent, "", more, more > 1 ? "s" : "");
    if (!tried->reasons.count) fprintf(file, "%*sits steps are exact\n", indent, "");
    for (uint32_t i = 0; i < tried->lost.count; i++)
        fprintf(file, "%*scannot be asked any more: %s\n", indent, "", tried->lost.items[i]);
    if (tried->is_about_agents) fprintf(file, "%*sagents observe merged values only\n", indent, "");
}

static void print_merges(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    if (suggestion->merges.count)
        print_header(file, report, "Merges that are exact, together with all that is exact");
    for (uint32_t i = 0; i < suggestion->merges.count; i++) {
        print_merge(file, report, &suggestion->merges.items[i]);
        print_merge_command(file, report, &suggestion->merges.items[i].proposal, false);
    }
}

static void print_lossy_merges(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    if (suggestion->lossy_merges.count)
        print_header(file, report, "Merges that --auto does not make, each alone, with --may");
    for (uint32_t i = 0; i < suggestion->lossy_merges.count; i++) {
        print_merge(file, report, &suggestion->lossy_merges.items[i]);
        print_costs(file, report, &suggestion->lossy_merges.items[i].tried);
        print_merge_command(file, report, &suggestion->lossy_merges.items[i].proposal, true);
    }
}

static void print_all_of_them(FILE *file, const struct suggest_report *report) {
    const char *name = report->suggestion->network->model->document->source.name;
    fprintf(file, "  all of them: varabs %s --auto --may\n", shell_word(name, report->arena));
}

static void print_exact(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    if (suggestion->is_interrupted)
        fprintf(file, "\nEnded by %s: more may be exact.\n",
                suggestion->is_late          ? "the limit on time"
                : suggestion->is_memory_over ? "the limit on memory"
                                             : "an interrupt");
    if (!suggestion->exact.count && suggestion->is_interrupted) return;
    const struct normal *normal = &report->exchanges->normal;
    if (!suggestion->exact.count && normal->points.count) {
        fputs("\nNothing can be removed exactly, but values can be exchanged", file);
    } else if (!suggestion->network->slot_count) {
        fprintf(file, "\nThere is nothing to remove: the model has no variables%s.\n",
                network_is_timed(suggestion->network) ? " but clocks" : "");
        return;
    } else if (!suggestion->exact.count) {
        fputs("\nNothing can be removed exactly: every variable that no query names is read "
              "again.\n",
              file);
        return;
    } else {
        print_header(file, report,
                     "Exact, all together: every verdict about states and runs carries over");
    }
    for (uint32_t i = 0; i < suggestion->exact.count; i++)
        print_removal(file, report, &suggestion->exact.items[i]);
    print_exchanged(file, normal, suggestion->exact.count > 0);
    if (!suggestion->explored.count) print_all_of_them(file, report);
}

/* Removals that exploring shows to be exact, with the models compared. */
static void print_shown(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    if (!suggestion->explored.count) return;
    print_header(file, report,
                 "Exact, shown by exploration: one after the other, after all those above");
    for (uint32_t i = 0; i < suggestion->explored.count; i++)
        print_removal(file, report, &suggestion->explored.items[i]);
    print_all_of_them(file, report);
}

static void print_worth(FILE *file, const struct suggest_report *report, bool is_less,
                        const char *title) {
    const struct suggestion *suggestion = report->suggestion;
    uint32_t count = 0;
    for (uint32_t i = 0; i < suggestion->lossy.count; i++) {
        const struct suggested *own = &suggestion->lossy.items[i];
        if (own->is_refused || (own->worth <= WORTH_UNKNOWN) != is_less) continue;
        if (!count++) print_header(file, report, title);
        print_removal(file, report, own);
    }
}

static void print_lossy(FILE *file, const struct suggest_report *report) {
    print_worth(file, report, true, "Not exact, each alone");
    print_worth(file, report, false, "Not exact, and no fewer states, each alone");
}

/* Variables that stand in no other list, with the reasons. */
static void print_refused(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    uint32_t count = 0;
    for (uint32_t i = 0; i < suggestion->lossy.count; i++) {
        const struct suggested *own = &suggestion->lossy.items[i];
        if (!own->is_refused) continue;
        if (!count) fputs("\nRefused, or not worth it\n", file);
        if (count++ < MOST_REFUSED)
            fprintf(file, "  %s: %s\n", own->removal.argument, own->removal.reason);
    }
    if (count > MOST_REFUSED) fprintf(file, "  and %u more (--json)\n", count - MOST_REFUSED);
}

static void print_irrelevant(FILE *file, const struct taken_out *taken_out) {
    for (uint32_t i = 0; taken_out && i < taken_out->processes.count; i++)
        fprintf(file, "%s%s", i ? ", " : "processes that nothing depends on (--without '*'): ",
                taken_out->processes.items[i]);
    if (taken_out) fputs("\n\n", file);
}

/* Prints the suggestions as text. */
void print_suggest(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    print_observed(file, report);
    print_irrelevant(file, report->taken_out);
    print_exact(file, report);
    print_merges(file, report);
    print_shown(file, report);
    print_lossy(file, report);
    print_lossy_merges(file, report);
    print_refused(file, report);
    fputc('\n', file);
    print_condition(file, report->condition, true, report->arena);
    if (!suggestion->is_measured) return;
    if (network_is_timed(suggestion->network)) {
        fputs("states of the model: not explored, since it has clocks\n", file);
    } else {
        fprintf(file, "states of the model: %s", states_text(&suggestion->original, report->arena));
        if (suggestion->exact.count || suggestion->explored.count ||
            report->exchanges->normal.points.count)
            fprintf(file, "; after exact removals: %s",
                    states_text(&suggestion->together, report->arena));
        fputs("\n", file);
    }
    print_by_query(file, &report->exchanges->by_query, report->arena);
}
