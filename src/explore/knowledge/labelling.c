#include "explore/knowledge/labelling.h"

int32_t label_value(struct labelling *labels, uint32_t node, uint32_t row) {
    struct all_states *states = labels->states;
    states_load(states, row);
    enum outcome outcome = states_run(states, &labels->units[node]);
    if (outcome == RUN_FAULT) states->fault = states->machine.fault;
    return outcome == RUN_TRUE ? states->machine.registers[0] : 0;
}
