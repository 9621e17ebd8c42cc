/* What `varabs suggest` found, as JSON. */
#include "report/suggest_report.h"

#include "lang/syntax/query_text.h"
#include "report/json.h"
#include "xml/byte_map.h"

#include <assert.h>
#include <string.h>

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

/* ---- JSON ---- */

static void set_measured(json_t *entry, const char *key, const struct measured *measured) {
    json_t *figure = json_object();
    if (!measured->states.is_known) {
        json_decref(figure);
        return;
    }
    set_exact(figure, "states", "states_text", &measured->states);
    set(figure, "is_complete", json_boolean(measured->is_complete));
    set(entry, key, figure);
}

static json_t *removal_entry(const struct suggest_report *report,
                             const struct suggested *suggested) {
    assert(suggested->removal.argument && suggested->removal.reason);
    const struct candidate_removal *removal = &suggested->removal;
    json_t *entry = json_object();
    set(entry, "variable", text(name_of(report, removal->variable)));
    set(entry, "remove", text(removal->argument));
    set(entry, "reduction", json_real(removal->gain));
    set(entry, "processes", json_integer(removal->process_count));
    set(entry, "reason", text(removal->reason));
    if (report->suggestion->is_measured) set_measured(entry, "measured", &suggested->measured);
    return entry;
}

/* Owned by the caller. */
json_t *report_suggest(const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    json_t *object = json_object(), *queries = json_array(), *observed = json_array(),
           *exact = json_array(), *lossy = json_array(), *refused = json_array();
    for (uint32_t i = 0; i < report->query_count; i++)
        json_array_append_new(
            queries,
            text(query_formula(report->arena, report->queries[i].xml->formula->text.content)));
    for (uint32_t i = 0; i < suggestion->live->variable_count; i++)
        if (suggestion->live->variables[i].is_observed)
            json_array_append_new(observed, text(name_of(report, &suggestion->live->variables[i])));
    for (uint32_t i = 0; i < suggestion->exact.count; i++)
        json_array_append_new(exact, removal_entry(report, &suggestion->exact.items[i]));
    for (uint32_t i = 0; i < suggestion->lossy.count; i++) {
        const struct suggested *suggested = &suggestion->lossy.items[i];
        json_array_append_new(suggested->is_refused ? refused : lossy,
                              removal_entry(report, suggested));
    }
    const struct document *document = suggestion->network->model->document;
    set_header(object, "suggest");
    set(object, "input", file_entry(document->source.name, document_file_bytes(document)));
    set(object, "queries", queries);
    set(object, "observed", observed);
    set(object, "is_analysed", json_boolean(suggestion->live->is_complete));
    const char *limit = suggestion->is_late ? "time" : "interrupt";
    set(object, "limit", suggestion->is_interrupted ? text(limit) : json_null());
    set(object, "exact", exact);
    set(object, "lossy", lossy);
    set(object, "refused", refused);
    if (suggestion->is_measured) {
        set_measured(object, "original", &suggestion->original);
        set_measured(object, "together", &suggestion->together);
    }
    return object;
}

/* ---- text ---- */

const char *shell_word(const char *word, struct arena *arena) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./,:@%+";
    struct buffer quoted = {0};
    if (*word && !word[strspn(word, safe)]) return word;
    buffer_add_text(&quoted, "'");
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            buffer_add_text(&quoted, "'\\''");
        else
            buffer_add(&quoted, at, 1);
    buffer_add_text(&quoted, "'");
    word = buffer_take(&quoted, arena);
    buffer_close(&quoted);
    return word;
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
    fprintf(file, "  %*s  %10s    %s\n", report->suggestion->is_measured ? 12 : -2, "", "",
            removal->reason);
}

static void print_header(FILE *file, const struct suggest_report *report, const char *title) {
    fprintf(file, "\n%s\n", title);
    if (report->suggestion->is_measured) fprintf(file, "  %12s", "states");
    fprintf(file, "  %10s\n", "estimate");
}

static void print_exact(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    if (suggestion->is_interrupted)
        fprintf(file, "\nEnded by %s: more may be exact.\n",
                suggestion->is_late ? "the limit on time" : "an interrupt");
    if (!suggestion->exact.count && suggestion->is_interrupted) return;
    if (!suggestion->exact.count) {
        fputs("\nNothing can be removed exactly: every variable that no query names is read "
              "again.\n",
              file);
        return;
    }
    print_header(file, report,
                 "Exact, all together: every verdict about states and runs carries over");
    for (uint32_t i = 0; i < suggestion->exact.count; i++)
        print_removal(file, report, &suggestion->exact.items[i]);
    fprintf(file, "  all of them: varabs %s --auto --may\n",
            shell_word(suggestion->network->model->document->source.name, report->arena));
}

static void print_lossy(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    uint32_t count = 0;
    for (uint32_t i = 0; i < suggestion->lossy.count; i++) {
        if (suggestion->lossy.items[i].is_refused) continue;
        if (!count++) print_header(file, report, "Not exact, each alone");
        print_removal(file, report, &suggestion->lossy.items[i]);
    }
}

/* The same for people. */
void print_suggest(FILE *file, const struct suggest_report *report) {
    const struct suggestion *suggestion = report->suggestion;
    print_observed(file, report);
    print_exact(file, report);
    print_lossy(file, report);
    if (!suggestion->is_measured) return;
    fprintf(file, "\nstates of the model: %s", states_text(&suggestion->original, report->arena));
    if (suggestion->exact.count)
        fprintf(file, "; without what is exact: %s",
                states_text(&suggestion->together, report->arena));
    fputs("\n", file);
}
