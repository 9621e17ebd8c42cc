/* Abstracts any document: each of its variables is removed on its own, then all
 * together. What comes out must be valid again and have as many templates, and
 * removing nothing from it must give it back. */
#include "load.h"

#include "abstract/abstract.h"
#include "abstract/request/obstacle.h"
#include "report/abstraction/abstraction_report.h"
#include "report/check/info_report.h"
#include "report/json.h"

enum { MAX_REMOVALS = 6, BUDGET = 200 };

/* A valid model must give a valid one. */
static void check_output(const struct load *load, struct str output) {
    struct load again;
    load_begin(&again);
    load_model(&again, output);
    if (!again.network) {
        diag_print(&again.diag, stderr);
        fprintf(stderr, "%.*s\n", (int)output.size, output.data);
    }
    require(again.network != NULL);
    require(again.model->template_count == load->model->template_count);
    require(again.network->process_count == load->network->process_count);
    require(again.network->slot_count <= load->network->slot_count);
    arena_close(&again.arena);
}

static void check_report(const struct abstraction *abstraction,
                         const struct abstract_options *options, const char *const *removals,
                         uint32_t count, const struct diag *diag) {
    struct guarantees guarantees = {0};
    guarantees_make(&guarantees, abstraction);
    struct abstraction_report what = {.abstraction = abstraction,
                                      .guarantees = &guarantees,
                                      .options = options,
                                      .removals = removals,
                                      .removal_count = count,
                                      .diag = diag};
    json_t *report = report_abstraction(&what);
    char *text = report_dump(report);
    json_decref(report);
    require(text != NULL);
    free(text);
}

static void remove_variables(struct load *load, const struct listed_variable *list, uint32_t count,
                             struct abstract_options options) {
    struct arena arena;
    struct diag diag;
    struct abstraction abstraction = {0};
    arena_init(&arena);
    diag_init(&diag, &arena, &load->document.source);
    load->model->diag = &diag;
    struct request request = {.arena = &arena};
    const char *removals[MAX_REMOVALS];
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        removals[i] = list[i].name;
        ok = request_add(&request, load->network, removals[i], &diag);
        require(diag.status != STATUS_USAGE); /* listed, so neither unknown nor ambiguous */
    }
    ok = ok && request_finish(&request, load->network, &diag) &&
         abstraction_make(&abstraction, &arena, load->network, &request, &options, &diag);
    require(ok == (diag.error_count == 0));
    if (ok) {
        check_output(load, abstraction.output);
        check_report(&abstraction, &options, removals, count, &diag);
    }
    abstraction_close(&abstraction);
    load->model->diag = &load->diag;
    arena_close(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct load load;
    load_begin(&load);
    load_model(&load, (struct str){(const char *)data, size});
    if (load.network) {
        struct listed_variable *list;
        uint32_t count = list_variables(load.network, &list, &load.arena);
        if (count > MAX_REMOVALS) count = MAX_REMOVALS;
        struct abstract_options may = {.analysis.budget = BUDGET, .drops_priorities = true},
                                combined = may,
                                must = {.mode = MODE_MUST, .analysis = {.budget = BUDGET}},
                                lower = {.mode = MODE_LOWER, .analysis.budget = BUDGET};
        combined.analysis.approximation = APPROX_COMBINED;
        for (uint32_t i = 0; i < count; i++) {
            remove_variables(&load, &list[i], 1, may);
            remove_variables(&load, &list[i], 1, must);
            remove_variables(&load, &list[i], 1, lower);
        }
        if (count > 1) remove_variables(&load, list, count, may);
        if (count) remove_variables(&load, list, count, combined);
    }
    diag_sort(&load.diag);
    arena_close(&load.arena);
    return 0;
}
