/* Runs bytecode on packed states. */
#include "explore/code/machine.h"
#include "base/debug.h"
#include "lang/eval/eval_operate.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <assert.h>
#include <stdlib.h>

/* More rounds of loops than this in one run are an error, as in the interpreter. */
enum { MAX_TICKS = EVAL_MAX_STEPS, POLL_TICKS = 1 << 12 };

/* Hooks of the interpreter: it sees the packed state. */

static int32_t read_cell(void *context, uint32_t address) {
    struct machine *machine = context;
    uint32_t slot = machine->code->layout->network->slot_of[address];
    if (slot == NO_SLOT) return machine->environment.cells[address];
    return field_get(&machine->fields[slot], machine->words);
}

static bool overflow(struct machine *machine, uint32_t slot, int32_t value) {
    machine->has_overflowed = true;
    machine->overflow_slot = slot;
    machine->overflow_value = value;
    return false;
}

static enum outcome unexpected(struct machine *machine, uint32_t slot, int32_t value) {
    overflow(machine, slot, value);
    return RUN_OVERFLOW;
}

static bool write_cell(void *context, uint32_t address, int32_t value) {
    struct machine *machine = context;
    uint32_t slot = machine->code->layout->network->slot_of[address];
    if (slot == NO_SLOT) return true;
    const struct packed *field = &machine->fields[slot];
    assert(value >= field->declared_lower && value <= field->declared_upper);
    if (!field_holds(field, value)) return overflow(machine, slot, value);
    field_set(field, machine->words, value);
    return true;
}

static bool is_process_at(void *context, uint32_t process, const struct symbol *location) {
    const struct machine *machine = context;
    const struct layout *layout = machine->code->layout;
    return field_get(&machine->fields[layout_location(layout, process)], machine->words) ==
           (int32_t)location->location;
}

static bool is_at(void *context, const struct symbol *location) {
    const struct machine *machine = context;
    return is_process_at(context, machine->process->index, location);
}

static bool view_process(void *context, const struct symbol *symbol, const int32_t *arguments,
                         uint32_t count, struct process_view *view) {
    const struct machine *machine = context;
    const struct process *process =
        find_process(machine->code->layout->network, machine->processes, symbol, arguments, count);
    if (!process) return false;
    *view = (struct process_view){process->locals, process->index};
    return true;
}

static bool is_deadlocked(void *context) {
    const struct machine *machine = context;
    return machine->is_stuck;
}

bool machine_has_time(struct machine *machine) {
    machine->is_late = machine->is_too_long ||
                       (machine->deadline > 0 && clock_seconds() > machine->deadline) ||
                       interrupt_is_over(machine->grace);
    return !machine->is_late;
}

static bool goes_on(void *context) { return machine_has_time(context); }

static void prepare_interpreter(struct machine *machine) {
    const struct network *network = machine->code->layout->network;
    struct environment *environment = &machine->environment;
    index_processes(machine->processes, network);
    network_environment(network, environment, &machine->arena);
    environment->tracked_count = network->cell_count;
    environment->read = read_cell;
    environment->write = write_cell;
    environment->is_at = is_at;
    environment->find_process = view_process;
    environment->is_process_at = is_process_at;
    environment->is_deadlocked = is_deadlocked;
    environment->goes_on = goes_on;
    environment->context = machine;
}

void machine_fit(struct machine *machine) {
    const struct code *code = machine->code;
    uint32_t count = code->register_count + 1, size = machine->frame_size;
    if (count > machine->register_count) {
        uint32_t old = machine->register_count;
        machine->registers = heap_resize(machine->registers, count, sizeof(int32_t));
        memset(machine->registers + old, 0, (count - old) * sizeof(int32_t));
        machine->register_count = count;
    }
    if (code->sites.count == machine->site_count) return; /* nothing new will be interpreted */
    if (!machine->site_count) prepare_interpreter(machine);
    for (; machine->site_count < code->sites.count; machine->site_count++) {
        const struct edge *edge = code->sites.items[machine->site_count].edge;
        if (edge && edge->frame_size > size) size = edge->frame_size;
    }
    if (machine->frame && size == machine->frame_size) return;
    machine->frame = ARENA_ARRAY(&machine->arena, struct binding, size + 1);
    machine->frame_size = size;
}

/* Borrows the code; machine_fit, if units are added to it afterwards. */
void machine_init(struct machine *machine, const struct code *code) {
    assert(code->spans.count == code->instructions.count);
    *machine = (struct machine){.code = code, .fields = code->layout->fields};
    arena_init(&machine->arena);
    machine->processes = ARENA_NEW(&machine->arena, struct map);
    map_init(machine->processes, &machine->arena);
    machine_fit(machine);
}

/* Frees registers and evaluator. */
void machine_close(struct machine *machine) {
    free(machine->registers);
    eval_close(&machine->environment);
    arena_close(&machine->arena);
}

/* The interpreter */

