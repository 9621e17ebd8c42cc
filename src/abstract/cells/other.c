#include "abstract/cells/other.h"

#include "abstract/edge/express.h"
#include "abstract/edge/frame.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"

#include <assert.h>

/* Of a variable, and of a merge of it, that are enumerated. */
enum { MOST_VALUES = 4096 };

static bool is_short(const struct shape *shape) {
    return shape && shape->kind == SHAPE_CELL && !shape->is_scalar &&
           (int64_t)shape->upper - shape->lower < MOST_VALUES;
}

/* The variable that the merge is of, if it is one of one cell that can be enumerated, and removed
 * where the edge begins. */
static const struct removal *single_of(const struct context *context,
                                       const struct template *template, const struct edge *edge,
                                       const struct ghost *ghost) {
    struct where where = where_guard(template, edge);
    const struct removal *removal =
        ghost->cells.count == 1 ? removed_at(context->request, ghost->cells.items[0].symbol, where)
                                : NULL;
    bool is_single = removal && removal->is_whole && is_short(removal->shape) &&
                     (!ghost->template || ghost->template == template);
    return is_single ? removal : NULL;
}

/* Whether the condition holds (1) or not (-1), by value of the merge; 0 = it does not have that.
 * False if both may be. */
static bool find_meaning(struct context *context, const struct ghost *ghost,
                         const struct removal *removal, const struct expr *condition,
                         const struct shape *type, int8_t *says) {
    struct arena scratch;
    bool ok = true;
    arena_init(&scratch);
    for (int64_t v = removal->shape->lower; v <= removal->shape->upper && ok; v++) {
        const struct expr *now =
            removal->shape->is_bool ? build_bool(&scratch, v != 0) : build_int(&scratch, v);
        int32_t merged = 0, holds = 0;
        ok = closed_value(context, expr_substitute(&scratch, ghost->value, removal->symbol, now),
                          &merged) &&
             closed_value(context, expr_substitute(&scratch, condition, removal->symbol, now),
                          &holds) &&
             merged >= type->lower && merged <= type->upper;
        if (!ok) break;
        assert(merged - type->lower < MOST_VALUES);
        int8_t *said = &says[merged - type->lower], says_now = holds ? 1 : -1;
        ok = !*said || *said == says_now;
        *said = says_now;
    }
    arena_close(&scratch);
    return ok;
}

const struct expr *other_says(const struct cell_group *group, const struct template *template,
                              const struct edge *edge, const struct expr *condition) {
    struct context *context = group->context;
    struct arena *arena = context->arena;
    for (uint32_t i = 0; i < context->request->ghosts.count; i++) {
        const struct ghost *ghost = context->request->ghosts.items[i];
        const struct removal *removal = single_of(context, template, edge, ghost);
        const struct shape *type = context_shape(context, ghost->symbol->type);
        if (cell_group_follows(group, ghost->symbol) || !removal || !is_short(type) ||
            !expr_mentions(condition, removal->symbol))
            continue;
        uint32_t count = (uint32_t)(type->upper - type->lower + 1), known = 0;
        int8_t *says = ARENA_ARRAY(arena, int8_t, count);
        int32_t *values = ARENA_ARRAY(arena, int32_t, count);
        bool *is_in = ARENA_ARRAY(arena, bool, count);
        if (!find_meaning(context, ghost, removal, condition, type, says)) continue;
        for (uint32_t k = 0; k < count; k++) {
            if (!says[k]) continue;
            is_in[known] = says[k] > 0;
            values[known++] = type->lower + (int32_t)k;
        }
        assert(known); /* the variable has some value */
        const struct expr *test = ghost_test(arena, ghost->symbol, values, is_in, known);
        return test ? test : build_bool(arena, true);
    }
    return NULL;
}

/* Scopes */

/* Whether an edge out of the scope of a variable gives it a value: one that depends on what is
 * removed is refused, and so is all else that has to do with it. */
static bool is_given(const struct edge *edge, const struct symbol *symbol) {
    bool found = false;
    for (uint32_t i = 0; i < edge->updates.count; i++) {
        const struct expr *item = edge->updates.items[i];
        found |= item->kind == EXPR_ASSIGN && item->op == OP_ASSIGN &&
                 item->child[0]->kind == EXPR_NAME && item->child[0]->symbol == symbol;
    }
    return found;
}

/* The variable rests where the edge leads to. */
static void set_back(struct arena *arena, const struct removal *removal, uint32_t target,
                     struct rest_list *rests) {
    assert(removal->scope[target] && removal->is_whole);
    for (uint32_t k = 0; k < removal->shape->cell_count; k++) {
        int32_t rest = removal_rest(removal, target, k);
        bool is_bool =
            type_strip(cell_type(removal->symbol->type, removal->shape, k))->kind == TYPE_BOOL;
        const struct expr *path = cell_path(arena, removal->symbol, removal->shape, k);
        const struct expr *value = is_bool ? build_bool(arena, rest != 0) : build_int(arena, rest);
        VEC_PUSH(arena, &rests->list, build_assignment(arena, path, value));
    }
}

const char *scopes_cross(const struct cell_group *group, const struct template *template,
                         const struct edge *edge, struct rest_list *rests) {
    const struct request *request = group->context->request;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!edge_changes_rest(removal, template, edge) || cell_group_has(group, removal->symbol))
            continue;
        if (!edge_leaves_scope(removal, template, edge))
            set_back(group->context->arena, removal, edge->target, rests);
        else if (!is_given(edge, removal->symbol))
            return "it leaves the scope of a removed variable to which it gives no new value";
    }
    return NULL;
}
