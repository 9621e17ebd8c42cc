/* See by_sets.h. */
#include "explore/compare/by_sets.h"

#include "explore/compare/follow.h"
#include "explore/compare/graph.h"
#include "explore/space/idle.h"
#include "explore/symbolic/facts.h"

#include <assert.h>
#include <stdlib.h>

enum {
    LEARN_STORES = 8,  /* what it costs to look at one vector, in results */
    COMPARE_FACTOR = 4 /* to compare steps may cost so many times what is given to explore */
};

#define NOWHERE UINT32_MAX

/* One field of the abstract model in both. */
struct shared_field {
    const struct packed *packed[SIDE_COUNT];
    const struct view_codes *codes; /* of locations, or NULL */
    uint32_t concrete;              /* number of the field there */
};

/* Locations of one side by those of the other, or NOWHERE. */
struct view_codes {
    uint32_t *of[SIDE_COUNT];
    uint32_t counts[SIDE_COUNT];
};

/* What is at hand for the comparison. */
struct set_comparison {
    struct set_certifier *certifier;
    struct reach *reaches[SIDE_COUNT];
    struct reach *reach; /* the concrete one */
    struct ldd *ldd;
    struct arena *arena;
    struct shared_field *fields; /* by field of the abstract model */
    struct vector_system systems[SIDE_COUNT];
    struct follow follow;
    struct expander expander; /* of the abstract model */
    struct level_state point; /* concrete */
    uint64_t *state;          /* abstract */
    struct set_rows enabled;  /* vectors of the action at hand that have a step */
    uint32_t stuck;           /* held: visible parts that have had no step so far */
    bool has_lost;            /* vectors or steps */
};

static enum set_outcome leave_open(struct set_certifier *certifier, const char *reason) {
    certifier->reason = reason;
    return SET_OPEN;
}

static enum set_outcome refuse(struct set_certifier *certifier, const char *reason) {
    certifier->is_refused = true;
    return leave_open(certifier, reason);
}

/* Exploration of one model */

static bool prepare(struct set_certifier *certifier, enum side side) {
    const struct network *network = certifier->visible->networks[side];
    struct search_options options = certifier->options;
    diag_init(&certifier->diag, certifier->arena, &network->model->document->source);
    options.diag = &certifier->diag; /* the other engine says what is wrong */
    options.jobs = 1;
    options.is_full = true;
    options.max_states = 0;
    options.pause = NULL;
    certifier->is_prepared[side] = true;
    return search_prepare(&certifier->searches[side], network, &options, NULL, 0);
}

static struct ldd_limits limits_of(const struct set_certifier *certifier) {
    return (struct ldd_limits){.max_size = certifier->options.max_size,
                               .deadline = certifier->deadline};
}

static void close_symbolic(struct set_certifier *certifier, enum side side) {
    if (certifier->is_open[side]) symbolic_close(&certifier->symbolics[side]);
    certifier->is_open[side] = false;
}

/* Fields that were too narrow are made wider. */
static bool widen(struct set_certifier *certifier, enum side side) {
    struct search *search = &certifier->searches[side];
    const struct symbolic *symbolic = &certifier->symbolics[side];
    for (uint32_t i = 0; i < symbolic->overflow_count; i++)
        search_widen(search, symbolic->overflows[i].slot, symbolic->overflows[i].value);
    close_symbolic(certifier, side);
    return search_prepare_again(search);
}

/* SET_HOLDS once all states are there. */
static enum set_outcome explore(struct set_certifier *certifier, enum side side, uint64_t most) {
    struct symbolic *symbolic = &certifier->symbolics[side];
    enum symbolic_end end;
    if (certifier->is_done[side]) return SET_HOLDS;
    if (!certifier->is_prepared[side] && !prepare(certifier, side))
        return refuse(certifier, "it cannot be prepared");
    for (;;) {
        if (!certifier->is_open[side]) {
            const char *problem = symbolic_init(symbolic, &certifier->searches[side],
                                                limits_of(certifier), certifier->shuffle, false);
            certifier->is_open[side] = true;
            if (problem) return refuse(certifier, problem);
        }
        if (!symbolic_run(symbolic, most, &end)) return SET_MORE;
        assert(end != SYMBOLIC_FORKED);
        if (end == SYMBOLIC_DONE) break;
        certifier->limit = symbolic->limit;
        if (end == SYMBOLIC_LIMIT || !widen(certifier, side)) return SET_STOPPED;
    }
    certifier->is_done[side] = true;
    return SET_HOLDS;
}

