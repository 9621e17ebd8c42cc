/* Follows a run by all states of the original that look like it. */
#include "explore/compare/concretize.h"

#include "base/clock.h"
#include "base/index.h"
#include "explore/graph/ledger.h"
#include "explore/successor/assemble.h"
#include "explore/successor/idle.h"
#include "lang/syntax/kinds.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* A state of the original at a place of the run. */
struct followed_node {
    uint32_t row, place;
    uint32_t before, depth;
    uint32_t edges; /* the first one */
    bool was_armed; /* before the predicates are evaluated here */
    bool is_armed;  /* what has to hold from somewhere on, holds since then */
    bool is_dead;   /* nothing follows */
};

/* Between nodes within the loop. */
struct link {
    uint32_t node;
    bool is_stay; /* no step of the original */
};

struct follower {
    struct concretizer *concretizer;
    const struct query *query;
    const struct concrete_query *units;
    const struct trace *run;
    struct arena *arena;
    struct concretization *result;
    uint32_t last;          /* the last place; of a loop: the one before the first comes again */
    bool is_loop, is_still; /* is_still: nothing changes in the loop */
    struct shelf shelf;
    uint64_t *state, *words;
    struct followed_node *nodes;
    uint32_t count;
    struct link *links;
    uint32_t link_count;
    struct index index; /* of nodes */
    uint32_t goal;
    enum trace_end end;
    struct ledger ledger;
};

/* Memory and limits */

static bool cut(struct follower *follower, enum search_limit limit) {
    follower->ledger.limit = limit;
    return false;
}

/* Where the expander met a limit: fields are as wide as what is declared, so it was that. */
static bool cut_expansion(struct follower *follower) {
    const struct expander *expander = &follower->concretizer->expander;
    assert(expander_is_cut(expander));
    return cut(follower, expander_limit(expander));
}

/* The abstract run */

static const struct trace_state *state_at(const struct follower *follower, uint32_t place) {
    assert(place < follower->run->state_count);
    return &follower->run->states[place];
}

/* The place after one, or NONE. */
static uint32_t next_place(const struct follower *follower, uint32_t place) {
    if (place < follower->last) return place + 1;
    return follower->is_loop ? follower->run->loop : NONE;
}

/* Whether the step from a place changes nothing in the abstract model. */
static bool is_idle_step(const struct follower *follower, uint32_t place) {
    assert(place + 1 < follower->run->state_count);
    const struct network *network = follower->concretizer->visible->networks[SIDE_ABSTRACT];
    const struct trace_state *here = &follower->run->states[place], *there = here + 1;
    return !memcmp(here->locations, there->locations,
                   network->process_count * sizeof *here->locations) &&
           !memcmp(here->values, there->values, network->slot_count * sizeof *here->values);
}

/* By which values of a slot of the abstract model stand for others where its processes are, or
 * NULL.
 */
static const struct exchange *exchange_in(const struct visible *visible, uint32_t slot,
                                          const struct trace_state *state) {
    for (const struct exchange_at *at = visible->exchanges[slot]; at; at = at->next) {
        if (at->exchange->key &&
            !exchange_counts(at->exchange, state->values[at->key[SIDE_ABSTRACT]]))
            continue;
        if (at->process == NO_PROCESS) return at->exchange;
        uint32_t own = visible->processes[at->process].index[SIDE_ABSTRACT];
        uint32_t *codes = visible->codes[SIDE_ABSTRACT][at->process];
        if (codes[state->locations[own]] == at->code) return at->exchange;
    }
    return NULL;
}

