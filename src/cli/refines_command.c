/* varabs refines CONCRETE.xml ABSTRACT.xml */
#include "cli/command_internal.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "command/limits.h"
#include "explore/fair/asked.h"
#include "report/certify/refines_report.h"
#include "report/json.h"
#include "session/actions.h"

#include <string.h>

static void show_nodes(void *context, uint64_t nodes) {
    (void)context;
    progress_say("comparing: %llu states of the product", (unsigned long long)nodes);
}

/* The names of a list and those of the file of --actions. */
static const char **fair_names(const struct options *options, enum name_list list,
                               const char *const *more, uint32_t more_count, struct arena *arena,
                               uint32_t *count) {
    const char **given = options_names(options, list, arena, count);
    const char **names = ARENA_ARRAY(arena, const char *, (size_t)*count + more_count + 1);
    memcpy(names, given, *count * sizeof *names);
    if (more_count) memcpy(names + *count, more, more_count * sizeof *names);
    *count += more_count;
    return names;
}

static struct trace_options complete_options(const struct options *options,
                                             const struct actions_file *file, struct arena *arena) {
    static const enum name_list weak[] = {LIST_WEAK, LIST_ABSTRACT_WEAK};
    static const enum name_list strong[] = {LIST_STRONG, LIST_ABSTRACT_STRONG};
    struct trace_options refine = {.search = options->verify.search, .progress = show_nodes};
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct fair_names *fair = &refine.fair[side];
        fair->weak = fair_names(options, weak[side], file->weak[side].items, file->weak[side].count,
                                arena, &fair->weak_count);
        fair->strong = fair_names(options, strong[side], file->strong[side].items,
                                  file->strong[side].count, arena, &fair->strong_count);
    }
    if (options->wants_failures) refine.model = REFINE_FAILURES;
    limits_complete(&refine.search);
    return refine;
}

/* Which steps are actions, as the options say; false (reported). */
static bool name_actions(struct alphabet *alphabet, struct session *concrete,
                         struct session *abstract, const struct options *options,
                         const struct actions_file *file) {
    struct arena *arena = &concrete->arena;
    struct alphabet_request request = {.actions = file->actions.items,
                                       .action_count = file->actions.count};
    request.visible = options_names(options, LIST_VISIBLE, arena, &request.visible_count);
    request.hidden = options_names(options, LIST_HIDE, arena, &request.hidden_count);
    return actions_name(alphabet, concrete, abstract, &request);
}

static enum status run(struct session *concrete, struct session *abstract,
                       const struct options *options, const struct actions_file *file) {
    static const enum status statuses[] = {[REFINE_UNKNOWN] = STATUS_LIMIT,
                                           [REFINE_HOLDS] = STATUS_DONE,
                                           [REFINE_FAILS] = STATUS_VIOLATED};
    struct alphabet alphabet;
    struct trace_refinement refinement;
    struct trace_options refine_options = complete_options(options, file, &concrete->arena);
    enum status status = STATUS_DONE;
    if (!name_actions(&alphabet, concrete, abstract, options, file) ||
        !fair_read_arguments(&refine_options.fair[SIDE_CONCRETE], &concrete->arena,
                             concrete->model) ||
        !fair_read_arguments(&refine_options.fair[SIDE_ABSTRACT], &concrete->arena,
                             abstract->model))
        return STATUS_DONE;
    limits_take_time(&refine_options.search);
    signals_defer();
    bool is_done = refine(&refinement, &concrete->arena, &alphabet, &refine_options);
    progress_end();
    if (is_done) {
        struct refines_report report = {&alphabet, &refinement, &refine_options, &concrete->arena,
                                        options->verify.wants_traces};
        const char *json = options->values[OPTION_JSON];
        struct result_page page = {.kind = "refines",
                                   .first = page_model_of(concrete, options->input),
                                   .second = page_model_of(abstract, options->second)};
        status = statuses[refinement.outcome];
        bool is_written =
            !result_is_wanted(options) || result_write(report_refines(&report), json, options, page,
                                                       &concrete->arena, &concrete->diag);
        FILE *text = text_stream(options, is_written);
        if (text) print_refines(text, &report);
        if (!is_written) status = STATUS_DONE; /* that of the diagnostics */
    }
    refinement_close(&refinement);
    return status;
}

/* Loads both models with what the file of --actions needs of them; false after an error. */
static bool open_models(struct session *concrete, struct session *abstract,
                        const struct options *options, struct actions_file *file) {
    const char *path = options->values[OPTION_ACTIONS];
    bool is_ready = session_load(concrete, options->input);
    is_ready = session_load(abstract, options->second) && is_ready;
    if (is_ready && path) is_ready = actions_read(file, concrete, path);
    return is_ready && actions_build(file, concrete, SIDE_CONCRETE, path) &&
           actions_build(file, abstract, SIDE_ABSTRACT, path) &&
           results_are_usable(concrete, options);
}

/* varabs refines: compares what two models can do by their actions. */
int command_refines(const struct options *options) {
    struct session concrete, abstract;
    struct actions_file file = {0};
    enum status status = STATUS_DONE;
    if (!strcmp(options->input, "-") && !strcmp(options->second, "-")) {
        fputs("varabs: error: standard input can be read only once\n", stderr);
        return STATUS_USAGE;
    }
    if (open_models(&concrete, &abstract, options, &file))
        status = run(&concrete, &abstract, options, &file);
    int of_abstract = end_session(&abstract), of_concrete = end_session(&concrete);
    int worst = of_concrete > of_abstract ? of_concrete : of_abstract;
    return status == STATUS_DONE || worst > STATUS_VIOLATED ? worst : (int)status;
}
