/* Explores any document with tiny limits, compiled and interpreted, with fields as wide as declared
 * and with fields chosen after a first look: what is complete must give the same figures, and
 * queries that are decided the same verdicts. */
#include "load.h"

#include "explore/verdict/verify.h"

enum { MAX_STATES = 2000, SMALL_LOOK = 3, MANY_SLOTS = 1 << 12, MAX_SIZE = 64 << 20 };

struct way {
    bool interprets, is_full, wants_traces;
    uint64_t first_look; /* MAX_STATES: none */
    enum semantics semantics;
};

/* Empty queries are none. */
static void drop_empty_queries(struct model *model) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < model->query_count; i++)
        if (model->queries[i].quantifier != QUERY_EMPTY) model->queries[kept++] = model->queries[i];
    model->query_count = kept;
}

static struct verification explore(struct arena *arena, const struct model *model,
                                   const struct network *network, const struct way *way) {
    struct verification result;
    struct verify_options options = {
        .search = {.max_states = MAX_STATES,
                   .max_size = MAX_SIZE,
                   .max_seconds = 1,
                   .first_look = way->first_look,
                   .is_full = way->is_full,
                   .interprets = way->interprets},
        .semantics = way->semantics,
        .wants_traces = way->wants_traces,
    };
    bool is_done = verify(&result, arena, network, model->queries, model->query_count, &options);
    require(is_done == (model->diag->error_count == 0));
    return result;
}

static void compare_answers(const struct answer *one, const struct answer *other) {
    require(!one->problem == !other->problem);
    require(one->verdict == other->verdict);
    require(!one->bounds == !other->bounds);
    for (uint32_t i = 0; one->bounds && !one->problem && i < one->query->expr_count; i++) {
        require(one->bounds[i].is_found == other->bounds[i].is_found);
        require(one->bounds[i].lower == other->bounds[i].lower);
        require(one->bounds[i].upper == other->bounds[i].upper);
    }
}

/* Both are explored as far as is asked for. */
static void compare(const struct verification *one, const struct verification *other,
                    bool is_full) {
    if (one->search->limit != LIMIT_NONE || other->search->limit != LIMIT_NONE) return;
    if (is_full) {
        require(one->search->is_complete && other->search->is_complete);
        require(store_count(&one->search->store) == store_count(&other->search->store));
        require(one->search->transitions == other->search->transitions);
        require(one->search->deadlocks == other->search->deadlocks);
        require(one->search->errors == other->search->errors);
        require(one->search->level_count == other->search->level_count);
    }
    require(one->answer_count == other->answer_count);
    for (uint32_t i = 0; i < one->answer_count; i++)
        compare_answers(&one->answers[i], &other->answers[i]);
}

static void explore_all(struct arena *arena, const struct model *model,
                        const struct network *network) {
    static const struct way ways[] = {
        {.interprets = true, .is_full = true, .first_look = MAX_STATES},
        {.is_full = true, .first_look = SMALL_LOOK},
        {.is_full = true, .first_look = MAX_STATES, .wants_traces = true},
        {.is_full = true, .interprets = true, .first_look = SMALL_LOOK},
        {.first_look = SMALL_LOOK, .wants_traces = true},
        {.semantics = SEMANTICS_KRIPKE, .first_look = MAX_STATES, .wants_traces = true},
        {.semantics = SEMANTICS_KRIPKE, .interprets = true, .first_look = 1},
    };
    enum { COUNT = sizeof ways / sizeof *ways };
    struct verification results[COUNT] = {0};
    uint32_t count = network->slot_count < MANY_SLOTS ? COUNT : 2, last = 0;
    for (uint32_t i = 0; i < count; i++, last++) {
        results[i] = explore(arena, model, network, &ways[i]);
        if (model->diag->error_count || results[i].search->limit == LIMIT_TIME) break;
    }
    for (uint32_t i = 1; i < last; i++)
        for (uint32_t k = 0; k < i; k++)
            if (ways[i].semantics == ways[k].semantics)
                compare(&results[i], &results[k], ways[i].is_full && ways[k].is_full);
    for (uint32_t i = 0; i < count && i <= last; i++) verify_close(&results[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct load load;
    load_begin(&load);
    load_model(&load, (struct str){(const char *)data, size});
    if (load.network) {
        drop_empty_queries(load.model);
        explore_all(&load.arena, load.model, load.network);
    }
    arena_close(&load.arena);
    return 0;
}
