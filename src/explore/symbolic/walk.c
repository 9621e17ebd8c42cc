/* Follows bytecode with some values known. */
#include "explore/symbolic/walk.h"

#include "explore/code/reads.h"

#include "lang/eval/eval_operate.h"

#include <assert.h>

enum {
    MAX_WORK = 1 << 14, /* instructions of a part, on all ways */
    MAX_DEPTH = 1 << 6, /* conditions on a way */
    COPY_PART = 8,      /* what it costs to copy something, in instructions */
    MAX_FIELDS = 1 << 7,
    MAX_SPLIT = 63,          /* the largest mask of a field that is split */
    MAX_TOTAL_WORK = 1 << 24 /* of all parts */
};

static const struct walk_value MIXED = {.source = FOOTPRINT_NO_FIELD};

static struct walk_value known(int32_t value) {
    return (struct walk_value){true, value, FOOTPRINT_NO_FIELD};
}

/* A value that depends on both. */
static struct walk_value mix(struct walk_value left, struct walk_value right) {
    if (left.is_known) return (struct walk_value){.source = right.source};
    bool is_one = right.is_known || left.source == right.source;
    return is_one ? (struct walk_value){.source = left.source} : MIXED;
}

/* Either. */
static struct walk_value join(struct walk_value left, struct walk_value right) {
    if (left.is_known && right.is_known && left.value == right.value) return left;
    return !left.is_known && !right.is_known ? mix(left, right) : MIXED;
}

/* Views */

static const struct packed *packed_of(const struct walk *walk, uint32_t field) {
    assert(field < walk->program->layout->field_count);
    return &walk->program->layout->fields[field];
}

static void mark(struct walk *walk, uint32_t field, unsigned marks) {
    const struct packed *packed = packed_of(walk, field);
    if (packed->word < walk->program->layout->stored_words && packed->mask)
        walk->marks[field] |= (unsigned char)marks;
}

/* Before a step. */
static struct walk_value initial_value(const struct walk *walk, uint32_t field) {
    const struct layout *layout = walk->program->layout;
    const struct packed *packed = &layout->fields[field];
    if (packed->word >= layout->stored_words || !packed->mask)
        return known(field_get(packed, layout->initial));
    return (struct walk_value){.source = field};
}

static struct walk_field *find(const struct walk_view *view, uint32_t field) {
    for (uint32_t i = 0; i < view->fields.count; i++)
        if (view->fields.items[i].field == field) return &view->fields.items[i];
    return NULL;
}

static struct walk_field *add(struct walk *walk, struct walk_view *view, uint32_t field) {
    struct walk_field *found = find(view, field);
    if (found) return found;
    struct walk_field added = {.field = field, .value = initial_value(walk, field)};
    const struct packed *packed = packed_of(walk, field);
    walk->has_scratch |= packed->word >= walk->program->layout->stored_words && packed->mask;
    walk->has_failed |= view->fields.count >= MAX_FIELDS;
    VEC_PUSH(&walk->arena, &view->fields, added);
    return &view->fields.items[view->fields.count - 1];
}

/* Without registers: those are of one unit. */
static struct walk_view copy_fields(struct walk *walk, const struct walk_view *view) {
    struct walk_view result = {0};
    for (uint32_t i = 0; i < view->fields.count; i++)
        VEC_PUSH(&walk->arena, &result.fields, view->fields.items[i]);
    walk->work += (view->fields.count + walk->register_count) / COPY_PART;
    return result;
}

static struct walk_view copy(struct walk *walk, const struct walk_view *view) {
    struct walk_view result = copy_fields(walk, view);
    size_t registers = walk->register_count;
    result.registers = ARENA_ARRAY(&walk->arena, struct walk_value, registers);
    memcpy(result.registers, view->registers, registers * sizeof *result.registers);
    return result;
}

/* Adds another way that leads to the same place. */
static void join_views(struct walk *walk, struct walk_view *view, const struct walk_view *other) {
    for (uint32_t i = 0; i < other->fields.count; i++)
        add(walk, view, other->fields.items[i].field);
    for (uint32_t i = 0; i < view->fields.count; i++) {
        struct walk_field *at = &view->fields.items[i];
        const struct walk_field *found = find(other, at->field);
        at->value = join(at->value, found ? found->value : initial_value(walk, at->field));
        at->is_written &= found && found->is_written;
        at->may_be_written |= found && found->may_be_written;
    }
}

