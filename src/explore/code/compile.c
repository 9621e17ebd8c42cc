/* Units of code: the labels of an instance, one after the other. */
#include "explore/code/compile_internal.h"

#include <assert.h>

struct compiler *compiler_new(struct arena *arena, struct code *code, bool interprets) {
    struct compiler *compiler = ARENA_NEW(arena, struct compiler);
    compiler->arena = arena;
    compiler->code = code;
    compiler->network = code->layout->network;
    compiler->interprets = interprets;
    arena_init(&compiler->scratch);
    network_environment(compiler->network, &compiler->environment, arena);
    map_init(&compiler->processes, arena);
    map_init(&compiler->too_large, arena);
    index_processes(&compiler->processes, compiler->network);
    /* So that units without any have an address to begin at. */
    VEC_PUSH(code->arena, &code->tests, (struct test){0});
    VEC_PUSH(code->arena, &code->puts, (struct put){0});
    return compiler;
}

/* The code stays: it belongs to its own arena. */
void compiler_close(struct compiler *compiler) {
    eval_close(&compiler->environment);
    arena_close(&compiler->scratch);
}

/* Nothing is known of any field, and nothing of the last unit stays. */
void unit_begin(struct compiler *compiler) {
    assert(compiler->code->spans.count == compiler->code->instructions.count);
    arena_reset(&compiler->scratch);
    compiler->unit = (struct unit){.entry = NO_CODE};
    compiler->facts.count = 0;
    memset(&compiler->tests, 0, sizeof compiler->tests);
    memset(&compiler->touched, 0, sizeof compiler->touched);
    memset(&compiler->fails, 0, sizeof compiler->fails);
    memset(&compiler->copies, 0, sizeof compiler->copies);
    compiler->first_instruction = compiler->code->instructions.count;
    compiler->unit.entry = compiler->first_instruction;
    compiler->barrier = compiler->first_instruction;
    compiler->next_register = 1; /* r[0] is the value of the unit */
    compiler->is_dead = compiler->has_failed = false;
    compiler->deferred = NULL;
    compiler->is_after = compiler->is_settled = false;
    compiler->item_limit = UINT32_MAX;
    compiler->process = NULL;
    compiler->frame = NULL;
    compiler->call = NULL;
    compiler->depth = compiler->work = 0;
}

void unit_fresh(struct compiler *compiler) {
    const struct layout *layout = compiler->code->layout;
    for (uint32_t i = 0; i < layout->scratch_count && i < MAX_FACTS / 2; i++)
        set_fact(compiler, layout->scratch[i], layout->network->slots[layout->scratch[i]].initial,
                 false, false);
}

/* Items: what is compiled as a whole or left to the interpreter */

struct item_mark {
    struct facts facts;
    struct unit unit;
    uint32_t instructions, puts, tests, touched, barrier, first_instruction, next_register, fails;
    const struct process *process;
    struct lvalue *frame;
};

static void mark_item(struct compiler *compiler, struct item_mark *mark) {
    copy_facts(&mark->facts, &compiler->facts);
    mark->unit = compiler->unit;
    mark->instructions = compiler->code->instructions.count;
    mark->puts = compiler->code->puts.count;
    mark->tests = compiler->tests.count;
    mark->touched = compiler->touched.count;
    mark->barrier = compiler->barrier;
    mark->first_instruction = compiler->first_instruction;
    mark->next_register = compiler->next_register;
    mark->fails = compiler->fails.jumps.count;
    mark->process = compiler->process;
    mark->frame = compiler->frame;
}

static void forget_item(struct compiler *compiler, const struct item_mark *mark) {
    copy_facts(&compiler->facts, &mark->facts);
    compiler->unit = mark->unit;
    compiler->code->instructions.count = compiler->code->spans.count = mark->instructions;
    compiler->code->puts.count = mark->puts;
    compiler->tests.count = mark->tests;
    compiler->touched.count = mark->touched;
    compiler->barrier = mark->barrier;
    compiler->first_instruction = mark->first_instruction;
    compiler->next_register = mark->next_register;
    compiler->fails.jumps.count = mark->fails;
    compiler->copies.count = 0;
    compiler->process = mark->process;
    compiler->frame = mark->frame;
    compiler->call = NULL;
    compiler->deferred = NULL;
    compiler->is_dead = compiler->has_failed = false;
    compiler->depth = 0;
    compiler->is_unused = false;
}

