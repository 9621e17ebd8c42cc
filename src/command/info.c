/* varabs info: describes a model, its variables and agents. */
#include "command/command.h"
#include "command/fits.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "report/check/epistemic_report.h"
#include "report/check/info_report.h"
#include "suggest/suggest.h"
#include "symmetry/symmetry.h"
#include "xml/output.h"

enum { MAX_TRIALS = 200 };

static struct tried try_removal(struct session *session, const struct listed_variable *variable,
                                const struct abstract_options *quick) {
    struct arena scratch;
    struct tried tried = {.outcome = TRIED_NOT};
    arena_init(&scratch);
    struct trial trial = trial_run(session->network, &variable->name, 1, quick, &scratch);
    if (!interrupt_is_asked()) {
        tried.outcome = trial.outcome == TRIAL_REFUSED ? TRIED_REFUSED
                        : trial.outcome == TRIAL_EXACT ? TRIED_EXACT
                                                       : TRIED_INEXACT;
        if (trial.outcome == TRIAL_EXACT && trial.may_fail)
            tried.relies_on = arena_printf(&session->arena, "%s", trial.may_fail);
        if (trial.message) tried.because = arena_printf(&session->arena, "%s", trial.message);
    }
    arena_close(&scratch);
    return tried;
}

/* Who may change places, without queries and with those of the model. */
static struct symmetries find_symmetries(struct session *session) {
    const struct network *network = session->network;
    const struct model *model = network->model;
    struct arena *arena = &session->arena;
    struct symmetries symmetries = {.of_model =
                                        symmetry_find(arena, network, NULL, 0, SYMMETRY_LONG_LOOK)};
    if (symmetries.of_model->refusal) return symmetries;
    if (model->query_count)
        symmetries.with_queries =
            symmetry_find(arena, network, model->queries, model->query_count, SYMMETRY_LONG_LOOK);
    const struct symmetry *kept =
        symmetries.with_queries ? symmetries.with_queries : symmetries.of_model;
    if (!kept->meets_orders) return symmetries;
    const struct symmetry *tried =
        symmetry_find_tried(arena, network, model->queries, model->query_count, SYMMETRY_LONG_LOOK);
    if (tried->size > kept->size) symmetries.tried = tried;
    return symmetries;
}

/* What comes of removing each listed variable alone, as far as trials and interrupts go, and what
 * may fail. */
static struct info_report try_removals(struct session *session,
                                       const struct abstract_options *options) {
    struct listed_variable *list;
    uint32_t count = list_variables(session->network, &list, &session->arena);
    struct tried *tried = ARENA_ARRAY(&session->arena, struct tried, count + 1);
    struct abstract_options quick = suggest_quick_options(options);
    tell("finding values");
    quick.drops_priorities = true;
    quick.known = suggest_values(session->network, options, &session->arena);
    const struct claim_condition condition = condition_find(&session->arena, quick.known);
    double begin = clock_seconds();
    if (count > MAX_TRIALS) count = MAX_TRIALS;
    for (uint32_t i = 0; i < count && !interrupt_is_asked(); i++) {
        tell_part("removal", i, count, begin);
        tried[i] = try_removal(session, &list[i], &quick);
        if (condition.state == CONDITION_CANNOT_FAIL) tried[i].relies_on = NULL;
    }
    return (struct info_report){session->network, tried, condition, {0}, &session->arena};
}

/* Every agent with what it observes (O5): processes, and then what declarations make of them. False
 * (reported) if one observes too much, or a declaration cannot be read. */
static bool find_agents(struct agents *agents, struct session *session) {
    const struct network *network = session->network;
    const struct model *model = session->model;
    struct agent_list list = {0};
    if (!model_fits(network, FOR_OBSERVERS)) return false;
    agents_init(agents, &session->arena, network);
    bool is_fine = true;
    for (uint32_t i = 0; i < network->process_count; i++)
        is_fine &= agent_of_process(agents, &network->processes[i]) != NULL;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        struct expr name = {.kind = EXPR_NAME, .symbol = declaration->symbol};
        if (declaration->kind == DECLARE_AGENT) is_fine &= !agents_add(agents, &name, &list);
    }
    agents_close(agents);
    if (!is_fine)
        diag_error(&session->diag, STATUS_LIMIT, 0,
                   "an agent observes more than %d items; declare what it observes",
                   AGENT_MAX_ITEMS);
    return is_fine;
}

static void show_agents(struct session *session, struct sink *sink) {
    const struct network *network = session->network;
    struct agents agents;
    if (!find_agents(&agents, session)) return;
    json_t *result = sink->wants_result ? report_agents(network, &agents, &session->arena) : NULL;
    FILE *text = sink_leave(sink, result, (struct result_page){0}, session);
    if (text) print_agents(text, network, &agents, &session->arena);
}

static enum status show_variables(struct session *session, const struct command_request *request,
                                  struct sink *sink) {
    sink->defer();
    struct info_report report = try_removals(session, &request->abstract);
    report.symmetries = find_symmetries(session);
    bool is_interrupted = interrupt_is_asked();
    FILE *text = sink_leave(sink, sink->wants_result ? report_info(&report) : NULL,
                            command_page("info", request, session, NULL), session);
    if (text) print_info(text, &report);
    return is_interrupted ? STATUS_LIMIT : STATUS_DONE;
}

/* The model as the writer gives it back with nothing removed: the input byte for byte. */
static void rewrite(struct session *session, const char *output) {
    struct splices splices;
    splices_init(&splices, &session->document, &session->arena);
    file_write(output, splices_apply(&splices), &session->diag);
}

/* The names of the variables, for completions. */
static void show_words(struct session *session, struct sink *sink) {
    FILE *text = sink_leave(sink, NULL, (struct result_page){0}, session);
    struct listed_variable *list;
    uint32_t count = list_variables(session->network, &list, &session->arena);
    for (uint32_t i = 0; text && i < count; i++) fprintf(text, "%s\n", list[i].name);
}

enum status command_info(const struct command_request *request, struct sink *sink) {
    struct session session;
    enum status status = STATUS_DONE;
    bool is_loaded = request->rewritten ? command_read(&session, &request->first)
                                        : command_load(&session, &request->first);
    bool is_ready = is_loaded && session_build(&session) && sink->is_ready(sink, &session);
    if (is_ready && request->rewritten)
        rewrite(&session, request->rewritten);
    else if (is_ready && request->wants_words)
        show_words(&session, sink);
    else if (is_ready && request->wants_agents)
        show_agents(&session, sink);
    else if (is_ready)
        status = show_variables(&session, request, sink);
    return sink->end(sink, &session, NULL, status);
}
