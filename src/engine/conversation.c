#include "engine/conversation.h"

#include "engine/object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define UPLOAD "newXMLSystem3"
#define CHECK "modelCheck"

void conversation_open(struct conversation *talk, const char *const *harmless) {
    *talk = (struct conversation){.harmless = harmless};
}

static void forget_model(struct conversation *talk) {
    free(talk->model);
    talk->model = NULL;
    talk->model_size = 0;
    talk->state = TALK_NONE;
}

void conversation_close(struct conversation *talk) { forget_model(talk); }

/* ---- from the GUI ---- */

/* Whether the object has two members, `cmd` and `args`, and no others. */
static bool read_command(struct str object, struct str *name, struct str *value) {
    struct member_walk members = members_of(object);
    uint32_t count = 0;
    *name = *value = (struct str){0};
    while (members_next(&members)) {
        count++;
        if (str_is(members.name, "cmd")) *name = members.value;
        if (str_is(members.name, "args")) *value = members.value;
    }
    return !members.is_broken && count == 2 && name->data && value->data;
}

/* Whether a command may ask for something else than an exact search. */
static bool names_approximation(struct str object) {
    static const char *const words[] = {"representation", "approximation"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        for (size_t at = 0; at + size <= object.size; at++)
            if (!memcmp(object.data + at, words[i], size)) return true;
    }
    return false;
}

static bool is_harmless(const struct conversation *talk, struct str name) {
    for (const char *const *known = talk->harmless; *known; known++)
        if (value_is(name, *known)) return true;
    return false;
}

/* A new model: the old one is over at once. */
static void take_upload(struct conversation *talk, struct str value) {
    forget_model(talk);
    talk->uploads++;
    talk->since = 0;
    talk->has_unknown = false;
    char *model = malloc(value.size + 1);
    if (!model) return;
    talk->model_size = value_decode(value, model, &talk->model_is_plain);
    if (talk->model_size == SIZE_MAX) {
        free(model);
        talk->model_size = 0;
        return;
    }
    talk->model = model;
    talk->state = TALK_SENT;
}

/* A query with a NUL could not be handed on. */
static enum gui_object take_check(struct conversation *talk, struct str value) {
    size_t size = SIZE_MAX;
    if (value.size <= QUERY_MOST) size = value_decode(value, talk->query, &talk->query_is_plain);
    talk->checks++;
    talk->has_query = size != SIZE_MAX && !memchr(talk->query, 0, size);
    talk->query_size = talk->has_query ? size : 0;
    talk->query[talk->query_size] = 0;
    if (talk->state == TALK_READY) talk->state = TALK_PASSED;
    return GUI_CHECK;
}

enum gui_object conversation_gui(struct conversation *talk, struct str object) {
    struct str name, value;
    bool is_command = read_command(object, &name, &value);
    talk->has_query = false;
    talk->expected++;
    talk->since++;
    if (is_command && value_is(name, UPLOAD)) {
        take_upload(talk, value);
        return GUI_UPLOAD;
    }
    if (is_command && value_is(name, CHECK)) return take_check(talk, value);
    talk->approximates |= names_approximation(object);
    if (is_command && is_harmless(talk, name)) return GUI_OTHER;
    talk->has_unknown = true;
    if (!is_command) forget_model(talk);
    return GUI_OTHER;
}

void conversation_between(struct conversation *talk) { forget_model(talk); }

/* ---- from the engine ---- */

static enum engine_object refuse(struct conversation *talk) {
    if (!talk->uploads) return ENGINE_OTHER;
    talk->uploads--;
    forget_model(talk);
    return ENGINE_REFUSED;
}

/* The engine has taken the model: what is still to come is counted anew from there. */
static enum engine_object accept(struct conversation *talk) {
    if (!talk->uploads) return ENGINE_OTHER;
    if (--talk->uploads) return ENGINE_TAKEN;
    talk->expected = talk->since;
    talk->is_lost = false;
    talk->checks = 0;
    if (talk->state == TALK_SENT) talk->state = talk->since ? TALK_PASSED : TALK_READY;
    return ENGINE_TAKEN;
}

static enum engine_object end_check(struct conversation *talk) {
    if (talk->checks) talk->checks--;
    if (talk->state == TALK_PASSED && !talk->checks) talk->state = TALK_READY;
    return ENGINE_CHECKED;
}

enum engine_object conversation_engine(struct conversation *talk, struct str object) {
    struct str result = object_member(object, "res"), info = object_member(object, "info");
    if (!object.size) talk->is_lost = true; /* it may have been an answer */
    if (!result.data) return ENGINE_OTHER;
    if (talk->expected)
        talk->expected--;
    else
        talk->is_lost = true;
    if (value_is(result, "error") && object_member(info, "errors").data) return refuse(talk);
    if (!value_is(result, "ok")) return ENGINE_OTHER;
    if (object_member(info, "procs").data) return accept(talk);
    struct str status = object_member(info, "status");
    bool is_checked = status.size && *status.data == '"' && object_member(info, "trace").data;
    return is_checked ? end_check(talk) : ENGINE_OTHER;
}

void conversation_take_back(struct conversation *talk) {
    assert(conversation_is_alone(talk) && talk->state == TALK_PASSED);
    talk->expected--;
    talk->since--;
    talk->checks--;
    talk->state = TALK_READY;
}

bool conversation_is_alone(const struct conversation *talk) {
    return talk->model && talk->state >= TALK_READY && !talk->is_lost &&
           talk->expected == (talk->state == TALK_PASSED) &&
           talk->checks == (talk->state == TALK_PASSED) && !talk->uploads;
}
