/* Deadlocks, errors, numbers, layers and shortest runs. */
#include "explore/symbolic/facts.h"

/* Sets */

/* The vectors from a level on in which no event is enabled that has its top there or below. Each
 * event is looked at from its top on, as what is above it does not matter. */
static uint32_t stuck_from(struct reach *reach, uint32_t set, uint32_t level) {
    struct ldd *ldd = &reach->ldd;
    const uint32_t *first = &reach->closer.first[level];
    uint32_t result;
    if (set == LDD_NONE || ldd_is_over(ldd)) return LDD_NONE;
    if (first[0] == reach->event_count) return set;
    if (ldd_recall(ldd, LDD_STUCK, set, level, 0, &result)) return result;
    size_t mark = ldd_mark(ldd);
    for (uint32_t at = set; at; at = ldd->nodes[at].right) {
        struct ldd_node node = ldd->nodes[at];
        ldd_push(ldd, node.value, stuck_from(reach, node.down, level + 1));
    }
    result = ldd_list(ldd, mark, LDD_NONE);
    for (uint32_t i = first[0]; i < first[1]; i++)
        result = set_unmatch(ldd, &reach->marks, result, reach->events[i].enabled,
                             reach->events[i].chain);
    ldd_store(ldd, LDD_STUCK, set, level, 0, result);
    return result;
}

uint32_t reach_deadlocks(struct reach *reach) {
    assert(reach->states != LDD_NONE); /* reach_run was true */
    return stuck_from(reach, reach->states, 0);
}

static uint32_t matching(struct reach *reach, uint32_t event, uint32_t of_short) {
    return set_match(&reach->ldd, &reach->marks, reach->states, of_short,
                     reach->events[event].whole);
}

/* The states themselves, each once, however many of its steps fail. */
uint32_t reach_errors(struct reach *reach) {
    uint32_t found = LDD_NONE;
    for (uint32_t i = 0; i < reach->event_count; i++)
        for (uint32_t at = reach->deeds[i].errors; at; at = reach->ldd.nodes[at].right)
            found = set_union(&reach->ldd, found, matching(reach, i, reach->ldd.nodes[at].down));
    return found;
}

/* Numbers */

/* Counts steps or errors in the vectors of sets. */
struct tally {
    struct reach *reach;
    struct counter *vectors;
    bool is_of_errors;
};

/* Those of the events that have their top at the level. */
static void add_numbers(void *context, uint32_t set, uint32_t level, struct count *sum) {
    const struct tally *tally = context;
    struct reach *reach = tally->reach;
    struct ldd *ldd = &reach->ldd;
    const uint32_t *first = &reach->closer.first[level];
    for (uint32_t i = first[0]; i < first[1] && !ldd_is_over(ldd); i++) {
        const struct deed *deed = &reach->deeds[reach->events[i].index];
        uint32_t numbers = tally->is_of_errors ? deed->errors : deed->steps;
        for (; numbers && !ldd_is_over(ldd); numbers = ldd->nodes[numbers].right) {
            struct ldd_node number = ldd->nodes[numbers];
            uint32_t found =
                set_match(ldd, &reach->marks, set, number.down, reach->events[i].chain);
            count_add_set(tally->vectors, sum, found, number.value);
        }
    }
}

static void count_numbers(struct tally tally, struct count *count) {
    const struct reach *reach = tally.reach;
    struct counter counter;
    if (ldd_is_over(&reach->ldd)) return;
    counter_init_own(&counter, &reach->ldd, reach->levels.bits, add_numbers, &tally);
    count_add_set(&counter, count, reach->states, 1);
    counter_close(&counter);
}

/* All four exactly; deadlocks as reach_deadlocks gave them. */
static struct exact exact_of(const struct count *count, struct arena *arena) {
    return (struct exact){true, count_value(count), count_text(count, arena)};
}