/* Figures */

static struct exact exact_of(struct set_certifier *certifier, const struct count *count) {
    return (struct exact){true, count_value(count), count_text(count, certifier->arena)};
}

/* The states without a step; what they are is counted once. */
static uint32_t count_side(struct set_certifier *certifier, enum side side) {
    struct figures *figures = &certifier->figures[side];
    struct reach *reach = certifier->symbolics[side].reach;
    struct totals totals;
    uint32_t deadlocks = reach_deadlocks(reach);
    if (figures->states.is_known || ldd_is_over(&reach->ldd)) return deadlocks;
    reach_count(reach, deadlocks, &totals, certifier->arena);
    figures->states = exact_of(certifier, &totals.states);
    figures->transitions = exact_of(certifier, &totals.transitions);
    figures->deadlocks = exact_of(certifier, &totals.deadlocks);
    figures->errors = exact_of(certifier, &totals.errors);
    return deadlocks;
}

/* What both have */

static const struct view_codes *match_codes(struct set_comparison *comparison, uint32_t place) {
    const struct visible *visible = comparison->certifier->visible;
    struct view_codes *codes = ARENA_NEW(comparison->arena, struct view_codes);
    *codes = (struct view_codes){0};
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct network *network = visible->networks[side];
        uint32_t process = visible->processes[place].index[side];
        codes->counts[side] = network->processes[process].template->location_count;
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        codes->of[side] = ARENA_ARRAY(comparison->arena, uint32_t, codes->counts[!side] + 1);
        for (uint32_t i = 0; i < codes->counts[!side]; i++) {
            codes->of[side][i] = NOWHERE;
            for (uint32_t k = 0; k < codes->counts[side]; k++)
                if (visible->codes[side][place][k] == visible->codes[!side][place][i])
                    codes->of[side][i] = k;
        }
    }
    return codes;
}

static void share(struct set_comparison *comparison, uint32_t concrete, uint32_t abstract,
                  const struct view_codes *codes) {
    struct shared_field *field = &comparison->fields[abstract];
    field->concrete = concrete;
    field->codes = codes;
    for (int side = 0; side < SIDE_COUNT; side++)
        field->packed[side] =
            &comparison->reaches[side]->program->layout->fields[side ? abstract : concrete];
}

static void share_fields(struct set_comparison *comparison) {
    const struct visible *visible = comparison->certifier->visible;
    const struct layout *concrete = comparison->reaches[SIDE_CONCRETE]->program->layout;
    const struct layout *abstract = comparison->reaches[SIDE_ABSTRACT]->program->layout;
    comparison->fields =
        ARENA_ARRAY(comparison->arena, struct shared_field, abstract->field_count + 1);
    for (uint32_t i = 0; i < visible->slot_count; i++)
        share(comparison, visible->slots[i].index[SIDE_CONCRETE],
              visible->slots[i].index[SIDE_ABSTRACT], NULL);
    for (uint32_t i = 0; i < visible->process_count; i++)
        share(comparison, layout_location(concrete, visible->processes[i].index[SIDE_CONCRETE]),
              layout_location(abstract, visible->processes[i].index[SIDE_ABSTRACT]),
              match_codes(comparison, i));
}

static bool is_stored(const struct layout *layout, uint32_t field) {
    return layout->fields[field].mask && layout->fields[field].word < layout->stored_words;
}

/* Why what is compared is not for sets, or NULL. */
static const char *obstacle_of(const struct set_comparison *comparison) {
    const struct visible *visible = comparison->certifier->visible;
    const struct layout *abstract = comparison->reaches[SIDE_ABSTRACT]->program->layout;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (has_urgency(comparison->reaches[side]->program))
            return "locations or channels keep time from passing";
    for (uint32_t i = 0; i < visible->slot_count; i++)
        if (visible->exchanges[i]) return "values stand for others";
    for (uint32_t i = 0; i < abstract->field_count; i++)
        if (is_stored(abstract, i) && !comparison->fields[i].packed[SIDE_ABSTRACT])
            return "the abstract model has variables that are not compared";
    return NULL;
}

