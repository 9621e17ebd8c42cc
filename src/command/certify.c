/* varabs certify: compares two models, step by step. */
#include "command/command.h"
#include "command/fits.h"
#include "command/reported.h"

#include "report/certify/certify_report.h"

struct certifying {
    const struct command_request *request;
    struct sink *sink;
    struct session concrete, abstract;
    struct reported reported; /* of a report, or empty */
    struct certify_options options;
    struct visible visible;
    struct certification certification;
};

/* Uppaal stops at errors, so that what follows from certification does not hold there. */
static void warn_errors(struct session *session, const struct certification *certification,
                        enum side side) {
    const struct exact *errors = &certification->figures[side].errors;
    struct fault fault = certification->faults[side];
    if (!errors->is_known && certification->searches[side].errors)
        diag_warning(&session->diag, fault.span.begin,
                     "%s; Uppaal would stop here, varabs left out such steps",
                     fault_name(fault.kind));
    if (errors->is_known && errors->value)
        diag_warning(&session->diag, fault.span.begin,
                     "%s; Uppaal would stop here, varabs left out %s such steps",
                     fault_name(fault.kind), errors->text);
}

/* Whether it is known what is observed, of the variables of the report, too. */
static bool prepare_observers(struct certifying *certifying) {
    bool is_known = model_fits(certifying->concrete.network, FOR_OBSERVERS);
    return model_fits(certifying->abstract.network, FOR_OBSERVERS) && is_known &&
           reported_add_merges(&certifying->reported, &certifying->concrete);
}

/* Finds what is compared, and completes the limits. */
static bool begin(struct certifying *certifying) {
    if (certifying->options.observes && !prepare_observers(certifying)) return false;
    struct session *concrete = &certifying->concrete, *abstract = &certifying->abstract;
    const char *problem =
        reported_visible(&certifying->reported, &certifying->visible, &concrete->arena, concrete,
                         abstract, &certifying->request->lists[LIST_IGNORE]);
    if (problem) {
        diag_error(&abstract->diag, STATUS_USAGE, 0, "%s", problem);
        reported_warn_refused(&certifying->reported, abstract);
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

/* False if a network cannot be prepared; else the status is that of the comparison. */
static bool compare(struct certifying *certifying, enum status *status) {
    static const enum status statuses[] = {[SIMULATION_UNKNOWN] = STATUS_LIMIT,
                                           [SIMULATION_HOLDS] = STATUS_DONE,
                                           [SIMULATION_FAILS] = STATUS_VIOLATED};
    struct certification *certification = &certifying->certification;
    if (!certify(certification, &certifying->concrete.arena, &certifying->visible,
                 &certifying->options))
        return false;
    *status = statuses[certification->outcome];
    if (*status == STATUS_DONE) *status = status_of_observers(&certification->observers);
    if (*status != STATUS_DONE) reported_warn_refused(&certifying->reported, &certifying->abstract);
    warn_errors(&certifying->concrete, certification, SIDE_CONCRETE);
    warn_errors(&certifying->abstract, certification, SIDE_ABSTRACT);
    return true;
}

static void finish(struct certifying *certifying) {
    const struct command_request *request = certifying->request;
    struct session *concrete = &certifying->concrete;
    struct certify_report report = {&certifying->visible,
                                    &certifying->certification,
                                    &certifying->options,
                                    &concrete->arena,
                                    request->report.name || certifying->reported.found,
                                    certifying->reported.found};
    struct result_page page = command_page("certify", request, concrete, &certifying->abstract);
    page.is_comparison = true;
    json_t *result = certifying->sink->wants_result ? report_certify(&report) : NULL;
    FILE *text = sink_leave(certifying->sink, result, page, concrete);
    if (text) print_certify(text, &report);
}

static enum status run(struct certifying *certifying) {
    enum status status = STATUS_DONE; /* that of the messages */
    if (!begin(certifying)) return status;
    limits_take_time(&certifying->options.search);
    certifying->sink->defer();
    if (compare(certifying, &status)) finish(certifying);
    certify_close(&certifying->certification);
    return status;
}

static bool take_report(struct certifying *certifying) {
    const struct command_request *request = certifying->request;
    struct reported *reported = &certifying->reported;
    bool ok = reported_take(&certifying->concrete, &certifying->abstract, &request->report,
                            request->finds_report ? request->second.name : NULL, reported);
    certifying->sink->report = request->report.name ? request->report.name : reported->found;
    return ok;
}

/* The kind of abstraction that nobody said is that of the report. */
static bool take_relation(struct certifying *certifying) {
    const struct reported *reported = &certifying->reported;
    struct certify_options *options = &certifying->options;
    bool finds = certifying->request->finds_relation;
    if (finds && !reported->has_relation) {
        diag_error(&certifying->abstract.diag, STATUS_USAGE, 0,
                   "say what kind of abstraction it is: --may, --must or --exact; there is no "
                   "report that does");
        reported_warn_refused(reported, &certifying->abstract);
        return false;
    }
    if (finds) options->mode = reported->relation;
    if (finds) options->is_stuttering |= reported->is_stuttering;
    options->is_stuttering &= options->mode != SIMULATE_EXACT;
    return true;
}

/* Both are opened, whatever becomes of the first one. */
static bool open_models(struct certifying *certifying) {
    const struct command_request *request = certifying->request;
    struct session *concrete = &certifying->concrete, *abstract = &certifying->abstract;
    bool is_open = command_load(concrete, &request->first) && session_build(concrete);
    is_open = command_load(abstract, &request->second) && session_build(abstract) && is_open;
    return is_open && model_fits(concrete->network, FOR_CERTIFY) &&
           model_fits(abstract->network, FOR_CERTIFY);
}

static void show_pairs(void *context, uint64_t pairs) {
    (void)context;
    tell("comparing: %llu pairs of states", (unsigned long long)pairs);
}

enum status command_certify(const struct command_request *request, struct sink *sink) {
    struct certifying certifying = {.request = request,
                                    .sink = sink,
                                    .options = {.mode = request->relation,
                                                .observes = request->observes,
                                                .is_stuttering = request->abstract.stutters,
                                                .engine = request->verify.engine,
                                                .symmetry = request->verify.symmetry,
                                                .shuffle = request->verify.shuffle,
                                                .search = request->verify.search,
                                                .progress = show_pairs}};
    enum status status = STATUS_DONE;
    certifying.options.search.progress = sink->search;
    if (open_models(&certifying) && take_report(&certifying) && take_relation(&certifying) &&
        sink->is_ready(sink, &certifying.concrete))
        status = run(&certifying);
    return sink->end(sink, &certifying.concrete, &certifying.abstract, status);
}