static bool looks_like(const struct follower *follower, const uint64_t *words, uint32_t place) {
    const struct visible *visible = follower->concretizer->visible;
    const struct layout *layout = follower->concretizer->search.layout;
    const struct trace_state *state = state_at(follower, place);
    for (uint32_t i = 0; i < visible->process_count; i++) {
        const uint32_t *index = visible->processes[i].index;
        uint32_t at = (uint32_t)field_get(
            &layout->fields[layout_location(layout, index[SIDE_CONCRETE])], words);
        if (visible->codes[SIDE_CONCRETE][i][at] !=
            visible->codes[SIDE_ABSTRACT][i][state->locations[index[SIDE_ABSTRACT]]])
            return false;
    }
    for (uint32_t i = 0; i < visible->slot_count; i++) {
        const uint32_t *index = visible->slots[i].index;
        int64_t value = field_get(&layout->fields[index[SIDE_CONCRETE]], words);
        const struct exchange *exchange = exchange_in(visible, index[SIDE_ABSTRACT], state);
        if (exchange) value = exchange_value(exchange, (int32_t)value);
        if (value != state->values[index[SIDE_ABSTRACT]]) return false;
    }
    return true;
}

/* Nodes */

static uint64_t hash_node(uint32_t row, uint32_t place, bool was_armed) {
    return index_mix(was_armed, (uint64_t)row << 32 | place);
}

static uint32_t find_node(const struct follower *follower, uint32_t row, uint32_t place,
                          bool was_armed) {
    struct index_probe probe = index_begin(hash_node(row, place, was_armed));
    while (index_next(&follower->index, &probe)) {
        const struct followed_node *node = &follower->nodes[probe.number];
        if (node->row == row && node->place == place && node->was_armed == was_armed)
            return probe.number;
    }
    return NONE;
}

/* The row of a state, or STORE_FULL. */
static uint32_t row_of(struct follower *follower, const uint64_t *words) {
    struct store *store = &follower->concretizer->search.store;
    uint64_t hash = store_hash(store, words);
    uint32_t row = store_find(store, words, hash);
    bool is_new;
    if (row != STORE_FULL) return row;
    if (!store_has_room(store, 1) && !store_reserve(store, 1)) {
        cut(follower, LIMIT_MEMORY);
        return STORE_FULL;
    }
    store_refill(store, &follower->shelf, 1);
    return store_add(store, &follower->shelf, words, hash, &is_new);
}

/* The number of a node, which is new perhaps; NONE at a limit. */
static uint32_t add_node(struct follower *follower, uint32_t row, uint32_t place, uint32_t before) {
    assert(place <= follower->last);
    const struct concretize_options *options = &follower->concretizer->options;
    bool was_armed = before != NONE && follower->nodes[before].is_armed;
    uint32_t known = find_node(follower, row, place, was_armed);
    if (known != NONE) return known;
    if (options->max_states && follower->count >= options->max_states) {
        cut(follower, LIMIT_STATES);
        return NONE;
    }
    if (follower->count == NONE - 1 && !cut(follower, LIMIT_MEMORY)) return NONE;
    if (!LEDGER_ROOM(&follower->ledger, follower->nodes, (size_t)follower->count + 1) ||
        !index_add(&follower->index, hash_node(row, place, was_armed), follower->count))
        return NONE;
    uint32_t depth = before == NONE ? 0 : follower->nodes[before].depth + 1;
    follower->nodes[follower->count] = (struct followed_node){
        .row = row, .place = place, .before = before, .depth = depth, .was_armed = was_armed};
    return follower->count++;
}

/* Adds what follows a node, unless the row is none. */
static bool add_link(struct follower *follower, uint32_t from, uint32_t row, uint32_t place,
                     bool is_stay) {
    assert(from < follower->count);
    if (row == STORE_FULL) return false;
    uint32_t node = add_node(follower, row, place, from);
    if (node == NONE) return false;
    follower->nodes[from].is_dead = false;
    if (!follower->is_loop || follower->nodes[from].place < follower->run->loop) return true;
    if (!LEDGER_ROOM(&follower->ledger, follower->links, (size_t)follower->link_count + 1))
        return false;
    follower->links[follower->link_count++] = (struct link){node, is_stay};
    return true;
}

/* Predicates */

