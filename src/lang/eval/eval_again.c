/* An evaluation goes on where it reads something else than the last time.
 *
 * What an expression of a process has read, written and asked, in this order, is kept with the
 * registers in front of each answer. The next evaluation asks and writes the same, as far as the
 * answers are the same, and goes on in the code from the first that differs. So those who try all
 * combinations of values pay for each only what is after the last choice.
 *
 * Hooks are called in the order and with the arguments of the interpreter, but for reads of cells
 * that the evaluation has read or written before; value, fault and steps are the same. */
#include "base/str.h"
#include "lang/eval/eval_code.h"
#include "lang/eval/eval_operate.h"

#include <assert.h>

/* Evaluations and steps of them, before it is worth to be compiled: many processes evaluate few
 * combinations each. */
enum { INTERPRETED = 8 };

/* One thing that the outside was asked or told. */
struct eval_event {
    const struct code_line *at;
    uint32_t address;
    int32_t value;
    bool is_open;      /* there is no answer yet */
    uint32_t steps;    /* in front of it */
    uint32_t snapshot; /* first of the registers in front of it, for questions */
    struct eval_mark after;
};

/* The last evaluation of an expression of a process. */
struct memory {
    const struct eval_code *code;
    VEC(struct eval_event) events;
    VEC(int32_t) snapshots;
    struct eval_mark start;
    bool is_ended; /* what is below; else it was stopped from outside */
    int32_t value;
    struct fault fault;
    uint32_t steps;
};

/* An expression of a process. */
struct remembered {
    const struct expr *expr;
    const struct binding *locals, *frame;
    bool is_effect, is_refused;
    uint32_t interpreted;    /* evaluations and steps of them, up to INTERPRETED */
    struct memory *memory;   /* NULL: not compiled yet */
    struct remembered *next; /* with the same key */
};

/* What all expressions share. */
struct eval_memory {
    struct map expressions; /* struct remembered */
    uint64_t *seen;         /* by address: the last evaluation that has read or written it */
    uint64_t evaluation;
    int32_t *registers;
    uint32_t register_count;
};

static struct remembered *remembered_of(struct environment *environment, const struct expr *expr,
                                        bool is_effect) {
    struct eval_cache *cache = eval_cache(environment);
    if (!cache->memory) {
        cache->memory = ARENA_NEW(environment->arena, struct eval_memory);
        map_init(&cache->memory->expressions, environment->arena);
        cache->memory->seen =
            ARENA_ARRAY(environment->arena, uint64_t, environment->tracked_count + 1);
    }
    uint64_t key = hash_mix(map_key(expr), map_key(environment->locals));
    struct remembered *first = map_get(&cache->memory->expressions, key), *found = first;
    while (found && (found->expr != expr || found->locals != environment->locals ||
                     found->frame != environment->frame || found->is_effect != is_effect))
        found = found->next;
    if (found) return found;
    found = ARENA_NEW(environment->arena, struct remembered);
    *found = (struct remembered){.expr = expr,
                                 .locals = environment->locals,
                                 .frame = environment->frame,
                                 .is_effect = is_effect,
                                 .next = first};
    map_put(&cache->memory->expressions, key, found);
    return found;
}

static void compile(struct environment *environment, struct remembered *of) {
    struct eval_memory *all = environment->cache->memory;
    const struct eval_code *code = eval_compile(environment, of->expr, of->is_effect);
    of->is_refused = !code;
    if (of->is_refused) return;
    of->memory = ARENA_NEW(environment->arena, struct memory);
    *of->memory = (struct memory){.code = code};
    if (code->register_count <= all->register_count) return;
    all->register_count = code->register_count * 2;
    all->registers = ARENA_ARRAY(environment->arena, int32_t, all->register_count);
}

/* Asking and telling */

static bool is_question(const struct eval_event *event) { return event->at->op != CODE_WRITE; }

static struct eval_mark mark(const struct environment *environment) {
    return environment->mark ? environment->mark(environment->context) : (struct eval_mark){0};
}

