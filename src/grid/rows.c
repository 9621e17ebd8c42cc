#include "grid/rows.h"

#include <assert.h>
#include <string.h>

/* ---- what is asked for ---- */

/* "few" for "specs/few.json". */
static const char *name_of_file(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path;
    const char *end = strrchr(begin, '.');
    size_t size = end && end > begin ? (size_t)(end - begin) : strlen(begin);
    return arena_copy(arena, begin, size);
}

struct asked_rows {
    const struct command_request *request;
    struct grid_asked *items;
    uint32_t count;
};

static void add_row(struct asked_rows *rows, struct grid_asked row) {
    const struct command_request *request = rows->request;
    bool has_both = request->wants_may && request->wants_must;
    if (request->wants_must) row.mode = MODE_MUST;
    if (has_both) {
        row.mode = MODE_MAY;
        rows->items[rows->count++] = row;
        row.mode = MODE_MUST;
    }
    rows->items[rows->count++] = row;
}

struct grid_asked *rows_asked(const struct command_request *request, struct arena *arena,
                              uint32_t *count) {
    static const enum request_list lists[] = {LIST_REMOVE, LIST_MERGE, LIST_SPEC};
    struct asked_rows rows = {.request = request};
    size_t most = 3; /* the original, and two that are chosen */
    for (int i = 0; i < 3; i++) most += 2 * (size_t)request->lists[lists[i]].count;
    rows.items = ARENA_ARRAY(arena, struct grid_asked, most);
    rows.items[rows.count++] = (struct grid_asked){.name = "original", .is_original = true};
    for (int i = 0; i < 3; i++)
        for (uint32_t j = 0; j < request->lists[lists[i]].count; j++) {
            const char *argument = request->lists[lists[i]].items[j];
            bool is_spec = lists[i] == LIST_SPEC;
            add_row(&rows, (struct grid_asked){
                               .name = is_spec ? name_of_file(arena, argument) : argument,
                               .has_mode = !is_spec || request->wants_may || request->wants_must,
                               .list = lists[i],
                               .argument = argument});
        }
    if (request->is_auto)
        add_row(&rows, (struct grid_asked){.name = "auto", .has_mode = true, .is_auto = true});
    assert(rows.count <= most);
    *count = rows.count;
    return rows.items;
}

/* ---- what results say ---- */

static const char *text_member(const json_t *object, const char *key, struct arena *arena) {
    const char *value = json_string_value(json_object_get(object, key));
    return value ? arena_printf(arena, "%s", value) : NULL;
}

/* NULL if there is none, or it is not as varabs writes it. */
static json_t *json_of(const struct cell_result *cell) {
    return cell->json.data ? json_loadb(cell->json.data, cell->json.size, 0, NULL) : NULL;
}

/* The last entries of a list are about the queries asked for: others are in comments of the
 * model. */
static const json_t *entry_of(const json_t *list, uint32_t number, uint32_t count) {
    size_t size = json_array_size(list);
    assert(number < count);
    return size < count ? NULL : json_array_get(list, size - count + number);
}

void row_take_abstraction(struct grid_row *row, const struct cell_result *made,
                          struct arena *arena) {
    json_t *report = json_of(made);
    const json_t *condition = json_object_get(report, "condition");
    row->make_seconds = made->seconds;
    row->is_made = report && made->output.data && made->status == STATUS_DONE;
    row->is_exact = json_is_true(json_object_get(report, "exact"));
    row->condition = text_member(condition, "no_runtime_errors", arena);
    if (!row->is_made)
        row->problem = arena_printf(arena, "not abstracted: %s",
                                    made->problem ? made->problem
                                    : made->error ? made->error
                                                  : "there is no result");
    json_decref(report);
}

/* "1..3, 7" of several expressions; NULL without bounds. */
static const char *value_of(const json_t *entry, struct arena *arena) {
    const json_t *all = json_object_get(entry, "bounds"), *bounds;
    const char *text = NULL;
    size_t i;
    json_array_foreach(all, i, bounds) {
        const json_t *lower = json_object_get(bounds, "lower");
        const json_t *upper = json_object_get(bounds, "upper");
        bool has_lower = json_is_integer(lower), has_upper = json_is_integer(upper);
        long long least = json_integer_value(lower), most = json_integer_value(upper);
        const char *value = has_lower && has_upper ? arena_printf(arena, "%lld..%lld", least, most)
                            : has_lower            ? arena_printf(arena, "%lld", least)
                            : has_upper            ? arena_printf(arena, "%lld", most)
                                                   : "none";
        text = text ? arena_printf(arena, "%s, %s", text, value) : value;
    }
    return text;
}

/* Whether the verdict of an answer holds for the original, as the report claims under the
 * semantics. */
static bool is_carried(const struct grid_answer *answer, const json_t *claim,
                       const char *semantics) {
    const char *bound = json_string_value(json_object_get(claim, "bound"));
    if (answer->value) return bound && !strcmp(bound, "exact");
    return answer->verdict &&
           json_is_true(json_object_get(json_object_get(claim, semantics), answer->verdict));
}

static void take_answer(struct grid_answer *answer, const json_t *entry, const char *semantics,
                        const json_t *claim, struct arena *arena) {
    const char *own = json_string_value(json_object_get(entry, "semantics"));
    bool is_own = own && (!strcmp(own, "kripke") || !strcmp(own, "uppaal"));
    answer->verdict = text_member(entry, "verdict", arena);
    answer->value = value_of(entry, arena);
    answer->carries = is_carried(answer, claim, is_own ? own : semantics);
    if (json_object_get(entry, "problem")) answer->reason = text_member(entry, "problem", arena);
}

/* The figures are those of all states, or there are none. */
static void take_figures(struct grid_row *row, const json_t *result, struct arena *arena) {
    if (!json_is_true(json_object_get(result, "is_complete"))) return;
    row->states = text_member(result, "states_text", arena);
    row->transitions = text_member(result, "transitions_text", arena);
    row->errors = text_member(result, "errors_text", arena);
    row->engine = text_member(result, "engine", arena);
    row->peak_bytes = (uint64_t)json_integer_value(json_object_get(result, "peak_bytes"));
}

static const char *limit_of(const json_t *result, const struct cell_result *checked,
                            struct arena *arena) {
    const char *limit = json_string_value(json_object_get(result, "limit"));
    if (checked->problem) return arena_printf(arena, "not explored: %s", checked->problem);
    if (!limit) return NULL;
    return arena_printf(arena, "not all explored: the limit on %s was reached", limit);
}

void row_take_check(struct grid_row *row, const struct cell_result *checked,
                    const struct cell_result *made, const bool *is_lost,
                    const struct grid_queries *queries, struct arena *arena) {
    json_t *result = json_of(checked), *report = made ? json_of(made) : NULL;
    const json_t *claims = json_object_get(report, "guarantees");
    const json_t *answers = json_object_get(result, "queries");
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < queries->count; i++) count += !is_lost[i];
    row->explore_seconds = checked->seconds;
    row->problem = limit_of(result, checked, arena);
    take_figures(row, result, arena);
    for (uint32_t i = 0; i < queries->count; i++) {
        struct grid_answer *answer = &row->answers[i];
        const json_t *claim = entry_of(claims, i, queries->count);
        answer->reason = text_member(claim, "reason", arena);
        if (is_lost[i]) continue;
        take_answer(answer, entry_of(answers, next++, count), queries->semantics, claim, arena);
    }
    json_decref(result);
    json_decref(report);
}