static bool holds(struct follower *follower, const struct unit *unit) {
    struct concretizer *concretizer = follower->concretizer;
    struct machine *machine = &concretizer->expander.machine;
    memcpy(follower->words, follower->state,
           concretizer->expander.word_count * sizeof *follower->words);
    enum outcome outcome = machine_unit(machine, unit, follower->words);
    assert(outcome != RUN_OVERFLOW);
    if (outcome == RUN_LATE) cut(follower, limit_of_machine(machine));
    if (outcome == RUN_FAULT) follower->result->problem = fault_name(machine->fault.kind);
    return outcome == RUN_TRUE;
}

static bool is_liveness(const struct query *query) {
    return query_traits(query->quantifier)->family == FAMILY_LIVENESS;
}

/* Whether the state that was expanded last, with the run up to it, proves what the query is about.
 */
static bool is_goal(struct follower *follower, struct followed_node *node) {
    struct expander *expander = &follower->concretizer->expander;
    bool is_stuck = !expander_degree(expander);
    expander->machine.is_stuck = is_stuck;
    if (!is_liveness(follower->query))
        return node->place == follower->last && holds(follower, &follower->units->from);
    bool is_start = follower->query->quantifier == QUERY_LEADS_TO
                        ? !node->was_armed && holds(follower, &follower->units->from)
                        : node->before == NONE;
    node->is_armed = (node->was_armed || is_start) && holds(follower, &follower->units->inside);
    follower->end = is_stuck ? TRACE_DEADLOCK : TRACE_IDLE;
    if (!node->is_armed || is_stuck) return node->is_armed;
    bool can_idle =
        follower->concretizer->options.semantics == SEMANTICS_UPPAAL && expander_can_idle(expander);
    return expander_is_cut(expander) ? cut_expansion(follower) : can_idle;
}

/* Following */

static bool expand(struct follower *follower, uint32_t row) {
    struct concretizer *concretizer = follower->concretizer;
    struct expander *expander = &concretizer->expander;
    if (!machine_has_time(&expander->machine))
        return cut(follower, limit_of_machine(&expander->machine));
    store_load(&concretizer->search.store, row, follower->state);
    expander_clear(expander);
    if (expander_run(expander, follower->state)) return true;
    return cut_expansion(follower);
}

/* False at the goal, or at a limit. */
static bool follow(struct follower *follower, uint32_t number) {
    const struct expander *expander = &follower->concretizer->expander;
    struct followed_node node = follower->nodes[number];
    uint32_t next = next_place(follower, node.place);
    if (!expand(follower, node.row)) return false;
    bool is_found = is_goal(follower, &node);
    if (follower->ledger.limit != LIMIT_NONE) return false;
    node.is_dead = true;
    node.edges = follower->link_count;
    follower->nodes[number] = node;
    if (is_found) follower->goal = number;
    if (is_found || next == NONE) return !is_found;
    for (uint32_t i = expander->first; i < expander->count; i++)
        if (looks_like(follower, expander_state(expander, i), next) &&
            !add_link(follower, number, row_of(follower, expander_state(expander, i)), next, false))
            return false;
    bool is_in_loop = follower->is_loop && node.place >= follower->run->loop;
    if (!is_idle_step(follower, node.place) || (is_in_loop && follower->is_still)) return true;
    return add_link(follower, number, node.row, next, true);
}

/* Loops */

struct loop_frame {
    uint32_t node, link;
};

static uint32_t links_end(const struct follower *follower, uint32_t node) {
    return node + 1 < follower->count ? follower->nodes[node + 1].edges : follower->link_count;
}

/* How many steps can follow at most: one more than after the best of its links. */
static uint32_t length_of(const struct follower *follower, uint32_t node, const uint32_t *lengths) {
    uint32_t length = 0;
    for (uint32_t i = follower->nodes[node].edges; i < links_end(follower, node); i++) {
        uint32_t next = follower->links[i].node;
        if (follower->nodes[next].is_armed && lengths[next] + 1 > length)
            length = lengths[next] + 1;
    }
    return length;
}

/* Depth first: the frames from *entry on are a loop whose states are all armed. Every loop of links
 * goes round the loop of the run, so that it has steps of the original. If there is none, lengths
 * are set. */