/* False if the outside stops the evaluation. */
static bool ask(struct environment *environment, struct eval_event *event, int32_t *value) {
    if (event->at->op == CODE_AT) {
        *value = environment->is_at(environment->context, event->at->location);
    } else {
        *value = environment->read(environment->context, event->address);
        environment->cache->memory->seen[event->address] = environment->cache->memory->evaluation;
    }
    event->after = mark(environment);
    return !has_fault(environment);
}

static bool tell(struct environment *environment, struct eval_event *event) {
    if (!environment->write(environment->context, event->address, event->value))
        return eval_fault(environment, FAULT_STOPPED, event->at->span);
    environment->cells[event->address] = event->value;
    environment->cache->memory->seen[event->address] = environment->cache->memory->evaluation;
    event->after = mark(environment);
    return true;
}

/* After so many steps: false if there are not to be more. */
static bool poll(struct environment *environment, uint32_t steps) {
    if (steps < EVAL_POLL || !environment->goes_on) return true;
    environment->steps = steps - steps % EVAL_POLL;
    if (environment->goes_on(environment->context)) return true;
    eval_fault(environment, FAULT_STOPPED, (struct span){0, 0});
    return false;
}

/* Running */

/* Stopped from outside: the last question has no answer that counts. */
static void reopen(struct memory *memory) {
    while (memory->events.count && !is_question(&memory->events.items[memory->events.count - 1]))
        memory->events.count--;
    if (memory->events.count) memory->events.items[memory->events.count - 1].is_open = true;
    memory->is_ended = false;
}

static struct eval_event *note(struct environment *environment, struct memory *memory,
                               const struct code_line *at, uint32_t address) {
    VEC_PUSH(environment->arena, &memory->events,
             (struct eval_event){.at = at,
                                 .address = address,
                                 .steps = environment->steps,
                                 .snapshot = memory->snapshots.count});
    return &memory->events.items[memory->events.count - 1];
}

/* What is asked for the first time, with the registers in front of it. */
static bool note_question(struct environment *environment, struct memory *memory,
                          const struct code_line *at, uint32_t address, int32_t *value) {
    const int32_t *registers = environment->cache->memory->registers;
    struct eval_event *event = note(environment, memory, at, address);
    uint32_t count = memory->snapshots.count + at->height;
    while (memory->snapshots.capacity < count)
        memory->snapshots.items =
            vec_grow(environment->arena, memory->snapshots.items, memory->snapshots.count,
                     &memory->snapshots.capacity, sizeof(int32_t));
    if (at->height)
        memcpy(memory->snapshots.items + event->snapshot, registers, at->height * sizeof(int32_t));
    memory->snapshots.count = count;
    event->is_open = true;
    if (!ask(environment, event, value)) return false;
    event->is_open = false;
    event->value = *value;
    return true;
}

static bool look(struct environment *environment, struct memory *memory, const struct code_line *at,
                 uint32_t address, int32_t *value) {
    const struct eval_memory *all = environment->cache->memory;
    if (at->op == CODE_READ && all->seen[address] == all->evaluation) {
        *value = environment->cells[address];
        return true;
    }
    return note_question(environment, memory, at, address, value);
}

static bool put(struct environment *environment, struct memory *memory, const struct code_line *at,
                uint32_t address, int32_t value) {
    struct eval_event *event = note(environment, memory, at, address);
    event->value = value;
    return tell(environment, event);
}

static bool check(struct environment *environment, const struct code_line *at, int32_t *value) {
    const struct shape *shape = at->shape;
    if (shape->is_bool) *value = *value != 0;
    if (*value >= shape->lower && *value <= shape->upper) return true;
    return eval_fault(environment, FAULT_RANGE, at->span);
}

static bool offset(struct environment *environment, const struct code_line *at, int32_t index,
                   int32_t *result) {
    const struct shape *shape = at->shape;
    if (index < shape->lower || index > shape->upper)
        return eval_fault(environment, FAULT_INDEX, at->span);
    *result = (int32_t)((uint32_t)(index - shape->lower) * shape->element->cell_count);
    return true;
}