/* Leaves an expression to the interpreter: it may look anywhere and write anywhere. */
static uint32_t interpret(struct compiler *compiler, enum site_kind kind, const struct expr *expr,
                          const struct leg_labels *leg) {
    struct code *code = compiler->code;
    uint32_t reg = new_registers(compiler, 1), site = code->sites.count;
    VEC_PUSH(code->arena, &code->sites,
             (struct site){kind, expr, leg ? leg->process : NULL, leg ? leg->edge : NULL,
                           leg ? leg->selects : NULL});
    flush_facts(compiler);
    emit_fault(compiler, OP_CODE_EVAL, reg, (int32_t)site, 0, expr->span);
    if (kind != SITE_EFFECT) return reg;
    drop_facts(compiler); /* and copies */
    for (uint32_t i = 0; i < code->layout->scratch_count; i++)
        VEC_PUSH(&compiler->scratch, &compiler->touched, code->layout->scratch[i]);
    return reg;
}

/* Selects are registers that are never written. */
static void bind_selects(struct compiler *compiler, const struct leg_labels *leg) {
    compiler->process = leg->process;
    compiler->frame = NULL;
    if (!leg->edge) return;
    compiler->frame = ARENA_ARRAY(&compiler->scratch, struct lvalue, leg->edge->frame_size + 1);
    for (uint32_t i = 0; i < leg->edge->select_count; i++) {
        const struct symbol *select = leg->edge->selects[i];
        assert(select->index < leg->edge->frame_size);
        const struct shape *shape = compile_shape(compiler, select->type);
        struct lvalue place = register_place(compiler, shape);
        compiler->frame[select->index] = place;
        set_fact(compiler, place.base | REGISTER_ID, leg->selects[i], true, true);
    }
}

enum item_kind { ITEM_CONDITION, ITEM_EFFECT, ITEM_VALUE, ITEM_CHANNEL };

static void compile_condition(struct compiler *compiler, const struct expr *expr);

static void try_item(struct compiler *compiler, enum item_kind kind, const struct expr *expr) {
    struct value value;
    switch (kind) {
    case ITEM_CONDITION: compile_condition(compiler, expr); break;
    case ITEM_EFFECT: compile_effect(compiler, expr); break;
    case ITEM_VALUE:
    case ITEM_CHANNEL:
        value = (kind == ITEM_CHANNEL ? compile_address : compile_value)(compiler, expr);
        if (value.is_constant)
            emit(compiler, OP_CODE_LOAD, 0, value.constant, 0);
        else
            emit(compiler, OP_CODE_MOVE, 0, (int32_t)value.reg, 0);
        break;
    }
}

static void fall_back(struct compiler *compiler, enum item_kind kind, const struct expr *expr,
                      const struct leg_labels *leg) {
    assert(!compiler->has_failed);
    enum site_kind site = kind == ITEM_EFFECT    ? SITE_EFFECT
                          : kind == ITEM_CHANNEL ? SITE_CHANNEL
                                                 : SITE_VALUE;
    compiler->item_limit = UINT32_MAX;
    uint32_t reg = interpret(compiler, site, expr, leg);
    if (kind == ITEM_CONDITION) {
        jump(compiler, OP_CODE_JUMP_ZERO, (int32_t)reg, 0, &compiler->fails);
    } else if (kind != ITEM_EFFECT) {
        emit(compiler, OP_CODE_MOVE, 0, (int32_t)reg, 0);
    }
}

/* No item looks at the registers of another. */
static void forget_registers(struct compiler *compiler) {
    struct facts *facts = &compiler->facts;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->count; i++)
        if (!(facts->items[i].id & REGISTER_ID)) facts->items[kept++] = facts->items[i];
    facts->count = kept;
}

/* First with loops unrolled, then without, then by the interpreter. What was too large for one
 * process is not tried for the others, as processes of a template are much alike. */
enum { ATTEMPTS = 2 };
static void compile_item(struct compiler *compiler, enum item_kind kind, const struct expr *expr,
                         const struct leg_labels *leg) {
    if (compiler->is_dead) return;
    assert(!compiler->has_failed && !compiler->deferred);
    struct item_mark mark;
    mark_item(compiler, &mark);
    bool is_full = compiler->code->instructions.count > MAX_INSTRUCTIONS;
    const int *left = map_get(&compiler->too_large, map_key(expr));
    int first = compiler->interprets || is_full ? ATTEMPTS : left ? *left : 0;
    for (int attempt = first; attempt < ATTEMPTS; attempt++) {
        compiler->unrolls = attempt == 0;
        compiler->item_limit = MAX_ITEM;
        compiler->work = 0;
        compiler->first_instruction = compiler->code->instructions.count;
        if (leg) bind_selects(compiler, leg);
        try_item(compiler, kind, expr);
        compiler->first_instruction = mark.first_instruction;
        compiler->item_limit = UINT32_MAX;
        if (!compiler->has_failed) {
            assert(!compiler->depth && !compiler->deferred);
            forget_registers(compiler);
            return;
        }
        forget_item(compiler, &mark);
        static const int next[ATTEMPTS] = {1, 2};
        map_put(&compiler->too_large, map_key(expr), (void *)&next[attempt]);
    }
    fall_back(compiler, kind, expr, leg);
    forget_registers(compiler);
}

