/* varabs grid: abstractions of one model side by side.
 *
 * Each abstraction is made and explored in processes of its own, one after the other, so that times
 * can be compared and a limit ends its row alone. All abstractions are made before anything is
 * explored: what is misspelt is said at once. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "command/command.h"
#include "command/fits.h"
#include "grid/rows.h"

#include "base/memory.h"
#include "lang/syntax/query_text.h"
#include "report/grid/grid_report.h"
#include "xml/splice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct grid {
    const struct command_request *request;
    struct sink *sink;
    struct session session;
    struct str model; /* with the queries of the grid, and no others that Uppaal knows */
    struct grid_queries queries;
    const char **formulas;
    struct grid_asked *asked;
    struct grid_row *rows;
    struct cell_result *made; /* by row; none for the original */
    uint32_t row_count;
};

/* ---- the model ---- */

static void note_queries(struct grid *grid) {
    const struct model *model = grid->session.model;
    struct arena *arena = &grid->session.arena;
    grid->formulas = ARENA_ARRAY(arena, const char *, (size_t)model->query_count + 1);
    for (uint32_t i = 0; i < model->query_count; i++)
        if (model->queries[i].quantifier != QUERY_EMPTY)
            grid->formulas[grid->queries.count++] =
                query_formula(arena, model->queries[i].xml->formula->text.content);
}

/* The queries as the last elements, each one alone, in place of all that have a formula; what
 * agents observe is said in others, which stay, or was given, and comes before them. */
static void write_model(struct grid *grid) {
    struct session *session = &grid->session;
    const struct document *document = &session->document;
    struct arena *arena = &grid->session.arena;
    struct splices splices;
    struct buffer text = {0};
    splices_init(&splices, document, arena);
    for (uint32_t i = 0; i < document->query_count; i++) {
        const struct xml_query *query = &document->query_list[i];
        if (query->formula && !str_is_blank(query->formula->text.content) &&
            !query_declares_agents(session, query))
            splice_remove_element(&splices, query->element);
    }
    if (session->model->agents.count) queries_add_given(arena, &text, session->model);
    for (uint32_t i = 0; i < grid->queries.count; i++)
        buffer_printf(&text, "<query><formula>%s</formula><comment></comment></query>\n",
                      xml_escape(arena, str_of(grid->formulas[i])).data);
    size_t size = text.size;
    struct str added = {size ? buffer_take(&text, arena) : "", size};
    if (document->queries)
        splice_add_child(&splices, document->queries, added);
    else
        splice_add_child(&splices, document->root,
                         str_of(arena_printf(arena, "<queries>\n%s</queries>\n", added.data)));
    grid->model = splices_apply(&splices);
    buffer_close(&text);
}

static bool open_model(struct grid *grid) {
    const struct command_request *request = grid->request;
    struct session *session = &grid->session;
    if (!command_load(session, &request->first) ||
        !session_build_for(session, request->queries, request->query_count) ||
        !model_fits(session->network, FOR_CHECK))
        return false;
    grid->asked = rows_asked(request, &session->arena, &grid->row_count);
    if (grid->row_count == 1)
        return diag_error(
            &session->diag, STATUS_USAGE, 0,
            "nothing to compare: name abstractions with --remove, --merge or --spec, or "
            "let --auto choose one");
    note_queries(grid);
    write_model(grid);
    return grid->sink->is_ready(grid->sink, session);
}

/* ---- the rows ---- */

static struct command_request request_for(const struct grid *grid, struct str model) {
    struct command_request request = *grid->request;
    memset(request.lists, 0, sizeof request.lists);
    request.first.bytes = model;
    request.query_count = 0;
    request.wants_page = request.is_auto = false;
    request.is_lenient = true;
    return request;
}

static struct cell_result make(struct grid *grid, const struct grid_asked *asked) {
    assert(!asked->is_original && grid->model.data);
    struct command_request request = request_for(grid, grid->model);
    const char *argument = asked->argument;
    request.has_mode = asked->has_mode;
    request.abstract.mode = asked->mode;
    request.is_auto = asked->is_auto;
    if (!asked->is_auto) request.lists[asked->list] = (struct request_names){&argument, 1};
    tell("making abstraction %u of %u: %s", (uint32_t)(asked - grid->asked), grid->row_count - 1,
         asked->name);
    return cell_run(COMMAND_ABSTRACT, &request, &grid->session.arena);
}

/* "may" of the report, as a spec may say which kind it is. */
static const char *mode_of(const struct cell_result *cell, const struct grid_asked *asked,
                           struct arena *arena) {
    json_t *report = cell->json.data ? json_loadb(cell->json.data, cell->json.size, 0, NULL) : NULL;
    const char *mode = json_string_value(json_object_get(report, "mode"));
    mode = mode ? arena_printf(arena, "%s", mode) : rules_of(asked->mode)->name;
    json_decref(report);
    return mode;
}

