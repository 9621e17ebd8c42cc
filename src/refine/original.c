/* See original.h. */
#include "refine/original.h"

#include "explore/verdict/verify.h"

enum { MOST_STATES = 100000, MOST_WORK = 3000000, MOST_SIZE = 1 << 27 };

static bool has_meta(const struct network *network) {
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].is_meta) return true;
    return false;
}

static void explore(struct original *original) {
    struct session *session = &original->session;
    struct original_errors *errors = &original->errors;
    struct verification verification;
    uint64_t states = original->max_states ? original->max_states : MOST_STATES;
    const struct verify_options limits = {.search = {.max_states = states,
                                                     .max_work = MOST_WORK,
                                                     .max_size = MOST_SIZE,
                                                     .is_full = true,
                                                     .jobs = 1,
                                                     .diag = &session->diag},
                                          .wants_traces = true,
                                          .engine = ENGINE_EXPLICIT};
    if (verify(&verification, &session->arena, session->network, NULL, 0, &limits)) {
        if (verification.has_error) {
            errors->known = ERRORS_SOME;
            errors->network = session->network;
            errors->first = verification.error;
            errors->run = verification.error_trace;
        } else if (verification.search->is_complete && !has_meta(session->network)) {
            errors->known = ERRORS_NONE;
            errors->states = verification.states.value;
        }
    }
    verify_close(&verification);
}

static enum known_errors find(struct original_errors *errors) {
    struct original *original = errors->context;
    original->has_session = true;
    const struct document *document = &original->of->document;
    if (session_load_bytes(&original->session, document->source.name,
                           document_file_bytes(document)) &&
        session_build_with(&original->session, NULL, 0))
        explore(original);
    return errors->known;
}

void original_open(struct original *original, const struct session *session, uint64_t max_states) {
    *original = (struct original){
        .errors = {.find = find, .context = original}, .of = session, .max_states = max_states};
}

void original_close(struct original *original) {
    if (original->has_session) session_drop(&original->session);
}