/* By level of the concrete model. */
static bool *find_visible(const struct set_comparison *comparison) {
    const struct levels *levels = &comparison->reach->levels;
    const struct layout *abstract = comparison->reaches[SIDE_ABSTRACT]->program->layout;
    bool *is_visible = ARENA_ARRAY(comparison->arena, bool, levels->count + 1);
    for (uint32_t f = 0; f < abstract->field_count; f++) {
        const struct shared_field *field = &comparison->fields[f];
        if (!field->packed[SIDE_ABSTRACT]) continue;
        for (uint32_t k = 0; k < levels->sizes[field->concrete]; k++)
            is_visible[levels->first[field->concrete] + k] = true;
    }
    return is_visible;
}

static bool starts_alike(const struct set_comparison *comparison) {
    const struct visible *visible = comparison->certifier->visible;
    const struct network *concrete = visible->networks[SIDE_CONCRETE];
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    bool is_alike = true;
    for (uint32_t i = 0; i < visible->slot_count; i++)
        is_alike &= concrete->slots[visible->slots[i].index[SIDE_CONCRETE]].initial ==
                    abstract->slots[visible->slots[i].index[SIDE_ABSTRACT]].initial;
    for (uint32_t i = 0; i < visible->process_count; i++) {
        const uint32_t *index = visible->processes[i].index;
        uint32_t one = concrete->processes[index[SIDE_CONCRETE]].template->initial;
        uint32_t other = abstract->processes[index[SIDE_ABSTRACT]].template->initial;
        is_alike &=
            visible->codes[SIDE_CONCRETE][i][one] == visible->codes[SIDE_ABSTRACT][i][other];
    }
    return is_alike;
}

/* Steps of the abstract model in visible parts */

/* The value of a field on one side, for that on the other; false if there is none, or the layout
 * has no room for it. */
static bool translate(const struct shared_field *field, enum side to, int32_t *value) {
    if (field->codes) {
        const struct view_codes *codes = field->codes;
        assert((uint32_t)*value < codes->counts[other_side(to)]);
        uint32_t code = codes->of[to][*value];
        if (code == NOWHERE) return false;
        *value = (int32_t)code;
    }
    return field_holds(field->packed[to], *value);
}

/* A field that is not stored has its initial value in all states. */
static int32_t value_in(const struct layout *layout, const struct packed *field,
                        const uint64_t *words) {
    return field_get(field, field->is_scratch ? layout->initial : words);
}

/* The abstract state of a concrete one, as far as the group reads it. */
static bool show_state(struct set_comparison *comparison, const struct step_group *group) {
    const struct layout *concrete = comparison->reach->program->layout;
    const struct layout *abstract = comparison->reaches[SIDE_ABSTRACT]->program->layout;
    memcpy(comparison->state, abstract->initial, abstract->word_count * sizeof(uint64_t));
    for (uint32_t i = 0; i < group->field_count; i++) {
        const struct shared_field *field = &comparison->fields[group->fields[i]];
        if (!(group->marks[i] & FOOTPRINT_READS) || group->fields[i] == abstract->field_count)
            continue;
        int32_t value = value_in(concrete, field->packed[SIDE_CONCRETE], comparison->point.words);
        if (!translate(field, SIDE_ABSTRACT, &value)) return false;
        field_set(field->packed[SIDE_ABSTRACT], comparison->state, value);
    }
    return true;
}

/* What a step writes, into the concrete state. */
static bool take_state(struct set_comparison *comparison, const struct step_group *group,
                       const uint64_t *words) {
    const struct layout *concrete = comparison->reach->program->layout;
    uint32_t bound = comparison->reaches[SIDE_ABSTRACT]->program->layout->field_count;
    for (uint32_t i = 0; i < group->field_count; i++) {
        const struct shared_field *field = &comparison->fields[group->fields[i]];
        if (!(group->marks[i] & FOOTPRINT_WRITES) || group->fields[i] == bound) continue;
        const struct packed *to = field->packed[SIDE_CONCRETE];
        int32_t value = field_get(field->packed[SIDE_ABSTRACT], words);
        if (!translate(field, SIDE_CONCRETE, &value)) return false;
        if (is_stored(concrete, field->concrete))
            field_set(to, comparison->point.words, value);
        else if (value != value_in(concrete, to, comparison->point.words))
            return false;
    }
    return true;
}