static void bind_selects(struct machine *machine, const struct site *site) {
    struct environment *environment = &machine->environment;
    environment->frame = NULL;
    if (!site->edge) return;
    environment->frame = machine->frame;
    memset(machine->frame, 0, site->edge->frame_size * sizeof *machine->frame);
    for (uint32_t i = 0; i < site->edge->select_count; i++) {
        const struct symbol *select = site->edge->selects[i];
        assert(select->index < site->edge->frame_size);
        const struct shape *shape = eval_shape(environment, select->type);
        uint32_t address = eval_push(environment, 1);
        if (environment->fault.kind != FAULT_NONE) return;
        environment->cells[address] = site->selects[i];
        machine->frame[select->index] = (struct binding){address, shape};
    }
}

/* An evaluation that takes too long is no error of the model: nothing is known of what it gives. */
static enum outcome give_up(struct machine *machine) {
    machine->is_too_long = machine->is_late = true;
    return RUN_LATE;
}

static enum outcome interpret(struct machine *machine, const struct site *site, int32_t *value) {
    struct environment *environment = &machine->environment;
    uint32_t stack = environment->stack, channel = 0;
    assert(environment->fault.kind == FAULT_NONE);
    machine->process = site->process;
    environment->locals = site->process ? site->process->locals : NULL;
    bind_selects(machine, site);
    switch (site->kind) {
    case SITE_VALUE: *value = eval_int(environment, site->expr); break;
    case SITE_EFFECT: eval_effect(environment, site->expr); break;
    case SITE_CHANNEL:
        eval_channel(environment, site->expr, &channel);
        *value = (int32_t)channel;
        break;
    }
    environment->stack = stack;
    machine->rounds += environment->steps;
    if (environment->fault.kind == FAULT_NONE) return RUN_TRUE;
    machine->fault = environment->fault;
    environment->fault = (struct fault){0};
    if (machine->fault.kind == FAULT_STEPS) return give_up(machine);
    if (machine->fault.kind != FAULT_STOPPED) return RUN_FAULT;
    return machine->has_overflowed ? RUN_OVERFLOW : RUN_LATE;
}

/* Bytecode */

static int32_t low(int64_t value) { return (int32_t)(uint32_t)(uint64_t)value; }

static enum outcome stop(struct machine *machine, const struct instruction *at,
                         enum fault_kind kind) {
    size_t index = (size_t)(at - machine->code->instructions.items);
    machine->fault = (struct fault){kind, machine->code->spans.items[index]};
    return kind == FAULT_STEPS ? give_up(machine) : RUN_FAULT;
}

/* A value that does not go into a field: an error, or too narrow a field. */
static enum outcome refuse(struct machine *machine, const struct instruction *at, uint32_t slot,
                           int64_t value) {
    const struct packed *field = &machine->fields[slot];
    if (field->is_bool) value = value != 0;
    if (value < field->declared_lower || value > field->declared_upper)
        return stop(machine, at, FAULT_RANGE);
    assert(!field_holds(field, (int32_t)value));
    return unexpected(machine, slot, (int32_t)value);
}

static inline bool store(struct machine *machine, uint32_t slot, int64_t value) {
    const struct packed *field = &machine->fields[slot];
    if (field->is_bool) value = value != 0;
    if ((uint64_t)(value - field->lower) > field->mask || value > field->declared_upper)
        return false;
    field_set(field, machine->words, (int32_t)value);
    return true;
}

static enum outcome operate(struct machine *machine, const struct instruction *at) {
    struct environment *environment = &machine->environment;
    int32_t *r = machine->registers;
    r[at->a] =
        eval_operate(environment, (enum op)at->c, r[at->b], r[at->b + 1], (struct span){0, 0});
    if (environment->fault.kind == FAULT_NONE) return RUN_TRUE;
    enum fault_kind kind = environment->fault.kind;
    environment->fault = (struct fault){0};
    return stop(machine, at, kind);
}

#define FIELD(index) field_get(&fields[index], words)

/* Instructions that only compute a value for register a. */
#define RESULTS(X)                                                                                 \
    X(LOAD, at->b)                                                                                 \
    X(MOVE, r[at->b])                                                                              \
    X(GET, FIELD(at->b))                                                                           \
    X(GET_AT, FIELD(at->b + r[at->c]))                                                             \
    X(CELL_AT, machine->code->layout->network->cells[at->b + r[at->c]])                            \
    X(REGISTER_AT, r[at->b + r[at->c]])                                                            \
    X(STUCK, machine->is_stuck)                                                                    \
    X(NEGATE, low(-(int64_t)r[at->b]))                                                             \
    X(NOT, !r[at->b])                                                                              \
    X(TRUTH, r[at->b] != 0)                                                                        \
    X(ABSOLUTE, r[at->b] < 0 ? low(-(int64_t)r[at->b]) : r[at->b])                                 \
    X(ADD, low((int64_t)r[at->b] + r[at->c]))                                                      \
    X(SUBTRACT, low((int64_t)r[at->b] - r[at->c]))                                                 \
    X(MULTIPLY, low((int64_t)r[at->b] * r[at->c]))                                                 \
    X(ADD_I, low((int64_t)r[at->b] + at->c))                                                       \
    X(MULTIPLY_I, low((int64_t)r[at->b] * at->c))                                                  \
    X(COMPARE_LT, r[at->b] < r[at->c])                                                             \
    X(COMPARE_LE, r[at->b] <= r[at->c])                                                            \
    X(COMPARE_EQ, r[at->b] == r[at->c])                                                            \
    X(COMPARE_NE, r[at->b] != r[at->c])

