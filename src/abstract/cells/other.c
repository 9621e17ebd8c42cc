/* See other.h. */
#include "abstract/cells/other.h"

#include "abstract/edge/express.h"
#include "expr/build.h"
#include "expr/find.h"
#include "expr/substitute.h"

#include <assert.h>

/* Of a variable, and of a merge of it, that are gone through. */
enum { MOST_VALUES = 4096 };

static bool is_short(const struct shape *shape) {
    return shape && shape->kind == SHAPE_CELL && !shape->is_scalar &&
           (int64_t)shape->upper - shape->lower < MOST_VALUES;
}

/* The variable that the merge is of, if it is one of one cell that can be gone through. */
static const struct removal *single_of(const struct context *context,
                                       const struct template *template, const struct ghost *ghost) {
    const struct removal *removal =
        ghost->cells.count == 1 ? removed_ever(context->request, ghost->cells.items[0].symbol)
                                : NULL;
    bool is_single = removal && removal->is_whole && !removal->scope && is_short(removal->shape) &&
                     (!ghost->template || ghost->template == template);
    return is_single ? removal : NULL;
}

/* Whether the condition holds (1) or not (-1), by value of the merge; 0 = it does not have that. False
 * if both may be. */
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
                              const struct expr *condition) {
    struct context *context = group->context;
    struct arena *arena = context->arena;
    for (uint32_t i = 0; i < context->request->ghosts.count; i++) {
        const struct ghost *ghost = context->request->ghosts.items[i];
        const struct removal *removal = single_of(context, template, ghost);
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