static void show_vector(struct set_comparison *comparison, const struct vector_action *action,
                        const uint32_t *vector) {
    const struct layout *layout = comparison->reach->program->layout;
    memcpy(comparison->point.words, layout->initial, layout->word_count * sizeof(uint64_t));
    for (uint32_t i = 0; i < action->level_count; i++)
        if (mark_reads(action->kinds[i]))
            level_set(&comparison->reach->levels, action->levels[i], &comparison->point, *vector++);
}

/* A row of the vector and a successor; the vector is in the point again. */
static void add_row(struct set_comparison *comparison, struct vector_action *action,
                    const struct step_group *group, const uint32_t *vector, const uint64_t *words) {
    bool has_place = take_state(comparison, group, words);
    comparison->has_lost |= !has_place;
    uint32_t *value = has_place ? set_rows_add(&action->rows) : NULL;
    const uint32_t *read = vector;
    for (uint32_t i = 0; i < action->level_count && has_place; i++) {
        if (mark_reads(action->kinds[i])) *value++ = *read++;
        if (mark_writes(action->kinds[i]))
            *value++ = level_get(&comparison->reach->levels, action->levels[i], &comparison->point);
    }
    show_vector(comparison, action, vector);
}

/* False at a limit. */
static bool learn(struct set_comparison *comparison, struct vector_action *action,
                  const struct step_group *group, const uint32_t *vector) {
    struct expander *expander = &comparison->expander;
    show_vector(comparison, action, vector);
    ldd_work(comparison->ldd, LEARN_STORES);
    if (!show_state(comparison, group)) {
        comparison->has_lost = true;
        return true;
    }
    if (!step_group_run(group, expander, comparison->state, false)) {
        bool is_lost = expander->machine.has_overflowed;
        expander->machine.has_overflowed = false;
        comparison->has_lost |= is_lost;
        return is_lost;
    }
    if (expander->count && comparison->enabled.length)
        memcpy(set_rows_add(&comparison->enabled), vector,
               comparison->enabled.length * sizeof *vector);
    else if (expander->count)
        set_rows_add(&comparison->enabled);
    for (uint32_t i = 0; i < expander->count; i++)
        add_row(comparison, action, group, vector,
                expander->states + (size_t)i * expander->word_count);
    return true;
}

static bool learn_all(struct set_comparison *comparison, struct vector_action *action,
                      const struct step_group *group, uint32_t set, uint32_t *vector,
                      uint32_t length) {
    const struct ldd *ldd = comparison->ldd;
    bool is_fine = !ldd_is_over(ldd);
    if (is_fine && set && length == comparison->enabled.length)
        return learn(comparison, action, group, vector);
    for (; set && is_fine; set = ldd->nodes[set].right) {
        vector[length] = ldd->nodes[set].value;
        is_fine = learn_all(comparison, action, group, ldd->nodes[set].down, vector, length + 1);
    }
    return is_fine;
}

/* The levels of the concrete model that a group of the abstract one marks. */
static void mark_levels(const struct set_comparison *comparison, const struct step_group *group,
                        unsigned char *kinds) {
    static const unsigned char kind_of[] = {[FOOTPRINT_READS] = MARK_READ,
                                            [FOOTPRINT_WRITES] = MARK_WRITE,
                                            [FOOTPRINT_READS | FOOTPRINT_WRITES] = MARK_READ_WRITE};
    const struct levels *levels = &comparison->reach->levels;
    uint32_t bound = comparison->reaches[SIDE_ABSTRACT]->program->layout->field_count;
    memset(kinds, MARK_SKIP, levels->count);
    for (uint32_t i = 0; i < group->field_count; i++) {
        if (group->fields[i] == bound) continue; /* nothing is committed */
        uint32_t field = comparison->fields[group->fields[i]].concrete;
        memset(kinds + levels->first[field], kind_of[group->marks[i]], levels->sizes[field]);
    }
}

