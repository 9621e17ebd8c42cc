#include "engine/observer.h"

#include "base/clock.h"
#include "engine/object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    UPLOAD_MOST = 64 << 20, /* of a model, as a string */
    ANSWER_MOST = 4 << 20,  /* of an object of the engine that is looked at */
    KEPT_MOST = 64 * 1024   /* of one that may become an example */
};

static const char check_begins[] = "{\"cmd\":\"modelCheck\",\"args\":\"";

bool observer_open(struct engine_observer *observer, const struct engine_arguments *arguments) {
    observer->arguments = arguments;
    observer->from_gui.most = UPLOAD_MOST;
    observer->from_engine.most = ANSWER_MOST;
    conversation_open(&observer->talk, arguments->harmless);
    return !arguments->log || events_open(&observer->events, arguments->log);
}

/* ---- the current check ---- */

static struct event_check event_of(const struct observed_check *check) {
    return (struct event_check){.query = {check->query, check->query ? check->query_size : 0},
                                .letter = check->letter,
                                .engine_seconds = check->seconds,
                                .decision = check->is_decided ? &check->decision : NULL};
}

static void forget_check(struct observed_check *check) {
    free(check->query);
    free(check->model);
    free(check->answer);
    *check = (struct observed_check){0};
}

/* Its line is written; what is not known by then is left out. */
static void end_check(struct engine_observer *observer, const char *event, const char *note) {
    struct observed_check *check = &observer->check;
    if (!check->is_open) return;
    const struct event_check seen = event_of(check);
    const char *why = check->is_decided && check->decision.verdict == DECIDED_NOTHING
                          ? check->decision.why
                          : note;
    decider_stop(&observer->decider);
    events_check(&observer->events, event, &seen, why);
    forget_check(check);
}

/* Both have said what they have to say. */
static void compare(struct engine_observer *observer) {
    struct observed_check *check = &observer->check;
    if (!check->is_open || !check->is_answered || !check->is_decided) return;
    enum decided_verdict own = check->decision.verdict, other = example_verdict(check->letter);
    if (own == DECIDED_NOTHING || other == DECIDED_NOTHING) {
        end_check(observer, "check", "not compared");
    } else if (own != other) {
        const struct event_check seen = event_of(check);
        events_disagree(&observer->events, &seen, (struct str){check->model, check->model_size});
        observer->is_off = true;
        forget_check(check);
    } else {
        if (check->answer)
            examples_learn(&observer->examples, own,
                           (struct str){check->answer, check->answer_size});
        end_check(observer, "check", "agrees");
    }
}

static char *copy(struct str text) {
    char *bytes = malloc(text.size + 1);
    if (!bytes) return NULL;
    memcpy(bytes, text.data, text.size);
    bytes[text.size] = 0;
    return bytes;
}

static bool start_decider(struct engine_observer *observer) {
    const struct engine_arguments *arguments = observer->arguments;
    const struct decider_limits limits = {arguments->seconds, arguments->memory, arguments->jobs};
    struct observed_check *check = &observer->check;
    struct str model = {check->model, check->model_size};
    return decider_start(&observer->decider, model, check->query, &limits);
}

/* Begins to decide the check that has just gone by. Whether that can be done. */
static bool take_check(struct engine_observer *observer) {
    const struct conversation *talk = &observer->talk;
    struct observed_check *check = &observer->check;
    const char *why = !talk->has_query               ? "the query cannot be read"
                      : !talk->model                 ? "no model is known"
                      : !conversation_is_alone(talk) ? "it is not alone"
                                                     : NULL;
    if (why) {
        events_note(&observer->events, "passed", why);
        return false;
    }
    *check = (struct observed_check){.is_open = true,
                                     .query = copy((struct str){talk->query, talk->query_size}),
                                     .query_size = talk->query_size,
                                     .model = copy((struct str){talk->model, talk->model_size}),
                                     .model_size = talk->model_size,
                                     .is_plain = talk->model_is_plain && talk->query_is_plain,
                                     .is_known = !talk->has_unknown && !talk->approximates,
                                     .begin = clock_seconds()};
    if (check->query && check->model && start_decider(observer)) return true;
    end_check(observer, "passed", "varabs cannot be started");
    return false;
}

/* ---- objects ---- */

/* Of the GUI: what it is, and whether it is a check that is being decided now. */
static bool look_at_gui(struct engine_observer *observer) {
    struct object_capture *capture = &observer->from_gui;
    struct str object = capture_object(capture);
    if (capture->has_between) conversation_between(&observer->talk);
    capture->has_between = false;
    enum gui_object kind = conversation_gui(&observer->talk, object);
    if (kind != GUI_OTHER) end_check(observer, "check", "another command came first");
    if (kind == GUI_UPLOAD)
        events_note(&observer->events, "upload", observer->talk.model ? "" : "it cannot be read");
    bool is_taken = kind == GUI_CHECK && take_check(observer);
    if (kind == GUI_UPLOAD) capture_close(capture); /* it may be large */
    return is_taken;
}

