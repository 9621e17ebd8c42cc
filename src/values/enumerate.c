/* Runs an evaluation for all values of the slots that it reads. */
#include "values/enumerate.h"

#include "base/interrupt.h"

#include <assert.h>

enum { WORK_PER_RUN = 8, FIRST_LOOK = 32, HOPELESS = 4 };

#define MOST_RUNS 1e300 /* what is beyond is not told apart */
#define STEADY 0.75     /* what looks better than before may look still better later */

static int32_t read_cell(void *context, uint32_t address);
static bool write_cell(void *context, uint32_t address, int32_t value);
static bool goes_on(void *context);
static struct eval_mark mark(void *context);
static void skip(void *context, const struct eval_mark *to);

void enumerator_init(struct enumerator *enumerator, struct arena *arena,
                     struct environment *environment, uint32_t cell_count, uint64_t budget) {
    *enumerator = (struct enumerator){
        .arena = arena, .environment = environment, .cell_count = cell_count, .budget = budget};
    enumerator->known = ARENA_ARRAY(arena, uint64_t, cell_count + 1);
    environment->tracked_count = cell_count;
    environment->read = read_cell;
    environment->write = write_cell;
    environment->goes_on = goes_on;
    environment->mark = mark;
    environment->skip = skip;
    environment->context = enumerator;
}

static void begin_run(struct enumerator *enumerator) {
    enumerator->run++;
    enumerator->depth = 0;
    enumerator->touched.count = 0;
    enumerator->is_empty = enumerator->has_watched = false;
    enumerator->environment->fault = (struct fault){0};
}

/* Forgets the choices and the failure of an earlier enumeration; the budget is fresh. */
void enumerator_start(struct enumerator *enumerator) {
    enumerator->trail.count = enumerator->alike = 0;
    enumerator->run++; /* the last run of another enumeration is not the one before */
    enumerator->has_failed = false;
    enumerator->runs_left = enumerator->budget;
    enumerator->work_left = enumerator->budget * WORK_PER_RUN;
    enumerator->next_look = FIRST_LOOK;
    enumerator->outlook = 0;
    begin_run(enumerator);
}

/* Which part of all combinations the runs have gone through, if choices are alike everywhere. */
static double part_done(const struct enumerator *enumerator) {
    double part = 0, weight = 1;
    for (uint32_t i = 0; i < enumerator->trail.count; i++) {
        const struct choice *choice = &enumerator->trail.items[i];
        weight /= (double)choice->count;
        part += weight * (double)choice->index;
    }
    return part;
}

/* Whether there are far more runs ahead than the budget allows. It has to look like that twice in a
 * row, and the less is known the more: where the first values lead deepest, as in a == 0 && b == 0,
 * it only looks so in the beginning. */
static bool is_hopeless(struct enumerator *enumerator) {
    uint64_t runs = enumerator->budget - enumerator->runs_left;
    if (runs < enumerator->next_look) return false;
    double budget = (double)enumerator->budget, work = budget * WORK_PER_RUN;
    double spent = (double)runs / budget, worked = 1 - (double)enumerator->work_left / work;
    double part = part_done(enumerator), before = enumerator->outlook;
    if (worked > spent) spent = worked;
    double outlook = spent / (part > 0 ? part : 1 / MOST_RUNS);
    enumerator->next_look *= 2;
    enumerator->outlook = outlook;
    return outlook * outlook * spent >= HOPELESS && outlook >= before * STEADY && before > 0;
}

/* False at the end: all combinations ran, or the budget is used up (enumerator_failed). */
bool enumerator_next(struct enumerator *enumerator) {
    assert(enumerator->run && enumerator->depth <= enumerator->trail.count);
    while (enumerator->trail.count) {
        struct choice *last = &enumerator->trail.items[enumerator->trail.count - 1];
        if (++last->index < last->count) break;
        enumerator->trail.count--;
    }
    if (!enumerator->trail.count || enumerator->has_failed) return false;
    if (!--enumerator->runs_left || is_hopeless(enumerator) || interrupt_is_asked()) {
        enumerator->has_failed = true;
        return false;
    }
    enumerator->alike = enumerator->trail.count - 1;
    begin_run(enumerator);
    return true;
}

/* Whether there was more to run than the budget allows; what was found is not all then. */
bool enumerator_failed(const struct enumerator *enumerator) { return enumerator->has_failed; }

bool enumerator_is_valid(const struct enumerator *enumerator) {
    return !enumerator->environment->fault.kind && !enumerator->is_empty && !enumerator->has_failed;
}

static uint64_t choose(struct enumerator *enumerator, uint64_t count, uint32_t address) {
    if (count == 1) return 0;
    if (!count || count > enumerator->budget) {
        if (count) enumerator->has_failed = true;
        enumerator->is_empty = true;
        enumerator->environment->fault.kind = FAULT_STOPPED;
        return 0;
    }
    if (enumerator->depth == enumerator->trail.count)
        VEC_PUSH(enumerator->arena, &enumerator->trail, (struct choice){0, count, address});
    const struct choice *choice = &enumerator->trail.items[enumerator->depth++];
    assert(choice->index < choice->count);
    assert(choice->count == count && choice->address == address); /* evaluations repeat */
    return enumerator->goes_down ? count - 1 - choice->index : choice->index;
}

uint64_t enumerator_choose(struct enumerator *enumerator, uint64_t count) {
    return choose(enumerator, count, CHOICE_FREE);
}

