/* Goes over tests and instructions, with any index. */
#include "explore/code/reads.h"

static void add_field(const struct layout *layout, uint32_t index, uint64_t *bits) {
    const struct packed *field = &layout->fields[index];
    bits[field->word] |= field->mask << field->shift;
}

/* All cells of the variable: an index may mean any of them. */
static void add_variable(const struct layout *layout, uint32_t slot, uint64_t *bits) {
    const struct network *network = layout->network;
    const struct slot *slots = network->slots;
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (slots[i].symbol == slots[slot].symbol && slots[i].process == slots[slot].process)
            add_field(layout, i, bits);
}

bool unit_reads(const struct code *code, const struct unit *unit, uint64_t *bits,
                bool *asks_stuck) {
    for (uint32_t i = 0; i < unit->test_count; i++) {
        const struct test *test = &code->tests.items[unit->first_test + i];
        bits[test->word] |= test->mask;
    }
    for (uint32_t i = unit->entry; unit->entry != NO_CODE && i < unit->end; i++) {
        const struct instruction *at = &code->instructions.items[i];
        unsigned traits = opcode_traits(at->op);
        if (at->op == OP_CODE_EVAL) return false;
        if (at->op == OP_CODE_STUCK) *asks_stuck = true;
        if (traits & LOOKS_A) add_field(code->layout, at->a, bits);
        if (traits & LOOKS_B) add_field(code->layout, (uint32_t)at->b, bits);
        if (traits & LOOKS_AT) add_variable(code->layout, (uint32_t)at->b, bits);
    }
    return true;
}