static struct walk_value get(struct walk *walk, struct walk_view *view, uint32_t field) {
    const struct walk_field *at = add(walk, view, field);
    if (!at->is_written) mark(walk, field, FOOTPRINT_READS);
    return at->value;
}

static void set(struct walk *walk, struct walk_view *view, uint32_t field,
                struct walk_value value) {
    struct walk_field *at = add(walk, view, field);
    at->is_written = at->may_be_written = true;
    if (packed_of(walk, field)->is_bool) value.value = value.value != 0;
    at->value = value;
}

/* Cells of a variable, of which the code means one. */

static bool is_cell(const struct walk *walk, uint32_t first, uint32_t slot) {
    const struct slot *slots = walk->program->network->slots;
    return slots[slot].symbol == slots[first].symbol && slots[slot].process == slots[first].process;
}

static void ask_to_split(struct walk *walk, struct walk_value index) {
    bool is_one = index.source != FOOTPRINT_NO_FIELD && walk->split == FOOTPRINT_NO_FIELD;
    if (!is_one || packed_of(walk, index.source)->mask > MAX_SPLIT) return;
    walk->split = index.source;
    walk->has_failed |= walk->may_split;
}

static struct walk_value get_some(struct walk *walk, struct walk_view *view,
                                  struct indexed_fields some) {
    for (uint32_t i = 0; i < some.count && !walk->has_failed; i++)
        get(walk, view, some.first + i * some.step);
    return MIXED;
}

static void set_some(struct walk *walk, struct walk_view *view, struct indexed_fields some) {
    for (uint32_t i = 0; i < some.count && !walk->has_failed; i++) {
        struct walk_field *at = add(walk, view, some.first + i * some.step);
        at->may_be_written = true;
        at->value = MIXED;
    }
}

/* The slot that an index means; false if it may be any of several. */
static bool find_slot(struct walk *walk, const struct instruction *at, struct walk_value index,
                      uint32_t *slot) {
    *slot = (uint32_t)(at->b + index.value);
    if (index.is_known && *slot < walk->program->network->slot_count &&
        is_cell(walk, (uint32_t)at->b, *slot))
        return true;
    if (!index.is_known) ask_to_split(walk, index);
    return false;
}

static struct walk_value get_at(struct walk *walk, struct walk_view *view,
                                const struct instruction *at) {
    uint32_t slot;
    if (find_slot(walk, at, view->registers[at->c], &slot)) return get(walk, view, slot);
    return get_some(walk, view, indexed_fields(&walk->program->code, at));
}

static void set_at(struct walk *walk, struct walk_view *view, const struct instruction *at) {
    uint32_t slot;
    if (find_slot(walk, at, view->registers[at->c], &slot))
        set(walk, view, slot, view->registers[at->a]);
    else
        set_some(walk, view, indexed_fields(&walk->program->code, at));
}

/* Fields with bits in a part of a word; whole ones get their value. */
static void put(struct walk *walk, struct walk_view *view, const struct put *put) {
    const struct layout *layout = walk->program->layout;
    for (uint32_t i = layout->first_of[put->word]; i < layout->first_of[put->word + 1]; i++) {
        const struct packed *field = &layout->fields[layout->by_word[i]];
        uint64_t bits = field->mask << field->shift;
        assert(field->word == put->word);
        if (!(bits & ~put->keep)) continue;
        assert(!(bits & put->keep));
        int64_t value = (int64_t)(put->value >> field->shift & field->mask) + field->lower;
        set(walk, view, layout->by_word[i], known((int32_t)value));
    }
}

/* Values */

static int32_t low(int64_t value) { return (int32_t)(uint32_t)(uint64_t)value; }

static int32_t compute(const struct instruction *at, int64_t left, int64_t right) {
    switch ((enum opcode)at->op) {
    case OP_CODE_MOVE: return low(left);
    case OP_CODE_NEGATE: return low(-left);
    case OP_CODE_NOT: return !left;
    case OP_CODE_TRUTH: return left != 0;
    case OP_CODE_ABSOLUTE: return left < 0 ? low(-left) : low(left);
    case OP_CODE_ADD: return low(left + right);
    case OP_CODE_SUBTRACT: return low(left - right);
    case OP_CODE_MULTIPLY: return low(left * right);
    case OP_CODE_ADD_I: return low(left + at->c);
    case OP_CODE_MULTIPLY_I: return low(left * at->c);
    case OP_CODE_COMPARE_LT: return left < right;
    case OP_CODE_COMPARE_LE: return left <= right;
    case OP_CODE_COMPARE_EQ: return left == right;
    default: assert(at->op == OP_CODE_COMPARE_NE); return left != right;
    }
}

