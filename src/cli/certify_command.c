/* varabs certify CONCRETE.xml ABSTRACT.xml */
#include "base/resources.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/reported.h"
#include "cli/signals.h"
#include "explore/compare/visible_exchange.h"
#include "report/certify_report.h"
#include "report/json.h"

#include <string.h>

/* ---- the run ---- */

static void show_pairs(void *context, uint64_t pairs) {
    (void)context;
    progress_say("comparing: %llu pairs of states", (unsigned long long)pairs);
}

static struct certify_options complete_options(const struct options *options) {
    struct certify_options certify = {.mode = SIMULATE_MAY, .search = options->verify.search};
    struct search_options *search = &certify.search;
    if (options->values[OPTION_MUST]) certify.mode = SIMULATE_MUST;
    if (options->values[OPTION_EXACT]) certify.mode = SIMULATE_EXACT;
    certify.observes = options->values[OPTION_OBSERVE] != NULL;
    certify.is_stuttering = options->values[OPTION_STUTTER] != NULL;
    if (!search->max_size) search->max_size = resources_memory() / 10 * 8;
    search->progress = progress_search;
    certify.progress = show_pairs;
    return certify;
}

/* Uppaal stops at errors, so that what follows from certification does not hold there. */
static void warn_errors(struct session *session, const struct search *search) {
    if (search->errors)
        diag_warning(&session->diag, search->first_error.fault.span.begin,
                     "%s; Uppaal would stop here, varabs left out %llu such steps",
                     fault_name(search->first_error.fault.kind),
                     (unsigned long long)search->errors);
}

/* The names of --ignore after those of the report. */
static const char **names_to_ignore(struct arena *arena, const struct options *options,
                                    struct reported *reported, uint32_t *count) {
    const char **given = options_ignored(options, arena, count);
    for (uint32_t i = 0; i < *count; i++) VEC_PUSH(arena, &reported->ignored, given[i]);
    *count = reported->ignored.count;
    return reported->ignored.items;
}

/* False after an error. */
static bool make_visible(struct visible *visible, struct session *concrete,
                         struct session *abstract, const struct options *options,
                         struct reported *reported) {
    struct arena *arena = &concrete->arena;
    uint32_t count;
    const char **names = names_to_ignore(arena, options, reported, &count);
    const char *problem =
        visible_init(visible, arena, concrete->network, abstract->network, names, count);
    for (uint32_t i = 0; i < reported->exchanges.count && !problem; i++)
        if (!visible_exchange(visible, arena, &reported->exchanges.items[i]))
            problem = arena_printf(arena,
                                   "the report has values exchanged of '%s', which the "
                                   "abstract model does not have",
                                   reported->exchanges.items[i].variable);
    if (problem) diag_error(&abstract->diag, STATUS_USAGE, 0, "%s", problem);
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

static enum status run(struct session *concrete, struct session *abstract,
                       const struct options *options, struct reported *reported) {
    static const enum status statuses[] = {[SIMULATION_UNKNOWN] = STATUS_LIMIT,
                                           [SIMULATION_HOLDS] = STATUS_DONE,
                                           [SIMULATION_FAILS] = STATUS_VIOLATED};
    struct arena *arena = &concrete->arena;
    struct visible visible;
    struct certification certification;
    if (!make_visible(&visible, concrete, abstract, options, reported)) return STATUS_USAGE;
    struct certify_options certify_options = complete_options(options);
    signals_defer();
    bool is_done = certify(&certification, arena, &visible, &certify_options);
    progress_end();
    enum status status = STATUS_DONE;
    if (is_done) {
        struct certify_report report = {&visible, &certification, &certify_options, arena,
                                        options->values[OPTION_REPORT] != NULL};
        const char *json = options->values[OPTION_JSON];
        status = statuses[certification.outcome];
        if (status == STATUS_DONE) status = status_of_observers(&certification.observers);
        warn_errors(concrete, &certification.searches[SIDE_CONCRETE]);
        warn_errors(abstract, &certification.searches[SIDE_ABSTRACT]);
        struct result_page page = {.kind = "certify",
                                   .first = page_model_of(concrete, options->input),
                                   .second = page_model_of(abstract, options->second),
                                   .is_comparison = true};
        bool is_written =
            !result_is_wanted(options) ||
            result_write(report_certify(&report), json, options, page, arena, &concrete->diag);
        FILE *text = text_stream(options, is_written);
        if (text) print_certify(text, &report);
        if (!is_written) status = STATUS_DONE; /* that of the diagnostics */
    }
    certify_close(&certification);
    return status;
}

/* varabs certify: compares two models, step by step. */
int command_certify(const struct options *options) {
    struct session concrete, abstract;
    enum status status = STATUS_DONE;
    if (!strcmp(options->input, "-") && !strcmp(options->second, "-")) {
        fputs("varabs: error: standard input can be read only once\n", stderr);
        return STATUS_USAGE;
    }
    bool is_ready = session_open(&concrete, options->input);
    is_ready = session_open(&abstract, options->second) && is_ready &&
               results_are_usable(&concrete.diag, options);
    struct reported reported = {0};
    const char *report = options->values[OPTION_REPORT];
    if (is_ready && report) is_ready = reported_take(&concrete, &abstract, report, &reported);
    if (is_ready) status = run(&concrete, &abstract, options, &reported);
    int of_abstract = end_session(&abstract), of_concrete = end_session(&concrete);
    int worst = of_concrete > of_abstract ? of_concrete : of_abstract;
    return status == STATUS_DONE || worst > STATUS_VIOLATED ? worst : (int)status;
}
