/* CONVERSATION - what the proxy knows of the conversation, from the objects that went by.
 *
 *     NONE ── upload ──► SENT ── taken ──► READY ── check ──► PASSED ── its answer ──► READY
 *
 * There is one model at most: the one uploaded last, once the engine has taken it. Whatever is not
 * understood leads to knowing less: to NONE, or to a count of answers that are still to come which
 * stays above 0.
 *
 * Lifetime: the model is heap memory, until conversation_close.
 * Source:   commands and members as public clients of the engine have them; `varabs-gui` says
 * which.
 */
#pragma once

#include "base/str.h"

#include <stdint.h>

/* Longer ones are not read. */
enum { QUERY_MOST = 64 * 1024 };

enum conversation_state { TALK_NONE, TALK_SENT, TALK_READY, TALK_PASSED };

/* What an object of the GUI is. */
enum gui_object { GUI_OTHER, GUI_UPLOAD, GUI_CHECK };
/* What one of the engine is. */
enum engine_object { ENGINE_OTHER, ENGINE_TAKEN, ENGINE_REFUSED, ENGINE_CHECKED };

struct conversation {
    const char *const
        *harmless; /* names of commands that change nothing for verdicts, NULL after */
    enum conversation_state state;
    char *model; /* as decoded; NULL without one */
    size_t model_size;
    bool model_is_plain;      /* without escapes but of quotes and backslashes */
    uint64_t expected;        /* answers to commands that went by; */
    uint64_t since;           /* of those, after the last upload */
    bool is_lost;             /* there were more answers than commands */
    uint32_t uploads, checks; /* without an answer */
    bool has_unknown;         /* after the upload: a command that is not known to be harmless */
    bool approximates;        /* something named an approximation: options outlive a model */
    bool has_query;           /* the last object was a check, whose query was read: */
    bool query_is_plain;
    size_t query_size;
    char query[QUERY_MOST + 1];
};

void conversation_open(struct conversation *talk, const char *const *harmless);
void conversation_close(struct conversation *talk);

/* An object that goes to the engine; empty if its bytes are lost. */
enum gui_object conversation_gui(struct conversation *talk, struct str object);
/* The check that is the only thing the engine would be at does not go there after all. */
void conversation_take_back(struct conversation *talk);
/* Bytes that are in no object went by. */
void conversation_between(struct conversation *talk);

/* One of the engine. */
enum engine_object conversation_engine(struct conversation *talk, struct str object);

/* Whether a check is the only thing that the engine is at, and about a model that it has taken. */
bool conversation_is_alone(const struct conversation *talk);