/* False (reported) for what is no abstraction of any model: nothing is explored then. */
static bool make_all(struct grid *grid) {
    struct session *session = &grid->session;
    struct arena *arena = &session->arena;
    bool is_fine = true;
    grid->rows = ARENA_ARRAY(arena, struct grid_row, grid->row_count);
    grid->made = ARENA_ARRAY(arena, struct cell_result, grid->row_count);
    for (uint32_t i = 0; i < grid->row_count; i++) {
        const struct grid_asked *asked = &grid->asked[i];
        struct grid_row *row = &grid->rows[i];
        *row = (struct grid_row){.name = asked->name, .make_seconds = -1, .explore_seconds = -1};
        row->answers = ARENA_ARRAY(arena, struct grid_answer, (size_t)grid->queries.count + 1);
        memset(row->answers, 0, (size_t)grid->queries.count * sizeof *row->answers);
        if (asked->is_original) continue;
        struct cell_result *made = &grid->made[i];
        *made = make(grid, asked);
        row->mode = mode_of(made, asked, arena);
        row_take_abstraction(row, made, arena);
        bool is_mistake = made->status == STATUS_USAGE || made->status == STATUS_INVALID;
        if (is_mistake)
            diag_error(&session->diag, made->status, 0, "%s",
                       made->error ? made->error : made->problem);
        is_fine = is_fine && !is_mistake;
    }
    return is_fine;
}

/* Which queries the abstraction has not, as they name what is removed: their formulas are empty
 * there. */
static bool *find_lost(struct grid *grid, struct str model) {
    uint32_t count = grid->queries.count;
    bool *is_lost = ARENA_ARRAY(&grid->session.arena, bool, (size_t)count + 1);
    struct session session;
    bool is_read = session_load_bytes(&session, grid->request->first.name, model);
    const struct document *document = &session.document;
    is_read = is_read && document->query_count >= count;
    for (uint32_t i = 0; i < count; i++) {
        const struct element *formula =
            is_read ? document->query_list[document->query_count - count + i].formula : NULL;
        is_lost[i] = !formula || str_is_blank(formula->text.content);
    }
    session_drop(&session);
    return is_lost;
}

static void explore(struct grid *grid, uint32_t number) {
    struct arena *arena = &grid->session.arena;
    struct grid_row *row = &grid->rows[number];
    const struct cell_result *made = row->mode ? &grid->made[number] : NULL;
    if (made && !row->is_made) return;
    assert(!made || made->output.data);
    struct str model = made ? made->output : grid->model;
    struct command_request request = request_for(grid, model);
    request.verify.search.is_full = true;
    request.verify.wants_traces = false;
    const bool *is_lost = find_lost(grid, model);
    tell("exploring %u of %u: %s", number + 1, grid->row_count, row->name);
    const struct cell_result cell = cell_run(COMMAND_CHECK, &request, arena);
    row_take_check(row, &cell, made, is_lost, &grid->queries, arena);
}

/* All states of the original show whether it has runtime errors. */
static void settle_condition(struct grid *grid, const char *errors) {
    assert(grid->asked[0].is_original);
    for (uint32_t i = 1; errors && i < grid->row_count; i++) {
        struct grid_row *row = &grid->rows[i];
        if (row->condition && !strcmp(row->condition, "open"))
            row->condition = !strcmp(errors, "0") ? "met" : "broken";
    }
}

/* ---- the result ---- */

static struct str text_of(const struct grid_report *report,
                          void (*print)(FILE *, const struct grid_report *), struct arena *arena) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    if (!file) memory_is_over();
    print(file, report);
    if (fclose(file) || !bytes) memory_is_over();
    struct str text = {arena_copy(arena, bytes, size), size};
    free(bytes);
    return text;
}

static enum status finish(struct grid *grid) {
    struct session *session = &grid->session;
    struct sink *sink = grid->sink;
    const struct grid_report report = {.file = grid->request->first.name,
                                       .bytes = session->document.bytes,
                                       .semantics = grid->queries.semantics,
                                       .queries = grid->formulas,
                                       .query_count = grid->queries.count,
                                       .rows = grid->rows,
                                       .row_count = grid->row_count};
    struct result_page page = command_page("grid", grid->request, session, NULL);
    enum status status = STATUS_DONE;
    for (uint32_t i = 0; i < grid->row_count; i++)
        if (grid->rows[i].problem) status = STATUS_LIMIT;
    sink->put(sink, PART_CSV, 0, text_of(&report, print_grid_csv, &session->arena), &session->diag);
    sink->put(sink, PART_LATEX, 0, text_of(&report, print_grid_latex, &session->arena),
              &session->diag);
    FILE *text = sink_leave(sink, sink->wants_result ? report_grid(&report) : NULL, page, session);
    if (text) print_grid(text, &report);
    return status;
}

enum status command_grid(const struct command_request *request, struct sink *sink) {
    bool is_kripke = request->verify.semantics == SEMANTICS_KRIPKE;
    struct grid grid = {.request = request,
                        .sink = sink,
                        .queries = {.semantics = is_kripke ? "kripke" : "uppaal"}};
    enum status status = STATUS_DONE;
    if (open_model(&grid)) {
        sink->defer();
        if (make_all(&grid)) {
            for (uint32_t i = 0; i < grid.row_count; i++) explore(&grid, i);
            settle_condition(&grid, grid.rows[0].errors);
            status = finish(&grid);
        }
    }
    return sink->end(sink, &grid.session, NULL, status);
}
