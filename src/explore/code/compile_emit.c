/* Instructions, facts and labels. */
#include "explore/code/compile_internal.h"

#include <assert.h>

/* The item that is being compiled is left to the interpreter. */
void compile_fail(struct compiler *compiler) { compiler->has_failed = true; }

/* The first of so many neighbours; 0 and a failure where there are too many. */
uint32_t new_registers(struct compiler *compiler, uint32_t count) {
    uint32_t first = compiler->next_register;
    if (count > MAX_LOCAL || first > MAX_INSTRUCTIONS) {
        compile_fail(compiler);
        return 0;
    }
    compiler->next_register += count;
    if (compiler->next_register > compiler->code->register_count)
        compiler->code->register_count = compiler->next_register;
    return first;
}

/* Where the instruction is; nothing is emitted after a jump that is always taken. */
uint32_t emit(struct compiler *compiler, enum opcode op, uint32_t a, int32_t b, int32_t c) {
    struct code *code = compiler->code;
    if (compiler->is_dead || compiler->has_failed) return 0;
    if (code->instructions.count - compiler->first_instruction >= compiler->item_limit) {
        compile_fail(compiler);
        return 0;
    }
    VEC_PUSH(code->arena, &code->instructions, (struct instruction){(uint16_t)op, 0, a, b, c});
    VEC_PUSH(code->arena, &code->spans, compiler->span);
    assert(code->spans.count == code->instructions.count);
    return code->instructions.count - 1;
}

/* Emits an instruction that may end in an error, with the position to report. */
void emit_fault(struct compiler *compiler, enum opcode op, uint32_t a, int32_t b, int32_t c,
                struct span span) {
    compiler->span = span;
    emit(compiler, op, a, b, c);
    if (compiler->is_dead) return;
    compiler->unit.can_fault = true;
    if (op == OP_CODE_FAULT) compiler->is_dead = true;
}

/* Facts */

static struct fact *fact_at(struct compiler *compiler, uint32_t id) {
    for (uint32_t i = 0; i < compiler->facts.count; i++)
        if (compiler->facts.items[i].id == id) return &compiler->facts.items[i];
    return NULL;
}

/* The fact about a field or register here, or NULL. */
const struct fact *find_fact(const struct compiler *compiler, uint32_t id) {
    for (uint32_t i = 0; i < compiler->facts.count; i++)
        if (compiler->facts.items[i].id == id) return &compiler->facts.items[i];
    return NULL;
}

/* Puts of all pending fields, one a word; a pending fact is none afterwards. */
uint32_t emit_puts(struct compiler *compiler, uint32_t *first) {
    struct code *code = compiler->code;
    *first = code->puts.count;
    for (uint32_t i = 0; i < compiler->facts.count; i++) {
        struct fact *fact = &compiler->facts.items[i];
        if (!fact->is_pending || fact->id & REGISTER_ID) continue;
        const struct packed *field = &code->layout->fields[fact->id];
        fact->is_pending = false;
        if (!field->mask) continue; /* it has no bits and no other value */
        assert(field_holds(field, fact->value));
        uint32_t at = *first;
        while (at < code->puts.count && code->puts.items[at].word != field->word) at++;
        if (at == code->puts.count)
            VEC_PUSH(code->arena, &code->puts, (struct put){UINT64_MAX, 0, field->word});
        code->puts.items[at].keep &= ~(field->mask << field->shift);
        code->puts.items[at].value |= field_bits(field, fact->value);
    }
    return code->puts.count - *first;
}

void flush_facts(struct compiler *compiler) {
    if (compiler->is_dead || compiler->has_failed) return;
    uint32_t first, count = emit_puts(compiler, &first);
    for (uint32_t i = 0; i < count; i++) emit(compiler, OP_CODE_PUT, first + i, 0, 0);
    for (uint32_t i = 0; i < compiler->facts.count; i++) {
        struct fact *fact = &compiler->facts.items[i];
        if (!fact->is_pending) continue;
        emit(compiler, OP_CODE_LOAD, fact->id & ~REGISTER_ID, fact->value, 0);
        fact->is_pending = false;
    }
}

/* Neither is known any more to hold the same as another. */
void drop_copies(struct compiler *compiler, uint32_t field, uint32_t reg) {
    for (uint32_t i = compiler->copies.count; i-- > 0;)
        if (compiler->copies.items[i].field == field || compiler->copies.items[i].reg == reg)
            compiler->copies.items[i] = compiler->copies.items[--compiler->copies.count];
}