/* What a group of the abstract model does in visible parts of the states. */
static bool make_action(struct set_comparison *comparison, struct vector_action *action,
                        const struct step_group *group, unsigned char *kinds, uint32_t *vector) {
    struct reach *reach = comparison->reach;
    uint32_t count = reach->levels.count, reads = 0;
    mark_levels(comparison, group, kinds);
    *action =
        (struct vector_action){.levels = ARENA_ARRAY(comparison->arena, uint32_t, count + 1),
                               .kinds = ARENA_ARRAY(comparison->arena, unsigned char, count + 1)};
    for (uint32_t level = 0; level < count; level++) {
        unsigned char kind = kinds[level];
        if (kind == MARK_SKIP) continue;
        reads += mark_reads(kind);
        action->rows.length += (uint32_t)mark_reads(kind) + mark_writes(kind);
        action->levels[action->level_count] = level;
        action->kinds[action->level_count++] = kind;
        kinds[level] = mark_reads(kind) ? MARK_READ : MARK_SKIP;
    }
    uint32_t chain = marks_chain(&reach->marks, kinds, 0, count);
    uint32_t found = set_project(comparison->ldd, &reach->marks, reach->states, chain);
    comparison->enabled.length = reads;
    bool is_fine = learn_all(comparison, action, group, found, vector, 0);
    uint32_t enabled = set_of_rows(comparison->ldd, &comparison->enabled);
    comparison->stuck =
        set_unmatch(comparison->ldd, &reach->marks, comparison->stuck, enabled, chain);
    return is_fine;
}

static bool make_abstract(struct set_comparison *comparison) {
    struct reach *reach = comparison->reach;
    const struct groups *groups = comparison->reaches[SIDE_ABSTRACT]->groups;
    struct vector_system *system = &comparison->systems[SIDE_ABSTRACT];
    uint32_t *vector = ARENA_ARRAY(comparison->arena, uint32_t, reach->levels.count + 1);
    unsigned char *kinds = ARENA_ARRAY(comparison->arena, unsigned char, reach->levels.count + 1);
    system->actions = ARENA_ARRAY(comparison->arena, struct vector_action, groups->items.count + 1);
    comparison->stuck = reach->states;
    for (; system->count < groups->items.count; system->count++)
        if (!make_action(comparison, &system->actions[system->count],
                         &groups->items.items[system->count], kinds, vector))
            return false;
    return !ldd_is_over(comparison->ldd);
}

static void make_concrete(struct set_comparison *comparison) {
    struct reach *reach = comparison->reach;
    struct vector_system *system = &comparison->systems[SIDE_CONCRETE];
    system->actions = ARENA_ARRAY(comparison->arena, struct vector_action, reach->event_count + 1);
    for (; system->count < reach->event_count; system->count++)
        action_of_event(&system->actions[system->count], reach, &reach->events[system->count]);
}

/* The comparison */

static enum set_outcome compare_steps(struct set_comparison *comparison) {
    struct set_certifier *certifier = comparison->certifier;
    const struct vector_system *concrete = &comparison->systems[SIDE_CONCRETE];
    const struct vector_system *abstract = &comparison->systems[SIDE_ABSTRACT];
    bool is_may = certifier->mode != SIMULATE_MUST, is_must = certifier->mode != SIMULATE_MAY;
    if (is_may && !follow_all(&comparison->follow, concrete, abstract)) return SET_FAILS;
    if (!is_must) return SET_HOLDS;
    if (comparison->has_lost && !is_may) return leave_open(certifier, "values do not fit");
    if (!comparison->has_lost && follow_all(&comparison->follow, abstract, concrete))
        return SET_HOLDS;
    return is_may ? SET_FAILS : leave_open(certifier, "a step is not followed");
}

static void limit_work(struct set_comparison *comparison, uint64_t most) {
    struct ldd_limits limits = limits_of(comparison->certifier);
    if (most) limits.stores = comparison->ldd->stores + most * COMPARE_FACTOR;
    ldd_resume(comparison->ldd, limits);
}

/* What was met, or SET_MORE: it was too much work for now. */
static enum set_outcome stop(struct set_comparison *comparison) {
    static const enum search_limit limits[] = {
        [LDD_MEMORY] = LIMIT_MEMORY, [LDD_TIME] = LIMIT_TIME, [LDD_INTERRUPT] = LIMIT_INTERRUPT};
    struct set_certifier *certifier = comparison->certifier;
    const struct machine *machine = &comparison->expander.machine;
    if (comparison->ldd->end == LDD_STORES) return SET_MORE;
    certifier->limit = machine->is_late ? limit_of_time() : LIMIT_MEMORY;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (ldd_is_over(&comparison->reaches[side]->ldd))
            certifier->limit = limits[comparison->reaches[side]->ldd.end];
    return SET_STOPPED;
}

