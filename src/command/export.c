/* varabs export: a model for Spin, or for Uppaal with scalar sets. */
#include "command/command.h"
#include "export/promela.h"
#include "export/scalars.h"
#include "refine/original.h"

#include <string.h>

/* Spin knows nothing of runtime errors. */
static void warn_of_errors(struct session *session) {
    struct original original;
    original_open(&original, session, 0);
    const struct claim_condition *condition = original_condition(&original, true);
    if (condition->state == CONDITION_OPEN || condition->state == CONDITION_BROKEN) {
        const struct possible_error *first = &condition->may_fail.list.items[0];
        diag_warning(&session->diag, first->span.begin,
                     "%s: Uppaal would stop there, the exported model leaves out such steps, "
                     "and Spin does not tell; `varabs check --full` does",
                     first->text);
    }
    original_close(&original);
}

static void write_promela(const struct command_request *request, struct sink *sink,
                          struct session *session) {
    struct promela promela = {0};
    tell("exporting");
    if (export_promela(&promela, session->network, request->first.name, sink->code) &&
        sink_is_in_time(&session->diag)) {
        const struct str model = {promela.model.data, promela.model.size},
                         code = {promela.code.data, promela.code.size};
        if (!code.size || sink->put(sink, PART_CODE, 0, code, &session->diag))
            sink->put(sink, PART_OUTPUT, 0, model, &session->diag);
        warn_of_errors(session);
    }
    promela_close(&promela);
}

/* ---- scalar sets ---- */

struct scalar_try {
    struct session *session;
    const struct symmetry *symmetry;
    const struct symbol *types[MOST_SCALARS];
    uint32_t count;
    struct str model; /* with these */
};

/* Messages about types that stay as they are are errors if none becomes a scalar set. */
struct scalar_refusal {
    position at;
    const char *text;
};

static struct scalar_refusal refuse(struct scalar_try *try, position at, const char *name,
                                    const char *why) {
    const char *text =
        arena_printf(&try->session->arena, "'%s' cannot be a scalar set: %s", name, why);
    return (struct scalar_refusal){at, text};
}

/* Whether the values of all these types may change places in the output while its queries stand. */
static bool are_whole(const struct scalar_try *try, const struct session *made, const char **why) {
    const struct model *model = made->network->model;
    struct arena *arena = &try->session->arena;
    const struct symmetry *symmetry =
        symmetry_find(arena, made->network, model->queries, model->query_count, SYMMETRY_LONG_LOOK);
    for (uint32_t i = 0; i < try->count; i++) {
        bool is_found = false;
        for (uint32_t k = 0; k < symmetry->type_count; k++) {
            const struct symmetry_type *type = &symmetry->types[k];
            if (strcmp(type->symbol->name, try->types[i]->name) != 0) continue;
            is_found = true;
            if (type->why) *why = arena_printf(arena, "%s", type->why);
        }
        if (!is_found) *why = "nothing is found of it in the output";
    }
    for (uint32_t i = 0; i < model->query_count; i++)
        if (model->queries[i].quantifier == QUERY_INVALID &&
            try->session->network->model->queries[i].quantifier != QUERY_INVALID)
            *why = arena_printf(arena, "query %u could not be asked", i + 1);
    return !*why;
}

/* Writes the model with one type more, and reads it again: what Uppaal refuses of scalars is
 * refused here, too. True if all is well; else the type is taken out. */
static bool add_type(struct scalar_try *try, const struct symmetry_type *type,
                     struct scalar_refusal *refusal) {
    struct arena *arena = &try->session->arena;
    struct scalar_edits edits;
    struct session made;
    const char *why = NULL;
    position at = type->symbol->span.begin;
    try->types[try->count++] = type->symbol;
    struct str model = scalars_write(arena, try->symmetry, try->types, try->count, &edits);
    bool is_read = session_load_bytes(&made, "(scalar sets)", model) && session_build(&made);
    diag_sort(&made.diag);
    for (uint32_t i = 0; i < made.diag.items.count && !why; i++) {
        if (is_read || made.diag.items.items[i].status == STATUS_DONE) continue;
        why = arena_printf(arena, "%s", made.diag.items.items[i].message);
        at = scalars_origin(&edits, made.diag.items.items[i].at);
    }
    bool is_fine = is_read && are_whole(try, &made, &why);
    session_drop(&made);
    if (is_fine) try->model = model;
    if (!is_fine) try->count--;
    if (!is_fine)
        *refusal = refuse(try, at, type->symbol->name, why ? why : "the output cannot be read");
    return is_fine;
}

static void say_refusals(struct scalar_try *try, const struct scalar_refusal *list,
                         uint32_t count) {
    struct diag *diag = &try->session->diag;
    for (uint32_t i = 0; i < count; i++) {
        if (try->count)
            diag_warning(diag, list[i].at, "%s", list[i].text);
        else
            diag_error(diag, STATUS_UNSUPPORTED, list[i].at, "%s", list[i].text);
    }
    if (!count && !try->count)
        diag_error(
            diag, STATUS_UNSUPPORTED, 0, "%s",
            try->symmetry->refusal
                ? try->symmetry->refusal
                : "no declared type can become a scalar set: declare what may be exchanged as "
                  "`typedef int[1,N] T;`, and use T where it is stored, chosen or an index");
}

static void write_scalars(struct sink *sink, struct session *session) {
    const struct model *model = session->network->model;
    struct arena *arena = &session->arena;
    struct scalar_try try = {.session = session};
    struct scalar_refusal list[MOST_SCALARS];
    uint32_t refused = 0;
    try.symmetry = symmetry_find(arena, session->network, model->queries, model->query_count,
                                 SYMMETRY_LONG_LOOK);
    for (uint32_t i = 0; i < try.symmetry->type_count; i++) {
        const struct symmetry_type *type = &try.symmetry->types[i];
        struct span at;
        const char *why = scalar_obstacle(try.symmetry, type, &at);
        if (try.count + refused == MOST_SCALARS) break;
        if (why)
            list[refused++] = refuse(&try, at.begin, type->symbol->name, why);
        else if (type->symbol->scope == SCOPE_GLOBAL)
            refused += !add_type(&try, type, &list[refused]);
    }
    say_refusals(&try, list, refused);
    if (try.count && sink_is_in_time(&session->diag))
        sink->put(sink, PART_OUTPUT, 0, try.model, &session->diag);
}

enum status command_export(const struct command_request *request, struct sink *sink) {
    struct session session;
    bool is_open = command_load(&session, &request->first) && session_build(&session);
    if (is_open && sink->is_ready(sink, &session)) {
        if (request->wants_scalars)
            write_scalars(sink, &session);
        else
            write_promela(request, sink, &session);
    }
    return sink->end(sink, &session, NULL, STATUS_DONE);
}