static void look_at_engine(struct engine_observer *observer) {
    static const char *const events[] = {NULL, "taken", "refused", NULL};
    struct str object = capture_object(&observer->from_engine);
    struct observed_check *check = &observer->check;
    bool was_alone = conversation_is_alone(&observer->talk);
    if (observer->holding == HOLDS_CHECK && (!object.size || object_member(object, "res").data)) {
        observer->talk.is_lost = true; /* the engine has not seen the check that it answers */
        end_check(observer, "passed", "the engine spoke first");
    }
    enum engine_object kind = conversation_engine(&observer->talk, object);
    if (events[kind]) events_note(&observer->events, events[kind], "");
    if (kind != ENGINE_CHECKED || !check->is_open || check->is_answered) return;
    if (!was_alone) {
        end_check(observer, "check", "the answer may be another one's");
        return;
    }
    check->is_answered = true;
    check->letter = example_letter(object);
    check->seconds = clock_seconds() - check->begin;
    if (object.size <= KEPT_MOST && (check->answer = copy(object)))
        check->answer_size = object.size;
    compare(observer);
}

void observer_engine(struct engine_observer *observer, struct str bytes) {
    while (bytes.size) {
        bool is_whole;
        size_t size = capture_feed(&observer->from_engine, bytes, &is_whole);
        bytes = (struct str){bytes.data + size, bytes.size - size};
        if (is_whole) look_at_engine(observer);
    }
}

/* ---- keeping back ---- */

static void release(struct engine_observer *observer, struct ring *to_engine) {
    ring_add(to_engine, observer->held, observer->held_size);
    observer->held_size = 0;
    observer->holding = HOLDS_NOTHING;
}

/* Whether the next object may be a check that is answered here. */
static bool may_hold(const struct engine_observer *observer) {
    const struct conversation *talk = &observer->talk;
    bool has_form = examples_have(&observer->examples, DECIDED_SATISFIED) ||
                    examples_have(&observer->examples, DECIDED_VIOLATED);
    return observer->arguments->mode == ENGINE_ANSWERS && !observer->is_off && has_form &&
           talk->state == TALK_READY && conversation_is_alone(talk) && !talk->has_unknown &&
           !talk->approximates && talk->model_is_plain && !observer->check.is_open &&
           !observer->from_gui.has_between;
}

/* Bytes of one object, or from between. */
static void pass(struct engine_observer *observer, struct str bytes, struct ring *to_engine) {
    const size_t known = sizeof check_begins - 1;
    if (observer->holding == HOLDS_BEGINNING && bytes.size > HELD_MOST - observer->held_size)
        release(observer, to_engine);
    if (observer->holding != HOLDS_BEGINNING) {
        ring_add(to_engine, bytes.data, bytes.size);
        return;
    }
    memcpy(observer->held + observer->held_size, bytes.data, bytes.size);
    observer->held_size += bytes.size;
    size_t size = observer->held_size < known ? observer->held_size : known;
    if (memcmp(observer->held, check_begins, size) != 0) release(observer, to_engine);
}

static size_t size_between(struct str bytes) {
    const char *brace = memchr(bytes.data, '{', bytes.size);
    return brace ? (size_t)(brace - bytes.data) : bytes.size;
}

void observer_gui(struct engine_observer *observer, struct str bytes, struct ring *to_engine) {
    struct object_capture *capture = &observer->from_gui;
    if (observer->holding == HOLDS_CHECK) release(observer, to_engine);
    while (bytes.size) {
        bool is_whole, is_between = !capture->scanner.depth;
        struct str part = bytes;
        if (is_between) part.size = size_between(bytes);
        if (is_between && !part.size) {
            part = bytes;
            if (may_hold(observer)) observer->holding = HOLDS_BEGINNING;
        }
        part.size = capture_feed(capture, part, &is_whole);
        bytes = (struct str){bytes.data + part.size, bytes.size - part.size};
        pass(observer, part, to_engine);
        if (!is_whole) continue;
        bool is_held = observer->holding == HOLDS_BEGINNING;
        bool is_taken = look_at_gui(observer);
        if (is_held && is_taken && !bytes.size)
            observer->holding = HOLDS_CHECK;
        else if (is_held)
            release(observer, to_engine);
    }
}

void observer_end(struct engine_observer *observer, struct ring *to_engine) {
    if (observer->holding != HOLDS_NOTHING) release(observer, to_engine);
}