static enum set_outcome run_comparison(struct set_comparison *comparison) {
    struct set_certifier *certifier = comparison->certifier;
    make_concrete(comparison);
    if (!make_abstract(comparison)) return stop(comparison);
    ldd_hold(comparison->ldd, comparison->stuck);
    if (certifier->is_stuttering) comparison->systems[SIDE_ABSTRACT].stuck = comparison->stuck;
    follow_init(&comparison->follow, comparison->reach, find_visible(comparison));
    enum set_outcome outcome = compare_steps(comparison);
    return ldd_is_over(comparison->ldd) ? stop(comparison) : outcome;
}

static void close_comparison(struct set_comparison *comparison) {
    for (int side = 0; side < SIDE_COUNT; side++)
        for (uint32_t i = 0; i < comparison->systems[side].count; i++)
            action_close(&comparison->systems[side].actions[i]);
    set_rows_close(&comparison->enabled);
    expander_close(&comparison->expander);
}

/* Room for a state of each model. */
static void make_points(struct set_comparison *comparison) {
    size_t counts[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++)
        counts[side] = comparison->reaches[side]->program->layout->word_count + 1;
    comparison->point.words = ARENA_ARRAY(comparison->arena, uint64_t, counts[SIDE_CONCRETE]);
    comparison->state = ARENA_ARRAY(comparison->arena, uint64_t, counts[SIDE_ABSTRACT]);
}

/* SET_HOLDS if nothing is in the way of a comparison of steps. */
static enum set_outcome compare_rest(struct set_comparison *comparison) {
    struct set_certifier *certifier = comparison->certifier;
    share_fields(comparison);
    const char *obstacle = obstacle_of(comparison);
    if (obstacle) return refuse(certifier, obstacle);
    for (int side = 0; side < SIDE_COUNT; side++) {
        uint32_t stuck = count_side(certifier, (enum side)side);
        if (certifier->is_stuttering && side == SIDE_CONCRETE)
            comparison->systems[side].stuck = stuck;
        if (ldd_is_over(&comparison->reaches[side]->ldd)) return SET_STOPPED;
        if (certifier->figures[side].errors.value) return leave_open(certifier, "steps fail");
    }
    ldd_hold(comparison->ldd, comparison->systems[SIDE_CONCRETE].stuck);
    return starts_alike(comparison) ? SET_HOLDS : SET_FAILS;
}

static enum set_outcome compare(struct set_certifier *certifier, uint64_t most) {
    struct reach *reach = certifier->symbolics[SIDE_CONCRETE].reach;
    struct set_comparison comparison = {
        .certifier = certifier, .reach = reach, .ldd = &reach->ldd, .arena = &reach->arena};
    for (int side = 0; side < SIDE_COUNT; side++) {
        comparison.reaches[side] = certifier->symbolics[side].reach;
        ldd_resume(&comparison.reaches[side]->ldd, limits_of(certifier));
    }
    size_t held = comparison.ldd->held_count;
    enum set_outcome outcome = compare_rest(&comparison);
    if (outcome == SET_STOPPED) return stop(&comparison);
    if (outcome != SET_HOLDS) return outcome;
    make_points(&comparison);
    expander_init(&comparison.expander, comparison.reaches[SIDE_ABSTRACT]->program);
    comparison.expander.machine.deadline = certifier->deadline;
    comparison.expander.max_size = certifier->options.max_size;
    limit_work(&comparison, most);
    outcome = run_comparison(&comparison);
    close_comparison(&comparison);
    ldd_release(comparison.ldd, held);
    return outcome;
}

enum set_outcome set_certifier_run(struct set_certifier *certifier, uint64_t most) {
    enum set_outcome outcome = SET_HOLDS;
    for (int side = SIDE_COUNT; side-- > 0 && outcome == SET_HOLDS;)
        outcome = explore(certifier, (enum side)side, most);
    if (outcome == SET_HOLDS) outcome = compare(certifier, most);
    size_t size = 0;
    for (int side = 0; side < SIDE_COUNT; side++)
        if (certifier->is_open[side]) size += certifier->symbolics[side].peak_size;
    if (size > certifier->peak_size) certifier->peak_size = size;
    return outcome;
}

void set_certifier_close(struct set_certifier *certifier) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        close_symbolic(certifier, (enum side)side);
        if (certifier->is_prepared[side]) search_close(&certifier->searches[side]);
        certifier->is_prepared[side] = false;
    }
}
