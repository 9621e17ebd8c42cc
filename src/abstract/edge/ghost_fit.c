#include "abstract/edge/ghost_fit.h"

#include "abstract/edge/error.h"
#include "abstract/edge/express.h"
#include "abstract/facts/context.h"
#include "abstract/facts/range.h"
#include "abstract/request/request.h"
#include "expr/chain.h"
#include "expr/find.h"

#include <assert.h>

static bool report_misfit(struct context *context, const struct ghost *ghost, const int32_t *row,
                          const int32_t *value) {
    struct buffer where = {0};
    for (uint32_t i = 0; i < ghost->cells.count && i < 8; i++) {
        const struct symbol *symbol = ghost->cells.items[i].symbol;
        const struct removal *removal = removed_ever(context->request, symbol);
        buffer_printf(&where, "%s%s", i ? ", " : "", symbol->name);
        shape_path(&where, symbol->type, removal->shape, ghost->cells.items[i].offset);
        buffer_printf(&where, " = %d", row[i]);
    }
    const struct ghost_definition *definition = ghost->definition;
    const char *type = str_trim(definition->type.content).data;
    const char *what =
        value ? arena_printf(context->arena, "is %d, which does not fit '%s'", *value, type)
              : "cannot be computed";
    diag_error(context->diag, STATUS_UNSUPPORTED, definition->value.begin,
               "for %s the value of this %s", where.data, what);
    buffer_close(&where);
    return false;
}

static bool fits_at(struct context *context, const struct ghost *ghost,
                    const struct template *template, uint32_t location, const struct shape *shape) {
    struct arena scratch;
    struct tuple_set rows;
    bool ok = true;
    arena_init(&scratch);
    if (!ghost_rows(context, ghost, template, location, !ghost->template, &rows, &scratch)) {
        diag_error(context->diag, STATUS_UNSUPPORTED, ghost->definition->value.begin,
                   "there are more than %d combinations of values to merge; merge less, or write "
                   "it so that its range shows that it fits the type",
                   GHOST_MAX_TUPLES);
        ok = false;
    }
    for (uint32_t i = 0; ok && i < rows.count; i++) {
        const int32_t *row = rows.values + (size_t)i * rows.dimension;
        int32_t value;
        if (!ghost_value_of_row(context, ghost, row, &value))
            ok = report_misfit(context, ghost, row, NULL);
        else if (value < shape->lower || value > shape->upper)
            ok = report_misfit(context, ghost, row, &value);
    }
    arena_close(&scratch);
    return ok;
}

static bool fits(struct context *context, const struct ghost *ghost) {
    const struct network *network = context->network;
    struct error_query query = {0};
    const struct expr *condition = no_error_condition(context, &query, ghost->value);
    condition = build_and(context->arena, condition,
                          range_condition(context, NULL, ghost->value, ghost->symbol->type));
    if (!query.why_not && expr_is_true(condition)) return true;
    const struct process *process = ghost->template ? ghost_process(network, ghost) : NULL;
    const struct shape *shape = process ? process->locals[ghost->symbol->index].shape
                                        : network->globals[ghost->symbol->index].shape;
    assert(shape->kind == SHAPE_CELL); /* a ghost holds a number */
    for (uint32_t t = 0; t < network->model->template_count; t++) {
        const struct template *template = network->model->templates[t];
        if (ghost->template && ghost->template != template) continue;
        for (uint32_t l = 0; l < template->location_count + template->branchpoint_count; l++)
            if ((!ghost->scope || ghost->scope[l]) &&
                analysis_reaches(context->analysis, template, l) &&
                !fits_at(context, ghost, template, l, shape))
                return false;
    }
    return true;
}

bool ghosts_fit(struct context *context) {
    for (uint32_t i = 0; i < context->request->ghosts.count; i++)
        if (!(context->is_by_cells && context->is_by_cells[i]) &&
            !fits(context, context->request->ghosts.items[i]))
            return false;
    return true;
}