/* is_pending: the state does not hold it yet. is_fixed: it cannot change in the unit. */
void set_fact(struct compiler *compiler, uint32_t id, int32_t value, bool is_pending,
              bool is_fixed) {
    assert(id & REGISTER_ID || id < compiler->code->layout->field_count);
    assert(!is_pending || id & REGISTER_ID ||
           field_holds(&compiler->code->layout->fields[id], value));
    assert(!is_fixed || id & REGISTER_ID); /* the state changes, selects do not */
    struct fact *fact = fact_at(compiler, id);
    if (!fact) {
        if (compiler->facts.count == MAX_FACTS) {
            flush_facts(compiler);
            compiler->facts.count = 0;
        }
        fact = &compiler->facts.items[compiler->facts.count++];
    }
    *fact = (struct fact){id, value, is_pending, is_fixed};
}

/* The field or register may hold anything from here on. */
void drop_fact(struct compiler *compiler, uint32_t id) {
    struct fact *fact = fact_at(compiler, id);
    if (fact) *fact = compiler->facts.items[--compiler->facts.count];
}

/* Other ways lead here as well: only what is fixed is known. */
void drop_facts(struct compiler *compiler) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < compiler->facts.count; i++)
        if (compiler->facts.items[i].is_fixed)
            compiler->facts.items[kept++] = compiler->facts.items[i];
    compiler->facts.count = kept;
    compiler->copies.count = 0;
}

void drop_registers(struct compiler *compiler, uint32_t first) {
    struct facts *facts = &compiler->facts;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->count; i++)
        if (!(facts->items[i].id & REGISTER_ID) || (facts->items[i].id & ~REGISTER_ID) < first)
            facts->items[kept++] = facts->items[i];
    facts->count = kept;
}

void drop_cells(struct compiler *compiler, const struct lvalue *place) {
    compiler->copies.count = 0;
    for (uint32_t i = compiler->facts.count; i-- > 0;) {
        uint32_t id = compiler->facts.items[i].id, at;
        if ((id & REGISTER_ID) ? !place->is_register : place->is_register) continue;
        if (!place->is_register && id >= compiler->network->slot_count) continue;
        at = place->is_register ? id & ~REGISTER_ID : compiler->network->slots[id].address;
        assert(place->is_register || compiler->network->slot_of[at] == id);
        if (at >= place->first && at - place->first < place->count)
            compiler->facts.items[i] = compiler->facts.items[--compiler->facts.count];
    }
}

/* Values */

/* A new register that may hold any int32 and need not be kept. */
struct value temporary(struct compiler *compiler) {
    return (struct value){.is_temporary = true,
                          .reg = new_registers(compiler, 1),
                          .lower = INT32_MIN,
                          .upper = INT32_MAX};
}

/* Loads a constant into a new register; others are in one already. */
uint32_t value_register(struct compiler *compiler, struct value value) {
    if (!value.is_constant) return value.reg;
    uint32_t reg = new_registers(compiler, 1);
    emit(compiler, OP_CODE_LOAD, reg, value.constant, 0);
    return reg;
}

/* Labels */

/* Keeps the facts that both have. */
static void meet(struct facts *known, const struct facts *other) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct fact *fact = &known->items[i];
        bool is_common = false;
        for (uint32_t j = 0; j < other->count && !is_common; j++)
            is_common = other->items[j].id == fact->id && other->items[j].value == fact->value;
        if (is_common) known->items[kept++] = *fact;
    }
    known->count = kept;
}

static void join(struct compiler *compiler, struct label *label) {
    if (label->facts) {
        meet(label->facts, &compiler->facts);
        return;
    }
    size_t size = offsetof(struct facts, items) + compiler->facts.count * sizeof(struct fact);
    label->facts = arena_alloc(&compiler->scratch, size);
    memcpy(label->facts, &compiler->facts, size);
}

void jump(struct compiler *compiler, enum opcode op, int32_t b, int32_t c, struct label *label) {
    assert(opcode_jumps(op));
    if (compiler->is_dead || compiler->has_failed) return;
    if (label != &compiler->fails) { /* where nothing matters any more */
        flush_facts(compiler);
        if (compiler->has_failed) return;
        join(compiler, label);
    }
    uint32_t at = emit(compiler, op, 0, b, c);
    if (!compiler->has_failed) VEC_PUSH(&compiler->scratch, &label->jumps, at);
}

/* The jump is not written before code follows that is not at the label. */
void jump_always(struct compiler *compiler, struct label *label) {
    if (compiler->is_dead || compiler->has_failed) return;
    assert(!compiler->deferred);
    if (label == &compiler->fails) {
        emit(compiler, OP_CODE_FAIL, 0, 0, 0);
        compiler->is_dead = true;
        return;
    }
    compiler->deferred = label;
    compiler->deferred_facts = compiler->facts;
    label->is_deferred = true;
    compiler->is_dead = true;
}

static void write_deferred(struct compiler *compiler) {
    struct label *label = compiler->deferred;
    if (!label || compiler->has_failed) return;
    compiler->deferred = NULL;
    label->is_deferred = false;
    compiler->is_dead = false;
    compiler->facts = compiler->deferred_facts;
    jump(compiler, OP_CODE_JUMP, 0, 0, label);
    compiler->is_dead = true;
}

