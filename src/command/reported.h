/* REPORTED - what results of other runs tell: the report of an abstraction `varabs certify
 * --report`, and that of a check --checked.
 *
 * Processes that got copies of their template have new names; they get back those they had. Slots
 * that were removed and are in the abstract model all the same (cells of an array, a variable that
 * is removed in some locations only, what a merge reads) are not to be compared. Values that are
 * exchanged for one that stands for them are compared by that one.
 *
 * Errors: STATUS_INVALID, if the file is no such report, or that of other models.
 */
#pragma once

#include "abstract/claim/guarantee.h"
#include "explore/compare/pairs/simulate.h"
#include "explore/visible/exchange.h"
#include "session/session.h"

/* In the arena of the abstract session. */
struct reported {
    VEC(const char *) ignored; /* names as for --ignore */
    VEC(struct exchange) exchanges;
    VEC(const char *) merges; /* as for --merge; none where templates have copies */
    bool has_relation;        /* the report says what kind of abstraction it is: */
    enum simulation_mode relation;
    bool is_stuttering;
    const char *found;   /* the report beside the abstract model, where it was taken */
    const char *refused; /* a text about the one that was not, or NULL */
};

/* Where the report of a model is if nobody said otherwise. */
const char *reported_beside(struct arena *arena, const char *model_path);
/* Takes the report beside the abstract model, read from that path, if there is one that is about
 * both models as they are. False (reported) if it is, and cannot be used. */
bool reported_find(struct session *concrete, struct session *abstract, const char *model_path,
                   struct reported *reported);

/* Adds to it. False (reported to the abstract session) if the file cannot be used. */
bool reported_take(struct session *concrete, struct session *abstract, const char *path,
                   struct reported *reported);
/* The same for bytes in memory; the name is for messages. */
bool reported_take_bytes(struct session *concrete, struct session *abstract, const char *name,
                         struct str bytes, struct reported *reported);

/* Takes over what these files say that --checked names; output is the abstract model. False
 * (reported to the session) if one of them is no such result, or of another model. */
bool reported_take_checks(struct guarantees *guarantees, struct session *session,
                          const char *const *paths, uint32_t count, struct str output);
