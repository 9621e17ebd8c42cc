/* Explores any document with the module for LTSmin, as the host of tests/pins does, which checks
 * what the module tells of a model: it finds what a search finds. */
#define _GNU_SOURCE /* memfd_create, and what the host needs */
#include "pins/ltsmin.h"

#include <stdlib.h>

/* The host itself; it does not end the fuzzer, but aborts. */
int host_main(int count, char **words);
#define _Exit(status) ((void)(status), abort())
#define main host_main
#include "../pins/host.c"
#include "../pins/told.c"
#undef main
#undef _Exit

#include "explore/store/store.h"
#include "explore/successor/assemble.h"
#include "explore/verdict/verify.h"
#include "export/program_c.h"
#include "load.h"
#include "session/session.h"

#include <sys/mman.h>
#include <unistd.h>

enum { STATES_MOST = 400, SECONDS_MOST = 5, SIZE_MOST = 64 << 20 };

extern struct loader_record pins_loaders[];

/* Whether the model has few steps in any state whatever. */
static bool is_small(struct session *session) {
    struct program *program = export_prepare(&session->arena, session->network);
    struct buffer unused = {0};
    uint32_t choices;
    bool ok = program && export_program(&unused, program, &choices) && choices <= MAX_STEPS;
    buffer_close(&unused);
    if (program) program_close(program);
    return ok;
}

/* Whether there are few states, which the search has then, and each query has a value in all of
 * them: the module ends the host where one has none. */
static bool look(struct session *session, struct verification *found) {
    const struct verify_options options = {.search = {.max_states = STATES_MOST,
                                                      .max_seconds = SECONDS_MOST,
                                                      .max_size = SIZE_MOST,
                                                      .is_full = true,
                                                      .jobs = 1,
                                                      .diag = &session->diag},
                                           .engine = ENGINE_EXPLICIT};
    const struct model *model = session->model;
    struct query *queries = ARENA_ARRAY(&session->arena, struct query, model->query_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->query_count; i++)
        if (model->queries[i].quantifier != QUERY_EMPTY) queries[count++] = model->queries[i];
    bool ok = verify(found, &session->arena, session->network, queries, count, &options) &&
              found->search->is_complete;
    for (uint32_t i = 0; ok && i < found->answer_count; i++) ok = !found->answers[i].problem;
    return ok;
}

static void ask_module(const char *path, const struct search *search) {
    struct texts texts[MAX_TYPES] = {{0}};
    struct run run = {.path = path, .texts = texts};
    run.model.texts = texts;
    pins_loaders[0].load(&run.model, path);
    model_check_told(&run.model);
    find_states(&run);
    require(run.states.count == store_count(&search->store));
    require(run.steps == search->transitions);
    require(run.deadlocks == search->deadlocks);
    find_by_groups(&run);
    check_matrices(&run);
    model_free(&run.model);
    set_free(&run.states);
    for (int t = 0; t < MAX_TYPES; t++) {
        for (int i = 0; i < texts[t].count; i++) free(texts[t].items[i]);
        free(texts[t].items);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[32];
    struct session session;
    struct verification found;
    int file = memfd_create("model", 0);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (session_open(&session, path) && is_small(&session)) {
        if (look(&session, &found)) ask_module(path, found.search);
        verify_close(&found);
    }
    session_drop(&session);
    close(file);
    return 0;
}