static bool find_loop(const struct follower *follower, struct loop_frame *frames, uint32_t *count,
                      uint32_t *entry, uint32_t *lengths) {
    uint32_t *at = heap_resize(NULL, follower->count + 1, sizeof *at); /* frame plus one, or done */
    bool is_found = false;
    memset(at, 0, (follower->count + 1) * sizeof *at);
    for (uint32_t root = 0; root < follower->count && !is_found; root++) {
        if (at[root] || !follower->nodes[root].is_armed) continue;
        *count = 0;
        frames[(*count)++] = (struct loop_frame){root, follower->nodes[root].edges};
        at[root] = 1;
        while (*count && !is_found) {
            struct loop_frame *top = &frames[*count - 1];
            if (top->link == links_end(follower, top->node)) {
                at[top->node] = NONE;
                lengths[top->node] = length_of(follower, top->node, lengths);
                --*count;
                continue;
            }
            uint32_t next = follower->links[top->link++].node;
            if (!follower->nodes[next].is_armed || at[next] == NONE) continue;
            is_found = at[next] != 0;
            *entry = at[next] - 1;
            if (is_found) break;
            frames[(*count)++] = (struct loop_frame){next, follower->nodes[next].edges};
            at[next] = *count;
        }
    }
    free(at);
    return is_found;
}

/* Paths */

static void set_trace(struct follower *follower, const struct row_path *path, enum trace_end end,
                      uint32_t loop) {
    assert(path->count);
    struct concretization *result = follower->result;
    struct expander *expander = &follower->concretizer->expander;
    result->trace = trace_new(follower->arena, &follower->concretizer->search, expander, path);
    if (!result->trace) {
        cut(follower, expander_limit(expander));
        return;
    }
    result->outcome = CONCRETE_REAL;
    result->trace->end = end;
    result->trace->loop = loop;
}

/* The rows from the start to a node, without those where nothing happens, and room after them. */
static struct row_path path_to(const struct follower *follower, uint32_t number, uint32_t room) {
    uint32_t depth = follower->nodes[number].depth;
    uint32_t *rows = ARENA_ARRAY(follower->arena, uint32_t, (size_t)depth + room + 2);
    struct row_path path = {rows, 0};
    for (uint32_t at = number, i = depth; at != NONE; at = follower->nodes[at].before, i--)
        rows[i] = follower->nodes[at].row;
    for (uint32_t i = 0; i <= depth; i++)
        if (!i || rows[i] != rows[path.count - 1]) rows[path.count++] = rows[i];
    return path;
}

/* The removed slots that matter to the step from a place, as states break off there: those armed,
 * of loops; of a depth. */
static void break_off(struct follower *follower, uint32_t place, uint32_t depth, bool is_armed) {
    uint32_t *rows = ARENA_ARRAY(follower->arena, uint32_t, CULPRIT_MAX_STATES), count = 0;
    for (uint32_t i = 0; i < follower->count && count < CULPRIT_MAX_STATES; i++) {
        const struct followed_node *node = &follower->nodes[i];
        if (node->is_dead && node->place == place &&
            (is_armed ? node->is_armed : node->depth == depth))
            rows[count++] = node->row;
    }
    assert(place < follower->run->step_count);
    follower->result->outcome = CONCRETE_SPURIOUS;
    follower->result->step = place;
    const struct concretizer *concretizer = follower->concretizer;
    struct missing_step missing = {.visible = concretizer->visible,
                                   .search = &concretizer->search,
                                   .step = &follower->run->steps[place],
                                   .rows = rows,
                                   .count = count,
                                   .deadline = concretizer->expander.machine.deadline,
                                   .grace = concretizer->expander.machine.grace};
    struct culprits culprits;
    bool is_in_time = find_culprits(&missing, follower->arena, &culprits);
    follower->result->slots = culprits.slots;
    follower->result->slot_count = culprits.count;
    follower->result->guards = culprits.guards;
    follower->result->guard_count = culprits.guard_count;
    if (!is_in_time) {
        follower->result->outcome = CONCRETE_UNKNOWN;
        cut(follower, limit_of_time());
    }
}