/* Conditions */

/* The only value of a field that satisfies (or fails) a comparison with a constant. */
static bool single_value(const struct packed *field, enum op op, int32_t constant, int32_t *value,
                         bool *is_negated, int *always) {
    int64_t lower = field->lower, upper = lower + (int64_t)field->mask;
    int64_t low = lower, high = upper; /* of those that satisfy it */
    assert(op >= OP_LT && op <= OP_NE && field->mask);
    if (upper > field->declared_upper) upper = high = field->declared_upper;
    *is_negated = false;
    switch (op) {
    case OP_EQ: low = high = constant; break;
    case OP_LT: high = (int64_t)constant - 1; break;
    case OP_LE: high = constant; break;
    case OP_GT: low = (int64_t)constant + 1; break;
    case OP_GE: low = constant; break;
    default: /* all but one */
        *is_negated = true;
        *always = constant < lower || constant > upper;
        *value = constant;
        return !*always;
    }
    if (low < lower) low = lower;
    if (high > upper) high = upper;
    *always = low > high ? -1 : low == lower && high == upper;
    if (*always) return false;
    if (low == high) {
        *value = (int32_t)low;
        return true;
    }
    assert(lower <= low && low < high && high <= upper);
    *is_negated = true;
    *value = (int32_t)(low == lower ? upper : lower);
    return upper - lower == high - low + 1;
}

/* A field that is not known: its number, else NO_SLOT. */
static uint32_t unknown_field(struct compiler *compiler, const struct expr *expr) {
    if (!expr_is_path(expr)) return NO_SLOT;
    const struct layout *layout = compiler->code->layout;
    uint32_t before = compiler->code->instructions.count;
    uint32_t field = NO_SLOT;
    const struct symbol *symbol = expr->kind == EXPR_INDEX ? NULL : expr->symbol;
    if (symbol && symbol->kind == SYMBOL_LOCATION) return NO_SLOT;
    struct lvalue place = compile_place(compiler, expr);
    if (compiler->has_failed || compiler->is_dead || compiler->code->instructions.count != before)
        return NO_SLOT;
    if (place.shape && place.shape->kind == SHAPE_CELL && !place.is_register && !place.has_index)
        field = compiler->network->slot_of[place.base];
    if (field == NO_SLOT || !layout->fields[field].mask || layout->fields[field].is_scratch ||
        find_fact(compiler, field))
        return NO_SLOT;
    return field;
}

/* Makes a test of a comparison, if it is one. */
static bool test_comparison(struct compiler *compiler, const struct expr *expr) {
    static const enum op mirrored[] = {OP_GT, OP_GE, OP_LE, OP_LT, OP_EQ, OP_NE};
    enum op op = OP_NE;
    const struct expr *field_side = expr;
    int32_t constant = 0;
    bool is_not = expr->kind == EXPR_UNARY && expr->op == OP_NOT;
    if (is_not) {
        field_side = expr->child[0];
        op = OP_EQ;
    } else if (expr->kind == EXPR_BINARY) {
        if (expr->op < OP_LT || expr->op > OP_NE) return false;
        struct item_mark mark;
        mark_item(compiler, &mark);
        for (int side = 0; side < 2; side++) {
            struct value value = compile_value(compiler, expr->child[side]);
            if (value.is_constant && !compiler->is_dead && !compiler->has_failed &&
                compiler->code->instructions.count == mark.instructions) {
                constant = value.constant;
                field_side = expr->child[!side];
                op = side ? expr->op : mirrored[expr->op - OP_LT];
                break;
            }
            forget_item(compiler, &mark);
            if (side) return false;
        }
    }
    struct item_mark mark;
    mark_item(compiler, &mark);
    uint32_t index = unknown_field(compiler, field_side);
    if (index == NO_SLOT) {
        forget_item(compiler, &mark);
        return false;
    }
    int32_t value;
    bool is_negated;
    int always = 0;
    if (single_value(&compiler->code->layout->fields[index], op, constant, &value, &is_negated,
                     &always)) {
        add_test(compiler, index, value, is_negated);
        return true;
    }
    if (always == 0) return false;
    if (always < 0) compiler->is_dead = true;
    return true;
}

