/* See fits.h. */
#include "command/fits.h"

#include "agents/agents.h"

bool model_fits(const struct network *network, enum purpose purpose) {
    const struct model *model = network->model;
    return purpose != FOR_OBSERVERS || agents_are_known(model, model->diag);
}
