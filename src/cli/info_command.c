/* varabs info IN.xml */
#include "base/interrupt.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "command/describing.h"
#include "report/check/epistemic_report.h"
#include "report/check/info_report.h"
#include "report/json.h"
#include "xml/output.h"

static void tell(uint32_t removal, uint32_t count) {
    if (!count)
        progress_say("finding values");
    else
        progress_say("removal %u of %u", removal, count);
}

/* The model as the writer gives it back with nothing removed: the input byte for byte. */
static bool rewrite(struct session *session, const char *output) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    return file_write(output, splices_apply(&splices), &session->diag);
}

static void show_agents(struct session *session, const struct options *options) {
    const struct network *network = session->network;
    const char *json = options->values[OPTION_JSON];
    struct agents agents;
    if (!describing_agents(&agents, session) ||
        (json &&
         !report_write(report_agents(network, &agents, &session->arena), json, &session->diag)))
        return;
    FILE *text = text_stream(options, true);
    if (text) print_agents(text, network, &agents, &session->arena);
}

/* varabs info: describes a model, its variables and agents. */
int command_info(const struct options *options) {
    struct session session;
    struct outputs outputs;
    if (!session_open(&session, options->input)) return end_session(&session);
    const char *json = options->values[OPTION_JSON];
    outputs_begin(&outputs, options, &session.arena);
    outputs_add(&outputs, json, "description");
    outputs_add(&outputs, options->values[OPTION_REWRITE], "output");
    if (!outputs_are_usable(&outputs, &session.diag)) return end_session(&session);
    if (options->values[OPTION_REWRITE]) {
        rewrite(&session, options->values[OPTION_REWRITE]);
        return end_session(&session);
    }
    if (options->values[OPTION_AGENTS]) {
        show_agents(&session, options);
        return end_session(&session);
    }
    signals_defer();
    const struct info_report report = describing_try(&session, &options->abstract, tell);
    progress_end();
    bool is_interrupted = interrupt_is_asked();
    if (json)
        report_write(report_info(&report), json, &session.diag);
    else
        print_info(stdout, &report);
    int status = end_session(&session);
    return !status && is_interrupted ? STATUS_LIMIT : status;
}