static struct walk_value computed(const struct walk_value *r, const struct instruction *at) {
    struct walk_value left = r[at->b];
    struct walk_value right = opcode_traits(at->op) & READS_C ? r[at->c] : known(0);
    if (!left.is_known || !right.is_known) return mix(left, right);
    return known(compute(at, left.value, right.value));
}

/* False if the operation fails, whatever the state. */
static bool operate(const struct walk_value *r, const struct instruction *at,
                    struct walk_value *result) {
    struct walk_value left = r[at->b], right = r[at->b + 1];
    struct environment environment = {0};
    *result = mix(left, right);
    if (!left.is_known || !right.is_known) return true;
    *result = known(
        eval_operate(&environment, (enum op)at->c, left.value, right.value, (struct span){0, 0}));
    return environment.fault.kind == FAULT_NONE;
}

static struct walk_value constant_at(const struct walk *walk, const struct instruction *at,
                                     struct walk_value index) {
    const struct network *network = walk->program->network;
    int64_t place = (int64_t)at->b + index.value;
    if (!index.is_known || place < 0 || place >= network->cell_count) return mix(index, known(0));
    return known(network->cells[place]);
}

static struct walk_value value_of(struct walk *walk, struct walk_view *view,
                                  const struct instruction *at) {
    const struct walk_value *r = view->registers;
    switch ((enum opcode)at->op) {
    case OP_CODE_LOAD: return known(at->b);
    case OP_CODE_GET: return get(walk, view, (uint32_t)at->b);
    case OP_CODE_GET_AT: return get_at(walk, view, at);
    case OP_CODE_CELL_AT: return constant_at(walk, at, r[at->c]);
    case OP_CODE_REGISTER_AT:
        walk->has_failed |= !r[at->c].is_known;
        return walk->has_failed ? MIXED : r[at->b + r[at->c].value];
    default: return computed(r, at);
    }
}

/* Conditions */

static bool holds(enum opcode op, int32_t left, int32_t right) {
    switch (op) {
    case OP_CODE_JUMP_LT:
    case OP_CODE_JUMP_LT_I: return left < right;
    case OP_CODE_JUMP_LE:
    case OP_CODE_JUMP_LE_I: return left <= right;
    case OP_CODE_JUMP_GE:
    case OP_CODE_JUMP_GE_I: return left >= right;
    case OP_CODE_JUMP_GT:
    case OP_CODE_JUMP_GT_I: return left > right;
    case OP_CODE_JUMP_ZERO:
    case OP_CODE_JUMP_FIELD_EQ:
    case OP_CODE_JUMP_EQ:
    case OP_CODE_JUMP_EQ_I: return left == right;
    default: return left != right;
    }
}

/* 1 or 0, or -1 if it depends on the state. */
static int is_taken(struct walk *walk, struct walk_view *view, const struct instruction *at) {
    const struct walk_value *r = view->registers;
    bool is_zero = at->op == OP_CODE_JUMP_ZERO || at->op == OP_CODE_JUMP_NOT_ZERO;
    unsigned traits = opcode_traits(at->op);
    if (at->op == OP_CODE_JUMP) return 1;
    struct walk_value left = traits & LOOKS_B ? get(walk, view, (uint32_t)at->b) : r[at->b];
    struct walk_value right = traits & READS_C ? r[at->c] : known(is_zero ? 0 : at->c);
    if (!left.is_known || !right.is_known) return -1;
    return holds((enum opcode)at->op, left.value, right.value);
}

/* A jump on a field tells its value on one side. */
static void note_field(struct walk *walk, struct walk_view *view, const struct instruction *at,
                       bool is_taken) {
    bool is_told = is_taken ? at->op == OP_CODE_JUMP_FIELD_EQ : at->op == OP_CODE_JUMP_FIELD_NE;
    if (is_told) add(walk, view, (uint32_t)at->b)->value = known(at->c);
}

/* Ways */