/* Where a loop breaks off that can be followed for some time only; false if it cannot at all. */
static bool break_loop(struct follower *follower, const uint32_t *lengths) {
    assert(follower->is_loop && follower->run->loop <= follower->last);
    uint32_t best = NONE, rounds = follower->last + 1 - follower->run->loop;
    for (uint32_t i = 0; i < follower->count; i++)
        if (follower->nodes[i].is_armed && lengths[i] &&
            (best == NONE || lengths[i] > lengths[best]))
            best = i;
    if (best == NONE) return false;
    uint32_t steps = follower->nodes[best].place - follower->run->loop + lengths[best];
    follower->result->round = steps / rounds;
    break_off(follower, follower->run->loop + steps % rounds, 0, true);
    return true;
}

static bool close_loop(struct follower *follower) {
    struct loop_frame *frames = heap_resize(NULL, follower->count + 1, sizeof *frames);
    uint32_t *lengths = heap_resize(NULL, follower->count + 1, sizeof *lengths), count, entry;
    memset(lengths, 0, (follower->count + 1) * sizeof *lengths);
    bool is_found = find_loop(follower, frames, &count, &entry, lengths);
    if (is_found) {
        struct row_path path = path_to(follower, frames[entry].node, count - entry + 1);
        uint32_t loop = path.count - 1;
        for (uint32_t i = entry; i < count; i++) {
            assert(frames[i].link && frames[i].link <= follower->link_count);
            struct link link = follower->links[frames[i].link - 1]; /* that was taken */
            if (!link.is_stay) path.rows[path.count++] = follower->nodes[link.node].row;
        }
        set_trace(follower, &path, TRACE_LOOP, loop);
    } else if (!follower->result->problem) {
        is_found = break_loop(follower, lengths);
    }
    free(frames);
    free(lengths);
    return is_found;
}

/* Where the run breaks off: the states that came furthest. */
static void give_up(struct follower *follower) {
    assert(follower->goal == NONE);
    uint32_t best = NONE;
    for (uint32_t i = 0; i < follower->count; i++)
        if (follower->nodes[i].is_dead &&
            (best == NONE || follower->nodes[i].depth > follower->nodes[best].depth))
            best = i;
    follower->result->outcome = CONCRETE_SPURIOUS;
    follower->result->is_at_end =
        best == NONE || next_place(follower, follower->nodes[best].place) == NONE;
    if (!follower->result->is_at_end)
        break_off(follower, follower->nodes[best].place, follower->nodes[best].depth, false);
}

static void run_follower(struct follower *follower) {
    struct concretizer *concretizer = follower->concretizer;
    struct concretization *result = follower->result;
    uint32_t row = row_of(follower, concretizer->search.layout->initial);
    follower->goal = NONE;
    if (row == STORE_FULL) return;
    if (!looks_like(follower, concretizer->search.layout->initial, 0)) {
        result->problem = "the initial states look different";
        return;
    }
    if (add_node(follower, row, 0, NONE) == NONE) return;
    bool goes_on = true;
    for (uint32_t i = 0; i < follower->count && goes_on; i++) goes_on = follow(follower, i);
    if (follower->ledger.limit != LIMIT_NONE) return;
    if (follower->goal != NONE) {
        struct row_path path = path_to(follower, follower->goal, 0);
        set_trace(follower, &path, is_liveness(follower->query) ? follower->end : TRACE_OPEN, 0);
    } else if (!(follower->is_loop && close_loop(follower)) && !result->problem) {
        give_up(follower);
    }
}

