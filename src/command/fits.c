#include "command/fits.h"

#include "agents/agents.h"

bool model_fits(const struct network *network, enum purpose purpose) {
    const struct model *model = network->model;
    if (purpose == FOR_OBSERVERS) return agents_are_known(model, model->diag);
    bool is_abstract = model->is_mixed && (purpose == FOR_DECIDE || purpose == FOR_SUGGEST);
    if (is_abstract)
        diag_error(model->diag, STATUS_UNSUPPORTED, model->mixed_at,
                   "this model is a mixed abstraction: `varabs check` says what holds in its "
                   "original");
    if (is_abstract || purpose == FOR_SUGGEST) return !is_abstract;
    const struct symbol *idle = purpose == FOR_EXPLORE ? network_idle_clock(network) : NULL;
    if (idle)
        diag_error(
            model->diag, STATUS_UNSUPPORTED, idle->span.begin,
            "clock '%s' is set, and exploring does not compare what clocks are set to; leave "
            "out --explore, or remove the clock",
            idle->name);
    return !idle && !network_refuse_time(network, model->diag);
}