bool reach_count(struct reach *reach, uint32_t deadlocks, struct figures *figures,
                 struct arena *arena) {
    struct counter counter;
    counter_init(&counter, &reach->ldd, reach->levels.bits);
    struct count states = count_zero(&counter, arena), transitions = count_zero(&counter, arena),
                 stuck = count_zero(&counter, arena), errors = count_zero(&counter, arena);
    if (!ldd_is_over(&reach->ldd)) {
        count_add_set(&counter, &states, reach->states, 1);
        count_add_set(&counter, &stuck, deadlocks, 1);
    }
    count_numbers((struct tally){reach, &counter, false}, &transitions);
    count_numbers((struct tally){reach, &counter, true}, &errors);
    counter_close(&counter);
    if (ldd_is_over(&reach->ldd)) return false;
    *figures = (struct figures){.states = exact_of(&states, arena),
                                .transitions = exact_of(&transitions, arena),
                                .deadlocks = exact_of(&stuck, arena),
                                .errors = exact_of(&errors, arena)};
    return true;
}

/* Layers */

/* The first layer is the initial state; the sets are held until the reach is closed. */
void layers_init(struct layers *layers, struct reach *reach) {
    assert(reach->states != LDD_NONE);
    *layers = (struct layers){.reach = reach};
    ldd_hold(&reach->ldd, reach->initial); /* what has been found before the next layer */
    layers->first = ldd_hold(&reach->ldd, reach->initial);
    layers->count = 1;
}

/* The next layer; false if there are no more states, or at a limit. */
static bool add_layer(struct layers *layers) {
    struct reach *reach = layers->reach;
    struct ldd *ldd = &reach->ldd;
    uint32_t from = layers_at(layers, layers->count - 1), next = LDD_NONE;
    uint32_t *before = &ldd->held[layers->first - 1];
    for (uint32_t i = 0; i < reach->event_count; i++)
        next = set_union(ldd, next, event_image(ldd, &reach->marks, &reach->events[i], from));
    next = set_minus(ldd, next, *before);
    uint32_t all = set_union(ldd, *before, next);
    if (ldd_is_over(ldd) || next == LDD_NONE) return false;
    *before = all;
    ldd_hold(ldd, next);
    layers->count++;
    ldd_safe_point(ldd);
    return true;
}

/* Looks for the targets in the last layer; whether all are found. */
static bool look(struct layers *layers, struct target *targets, uint32_t count) {
    bool has_all = true;
    for (uint32_t i = 0; i < count; i++) {
        struct target *target = &targets[i];
        if (target->is_found || target->set == LDD_NONE) continue;
        target->layer = layers->count - 1;
        target->is_found = set_intersect(&layers->reach->ldd, layers_at(layers, target->layer),
                                         target->set) != LDD_NONE;
        has_all &= target->is_found;
    }
    return has_all;
}

bool layers_find(struct layers *layers, struct target *targets, uint32_t count) {
    assert(layers->count == 1);
    while (!look(layers, targets, count))
        if (!add_layer(layers)) {
            assert(ldd_is_over(&layers->reach->ldd));
            return false;
        }
    return !ldd_is_over(&layers->reach->ldd);
}

bool layers_find_one(struct layers *layers, struct target *target) {
    assert(layers->first + layers->count == layers->reach->ldd.held_count);
    for (uint32_t i = 0; i < layers->count && !target->is_found; i++) {
        target->layer = i;
        target->is_found =
            set_intersect(&layers->reach->ldd, layers_at(layers, i), target->set) != LDD_NONE;
    }
    while (!target->is_found && add_layer(layers)) look(layers, target, 1);
    return !ldd_is_over(&layers->reach->ldd);
}

/* States */

/* The part of a set with the least value of one level. */
static uint32_t keep_least(struct reach *reach, uint32_t set, uint32_t level) {
    assert(level < reach->levels.count);
    struct ldd *ldd = &reach->ldd;
    unsigned char *kinds = reach->kinds;
    memset(kinds, MARK_SKIP, reach->levels.count);
    kinds[level] = MARK_READ;
    uint32_t chain = marks_chain(&reach->marks, kinds, 0, reach->levels.count);
    uint32_t values = set_project(ldd, &reach->marks, set, chain);
    if (ldd_is_over(ldd)) return LDD_NONE;
    uint32_t least = ldd_make(ldd, ldd->nodes[values].value, LDD_UNIT, LDD_NONE);
    return set_match(ldd, &reach->marks, set, least, chain);
}