void concretize(struct concretizer *concretizer, uint32_t query, const struct trace *run,
                struct arena *arena, struct concretization *result) {
    const struct layout *layout = concretizer->search.layout;
    struct follower follower = {.concretizer = concretizer,
                                .query = &concretizer->queries[query],
                                .units = &concretizer->units[query],
                                .run = run,
                                .arena = arena,
                                .result = result,
                                .is_loop = run->end == TRACE_LOOP,
                                .ledger = {.ends_process = true,
                                           .max_size = concretizer->options.max_size,
                                           .stores = {&concretizer->search.store}}};
    follower.index.memory = ledger_memory(&follower.ledger);
    *result = (struct concretization){.outcome = CONCRETE_UNKNOWN};
    if (follower.query->quantifier == QUERY_INVALID) { /* it names what only the abstraction has */
        result->problem = "the query means nothing there";
        return;
    }
    assert(run->state_count > follower.is_loop && run->loop < run->state_count);
    follower.last = run->state_count - 1 - follower.is_loop;
    follower.is_still = follower.is_loop;
    for (uint32_t i = run->loop; i <= follower.last && follower.is_loop; i++)
        follower.is_still &= is_idle_step(&follower, i);
    follower.state = layout_state(layout, NULL);
    follower.words = layout_state(layout, NULL);
    if (concretizer->search.store.capacity)
        run_follower(&follower);
    else
        follower.ledger.limit = LIMIT_MEMORY;
    result->limit = follower.ledger.limit;
    result->states = follower.count;
    free(follower.state);
    free(follower.words);
    LEDGER_GIVE(&follower.ledger, follower.nodes, follower.links);
    index_close(&follower.index);
}

/* Preparation */

/* Queries that a run decides. */
static void compile_query(struct compiler *compiler, const struct query *query,
                          struct concrete_query *units) {
    const struct query_traits *traits = query_traits(query->quantifier);
    if (traits->family != FAMILY_REACHABILITY && traits->family != FAMILY_LIVENESS) return;
    unit_begin(compiler);
    unit_predicate(compiler, query->predicate, traits->seeks_negation);
    unit_end(compiler, &units->from);
    units->inside = units->from;
    if (query->quantifier != QUERY_LEADS_TO) return;
    assert(query->expr_count);
    unit_begin(compiler);
    unit_predicate(compiler, query->exprs[0], true);
    unit_end(compiler, &units->inside);
}

/* False (reported, or a limit of its search) if the original cannot be run. Close it either way. */
bool concretizer_init(struct concretizer *concretizer, const struct visible *visible,
                      const struct query *queries, uint32_t count,
                      const struct concretize_options *options) {
    const struct network *network = visible->networks[SIDE_CONCRETE];
    struct search *search = &concretizer->search;
    *concretizer =
        (struct concretizer){.visible = visible, .queries = queries, .options = *options};
    search->network = network;
    search->start = clock_seconds();
    arena_init(&search->arena);
    struct guess *guesses = ARENA_ARRAY(&search->arena, struct guess, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++)
        guesses[i] = guess_declared(&network->slots[i]);
    search->layout = layout_new(&search->arena, network, guesses);
    struct program_limits limits = {
        .max_size = options->max_size,
        .deadline = options->max_seconds > 0 ? search->start + options->max_seconds : 0};
    search->program =
        program_new(&search->arena, search->layout, (struct program_kind){0}, limits,
                    &search->limit, options->diag ? options->diag : network->model->diag);
    if (!search->program) return false;
    concretizer->units = ARENA_ARRAY(&search->arena, struct concrete_query, count + 1);
    for (uint32_t i = 0; i < count; i++)
        compile_query(search->program->compiler, &queries[i], &concretizer->units[i]);
    expander_init(&concretizer->expander, search->program);
    concretizer->expander.machine.deadline = limits.deadline;
    concretizer->expander.max_size = options->max_size;
    store_init(&search->store, search->layout, options->max_size, 0); /* without room: a limit */
    return true;
}

/* Results stay in the arenas that concretize was given. */
void concretizer_close(struct concretizer *concretizer) {
    if (concretizer->search.program) {
        expander_close(&concretizer->expander);
        store_close(&concretizer->search.store);
        program_close(concretizer->search.program);
    }
    arena_close(&concretizer->search.arena);
}
