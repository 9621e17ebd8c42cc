/* See fits.h. */
#include "command/fits.h"

#include "agents/agents.h"

bool model_fits(const struct network *network, enum purpose purpose) {
    const struct model *model = network->model;
    if (purpose == FOR_OBSERVERS) return agents_are_known(model, model->diag);
    return !network_refuse_time(network, model->diag);
}
