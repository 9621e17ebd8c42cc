/* varabs info IN.xml */
#include "base/interrupt.h"
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
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