/* Instructions that only jump to instruction a, under a condition. */
#define JUMPS(X)                                                                                   \
    X(JUMP, true)                                                                                  \
    X(JUMP_ZERO, !r[at->b])                                                                        \
    X(JUMP_NOT_ZERO, r[at->b])                                                                     \
    X(JUMP_FIELD_EQ, FIELD(at->b) == at->c)                                                        \
    X(JUMP_FIELD_NE, FIELD(at->b) != at->c)                                                        \
    X(JUMP_LT, r[at->b] < r[at->c])                                                                \
    X(JUMP_LE, r[at->b] <= r[at->c])                                                               \
    X(JUMP_GE, r[at->b] >= r[at->c])                                                               \
    X(JUMP_GT, r[at->b] > r[at->c])                                                                \
    X(JUMP_EQ, r[at->b] == r[at->c])                                                               \
    X(JUMP_NE, r[at->b] != r[at->c])                                                               \
    X(JUMP_LT_I, r[at->b] < at->c)                                                                 \
    X(JUMP_LE_I, r[at->b] <= at->c)                                                                \
    X(JUMP_GE_I, r[at->b] >= at->c)                                                                \
    X(JUMP_GT_I, r[at->b] > at->c)                                                                 \
    X(JUMP_EQ_I, r[at->b] == at->c)                                                                \
    X(JUMP_NE_I, r[at->b] != at->c)

#define RESULT(name, value)                                                                        \
    case OP_CODE_##name:                                                                           \
        r[at->a] = value;                                                                          \
        break;
#define JUMP(name, condition)                                                                      \
    case OP_CODE_##name:                                                                           \
        if (condition) at = first + at->a - 1;                                                     \
        break;

enum outcome machine_run(struct machine *machine, uint32_t entry, uint64_t *words) {
    const struct instruction *first = machine->code->instructions.items, *at = first + entry;
    const struct packed *fields = machine->fields;
    int32_t *r = machine->registers;
    enum outcome outcome;
    DEBUG_CHECK(assert(entry < machine->code->instructions.count));
    machine->words = words;
    machine->rounds += machine->ticks;
    machine->ticks = 0;
    for (;; at++) {
        switch ((enum opcode)at->op) {
            RESULTS(RESULT)
            JUMPS(JUMP)
        case OP_CODE_END: return RUN_TRUE;
        case OP_CODE_FAIL: return RUN_FALSE;
        case OP_CODE_SET:
            if (!store(machine, at->a, r[at->b])) return refuse(machine, at, at->a, r[at->b]);
            break;
        case OP_CODE_ADD_FIELD: {
            int32_t sum = low((int64_t)FIELD(at->a) + at->b);
            if (!store(machine, at->a, sum)) return refuse(machine, at, at->a, sum);
            break;
        }
        case OP_CODE_PUT: {
            const struct put *put = &machine->code->puts.items[at->a];
            words[put->word] = (words[put->word] & put->keep) | put->value;
            break;
        }
        case OP_CODE_SET_AT: {
            uint32_t slot = (uint32_t)(at->b + r[at->c]);
            if (!store(machine, slot, r[at->a])) return refuse(machine, at, slot, r[at->a]);
            break;
        }
        case OP_CODE_KEEP_AT: r[at->b + r[at->c]] = r[at->a]; break;
        case OP_CODE_EXPECT:
            if (FIELD(at->a) != at->b) return unexpected(machine, at->a, FIELD(at->a));
            break;
        case OP_CODE_BOUND:
            if (r[at->a] < at->b || r[at->a] > at->c) return stop(machine, at, FAULT_INDEX);
            break;
        case OP_CODE_RANGE:
            if (r[at->a] < at->b || r[at->a] > at->c) return stop(machine, at, FAULT_RANGE);
            break;
        case OP_CODE_FAULT: return stop(machine, at, (enum fault_kind)at->a);
        case OP_CODE_TICK:
            if (++machine->ticks > MAX_TICKS) return stop(machine, at, FAULT_STEPS);
            if (machine->ticks % POLL_TICKS == 0 && !machine_has_time(machine)) return RUN_LATE;
            break;
        case OP_CODE_EVAL:
            outcome = interpret(machine, &machine->code->sites.items[at->b], &r[at->a]);
            if (outcome != RUN_TRUE) return outcome;
            break;
        case OP_CODE_OPERATE:
            outcome = operate(machine, at);
            if (outcome != RUN_TRUE) return outcome;
            break;
        default: __builtin_unreachable(); /* so that there is no check for it */
        }
    }
}