/* All jumps to the label lead here, and what is known is what all ways agree on. */
void bind_label(struct compiler *compiler, struct label *label) {
    if (compiler->has_failed || !is_jumped_to(label)) return;
    struct code *code = compiler->code;
    if (label == compiler->deferred) { /* it continues right here */
        compiler->deferred = NULL;
        label->is_deferred = false;
        compiler->is_dead = false;
        compiler->facts = compiler->deferred_facts;
        if (!label->jumps.count) return;
    } else {
        write_deferred(compiler);
        if (compiler->has_failed) return;
    }
    if (!compiler->is_dead) {
        flush_facts(compiler);
        if (compiler->has_failed) return;
        join(compiler, label);
    }
    assert(label->facts && label != &compiler->fails);
    for (uint32_t i = 0; i < label->jumps.count; i++)
        code->instructions.items[label->jumps.items[i]].a = code->instructions.count;
    compiler->is_dead = false;
    compiler->facts.count = label->facts->count;
    memcpy(compiler->facts.items, label->facts->items, label->facts->count * sizeof(struct fact));
    compiler->barrier = code->instructions.count;
    compiler->copies.count = 0;
}

/* Tests */

/* Tests of a unit are tried before its code, on the packed state. */
void add_test(struct compiler *compiler, uint32_t index, int32_t value, bool is_negated) {
    const struct packed *field = &compiler->code->layout->fields[index];
    uint64_t mask = field->mask << field->shift;
    assert(field_holds(field, value) && field->mask && !field->is_scratch);
    if (!is_negated) set_fact(compiler, index, value, false, false);
    for (uint32_t i = 0; i < compiler->tests.count && !is_negated; i++) {
        struct test *test = &compiler->tests.items[i];
        if (test->word != field->word || test->is_negated || test->mask & mask) continue;
        test->mask |= mask;
        test->value |= field_bits(field, value);
        return;
    }
    VEC_PUSH(&compiler->scratch, &compiler->tests,
             (struct test){mask, field_bits(field, value), field->word, is_negated});
}

/* Sweeping */

/* Marks the registers that some instruction reads; false if that is not known. */
static bool mark_reads(const struct compiler *compiler, bool *is_read) {
    const struct code *code = compiler->code;
    is_read[0] = true; /* the value of the unit */
    for (uint32_t i = compiler->first_instruction; i < code->instructions.count; i++) {
        const struct instruction *at = &code->instructions.items[i];
        unsigned traits = opcode_traits(at->op);
        if (traits & READS_ANY) return false;
        assert(!(traits & READS_A) || at->a < compiler->next_register);
        assert(!(traits & (READS_B | READS_PAIR)) || (uint32_t)at->b < compiler->next_register);
        assert(!(traits & READS_C) || (uint32_t)at->c < compiler->next_register);
        if (traits & READS_A) is_read[at->a] = true;
        if (traits & (READS_B | READS_PAIR)) is_read[at->b] = true;
        if (traits & READS_PAIR) is_read[at->b + 1] = true;
        if (traits & READS_C) is_read[at->c] = true;
    }
    return true;
}

/* Takes out what is not kept and moves the targets of jumps. */
static void compact(struct compiler *compiler, const bool *is_kept) {
    struct code *code = compiler->code;
    uint32_t first = compiler->first_instruction, count = code->instructions.count - first;
    uint32_t *moved = ARENA_ARRAY(&compiler->scratch, uint32_t, count + 1), next = first;
    for (uint32_t i = 0; i < count; i++) {
        moved[i] = next;
        if (!is_kept[i]) continue;
        code->instructions.items[next] = code->instructions.items[first + i];
        code->spans.items[next++] = code->spans.items[first + i];
    }
    moved[count] = next;
    for (uint32_t i = first; i < next; i++) {
        struct instruction *at = &code->instructions.items[i];
        if (!opcode_jumps(at->op)) continue;
        assert(at->a >= first && at->a - first <= count); /* within the unit */
        at->a = moved[at->a - first];
    }
    code->instructions.count = code->spans.count = next;
}

void sweep(struct compiler *compiler) {
    struct code *code = compiler->code;
    uint32_t first = compiler->first_instruction, count = code->instructions.count - first;
    bool *is_kept = ARENA_ARRAY(&compiler->scratch, bool, count + 1);
    for (bool has_changed = true; has_changed && count;) {
        bool *is_read = ARENA_ARRAY(&compiler->scratch, bool, (size_t)compiler->next_register + 2);
        if (!mark_reads(compiler, is_read)) return;
        has_changed = false;
        for (uint32_t i = 0; i < count; i++) {
            const struct instruction *at = &code->instructions.items[first + i];
            is_kept[i] = !(opcode_traits(at->op) & PURE) || is_read[at->a];
            has_changed |= !is_kept[i];
        }
        if (has_changed) compact(compiler, is_kept);
        count = code->instructions.count - first;
    }
}