static void note_end(struct walk *walk, struct walk_view *view, const struct unit *unit) {
    assert(unit->first_put + unit->put_count <= walk->program->code.puts.count);
    for (uint32_t i = 0; i < unit->put_count; i++)
        put(walk, view, &walk->program->code.puts.items[unit->first_put + i]);
    struct walk_value result = walk->register_count ? view->registers[0] : MIXED;
    walk->result = walk->has_end ? join(walk->result, result) : result;
    if (walk->has_end)
        join_views(walk, &walk->ends, view);
    else
        walk->ends = copy_fields(walk, view);
    walk->has_end = true;
}

static void run(struct walk *walk, struct walk_view *view, const struct unit *unit,
                const struct instruction *at);

static void run_side(struct walk *walk, const struct walk_view *view, const struct unit *unit,
                     const struct instruction *at, bool is_taken) {
    const struct instruction *first = walk->program->code.instructions.items;
    struct walk_view own = copy(walk, view);
    note_field(walk, &own, at, is_taken);
    walk->has_failed |= ++walk->depth > MAX_DEPTH;
    if (!walk->has_failed) run(walk, &own, unit, is_taken ? first + at->a : at + 1);
    walk->depth--;
}

/* An instruction that is no jump; false if the way is over. */
static bool step(struct walk *walk, struct walk_view *view, const struct instruction *at) {
    struct walk_value *r = view->registers;
    struct walk_value value;
    switch ((enum opcode)at->op) {
    case OP_CODE_FAIL:
    case OP_CODE_FAULT: return false;
    case OP_CODE_TICK: return true;
    case OP_CODE_SET: set(walk, view, at->a, r[at->b]); return true;
    case OP_CODE_ADD_FIELD:
        get(walk, view, at->a);
        set(walk, view, at->a, MIXED);
        return true;
    case OP_CODE_PUT: put(walk, view, &walk->program->code.puts.items[at->a]); return true;
    case OP_CODE_SET_AT: set_at(walk, view, at); return true;
    case OP_CODE_EXPECT:
        value = get(walk, view, at->a);
        return !value.is_known || value.value == at->b;
    case OP_CODE_BOUND:
    case OP_CODE_RANGE:
        return !r[at->a].is_known || (r[at->a].value >= at->b && r[at->a].value <= at->c);
    case OP_CODE_KEEP_AT:
        walk->has_failed |= !r[at->c].is_known;
        if (!walk->has_failed) r[at->b + r[at->c].value] = r[at->a];
        return true;
    case OP_CODE_OPERATE: return operate(r, at, &r[at->a]);
    case OP_CODE_EVAL:
    case OP_CODE_STUCK: walk->has_failed = true; return false;
    default: r[at->a] = value_of(walk, view, at); return true;
    }
}

static void run(struct walk *walk, struct walk_view *view, const struct unit *unit,
                const struct instruction *at) {
    const struct instruction *first = walk->program->code.instructions.items;
    for (; at->op != OP_CODE_END; at++) {
        walk->has_failed |= ++walk->work > MAX_WORK;
        if (walk->has_failed) return;
        if (!opcode_jumps(at->op)) {
            if (!step(walk, view, at)) return;
            continue;
        }
        int taken = is_taken(walk, view, at);
        if (taken < 0) {
            run_side(walk, view, unit, at, true);
            run_side(walk, view, unit, at, false);
            return;
        }
        if (taken) at = first + at->a - 1;
    }
    note_end(walk, view, unit);
}

/* Fields that a test looks at; false if it does not hold. */
static bool run_test(struct walk *walk, struct walk_view *view, const struct test *test) {
    const struct layout *layout = walk->program->layout;
    bool is_equal = true, is_open = false;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const struct packed *field = &layout->fields[i];
        uint64_t bits = field->mask << field->shift;
        if (field->word != test->word || !(bits & test->mask)) continue;
        int32_t asked =
            (int32_t)((int64_t)(test->value >> field->shift & field->mask) + field->lower);
        struct walk_value value = get(walk, view, i);
        assert((bits & test->mask) == bits);
        is_equal &= !value.is_known || value.value == asked;
        is_open |= !value.is_known;
        if (!test->is_negated) add(walk, view, i)->value = known(asked);
    }
    return test->is_negated ? is_open || !is_equal : is_equal;
}

