/* See certifying.h. */
#include "command/certifying.h"

#include "abstract/prepare/ghost.h"
#include "command/limits.h"
#include "explore/compare/visible_exchange.h"
#include "session/spec.h"

/* Uppaal stops at errors, so that what follows from certification does not hold there. */
static void warn_errors(struct session *session, const struct search *search) {
    if (search->errors)
        diag_warning(&session->diag, search->first_error.fault.span.begin,
                     "%s; Uppaal would stop here, varabs left out %llu such steps",
                     fault_name(search->first_error.fault.kind),
                     (unsigned long long)search->errors);
}

/* What the report has and what is named besides. */
static const char *make_visible(struct certifying *certifying) {
    struct reported *reported = &certifying->reported;
    struct arena *arena = &certifying->concrete->arena;
    for (uint32_t i = 0; i < certifying->ignored_count; i++)
        VEC_PUSH(arena, &reported->ignored, certifying->ignored[i]);
    const char *problem = visible_init(&certifying->visible, arena, certifying->concrete->network,
                                       certifying->abstract->network, reported->ignored.items,
                                       reported->ignored.count);
    for (uint32_t i = 0; i < reported->exchanges.count && !problem; i++)
        if (!visible_exchange(&certifying->visible, arena, &reported->exchanges.items[i]))
            problem = arena_printf(arena,
                                   "the report has values exchanged of '%s', but the abstract "
                                   "model lacks it, its location or the cell of its 'while'",
                                   reported->exchanges.items[i].variable);
    return problem;
}

/* What an agent sees of a variable that has merged others is what it is in the original, so that
 * gets the variable, too. */
static bool add_merges(struct certifying *certifying) {
    struct session *concrete = certifying->concrete;
    const struct reported *reported = &certifying->reported;
    struct spec spec = {0};
    struct ghost_list ghosts = {0};
    for (uint32_t i = 0; i < reported->merges.count; i++)
        if (!spec_add_merge(&spec, concrete, reported->merges.items[i])) return false;
    if (!spec.merges.count) return true;
    if (!ghosts_add(&ghosts, concrete->model, concrete->network, spec.merges.items,
                    spec.merges.count))
        return false;
    concrete->network = network_new(&concrete->arena, concrete->model);
    return concrete->network != NULL;
}

/* Whether it is known what is observed, of the variables of the report, too. */
static bool prepare_observers(struct certifying *certifying) {
    struct session *concrete = certifying->concrete, *abstract = certifying->abstract;
    bool is_known = agents_are_known(concrete->model, &concrete->diag);
    return agents_are_known(abstract->model, &abstract->diag) && is_known && add_merges(certifying);
}

/* Where more could be known by a report, why there is none. */
static void warn_refused(struct certifying *certifying) {
    const char *refused = certifying->reported.refused;
    if (refused) diag_warning(&certifying->abstract->diag, 0, "%s", refused);
}

bool certifying_begin(struct certifying *certifying) {
    if (certifying->options.observes && !prepare_observers(certifying)) return false;
    const char *problem = make_visible(certifying);
    if (problem) {
        diag_error(&certifying->abstract->diag, STATUS_USAGE, 0, "%s", problem);
        warn_refused(certifying);
    }
    limits_complete_memory(&certifying->options.search);
    return !problem;
}

/* An agent that sees more makes an abstraction wrong for questions about knowledge. */
static enum status status_of_observers(const struct observer_list *observers) {
    enum status status = STATUS_DONE;
    for (uint32_t i = 0; i < observers->list.count; i++) {
        const struct observer *observer = &observers->list.items[i];
        if (observer->problem && status == STATUS_DONE) status = STATUS_LIMIT;
        if (!observer->problem && !observer->sees_no_more) status = STATUS_VIOLATED;
    }
    return status;
}

bool certifying_run(struct certifying *certifying, enum status *status) {
    static const enum status statuses[] = {[SIMULATION_UNKNOWN] = STATUS_LIMIT,
                                           [SIMULATION_HOLDS] = STATUS_DONE,
                                           [SIMULATION_FAILS] = STATUS_VIOLATED};
    struct certification *certification = &certifying->certification;
    *status = STATUS_DONE; /* that of the diagnostics */
    if (!certify(certification, &certifying->concrete->arena, &certifying->visible,
                 &certifying->options))
        return false;
    *status = statuses[certification->outcome];
    if (*status == STATUS_DONE) *status = status_of_observers(&certification->observers);
    if (*status != STATUS_DONE) warn_refused(certifying);
    warn_errors(certifying->concrete, &certification->searches[SIDE_CONCRETE]);
    warn_errors(certifying->abstract, &certification->searches[SIDE_ABSTRACT]);
    return true;
}