/* ---- answering ---- */

/* What kind of query it is: 'A', 'E', '>' for leads-to, or 0 for none that is answered. */
static char kind_of(struct str query) {
    static const char *const begins[] = {"A[]", "A<>", "E[]", "E<>"};
    bool leads_to = false;
    query = str_trim(query);
    for (size_t i = 0; i + 3 <= query.size; i++) {
        if (!memcmp(query.data + i, "//", 2) || !memcmp(query.data + i, "/*", 2)) return 0;
        leads_to |= !memcmp(query.data + i, "-->", 3);
    }
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (query.size > 3 && !memcmp(query.data, begins[i], 3)) return leads_to ? 0 : begins[i][0];
    return leads_to ? '>' : 0;
}

/* Why a decision is no answer, or NULL. */
static const char *obstacle(const struct engine_observer *observer) {
    const struct observed_check *check = &observer->check;
    const struct decision *decision = &check->decision;
    char kind = kind_of((struct str){check->query, check->query_size});
    bool is_satisfied = decision->verdict == DECIDED_SATISFIED;
    if (decision->verdict == DECIDED_NOTHING) return decision->why;
    if (!kind) return "the form of the query is not one that is answered";
    if (!check->is_plain) return "there are escapes in the model or the query";
    if (!check->is_known) return "a command was not known";
    if (decision->has_messages)
        return "the model depends on what Uppaal's documentation leaves open";
    if (observer->arguments->is_strict && !decision->cannot_fail)
        return "there may be runtime errors";
    if (is_satisfied == (kind == 'E') && !observer->arguments->assumes_no_trace)
        return "there is a trace";
    if (!examples_have(&observer->examples, decision->verdict))
        return "the form of the answer is not known";
    return NULL;
}

/* The check is taken back: the engine never sees it. */
static void answer(struct engine_observer *observer, struct ring *to_gui) {
    const struct decision *decision = &observer->check.decision;
    char message[160];
    size_t size = 0;
    snprintf(message, sizeof message, "varabs: %s (%s, %llu states)%s",
             decision->verdict == DECIDED_SATISFIED ? "satisfied" : "not satisfied",
             decision->is_model_itself ? "the model itself" : "an abstraction",
             (unsigned long long)decision->states,
             decision->cannot_fail ? "" : "; if the model has no runtime errors");
    char *bytes = examples_make(&observer->examples, decision->verdict, message, &size);
    assert(!bytes || size <= ring_room(to_gui));
    if (!bytes) return;
    ring_add(to_gui, bytes, size);
    free(bytes);
    observer->held_size = 0;
    observer->holding = HOLDS_NOTHING;
    conversation_take_back(&observer->talk);
    end_check(observer, "answered", message);
}

/* A check that is kept back is answered once nothing else is on its way to the GUI, or goes on. */
static void look_at_held(struct engine_observer *observer, struct ring *to_engine,
                         struct ring *to_gui) {
    const struct observed_check *check = &observer->check;
    if (observer->holding != HOLDS_CHECK) return;
    if (check->is_open && !check->is_decided) return;
    const char *why = !check->is_open    ? ""
                      : observer->is_off ? "answers are off"
                                         : obstacle(observer);
    bool is_free = !to_gui->size && !observer->from_engine.scanner.depth;
    bool is_late = clock_seconds() >= check->begin + observer->arguments->seconds + 1;
    if (!why && is_free && conversation_is_alone(&observer->talk)) answer(observer, to_gui);
    if (observer->holding == HOLDS_CHECK && (why || is_late || is_free)) {
        events_note(&observer->events, "passed", why ? why : "the connection was not free");
        release(observer, to_engine);
    }
}

double observer_due(const struct engine_observer *observer) {
    if (observer->decider.is_running) return observer->decider.due;
    if (observer->holding != HOLDS_CHECK) return 0;
    return observer->check.begin + observer->arguments->seconds + 1;
}

void observer_step(struct engine_observer *observer, const struct pollfd fds[DECIDER_FDS],
                   struct ring *to_engine, struct ring *to_gui) {
    struct observed_check *check = &observer->check;
    if (observer->decider.is_running && decider_step(&observer->decider, fds, &check->decision)) {
        check->is_decided = true;
        compare(observer);
    }
    look_at_held(observer, to_engine, to_gui);
}

bool observer_close(struct engine_observer *observer) {
    end_check(observer, "check", "the session ended first");
    decider_stop(&observer->decider);
    bool is_logged = events_close(&observer->events);
    examples_close(&observer->examples);
    conversation_close(&observer->talk);
    capture_close(&observer->from_gui);
    capture_close(&observer->from_engine);
    forget_check(&observer->check);
    return is_logged;
}