static inline bool operate(struct environment *environment, const struct code_line *at,
                           int32_t left, int32_t right, int32_t *result) {
    switch (at->operator) {
    case OP_EQ: *result = left == right; return true;
    case OP_NE: *result = left != right; return true;
    case OP_LT: *result = left < right; return true;
    case OP_LE: *result = left <= right; return true;
    case OP_GT: *result = left > right; return true;
    case OP_GE: *result = left >= right; return true;
    default: break;
    }
    *result = eval_operate(environment, at->operator, left, right, at->span);
    return !has_fault(environment);
}

/* False at a fault. Jumps and what is silent only touch registers. */
static bool run_silent(struct environment *environment, const struct code_line *at, int32_t *r) {
    switch (at->op) {
    case CODE_CHECK: return check(environment, at, &r[at->a]);
    case CODE_OFFSET: return offset(environment, at, r[at->b], &r[at->a]);
    case CODE_MOVE_AT: r[at->a] = r[at->b + r[at->c]]; return true;
    case CODE_KEEP_AT: r[at->b + r[at->c]] = r[at->a]; return true;
    case CODE_FIXED_AT: r[at->a] = environment->cells[at->b + r[at->c]]; return true;
    case CODE_NEGATE: r[at->a] = eval_fit(environment, -(int64_t)r[at->b]); return true;
    case CODE_NOT: r[at->a] = !r[at->b]; return true;
    case CODE_TRUTH: r[at->a] = r[at->b] != 0; return true;
    case CODE_ABSOLUTE:
        r[at->a] = r[at->b] < 0 ? eval_fit(environment, -(int64_t)r[at->b]) : r[at->b];
        return true;
    case CODE_TICK: return eval_tick(environment, at->span);
    case CODE_FAULT: eval_fault(environment, (enum fault_kind)at->b, at->span); return false;
    default: assert(false && "a silent instruction"); return false;
    }
}

static uint32_t address_of(const struct code_line *at, const int32_t *r) {
    return (uint32_t)at->b + (at->c == NO_OFFSET ? 0 : (uint32_t)r[at->c]);
}

static bool jumps(const struct code_line *at, const int32_t *r) {
    return at->op == CODE_JUMP || (r[at->b] != 0) == (at->op == CODE_JUMP_IF);
}

/* From an instruction on to the end; false at a fault. */
static bool run_from(struct environment *environment, struct memory *memory, uint32_t from) {
    const struct code_line *first = memory->code->lines, *at = first + from;
    int32_t *r = environment->cache->memory->registers;
    bool ok = true;
    for (; ok && at->op != CODE_END; at++) {
        switch (at->op) {
        case CODE_READ: ok = look(environment, memory, at, address_of(at, r), &r[at->a]); break;
        case CODE_AT: ok = look(environment, memory, at, 0, &r[at->a]); break;
        case CODE_WRITE: ok = put(environment, memory, at, address_of(at, r), r[at->a]); break;
        case CODE_LOAD: r[at->a] = at->b; break;
        case CODE_MOVE: r[at->a] = r[at->b]; break;
        case CODE_OPERATE: ok = operate(environment, at, r[at->b], r[at->c], &r[at->a]); break;
        case CODE_OPERATE_I: ok = operate(environment, at, r[at->b], at->c, &r[at->a]); break;
        case CODE_JUMP:
        case CODE_JUMP_IF:
        case CODE_JUMP_UNLESS:
            if (jumps(at, r)) at = first + at->a - 1;
            break;
        case CODE_ROUND:
            if (r[at->b] >= at->c) break;
            r[at->b]++;
            at = first + at->a - 1;
            break;
        default: ok = run_silent(environment, at, r); break;
        }
    }
    memory->value = ok ? r[at->a] : 0;
    return ok;
}

static int32_t run(struct environment *environment, struct memory *memory, uint32_t from) {
    memory->is_ended =
        run_from(environment, memory, from) || environment->fault.kind != FAULT_STOPPED;
    memory->fault = environment->fault;
    memory->steps = environment->steps;
    if (!memory->is_ended) reopen(memory);
    return memory->value;
}