/* The next field below the place in the current word, or of a word after it; UINT32_MAX if there
 * is none. Packed states are compared word by word, the highest bits first. */
static uint32_t next_field(const struct layout *layout, const struct levels *levels, uint32_t word,
                           uint32_t shift) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i], *than = field;
        if (!levels->sizes[i] || field->word < word ||
            (field->word == word && field->shift >= shift))
            continue;
        if (best != UINT32_MAX) than = &layout->fields[best];
        if (best == UINT32_MAX || field->word < than->word ||
            (field->word == than->word && field->shift > than->shift))
            best = i;
    }
    return best;
}

static uint32_t keep_least_field(struct reach *reach, uint32_t set, uint32_t field) {
    const struct levels *levels = &reach->levels;
    for (uint32_t i = 0; i < levels->sizes[field]; i++)
        set = keep_least(reach, set, levels->first[field] + i);
    return set;
}

static void take_first(struct reach *reach, uint32_t set, uint64_t *words) {
    struct level_state point = {.words = words};
    if (ldd_is_over(&reach->ldd)) return;
    set_first(&reach->ldd, set, reach->tuple, reach->levels.count);
    levels_point(&reach->levels, reach->tuple, &point);
}

void reach_least(struct reach *reach, uint32_t set, uint64_t *words) {
    const struct layout *layout = reach->program->layout;
    uint32_t word = 0, shift = 64;
    for (uint32_t f; (f = next_field(layout, &reach->levels, word, shift)) != UINT32_MAX;) {
        set = keep_least_field(reach, set, f);
        word = layout->fields[f].word;
        shift = layout->fields[f].shift;
    }
    take_first(reach, set, words);
}

void reach_least_values(struct reach *reach, uint32_t set, uint64_t *words) {
    for (uint32_t f = 0; f < reach->program->layout->field_count; f++)
        set = keep_least_field(reach, set, f);
    take_first(reach, set, words);
}

/* The subset of a set that leads to the vector in the tuple. */
static uint32_t before(struct reach *reach, const struct event *event, uint32_t set) {
    struct ldd *ldd = &reach->ldd;
    uint32_t count = reach->levels.count;
    if (event->stage_count)
        return event_preimage(ldd, &reach->marks, event, set, set_of(ldd, reach->tuple, count));
    return set_before(ldd, &reach->marks, set, event->relation, event->whole, reach->tuple, count,
                      reach->serial);
}

static uint32_t find_before(struct layers *layers, uint32_t layer, const uint64_t *words) {
    struct reach *reach = layers->reach;
    struct level_state point = {(uint64_t *)words, count_committed(reach->program, words)};
    uint32_t found = LDD_NONE;
    levels_vector(&reach->levels, &point, reach->tuple);
    reach->serial++;
    for (uint32_t i = 0; i < reach->event_count; i++)
        found = set_union(&reach->ldd, found,
                          before(reach, &reach->events[i], layers_at(layers, layer)));
    return found;
}

bool layers_run(struct layers *layers, const struct target *target, uint64_t *words) {
    assert(target->is_found && target->layer < layers->count);
    struct reach *reach = layers->reach;
    size_t size = reach->program->layout->word_count;
    uint32_t set = set_intersect(&reach->ldd, layers_at(layers, target->layer), target->set);
    for (uint32_t layer = target->layer;; layer--) {
        assert(set != LDD_NONE || ldd_is_over(&reach->ldd));
        if (!ldd_is_over(&reach->ldd)) reach_least(reach, set, words + layer * size);
        if (ldd_is_over(&reach->ldd)) return false;
        if (layer == 0) return true;
        set = find_before(layers, layer - 1, words + layer * size);
    }
}
