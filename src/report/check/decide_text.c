/* What `varabs decide` found out about queries, as text. */
#include "report/check/decide_report.h"

#include "lang/print/print.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/query_text.h"
#include "report/check/verdict_text.h"
#include "report/shell.h"
#include "report/trace_report.h"

/* ---- rounds ---- */

static void print_side(FILE *file, const char *mode, const struct refine_side *side) {
    if (!side->is_tried) return;
    if (!side->is_made) {
        fprintf(file, ", %s refused (%s)", mode, side->reason);
        return;
    }
    if (side->is_wide) {
        fprintf(file, ", %s not explored (%s)", mode, side->reason);
        return;
    }
    fprintf(file, ", %s%s %s in %llu states", side->is_exact ? "exact " : "", mode,
            verdict_text(side->verdict), (unsigned long long)side->states);
    if (side->is_normal) fputs(", values exchanged", file);
    if (side->limit != LIMIT_NONE) fprintf(file, " (%s)", limit_text(side->limit));
}

void print_without(FILE *file, const struct decide_report *report) {
    const struct taken_out *taken_out = report->taken_out;
    for (uint32_t i = 0; i < taken_out->processes.count; i++)
        fprintf(file, "%s %s", i ? "," : "without processes that nothing depends on:",
                taken_out->processes.items[i]);
    fputs("\n\n", file);
}

/* As an option. */
static void print_taken_out(FILE *file, const struct taken_out *taken_out, struct arena *arena) {
    const char *names = "";
    for (uint32_t i = 0; taken_out && i < taken_out->processes.count; i++)
        names = arena_printf(arena, "%s%s%s", names, i ? "," : "", taken_out->processes.items[i]);
    if (taken_out) fprintf(file, " --without %s", shell_word(names, arena));
}

static void print_look(FILE *file, const struct decide_report *report,
                       const struct refine_side *side) {
    fputs(report->is_untimed ? "the model without clocks" : "the model", file);
    if (side->is_normal)
        fputs(report->is_untimed ? " and with values exchanged" : " with values exchanged", file);
    else if (report->taken_out)
        fputs(" without these processes", file);
    else if (!report->is_untimed)
        fputs(" as it is", file);
    if (!side->is_made)
        fprintf(file, " refused (%s)\n", side->reason);
    else
        fprintf(file, ", %s in %s%llu states%s%s%s\n", verdict_text(side->verdict),
                side->states < INT64_MAX ? "" : "more than ", (unsigned long long)side->states,
                side->limit != LIMIT_NONE ? " (" : "",
                side->limit != LIMIT_NONE ? limit_text(side->limit) : "",
                side->limit != LIMIT_NONE ? ")" : "");
    fflush(file);
}

static void print_arguments(FILE *file, const struct refine_round *round, struct arena *arena) {
    for (uint32_t i = 0; i < round->removals.count; i++)
        fprintf(file, " --remove %s", shell_word(round->removals.arguments[i], arena));
    for (uint32_t i = 0; i < round->merges.count; i++)
        fprintf(file, " \\\n    --merge %s", shell_word(round->merges.arguments[i], arena));
}

void print_round(FILE *file, const struct decide_report *report, const struct refine_round *round) {
    struct arena *arena = report->arena;
    const char *original = report->is_untimed  ? "model without clocks"
                           : report->taken_out ? "original without these processes"
                                               : "original";
    fprintf(file, "  round %u: ", round->number);
    if (round->may.is_original) {
        print_look(file, report, &round->may);
        return;
    }
    fprintf(file, "%u %s", round->merges.count ? round->merges.count : round->removals.count,
            round->merges.count ? "merges" : "removed");
    print_side(file, "may", &round->may);
    print_side(file, "must", &round->must);
    print_side(file, "mixed", &round->mixed);
    fputc('\n', file);
    if (round->finding == FINDING_REAL) fprintf(file, "    the %s has the run, too\n", original);
    if (round->finding == FINDING_SPURIOUS && round->step)
        fprintf(file, "    the %s does not have the run: it breaks at step %u%s\n", original,
                round->step,
                round->loop_rounds
                    ? arena_printf(arena, " after %u more round%s of its loop", round->loop_rounds,
                                   round->loop_rounds > 1 ? "s" : "")
                    : "");
    else if (round->finding == FINDING_SPURIOUS)
        fprintf(file, "    the %s does not have the run\n", original);
    if (round->back)
        fprintf(file, "    put back: %s%s%s\n", round->back, round->remains ? ", but for " : "",
                round->remains ? shell_word(round->remains, arena) : "");
    fflush(file);
}

void print_round_run(FILE *file, const struct decided_run *run) {
    fprintf(file, "    the run of the may-abstraction:\n%s", run->text);
    fflush(file);
}

/* ---- results ---- */

static void print_bounds(FILE *file, const struct query *query, const struct refine_result *result,
                         struct arena *arena) {
    for (uint32_t i = 0; result->bounds && i < query->expr_count; i++) {
        const struct bounds_of *bounds = &result->bounds[i];
        fprintf(file, "  %s:", expr_text(query->exprs[i], arena));
        if (!bounds->is_found) fprintf(file, " no values");
        if (bounds->is_found && query_traits(query->quantifier)->wants_lower)
            fprintf(file, " at least %d", bounds->lower);
        if (bounds->is_found && query_traits(query->quantifier)->wants_upper)
            fprintf(file, " at most %d", bounds->upper);
        fputc('\n', file);
    }
}

void print_decided(FILE *file, const struct decide_report *report, const struct decided *decided) {
    const struct refine_result *result = decided->result;
    struct arena *arena = report->arena;
    fputs("  ", file);
    verdict_print(file, result->verdict, 0);
    if (result->limit != LIMIT_NONE && result->verdict == VERDICT_UNKNOWN)
        fprintf(file, ": ended by %s", limit_text(result->limit));
    else if (result->reason)
        fprintf(file, ": %s", result->reason);
    fputc('\n', file);
    if (result->verdict == VERDICT_UNKNOWN) return;
    print_bounds(file, decided->query, result, arena);
    if (decided->strategy) fputs(decided->strategy->text, file);
    fprintf(file, "  decided by: %svarabs %s", result->way == BY_RUN ? "a run of " : "",
            shell_word(report->input, arena));
    if (report->is_untimed) fputs(" --untime", file);
    print_taken_out(file, report->taken_out, arena);
    print_arguments(file, &result->last, arena);
    if (result->last.may.is_original && result->last.may.is_normal) {
        struct str formula = decided->query->xml->formula->text.content;
        fprintf(file, " --auto --may --query %s\n",
                shell_word(query_formula(arena, formula), arena));
        return;
    }
    bool is_original = !result->last.removals.count && !result->last.merges.count;
    fputs(is_original && !report->is_untimed && !report->taken_out ? " (the model as it is)\n"
          : result->way == BY_MUST                                 ? " --must\n"
          : result->way == BY_BOTH                                 ? " --may, and --must\n"
          : result->way == BY_MIXED                                ? " --mixed\n"
                                                                   : " --may\n",
          file);
}
