/* Goes over tests and instructions, with any index. */
#include "explore/code/reads.h"

#include <assert.h>

static void add_field(const struct layout *layout, uint32_t index, uint64_t *bits, uint32_t words) {
    const struct packed *field = &layout->fields[index];
    if (field->word < words) bits[field->word] |= field->mask << field->shift;
}

static bool is_of_variable(const struct network *network, uint32_t slot, uint32_t of) {
    const struct slot *slots = network->slots;
    return slot < network->slot_count && slots[slot].symbol == slots[of].symbol &&
           slots[slot].process == slots[of].process;
}

/* The cells of a variable have slots that follow each other. */
struct indexed_fields indexed_fields(const struct code *code, const struct instruction *at) {
    const struct network *network = code->layout->network;
    uint32_t slot = (uint32_t)at->b;
    assert(at->op == OP_CODE_GET_AT || at->op == OP_CODE_SET_AT);
    if (at->indexed) return code->indexed.items[at->indexed - 1];
    struct indexed_fields all = {slot, 1, 1};
    while (all.first && is_of_variable(network, all.first - 1, slot)) all.first--;
    all.count = slot - all.first;
    while (is_of_variable(network, all.first + all.count, slot)) all.count++;
    return all;
}

bool unit_reads(const struct code *code, const struct unit *unit, uint64_t *bits, uint32_t words,
                bool *asks_stuck) {
    for (uint32_t i = 0; i < unit->test_count; i++) {
        const struct test *test = &code->tests.items[unit->first_test + i];
        if (test->word < words) bits[test->word] |= test->mask;
    }
    for (uint32_t i = unit->entry; unit->entry != NO_CODE && i < unit->end; i++) {
        const struct instruction *at = &code->instructions.items[i];
        unsigned traits = opcode_traits(at->op);
        if (at->op == OP_CODE_EVAL) return false;
        if (at->op == OP_CODE_STUCK) *asks_stuck = true;
        if (traits & LOOKS_A) add_field(code->layout, at->a, bits, words);
        if (traits & LOOKS_B) add_field(code->layout, (uint32_t)at->b, bits, words);
        struct indexed_fields some = {0};
        if (traits & LOOKS_AT) some = indexed_fields(code, at);
        for (uint32_t k = 0; k < some.count; k++)
            add_field(code->layout, some.first + k * some.step, bits, words);
    }
    return true;
}
