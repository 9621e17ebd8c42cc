#include "refine/original.h"

#include "base/debug.h"
#include "base/interrupt.h"
#include "explore/verdict/verify.h"
#include "suggest/candidate.h"

#include <assert.h>

enum { MOST_STATES = 100000, MOST_WORK = 3000000, MOST_SIZE = 1 << 27 };

/* The network in a session of its own, which nothing changes; NULL if the model cannot be read. */
static const struct network *network_apart(struct original *original) {
    const struct document *document = &original->of->document;
    struct session *session = &original->session;
    if (!original->has_session) {
        original->has_session = true;
        if (session_load_bytes(session, document->source.name, document_file_bytes(document)))
            session_build_with(session, NULL, 0);
    }
    return session->diag.error_count ? NULL : session->network;
}

/* That of the session we look at, as long as its document is as the file has it. */
static const struct network *network_to_look_at(struct original *original) {
    const struct session *of = original->of;
    bool is_as_read = document_file_bytes(&of->document).data == of->document.bytes.data;
    return of->network && is_as_read ? of->network : network_apart(original);
}

static const struct analysis_options usual = {.approximation = APPROX_TEMPLATE,
                                              .budget = ANALYSIS_DEFAULT_BUDGET};

/* That values which are known are those that would be found. */
static void values_check(const struct analysis *known, const struct analysis *found) {
    int32_t lower, upper, least, most;
    for (uint32_t slot = 0; found && slot < found->network->slot_count; slot++) {
        bool is_known = analysis_slot_range(known, slot, &lower, &upper);
        assert(is_known == analysis_slot_range(found, slot, &least, &most));
        assert(!is_known || (lower == least && upper == most));
    }
}

/* Finds the evaluations that may fail. False if the model cannot be read. */
static bool find_failures(struct original *original) {
    const struct abstract_options options = {.analysis = usual};
    if (original->is_analysed) return original->is_readable;
    const struct network *network = network_to_look_at(original);
    original->is_analysed = true;
    original->is_readable = network;
    if (!network) return false;
    struct arena scratch;
    arena_init(&scratch);
    struct analysis *values = original->values;
    bool is_known = values && values->network == network;
    DEBUG_CHECK(if (is_known) values_check(values, suggest_values(network, &options, &scratch)));
    if (!is_known) values = suggest_values(network, &options, &scratch);
    original->condition = condition_find(&original->arena, values);
    arena_close(&scratch);
    return true;
}

/* "range violation: 'n++' may leave int[0,5]". */
static const char *error_text(struct original *original, struct fault error) {
    const struct possible_errors *may_fail = &original->condition.may_fail;
    const char *name = fault_name(error.kind);
    for (uint32_t i = 0; i < may_fail->list.count; i++)
        if (may_fail->list.items[i].span.begin == error.span.begin)
            return arena_printf(&original->arena, "%s: %s", name, may_fail->list.items[i].text);
    return name;
}

static void take_error(struct original *original, const struct verification *verification) {
    struct claim_condition *condition = &original->condition;
    struct original_errors *errors = &original->errors;
    const struct source *source = &original->session.document.source;
    errors->known = ERRORS_SOME;
    condition->network = original->session.network;
    errors->first = verification->error;
    errors->run = condition->trace = verification->error_trace;
    condition->state = CONDITION_BROKEN;
    condition->error = error_text(original, verification->error);
    condition->file = source_name(source, verification->error.span.begin);
    condition->place = source_locate(source, verification->error.span.begin);
}

/* By single states and by sets of them. */
static void explore(struct original *original) {
    struct session *session = &original->session;
    if (!network_apart(original)) return;
    struct verification verification;
    uint64_t states = original->max_states ? original->max_states : MOST_STATES;
    const struct verify_options limits = {.search = {.max_states = states,
                                                     .max_work = MOST_WORK,
                                                     .max_size = MOST_SIZE,
                                                     .is_full = true,
                                                     .jobs = 1,
                                                     .diag = &session->diag},
                                          .max_states_is_effort = true,
                                          .wants_traces = true,
                                          .engine = ENGINE_AUTO};
    if (verify(&verification, &session->arena, session->network, NULL, 0, &limits)) {
        if (verification.has_error) {
            take_error(original, &verification);
        } else if (verification.search->is_complete && verification.figures.errors.is_known &&
                   !verification.figures.errors.value) {
            original->errors.states = verification.figures.states.value;
            original_meets(original);
        }
    }
    verify_close(&verification);
}

static enum known_errors find(struct original_errors *errors) {
    struct original *original = errors->context;
    if (find_failures(original)) {
        if (original->condition.state == CONDITION_OPEN) explore(original);
        if (original->condition.state == CONDITION_CANNOT_FAIL) errors->known = ERRORS_NONE;
    }
    return errors->known;
}

void original_know_values(struct original *original, struct analysis *values) {
    if (!values || interrupt_is_asked()) return; /* interrupted, they are coarse */
    const struct analysis_options *own = &values->options;
    if (own->approximation == usual.approximation && !own->related_count && !own->narrowed &&
        !own->has_ghosts)
        original->values = values;
}

const struct claim_condition *original_condition(struct original *original, bool explores) {
    find_failures(original);
    if (explores) errors_known(&original->errors);
    return &original->condition;
}

void original_meets(struct original *original) {
    if (!find_failures(original)) return;
    if (original->condition.state == CONDITION_OPEN) original->condition.state = CONDITION_MET;
    if (original->errors.known == ERRORS_UNKNOWN) original->errors.known = ERRORS_NONE;
}

void original_open(struct original *original, const struct session *session, uint64_t max_states) {
    *original =
        (struct original){.errors = {.find = find, .context = original, .arena = &original->arena},
                          .of = session,
                          .max_states = max_states};
    arena_init(&original->arena);
}

void original_close(struct original *original) {
    if (original->has_session) session_drop(&original->session);
    arena_close(&original->arena);
}
