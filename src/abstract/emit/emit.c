#include "abstract/emit/emit.h"

#include "abstract/emit/edge.h"
#include "abstract/emit/first_step.h"
#include "abstract/emit/generator.h"
#include "abstract/emit/label_spot.h"
#include "abstract/emit/text.h"

#include <assert.h>

struct splices generate_output(struct abstraction *abstraction, bool only_first_step) {
    for (uint32_t i = 1; i < abstraction->dropped_queries.count; i++)
        assert(abstraction->dropped_queries.items[i - 1] < abstraction->dropped_queries.items[i]);
    struct generator generator = {
        .abstraction = abstraction,
        .arena = abstraction->arena,
        .document = abstraction->network->model->document,
        .spots = label_spots_new(abstraction->arena),
        .loops = {.arena = abstraction->arena, .network = abstraction->network}};
    splices_init(&generator.splices, generator.document, abstraction->arena);
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        count_loops(&generator, abstraction->folds.items[i]);
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        generate_edges(&generator, abstraction->folds.items[i]);
    for (uint32_t i = 0; i < abstraction->folds.count; i++)
        generate_copies(&generator, abstraction->folds.items[i]);
    generate_texts(&generator);
    splice_open_queries(&generator.splices);
    if (only_first_step) keep_first_step(&generator);
    abstraction->output = splices_apply(&generator.splices);
    assert(abstraction->output.size);
    return generator.splices;
}
