#include "abstract/fold/choice.h"

#include "abstract/edge/open_edge.h"
#include "abstract/fold/output.h"

#include <assert.h>

/* Combinations of values that an output edge chooses from, up to 2^32 for each select; *widest is
 * the select with the most. Those of scalars are few. */
static uint64_t combinations(const struct output_edge *out, uint32_t *widest) {
    uint64_t product = 1, most = 0;
    for (uint32_t i = 0; i < out->select_count; i++) {
        const struct chosen_select *select = &out->selects[i];
        if (type_strip(select->unknown->placeholder->type)->kind == TYPE_SCALAR) continue;
        assert(select->lower <= select->upper);
        uint64_t values = (uint64_t)((int64_t)select->upper - select->lower + 1);
        if (values > most) *widest = i;
        if (values > most) most = values;
        product = values < UINT64_MAX / product ? product * values : UINT64_MAX;
    }
    return product;
}

/* The edge with the most combinations; combinations is 0 where no edge chooses. */
struct wide_choice choice_widest(const struct abstraction *abstraction) {
    struct wide_choice choice = {0};
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct fold *fold = &abstraction->folds.items[i]->fold;
        for (uint32_t k = 0; k < fold->edges.count; k++) {
            const struct output_edge *out = &fold->edges.items[k];
            uint32_t widest = 0;
            uint64_t values = combinations(out, &widest);
            if (values <= CHOICE_MOST_VALUES) continue;
            choice.edges++;
            if (values <= choice.values) continue;
            choice.values = values;
            choice.open = out->base;
            choice.variable = out->selects[widest].unknown->removal->symbol->name;
        }
    }
    return choice;
}

const char *choice_values(const struct wide_choice *choice, struct arena *arena) {
    if (choice->values == UINT64_MAX) return "over 10^19 values"; /* 2^64 is 1.8 * 10^19 */
    return arena_printf(arena, "%llu values", (unsigned long long)choice->values);
}

struct choice_list {
    struct buffer text;
    VEC(const struct symbol *) named;
};

static void name_variable(struct choice_list *list, struct arena *arena,
                          const struct symbol *symbol) {
    for (uint32_t i = 0; i < list->named.count; i++)
        if (list->named.items[i] == symbol) return;
    buffer_printf(&list->text, "%s'%s'", list->named.count ? ", " : "", symbol->name);
    VEC_PUSH(arena, &list->named, symbol);
}

const char *choice_problem(const struct abstraction *abstraction) {
    struct choice_list list = {.text = {0}};
    struct arena *arena = abstraction->arena;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct fold *fold = &abstraction->folds.items[i]->fold;
        for (uint32_t k = 0; k < fold->edges.count; k++) {
            const struct output_edge *out = &fold->edges.items[k];
            uint32_t widest;
            if (combinations(out, &widest) <= CHOICE_MOST_VALUES) continue;
            for (uint32_t s = 0; s < out->select_count; s++)
                name_variable(&list, arena, out->selects[s].unknown->removal->symbol);
        }
    }
    const char *text = NULL;
    if (list.named.count)
        text =
            arena_printf(arena, "edges would choose from very many values of %s", list.text.data);
    buffer_close(&list.text);
    return text;
}