/* Goes on after a question with a new answer. */
static int32_t go_on(struct environment *environment, struct memory *memory, uint32_t number,
                     int32_t answer) {
    struct eval_event *event = &memory->events.items[number];
    const struct code_line *at = event->at;
    int32_t *registers = environment->cache->memory->registers;
    if (at->height)
        memcpy(registers, memory->snapshots.items + event->snapshot, at->height * sizeof(int32_t));
    registers[at->a] = answer;
    event->value = answer;
    event->is_open = false;
    memory->events.count = number + 1;
    memory->snapshots.count = event->snapshot + at->height;
    environment->steps = event->steps;
    return run(environment, memory, (uint32_t)(at - memory->code->lines) + 1);
}

/* What the run before has asked and told as well, from the same start. Gives the number of the
 * first event that is different, or may be; false if there are not to be more. */
static bool skip(struct environment *environment, struct memory *memory, uint32_t *number) {
    struct eval_mark start = mark(environment);
    const struct eval_mark *before = &memory->start;
    struct eval_memory *all = environment->cache->memory;
    uint32_t count = memory->events.count;
    *number = 0;
    if (before->run + 1 != start.run || before->touched != start.touched ||
        before->choices != start.choices)
        count = 0;
    while (count && (memory->events.items[count - 1].is_open ||
                     memory->events.items[count - 1].after.choices > start.alike))
        count--;
    memory->start = start;
    if (!count) return true;
    const struct eval_event *last = &memory->events.items[count - 1];
    if (!poll(environment, last->steps)) return false;
    environment->skip(environment->context, &last->after);
    for (uint32_t i = 0; i < count; i++) {
        struct eval_event *event = &memory->events.items[i];
        if (event->at->op == CODE_READ)
            all->seen[event->address] = all->evaluation;
        else if (event->at->op == CODE_WRITE && !tell(environment, event))
            return false;
    }
    *number = count;
    return true;
}

static int32_t evaluate(struct environment *environment, struct memory *memory) {
    uint32_t first = 0;
    environment->cache->memory->evaluation++;
    if (environment->skip && !skip(environment, memory, &first)) return 0;
    for (uint32_t i = first; i < memory->events.count; i++) {
        struct eval_event *event = &memory->events.items[i];
        int32_t answer = event->value;
        if (!poll(environment, event->steps)) return 0;
        environment->steps = event->steps;
        if (!(is_question(event) ? ask(environment, event, &answer) : tell(environment, event)))
            return 0;
        if (event->is_open || answer != event->value) return go_on(environment, memory, i, answer);
    }
    if (!memory->is_ended) {
        memory->events.count = memory->snapshots.count = 0;
        return run(environment, memory, 0);
    }
    if (!poll(environment, memory->steps)) return 0;
    environment->steps = memory->steps;
    environment->fault = memory->fault;
    return memory->value;
}

static int32_t interpret(struct environment *environment, struct remembered *of) {
    int32_t value = 0;
    if (of->is_effect)
        eval_drop(environment, of->expr);
    else
        value = eval_value(environment, of->expr);
    if (of->interpreted < INTERPRETED) of->interpreted += 1 + environment->steps;
    return value;
}

int32_t eval_again(struct environment *environment, const struct expr *expr, bool is_effect) {
    assert(!has_fault(environment) && environment->is_fixed);
    assert(environment->read && environment->write);
    struct remembered *of = remembered_of(environment, expr, is_effect);
    if (!of->memory && !of->is_refused && of->interpreted >= INTERPRETED) compile(environment, of);
    return of->memory ? evaluate(environment, of->memory) : interpret(environment, of);
}

const struct eval_code *eval_code_again(struct environment *environment, const struct expr *expr,
                                        bool is_effect) {
    assert(!has_fault(environment) && environment->is_fixed);
    struct remembered *of = remembered_of(environment, expr, is_effect);
    if (!of->memory && !of->is_refused) compile(environment, of);
    return of->memory ? of->memory->code : NULL;
}
