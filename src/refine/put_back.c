/* Suspects: what keeps the original from a run, or an abstraction from being exact. */
#include "refine/put_back.h"

#include "explore/visible/visible_exchange.h"
#include "refine/exchanged.h"

#include <assert.h>
#include <string.h>

void suspects_of_text(struct removal_candidates *candidates, const char *message) {
    assert(message);
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        struct removal_candidate *item = &candidates->list.items[i];
        const char *name = item->variable->symbol->name;
        size_t size = strlen(name);
        for (const char *at = message; (at = strstr(at, name)) && !item->is_suspect; at += size)
            item->is_suspect = at > message && at[-1] == '\'' && at[size] == '\'';
    }
}

/* ---- without following the run: what guards and updates of its edges read ---- */

static bool suspect_effects(struct suspects *suspects, const struct effects *effects) {
    bool is_any = false;
    for (uint32_t i = 0; i < suspects->candidates->list.count; i++) {
        struct removal_candidate *item = &suspects->candidates->list.items[i];
        if (item->level != REMOVED_WHOLE || !effects_reads(effects, item->variable->symbol))
            continue;
        item->is_suspect = is_any = true;
    }
    return is_any;
}

/* Edges of the original between the locations of a participant. */
static bool suspect_part(struct suspects *suspects, const struct network *network,
                         const struct edge_instance *part, bool is_update) {
    assert(part->process->index < network->process_count); /* their order stays (split.h) */
    const struct template *theirs = part->process->template,
                          *own = network->processes[part->process->index].template;
    bool is_any = false;
    for (uint32_t i = 0; i < own->edge_count; i++) {
        const struct edge *edge = &own->edges[i];
        const struct edge_labels *effects = &network->labels.edges[own->index][i];
        if (strcmp(own->locations[edge->source].name, theirs->locations[part->source].name) != 0 ||
            strcmp(own->locations[edge->target].name, theirs->locations[part->target].name) != 0)
            continue;
        is_any |= suspect_effects(suspects,
                                  is_update ? &effects->update_effects : &effects->guard_effects);
        if (!is_update) is_any |= suspect_effects(suspects, &effects->sync_effects);
    }
    return is_any;
}

static void suspect_edges(struct suspects *suspects, const struct network *network,
                          const struct trace *trace) {
    for (int is_update = 0; is_update < 2; is_update++)
        for (uint32_t s = 0; s < trace->step_count; s++) {
            bool is_any = false;
            for (uint32_t p = 0; p < trace->steps[s].part_count; p++)
                is_any |= suspect_part(suspects, network, trace->steps[s].parts[p], is_update);
            if (is_any) return;
        }
}

void suspects_of_doubt(struct removal_candidates *candidates, const struct network *network,
                       const struct edge_instance *doubted) {
    struct suspects suspects = {.candidates = candidates};
    if (!suspect_part(&suspects, network, doubted, false))
        suspect_part(&suspects, network, doubted, true);
}

/* ---- by following the run ---- */

/* V.x of V(1..2).x: more is ignored than has to be. */
static const char *without_processes(const char *name, struct arena *arena) {
    const char *open = strchr(name, '('), *close = open ? strchr(open, ')') : NULL;
    return close ? arena_printf(arena, "%.*s%s", (int)(open - name), name, close + 1) : name;
}

const char **removal_candidates_ignored(const struct removal_candidates *candidates,
                                        struct arena *arena, uint32_t *count) {
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        const struct removal_candidate *item = &candidates->list.items[i];
        if (item->level != REMOVED_DEAD) continue;
        if (strchr(item->dead, '@')) VEC_PUSH(arena, &names, without_processes(item->whole, arena));
        for (const char *at = item->dead; at && !strchr(item->dead, '@');) { /* cells */
            size_t size = strcspn(at, ",");
            VEC_PUSH(arena, &names, arena_copy(arena, at, size));
            at = at[size] ? at + size + 1 : NULL;
        }
    }
    *count = names.count;
    return names.items;
}

/* Of what is removed to this degree. */
static bool suspect_slots(struct suspects *suspects, const struct network *network,
                          const struct concretization *result, enum removed level) {
    bool is_any = false;
    for (uint32_t k = 0; k < result->slot_count; k++)
        for (uint32_t i = 0; i < suspects->candidates->list.count; i++) {
            struct removal_candidate *item = &suspects->candidates->list.items[i];
            if (item->level == level &&
                item->variable->symbol == network->slots[result->slots[k]].symbol)
                item->is_suspect = is_any = true;
        }
    return is_any;
}

/* Values that stand for others in the abstract model stand for those of the original. */
static bool add_exchanges(struct visible *visible, struct arena *arena,
                          const struct normal *normal) {
    for (uint32_t i = 0; i < normal->points.count; i++) {
        struct exchange *exchange = ARENA_NEW(arena, struct exchange);
        *exchange = exchange_of_point(arena, &normal->points.items[i]);
        if (!visible_exchange(visible, arena, exchange)) return false;
    }
    return true;
}

/* False if the run could not be followed. */
static bool follow(struct suspects *suspects, const struct network *network,
                   const struct attempt *attempt, const struct verify_options *options,
                   struct arena *arena, struct concretization *result) {
    assert(attempt->answer && attempt->answer->trace);
    struct visible visible;
    struct concretizer concretizer;
    struct diag diag; /* whose messages are not of interest */
    uint32_t count;
    const char **names = removal_candidates_ignored(suspects->candidates, arena, &count);
    struct concretize_options limits = {.semantics = options->semantics,
                                        .max_states = options->search.max_states,
                                        .max_size = options->search.max_size,
                                        .max_seconds = options->search.max_seconds,
                                        .diag = &diag};
    diag_init(&diag, arena, &network->model->document->source);
    if (visible_init(&visible, arena, network, attempt->session->network, names, count) ||
        !add_exchanges(&visible, arena, &attempt->normal))
        return false;
    bool is_ready = concretizer_init(&concretizer, &visible, network->model->queries, 1, &limits);
    if (is_ready) concretize(&concretizer, 0, attempt->answer->trace, arena, result);
    concretizer_close(&concretizer);
    return is_ready && result->outcome != CONCRETE_UNKNOWN;
}

enum refine_finding suspects_of_run(struct suspects *suspects, const struct network *network,
                                    const struct attempt *attempt,
                                    const struct verify_options *options, struct arena *arena) {
    struct concretization *result = &suspects->followed;
    *result = (struct concretization){.outcome = CONCRETE_UNKNOWN};
    bool is_followed = follow(suspects, network, attempt, options, arena, result);
    if (is_followed && result->outcome == CONCRETE_REAL) return FINDING_REAL;
    if (!is_followed || (!suspect_slots(suspects, network, result, REMOVED_WHOLE) &&
                         !suspect_slots(suspects, network, result, REMOVED_DEAD)))
        suspect_edges(suspects, network, attempt->answer->trace);
    return is_followed ? FINDING_SPURIOUS : FINDING_NONE;
}
