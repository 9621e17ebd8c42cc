/* varabs refines: compares what two models can do, by their actions. */
#include "command/command.h"
#include "command/fits.h"
#include "report/certify/refines_report.h"
#include "session/actions.h"

#include <string.h>

struct refining {
    const struct command_request *request;
    struct sink *sink;
    struct session concrete, abstract;
    struct actions_file file; /* that the request names; or empty */
    struct trace_options options;
};

static void show_nodes(void *context, uint64_t nodes) {
    (void)context;
    tell("comparing: %llu states of the product", (unsigned long long)nodes);
}

/* The names of a list and those of the file of actions. */
static const char **fair_names(struct refining *refining, enum request_list list,
                               const char *const *more, uint32_t more_count, uint32_t *count) {
    const struct request_names *given = &refining->request->lists[list];
    *count = given->count + more_count;
    const char **names = ARENA_ARRAY(&refining->concrete.arena, const char *, (size_t)*count + 1);
    if (given->count) memcpy(names, given->items, given->count * sizeof *names);
    if (more_count) memcpy(names + given->count, more, more_count * sizeof *names);
    return names;
}

static void complete_options(struct refining *refining) {
    static const enum request_list weak[] = {LIST_WEAK, LIST_ABSTRACT_WEAK};
    static const enum request_list strong[] = {LIST_STRONG, LIST_ABSTRACT_STRONG};
    const struct actions_file *file = &refining->file;
    struct trace_options *options = &refining->options;
    *options = (struct trace_options){.model = refining->request->wants_failures ? REFINE_FAILURES
                                                                                 : REFINE_TRACES,
                                      .search = refining->request->verify.search,
                                      .progress = show_nodes};
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct fair_names *fair = &options->fair[side];
        fair->weak = fair_names(refining, weak[side], file->weak[side].items,
                                file->weak[side].count, &fair->weak_count);
        fair->strong = fair_names(refining, strong[side], file->strong[side].items,
                                  file->strong[side].count, &fair->strong_count);
    }
    limits_complete(&options->search);
}

/* Which steps are actions, and what is fair; false (reported). */
static bool name_actions(struct refining *refining, struct alphabet *alphabet) {
    const struct request_names *visible = &refining->request->lists[LIST_VISIBLE],
                               *hidden = &refining->request->lists[LIST_HIDE];
    const struct alphabet_request request = {.visible = visible->items,
                                             .visible_count = visible->count,
                                             .hidden = hidden->items,
                                             .hidden_count = hidden->count,
                                             .actions = refining->file.actions.items,
                                             .action_count = refining->file.actions.count};
    struct session *concrete = &refining->concrete, *abstract = &refining->abstract;
    struct fair_names *fair = refining->options.fair;
    return actions_name(alphabet, concrete, abstract, &request) &&
           fair_read_arguments(&fair[SIDE_CONCRETE], &concrete->arena, concrete->model) &&
           fair_read_arguments(&fair[SIDE_ABSTRACT], &concrete->arena, abstract->model);
}

static void finish(struct refining *refining, const struct alphabet *alphabet,
                   const struct trace_refinement *refinement) {
    const struct command_request *request = refining->request;
    struct session *concrete = &refining->concrete;
    struct refines_report report = {alphabet, refinement, &refining->options, &concrete->arena,
                                    request->verify.wants_traces};
    struct result_page page = command_page("refines", request, concrete, &refining->abstract);
    json_t *result = refining->sink->wants_result ? report_refines(&report) : NULL;
    FILE *text = sink_leave(refining->sink, result, page, concrete);
    if (text) print_refines(text, &report);
}

static enum status run(struct refining *refining) {
    static const enum status statuses[] = {[REFINE_UNKNOWN] = STATUS_LIMIT,
                                           [REFINE_HOLDS] = STATUS_DONE,
                                           [REFINE_FAILS] = STATUS_VIOLATED};
    struct alphabet alphabet;
    struct trace_refinement refinement;
    enum status status = STATUS_DONE; /* that of the messages */
    complete_options(refining);
    if (!name_actions(refining, &alphabet)) return status;
    limits_take_time(&refining->options.search);
    refining->sink->defer();
    if (refine(&refinement, &refining->concrete.arena, &alphabet, &refining->options)) {
        finish(refining, &alphabet, &refinement);
        status = statuses[refinement.outcome];
    }
    refinement_close(&refinement);
    return status;
}

/* Loads both models with what the file of actions needs of them; false after an error. */
static bool open_models(struct refining *refining) {
    const struct command_request *request = refining->request;
    struct session *concrete = &refining->concrete, *abstract = &refining->abstract;
    struct actions_file *file = &refining->file;
    bool is_ready = command_load(concrete, &request->first);
    is_ready = command_load(abstract, &request->second) && is_ready;
    if (is_ready && request->actions) is_ready = actions_read(file, concrete, request->actions);
    return is_ready && actions_build(file, concrete, SIDE_CONCRETE, request->actions) &&
           actions_build(file, abstract, SIDE_ABSTRACT, request->actions) &&
           model_fits(concrete->network, FOR_REFINES) && model_fits(abstract->network, FOR_REFINES);
}

enum status command_refines(const struct command_request *request, struct sink *sink) {
    struct refining refining = {.request = request, .sink = sink};
    enum status status = STATUS_DONE;
    if (open_models(&refining) && sink->is_ready(sink, &refining.concrete)) status = run(&refining);
    return sink->end(sink, &refining.concrete, &refining.abstract, status);
}
