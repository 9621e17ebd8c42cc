/* varabs info IN.xml */
#include "base/interrupt.h"
#include "cli/options.h"
#include "cli/signals.h"
#include "report/info_report.h"
#include "report/json.h"
#include "suggest/suggest.h"

#include <string.h>

enum { MAX_TRIALS = 200 };

/* Tries the removal of one variable: 1 exact, 0 not, -1 refused. Its messages are not shown. */
static signed char try_removal(struct session *session, const struct listed_variable *variable,
                               const struct abstract_options *options) {
    struct arena scratch;
    struct abstract_options hasty = suggest_hasty(options);
    hasty.drops_priorities = true;
    arena_init(&scratch);
    struct trial trial = trial_run(session->network, &variable->name, 1, &hasty, &scratch);
    arena_close(&scratch);
    return trial.outcome == TRIAL_REFUSED ? -1 : trial.outcome == TRIAL_EXACT;
}

/* The model as the writer gives it back with nothing removed: the input byte for byte. */
static bool rewrite(struct session *session, const char *output) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    return file_write(output, splices_apply(&splices), &session->diag);
}

int command_info(const struct options *options) {
    struct session session;
    if (!session_open(&session, options->input)) return session_close(&session);
    const char *json = options->values[OPTION_JSON];
    if (!output_is_usable(&session.diag, options, json, "description") ||
        !output_is_usable(&session.diag, options, options->values[OPTION_REWRITE], "output"))
        return session_close(&session);
    if (options->values[OPTION_REWRITE]) {
        rewrite(&session, options->values[OPTION_REWRITE]);
        return session_close(&session);
    }
    struct listed_variable *list;
    uint32_t count = list_variables(session.network, &list, &session.arena);
    signed char *exactness = ARENA_ARRAY(&session.arena, signed char, count + 1);
    signals_defer();
    for (uint32_t i = 0; i < count; i++) {
        exactness[i] = i < MAX_TRIALS ? try_removal(&session, &list[i], &options->abstract) : -2;
        if (interrupt_is_asked()) exactness[i] = -2; /* unknown */
    }
    bool is_interrupted = interrupt_is_asked();
    if (json)
        report_write(report_info(session.network, exactness, &session.arena), json, &session.diag);
    else
        print_info(stdout, session.network, exactness, &session.arena);
    int status = session_close(&session);
    return !status && is_interrupted ? STATUS_LIMIT : status;
}