/* Above every register that an instruction names. */
static uint32_t registers_of(const struct code *code, const struct instruction *at) {
    unsigned traits = opcode_traits(at->op);
    uint32_t a = at->a + 1, b = (uint32_t)at->b + 1, c = (uint32_t)at->c + 1, most = 0;
    bool writes_a = (traits & PURE) || at->op == OP_CODE_GET_AT || at->op == OP_CODE_CELL_AT ||
                    at->op == OP_CODE_OPERATE;
    if (traits & (READS_ANY | LOOKS_ANY)) return code->register_count;
    if ((writes_a || (traits & READS_A)) && a > most) most = a;
    if ((traits & READS_B) && b > most) most = b;
    if ((traits & READS_PAIR) && b + 1 > most) most = b + 1;
    if ((traits & READS_C) && c > most) most = c;
    return most;
}

static uint32_t count_registers(const struct code *code, const struct unit *unit) {
    uint32_t count = 0;
    for (uint32_t i = unit->entry; unit->entry != NO_CODE && i < unit->end; i++) {
        uint32_t most = registers_of(code, &code->instructions.items[i]);
        if (most > count) count = most;
    }
    assert(count <= code->register_count);
    return count;
}

static void run_unit(struct walk *walk, const struct walk_view *from, const struct unit *unit) {
    const struct code *code = &walk->program->code;
    walk->register_count = count_registers(code, unit);
    struct walk_view view = copy_fields(walk, from);
    view.registers = ARENA_ARRAY(&walk->arena, struct walk_value, walk->register_count);
    walk->has_end = false;
    for (uint32_t i = 0; i < unit->test_count; i++)
        if (!run_test(walk, &view, &code->tests.items[unit->first_test + i])) return;
    if (unit->entry == NO_CODE)
        note_end(walk, &view, unit);
    else
        run(walk, &view, unit, code->instructions.items + unit->entry);
}

bool walk_guard(struct walk *walk, const struct unit *unit) {
    if (!walk->has_failed) run_unit(walk, &walk->before, unit);
    if (walk->has_failed) walk->result = MIXED;
    return walk->has_end || walk->has_failed;
}

void walk_unit(struct walk *walk, const struct unit *unit, bool is_sure) {
    if (walk->has_failed) return;
    run_unit(walk, &walk->now, unit);
    if (!walk->has_end) return; /* no step: what is known does not matter */
    if (!is_sure) join_views(walk, &walk->now, &walk->ends);
    if (is_sure) walk->now.fields = walk->ends.fields; /* registers are of one unit */
}

/* Starts a part of a step, in any state where all that is assumed holds. */
void walk_begin(struct walk *walk, const struct assumption *assumed, uint32_t count,
                bool may_split) {
    arena_reset(&walk->arena);
    walk->total_work += walk->work;
    walk->has_failed = walk->total_work > MAX_TOTAL_WORK;
    walk->work = walk->depth = 0;
    walk->may_split = may_split;
    walk->has_scratch = false;
    walk->split = FOOTPRINT_NO_FIELD;
    walk->register_count = 0;
    walk->before = (struct walk_view){0};
    for (uint32_t i = 0; i < count; i++) {
        mark(walk, assumed[i].field, FOOTPRINT_READS);
        add(walk, &walk->before, assumed[i].field)->value = known(assumed[i].value);
    }
    walk->now = copy_fields(walk, &walk->before);
}

void walk_mark_writes(struct walk *walk) {
    for (uint32_t i = 0; i < walk->now.fields.count; i++) {
        const struct walk_field *at = &walk->now.fields.items[i];
        assert(at->may_be_written || !at->is_written);
        if (at->may_be_written)
            mark(walk, at->field,
                 at->is_written ? FOOTPRINT_WRITES : FOOTPRINT_READS | FOOTPRINT_WRITES);
    }
}

void walk_next_stage(struct walk *walk) {
    for (uint32_t i = 0; i < walk->now.fields.count; i++)
        walk->now.fields.items[i].is_written = walk->now.fields.items[i].may_be_written = false;
}

/* Borrows the program and marks, which has an entry for each field. */
void walk_init(struct walk *walk, const struct program *program, unsigned char *marks) {
    *walk = (struct walk){.program = program, .marks = marks, .split = FOOTPRINT_NO_FIELD};
    arena_init(&walk->arena);
}

/* Frees heap memory; the marks stay. */
void walk_close(struct walk *walk) { arena_close(&walk->arena); }