static void know(struct enumerator *enumerator, uint32_t address) {
    assert(address < enumerator->cell_count);
    enumerator->known[address] = enumerator->run;
    uint32_t capacity = enumerator->values.capacity;
    if (enumerator->touched.count == capacity)
        enumerator->values.items = vec_grow(enumerator->arena, enumerator->values.items, capacity,
                                            &enumerator->values.capacity, sizeof(int32_t));
    enumerator->values.items[enumerator->touched.count] = enumerator->environment->cells[address];
    VEC_PUSH(enumerator->arena, &enumerator->touched, address);
}

static struct eval_mark mark(void *context) {
    const struct enumerator *enumerator = context;
    return (struct eval_mark){enumerator->run, enumerator->touched.count, enumerator->depth,
                              enumerator->alike, enumerator->has_watched};
}

/* The run before has left what it touched behind the count. */
static void skip(void *context, const struct eval_mark *to) {
    struct enumerator *enumerator = context;
    assert(enumerator->touched.count <= to->touched && to->choices <= enumerator->alike);
    for (uint32_t i = enumerator->touched.count; i < to->touched; i++) {
        uint32_t address = enumerator->touched.items[i];
        enumerator->known[address] = enumerator->run;
        enumerator->environment->cells[address] = enumerator->values.items[i];
    }
    enumerator->touched.count = to->touched;
    enumerator->depth = to->choices;
    enumerator->has_watched = to->has_watched;
}

static bool enumerator_knows(const struct enumerator *enumerator, uint32_t address) {
    return enumerator->known[address] == enumerator->run;
}

void enumerator_account(struct enumerator *enumerator) {
    struct environment *environment = enumerator->environment;
    uint32_t steps = environment->steps;
    if (steps >= enumerator->work_left) enumerator->has_failed = true;
    enumerator->work_left -= steps < enumerator->work_left ? steps : enumerator->work_left;
    enum fault_kind kind = environment->fault.kind;
    if (kind == FAULT_STEPS || kind == FAULT_UNBOUND) enumerator->has_failed = true;
}

/* An evaluation beyond the budget is broken off, as it will not count. */
static bool goes_on(void *context) {
    struct enumerator *enumerator = context;
    if (enumerator->environment->steps < enumerator->work_left) return true;
    enumerator->has_failed = true;
    return false;
}

void enumerator_forget(struct enumerator *enumerator, uint32_t address) {
    enumerator->known[address] = 0;
}

static void choose_cell(struct enumerator *enumerator, uint32_t address) {
    struct cell_domain domain = enumerator->domain(enumerator->context, address);
    int32_t *cells = enumerator->environment->cells;
    const void *from = domain.tuples ? (const void *)domain.tuples : domain.set;
    enumerator->has_watched |= from && from == enumerator->watched;
    if (domain.tuples) {
        const struct tuple_set *tuples = domain.tuples;
        uint64_t row = choose(enumerator, tuples->count, address);
        for (uint32_t i = 0; i < tuples->dimension; i++) {
            if (enumerator_knows(enumerator, tuples->addresses[i])) continue;
            if (tuples->count)
                cells[tuples->addresses[i]] = tuples->values[row * tuples->dimension + i];
            know(enumerator, tuples->addresses[i]);
        }
    } else if (domain.set) {
        uint64_t index = choose(enumerator, value_set_size(domain.set), address);
        if (!value_set_is_empty(domain.set)) {
            /* A refused choice only needs some value; the run ends. */
            cells[address] = value_set_at(domain.set, index);
        }
        know(enumerator, address);
    }
}

static int32_t read_cell(void *context, uint32_t address) {
    struct enumerator *enumerator = context;
    if (!enumerator_knows(enumerator, address)) choose_cell(enumerator, address);
    return enumerator->environment->cells[address];
}

/* A write into a group fixes the rest of its tuple first. */
static bool write_cell(void *context, uint32_t address, int32_t value) {
    struct enumerator *enumerator = context;
    if (!enumerator_knows(enumerator, address)) {
        if (enumerator->domain(enumerator->context, address).tuples)
            choose_cell(enumerator, address);
        else
            know(enumerator, address);
    }
    if (enumerator->wrote) enumerator->wrote(enumerator->context, address, value);
    return !enumerator->is_empty;
}

static uint64_t hash_row(const struct tuple_set *tuples, const int32_t *row) {
    uint64_t hash = 0;
    for (uint32_t k = 0; k < tuples->dimension; k++) hash = index_mix(hash, (uint32_t)row[k]);
    return hash;
}

static bool has_row(const struct tuple_set *tuples, const int32_t *row, uint64_t hash) {
    for (struct index_probe probe = index_begin(hash); index_next(&tuples->index, &probe);)
        if (!memcmp(tuples->values + (size_t)probe.number * tuples->dimension, row,
                    tuples->dimension * sizeof *row))
            return true;
    return false;
}

static void append(struct arena *arena, struct tuple_set *tuples, const int32_t *row) {
    if (tuples->count == tuples->capacity)
        tuples->values = vec_grow(arena, tuples->values, tuples->count, &tuples->capacity,
                                  tuples->dimension * sizeof *row);
    memcpy(tuples->values + (size_t)tuples->count++ * tuples->dimension, row,
           tuples->dimension * sizeof *row);
}

bool tuple_set_add(struct arena *arena, struct tuple_set *tuples, const int32_t *row) {
    uint64_t hash = hash_row(tuples, row);
    assert(tuples->dimension);
    if (has_row(tuples, row, hash)) return false;
    tuples->index.memory = memory_of_arena(arena);
    index_add(&tuples->index, hash, tuples->count);
    append(arena, tuples, row);
    return true;
}

/* Whether the row, of the dimension of the set, is in it. */
bool tuple_set_has(const struct tuple_set *tuples, const int32_t *row) {
    return has_row(tuples, row, hash_row(tuples, row));
}