static void test_location(struct compiler *compiler, const struct process *process,
                          uint32_t location, bool is_negated) {
    assert(location < process->template->location_count);
    uint32_t index = layout_location(compiler->code->layout, process->index);
    const struct fact *fact = find_fact(compiler, index);
    if (fact || !compiler->code->layout->fields[index].mask) {
        if ((!fact || fact->value == (int32_t)location) == is_negated) compiler->is_dead = true;
        return;
    }
    add_test(compiler, index, (int32_t)location, is_negated);
}

/* Whether nothing has run before that a test must not overtake. */
static bool can_test(const struct compiler *compiler) {
    return !compiler->unit.can_fault && !compiler->is_after;
}

static void compile_condition(struct compiler *compiler, const struct expr *expr) {
    if (compiler->is_dead || compiler->has_failed) return;
    if (expr->kind == EXPR_BINARY && expr->op == OP_AND) {
        compile_condition(compiler, expr->child[0]);
        compile_condition(compiler, expr->child[1]);
        return;
    }
    if (can_test(compiler) && expr->kind == EXPR_NAME && expr->symbol->kind == SYMBOL_LOCATION &&
        compiler->process) {
        test_location(compiler, compiler->process, expr->symbol->location, false);
        return;
    }
    if (can_test(compiler) && test_comparison(compiler, expr)) return;
    jump_if(compiler, expr, false, &compiler->fails);
}

/* Parts of units */

void unit_at(struct compiler *compiler, const struct process *process, uint32_t location) {
    assert(process == &compiler->network->processes[process->index]);
    if (!compiler->is_dead) test_location(compiler, process, location, false);
    uint32_t field = layout_location(compiler->code->layout, process->index);
    set_fact(compiler, field, (int32_t)location, false, false);
}

/* Nothing if there is no guard, which is true. */
void unit_guard(struct compiler *compiler, const struct leg_labels *leg) {
    assert(!compiler->is_after);
    const struct expr *guard = guard_of_edge(compiler->network, leg->process->template, leg->edge);
    if (guard) compile_item(compiler, ITEM_CONDITION, guard, leg);
}

/* All items in order; each sees what those in front wrote. */
void unit_update(struct compiler *compiler, const struct leg_labels *leg) {
    assert(!compiler->is_after && !compiler->is_settled);
    for (uint32_t i = 0; i < leg->edge->updates.count; i++)
        compile_item(compiler, ITEM_EFFECT, leg->edge->updates.items[i], leg);
}

void unit_hook(struct compiler *compiler, const struct expr_list *list) {
    compiler->process = NULL;
    compiler->frame = NULL;
    for (uint32_t i = 0; i < list->count; i++)
        compile_item(compiler, ITEM_EFFECT, list->items[i], NULL);
}

/* The field is written with the others, at the end of the unit. */
void unit_move(struct compiler *compiler, const struct process *process, uint32_t location) {
    assert(location < process->template->location_count);
    uint32_t field = layout_location(compiler->code->layout, process->index);
    const struct fact *fact = find_fact(compiler, field);
    if (compiler->is_dead || (fact && fact->value == (int32_t)location)) return;
    set_fact(compiler, field, (int32_t)location, true, false);
}

/* Looks at the state after the step; from now on the unit cannot write. */
void unit_invariant(struct compiler *compiler, const struct process *process, uint32_t location) {
    assert(location < process->template->location_count);
    const struct expr *invariant = invariant_at(compiler->network, process->template, location);
    struct leg_labels leg = {process, NULL, NULL};
    if (!invariant) return;
    compiler->is_after = true;
    compile_item(compiler, ITEM_CONDITION, invariant, &leg);
}

/* Meta variables are at their initial value whenever invariants are checked. */
void unit_settle(struct compiler *compiler) {
    assert(!compiler->is_settled);
    const struct layout *layout = compiler->code->layout;
    for (uint32_t i = 0; i < compiler->touched.count && !compiler->is_dead; i++) {
        uint32_t slot = compiler->touched.items[i];
        int32_t initial = compiler->network->slots[slot].initial;
        const struct fact *fact = find_fact(compiler, slot);
        if (!compiler->network->slots[slot].is_meta && (!fact || fact->value != initial)) {
            flush_facts(compiler);
            emit_fault(compiler, OP_CODE_EXPECT, slot, initial, 0, compiler->span);
        }
        if (layout->fields[slot].mask) set_fact(compiler, slot, initial, true, false);
    }
    compiler->touched.count = 0;
    compiler->is_settled = true;
}

