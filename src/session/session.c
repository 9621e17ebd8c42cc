/* See session.h. */
#include "session/session.h"
#include "agents/agents.h"
#include "base/clock.h"
#include "base/debug.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "model/undocumented.h"
#include "session/comment_query.h"
#include "xml/load.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Jansson would leave out members that there is no memory for. */
static void *allocate(size_t size) { return heap_resize(NULL, size, 1); }

static void begin(struct session *session, const char *path) {
    *session = (struct session){.start = clock_seconds(), .is_stdin = !strcmp(path, "-")};
    json_set_alloc_funcs(allocate, free);
    arena_init(&session->arena);
    interner_init(&session->names, &session->arena);
    diag_init(&session->diag, &session->arena, NULL);
}

static void find_queries(struct session *session) {
    struct query_texts texts = {.arena = &session->arena};
    document_queries(&texts, &session->document);
    session->queries = texts.list.items;
    session->query_count = texts.list.count;
}

bool session_load(struct session *session, const char *path) {
    begin(session, path);
    if (!document_load(&session->document, &session->arena, &session->names, path, &session->diag))
        return false;
    find_queries(session);
    session->read = clock_seconds();
    return true;
}

bool session_load_bytes(struct session *session, const char *name, struct str bytes) {
    begin(session, name);
    session->is_stdin = false;
    if (!document_parse(&session->document, &session->arena, &session->names, name, bytes,
                        &session->diag))
        return false;
    find_queries(session);
    session->read = clock_seconds();
    return true;
}

/* False (reported) if there are errors; close the session in any case. */
bool session_build(struct session *session) {
    struct query_texts texts = {.arena = &session->arena};
    for (uint32_t i = 0; i < session->query_count; i++)
        if (!is_fixed_query(&session->queries[i]))
            VEC_PUSH(&session->arena, &texts.list, session->queries[i]);
    return session_build_with(session, texts.list.items, texts.list.count);
}

bool session_build_with(struct session *session, const struct xml_query *queries, uint32_t count) {
    assert(session->document.root);
    double start = clock_seconds();
    session->model = model_parse_with(&session->arena, &session->names, &session->document, queries,
                                      count, &session->diag);
    if (session->diag.error_count || !model_check(session->model)) return false;
    session->network = network_new(&session->arena, session->model);
    if (session->network) {
        warn_undocumented(session->network, &session->diag);
        agents_check(session->model, session->network, &session->diag);
    }
    session->check_seconds += clock_seconds() - start;
    if (session->network)
        DEBUG_LOG("%u processes, %u slots, %u queries", session->network->process_count,
                  session->network->slot_count, session->model->query_count);
    session->mark = diag_mark(&session->diag);
    return session->network != NULL && !session->diag.error_count;
}

/* False (reported) if the model cannot be used; close the session in any case. */
bool session_open(struct session *session, const char *path) {
    return session_load(session, path) && session_build(session);
}

bool session_rewrite(struct session *session, struct splices *splices) {
    assert(session->network && splices->document == &session->document);
    struct byte_map *map = byte_map_new(&session->arena, &session->document);
    struct str bytes = splices_trace(splices, map);
    diag_forget(&session->diag, session->mark); /* they come again */
    if (!document_replace(&session->document, bytes, map, &session->diag)) return false;
    find_queries(session);
    return session_build(session);
}

int session_close(struct session *session) {
    enum status status = session->diag.status;
    diag_print(&session->diag, stderr);
    arena_close(&session->arena);
    return (int)status;
}

void session_drop(struct session *session) { arena_close(&session->arena); }
