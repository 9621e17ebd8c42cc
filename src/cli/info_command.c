/* varabs info IN.xml */
#include "base/interrupt.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "report/epistemic_report.h"
#include "report/info_report.h"
#include "report/json.h"
#include "suggest/suggest.h"
#include "xml/output.h"

#include <string.h>

enum { MAX_TRIALS = 200 };

static struct tried try_removal(struct session *session, const struct listed_variable *variable,
                                const struct abstract_options *short_look) {
    struct arena scratch;
    struct tried tried = {.outcome = TRIED_NOT};
    arena_init(&scratch);
    struct trial trial = trial_run(session->network, &variable->name, 1, short_look, &scratch);
    if (!interrupt_is_asked()) {
        tried.outcome = trial.outcome == TRIAL_REFUSED ? TRIED_REFUSED
                        : trial.outcome == TRIAL_EXACT ? TRIED_EXACT
                                                       : TRIED_INEXACT;
        if (trial.message) tried.because = arena_printf(&session->arena, "%s", trial.message);
    }
    arena_close(&scratch);
    return tried;
}

/* The model as the writer gives it back with nothing removed: the input byte for byte. */
static bool rewrite(struct session *session, const char *output) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    return file_write(output, splices_apply(&splices), &session->diag);
}

/* Every agent with what it observes (O5): processes, and then what declarations make of them. */
static void show_agents(struct session *session, const struct options *options) {
    const struct network *network = session->network;
    const struct model *model = session->model;
    const char *json = options->values[OPTION_JSON];
    struct agents agents;
    struct agent_list list = {0};
    if (model->lost_agents) {
        diag_error(&session->diag, STATUS_INVALID, 0,
                   "some declaration about agents cannot be read, so it is not known what is "
                   "observed");
        return;
    }
    agents_init(&agents, &session->arena, network);
    bool is_fine = true;
    for (uint32_t i = 0; i < network->process_count; i++)
        is_fine &= agent_of_process(&agents, &network->processes[i]) != NULL;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        struct expr name = {.kind = EXPR_NAME, .symbol = declaration->symbol};
        if (declaration->kind == DECLARE_AGENT) is_fine &= !agents_add(&agents, &name, &list);
    }
    agents_close(&agents);
    if (!is_fine)
        diag_error(&session->diag, STATUS_LIMIT, 0,
                   "an agent observes more than %d items, or is none; declare what it observes",
                   AGENT_MAX_ITEMS);
    if (!is_fine || (json && !report_write(report_agents(network, &agents, &session->arena), json,
                                           &session->diag)))
        return;
    FILE *text = text_stream(options, true);
    if (text) print_agents(text, network, &agents, &session->arena);
}

/* varabs info: describes a model, its variables and agents. */
int command_info(const struct options *options) {
    struct session session;
    if (!session_open(&session, options->input)) return end_session(&session);
    const char *json = options->values[OPTION_JSON];
    if (!output_is_usable(&session.diag, options, json, "description") ||
        !output_is_usable(&session.diag, options, options->values[OPTION_REWRITE], "output"))
        return end_session(&session);
    if (options->values[OPTION_REWRITE]) {
        rewrite(&session, options->values[OPTION_REWRITE]);
        return end_session(&session);
    }
    if (options->values[OPTION_AGENTS]) {
        show_agents(&session, options);
        return end_session(&session);
    }
    struct listed_variable *list;
    uint32_t count = list_variables(session.network, &list, &session.arena);
    struct tried *tried = ARENA_ARRAY(&session.arena, struct tried, count + 1);
    struct abstract_options short_look = suggest_short_look(&options->abstract);
    signals_defer();
    progress_say("finding values");
    short_look.drops_priorities = true;
    short_look.known = suggest_values(session.network, &options->abstract, &session.arena);
    for (uint32_t i = 0; i < count && i < MAX_TRIALS && !interrupt_is_asked(); i++) {
        progress_say("removal %u of %u", i + 1, count);
        tried[i] = try_removal(&session, &list[i], &short_look);
    }
    progress_end();
    bool is_interrupted = interrupt_is_asked();
    if (json)
        report_write(report_info(session.network, tried, &session.arena), json, &session.diag);
    else
        print_info(stdout, session.network, tried, &session.arena);
    int status = end_session(&session);
    return !status && is_interrupted ? STATUS_LIMIT : status;
}