void unit_predicate(struct compiler *compiler, const struct expr *predicate, bool is_negated) {
    struct expr *negation = ARENA_NEW(compiler->arena, struct expr);
    *negation = (struct expr){.kind = EXPR_UNARY,
                              .op = OP_NOT,
                              .depth = predicate->depth + 1,
                              .span = predicate->span,
                              .child = {(struct expr *)predicate},
                              .type = compiler->network->model->bool_type};
    compile_item(compiler, ITEM_CONDITION, is_negated ? negation : predicate, NULL);
}

void unit_value(struct compiler *compiler, const struct expr *expr) {
    compile_item(compiler, ITEM_VALUE, expr, NULL);
}

/* The value of an expression on an edge, with its selects and the locals of its process. */
void unit_leg_value(struct compiler *compiler, const struct expr *expr,
                    const struct leg_labels *leg) {
    compile_item(compiler, ITEM_VALUE, expr, leg);
}

/* r[0] becomes the address of the channel; the edge has a synchronisation. */
void unit_channel(struct compiler *compiler, const struct leg_labels *leg) {
    assert(leg->edge->sync);
    compile_item(compiler, ITEM_CHANNEL, leg->edge->sync, leg);
}

uint32_t compile_channel(struct compiler *compiler, const struct leg_labels *leg) {
    assert(leg->edge->sync);
    unit_begin(compiler);
    compiler->unrolls = true;
    bind_selects(compiler, leg);
    struct lvalue place = compile_place(compiler, leg->edge->sync);
    bool is_constant = !compiler->has_failed && !compiler->is_dead && place.shape &&
                       !place.has_index && !place.is_register &&
                       compiler->code->instructions.count == compiler->first_instruction;
    compiler->code->instructions.count = compiler->code->spans.count = compiler->first_instruction;
    return is_constant ? place.base : NO_SLOT;
}

static uint32_t keep_tests(struct compiler *compiler) {
    struct code *code = compiler->code;
    for (uint32_t i = 0; i < compiler->tests.count; i++)
        VEC_PUSH(code->arena, &code->tests, compiler->tests.items[i]);
    return code->tests.count - compiler->tests.count;
}

bool unit_end_tests(struct compiler *compiler, struct unit *unit) {
    struct code *code = compiler->code;
    bool can_hold = !compiler->is_dead || compiler->unit.can_fault;
    assert(!compiler->has_failed && !compiler->is_after);
    code->instructions.count = code->spans.count = compiler->first_instruction;
    *unit = (struct unit){.first_test = keep_tests(compiler),
                          .test_count = compiler->tests.count,
                          .first_put = code->puts.count,
                          .entry = NO_CODE};
    return can_hold;
}

bool unit_end(struct compiler *compiler, struct unit *unit) {
    struct code *code = compiler->code;
    bool can_hold = !compiler->is_dead || compiler->unit.can_fault;
    assert(!compiler->has_failed);
    for (uint32_t i = 0; i < compiler->facts.count; i++) { /* what will not be looked at */
        struct fact *fact = &compiler->facts.items[i];
        if (fact->id & REGISTER_ID ||
            (compiler->is_settled && code->layout->fields[fact->id].is_scratch))
            fact->is_pending = false;
    }
    compiler->unit.first_test = keep_tests(compiler);
    compiler->unit.test_count = compiler->tests.count;
    if (compiler->is_dead) { /* only to fail on the way */
        compiler->unit.first_put = code->puts.count;
        compiler->is_dead = false;
        emit(compiler, OP_CODE_FAIL, 0, 0, 0);
    } else {
        compiler->unit.put_count = emit_puts(compiler, &compiler->unit.first_put);
        if (code->instructions.count > compiler->first_instruction)
            emit(compiler, OP_CODE_END, 0, 0, 0);
    }
    for (uint32_t i = 0; i < compiler->fails.jumps.count; i++)
        code->instructions.items[compiler->fails.jumps.items[i]].a = code->instructions.count;
    if (compiler->fails.jumps.count) emit(compiler, OP_CODE_FAIL, 0, 0, 0);
    sweep(compiler);
    if (code->instructions.count == compiler->first_instruction + 1 &&
        code->instructions.items[compiler->first_instruction].op == OP_CODE_END)
        code->instructions.count = --code->spans.count;
    if (code->instructions.count == compiler->first_instruction) compiler->unit.entry = NO_CODE;
    compiler->unit.end = code->instructions.count;
    assert(compiler->unit.first_test + compiler->unit.test_count == code->tests.count);
    assert(compiler->unit.first_put + compiler->unit.put_count <= code->puts.count);
    assert(code->spans.count == code->instructions.count);
    assert(compiler->next_register <= code->register_count + 1);
    *unit = compiler->unit;
    return can_hold;
}
