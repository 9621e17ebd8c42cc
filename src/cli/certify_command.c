/* varabs certify CONCRETE.xml ABSTRACT.xml */
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "command/certifying.h"
#include "command/limits.h"
#include "report/certify/certify_report.h"
#include "report/json.h"

#include <string.h>

/* ---- the run ---- */

static void show_pairs(void *context, uint64_t pairs) {
    (void)context;
    progress_say("comparing: %llu pairs of states", (unsigned long long)pairs);
}

static struct certify_options certify_options_of(const struct options *options) {
    struct certify_options certify = {.mode = SIMULATE_MAY, .search = options->verify.search};
    if (options->values[OPTION_MUST]) certify.mode = SIMULATE_MUST;
    if (options->values[OPTION_EXACT]) certify.mode = SIMULATE_EXACT;
    certify.observes = options->values[OPTION_OBSERVE] != NULL;
    certify.is_stuttering = options->values[OPTION_STUTTER] != NULL;
    certify.engine = options->values[OPTION_ENGINE] ? options->verify.engine : ENGINE_AUTO;
    certify.shuffle = options->verify.shuffle;
    certify.search.progress = progress_search;
    certify.progress = show_pairs;
    return certify;
}

static enum status run(struct certifying *certifying, const struct options *options) {
    struct session *concrete = certifying->concrete, *abstract = certifying->abstract;
    enum status status;
    if (!certifying_begin(certifying)) return STATUS_USAGE;
    limits_take_time(&certifying->options.search);
    signals_defer();
    bool is_done = certifying_run(certifying, &status);
    progress_end();
    if (is_done) {
        struct certify_report report = {&certifying->visible,
                                        &certifying->certification,
                                        &certifying->options,
                                        &concrete->arena,
                                        options->values[OPTION_REPORT] != NULL,
                                        certifying->reported.found};
        const char *json = options->values[OPTION_JSON];
        struct result_page page = {.kind = "certify",
                                   .first = page_model_of(concrete, options->input),
                                   .second = page_model_of(abstract, options->second),
                                   .is_comparison = true};
        bool is_written =
            !result_is_wanted(options) || result_write(report_certify(&report), json, options, page,
                                                       &concrete->arena, &concrete->diag);
        FILE *text = text_stream(options, is_written);
        if (text) print_certify(text, &report);
        if (!is_written) status = STATUS_DONE; /* that of the diagnostics */
    }
    certify_close(&certifying->certification);
    return status;
}

/* The report that is named, or else the one beside the abstract model, which then is named, too. */
static bool take_report(struct certifying *certifying, struct options *options) {
    struct session *concrete = certifying->concrete, *abstract = certifying->abstract;
    struct reported *reported = &certifying->reported;
    const char **path = &options->values[OPTION_REPORT];
    if (*path) return reported_take(concrete, abstract, *path, reported);
    bool ok = reported_find(concrete, abstract, options->second, reported);
    *path = reported->found;
    return ok;
}

/* varabs certify: compares two models, step by step. */
int command_certify(const struct options *given) {
    struct session concrete, abstract;
    struct options copy = *given, *options = &copy;
    enum status status = STATUS_DONE;
    if (!strcmp(options->input, "-") && !strcmp(options->second, "-")) {
        fputs("varabs: error: standard input can be read only once\n", stderr);
        return STATUS_USAGE;
    }
    bool is_ready = session_open(&concrete, options->input);
    is_ready = session_open(&abstract, options->second) && is_ready;
    struct certifying certifying = {
        .concrete = &concrete, .abstract = &abstract, .options = certify_options_of(options)};
    is_ready =
        is_ready && take_report(&certifying, options) && results_are_usable(&concrete, options);
    certifying.ignored = options_ignored(options, &concrete.arena, &certifying.ignored_count);
    if (is_ready) status = run(&certifying, options);
    int of_abstract = end_session(&abstract), of_concrete = end_session(&concrete);
    int worst = of_concrete > of_abstract ? of_concrete : of_abstract;
    return status == STATUS_DONE || worst > STATUS_VIOLATED ? worst : (int)status;
}
