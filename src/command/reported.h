/* REPORTED - what results of other runs tell: the report of an abstraction, and that of a check
 * --checked.
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
#include "command/request.h"
#include "explore/visible/visible.h"
#include "session/session.h"

/* In the arena of the abstract session. */
struct reported {
    VEC(const char *) ignored; /* names as for --ignore */
    VEC(struct exchange) exchanges;
    VEC(const char *) merges; /* as for --merge; none where templates have copies */
    bool are_merged;          /* the concrete model has them, too */
    bool is_taken;            /* there is a report: */
    bool has_relation;        /* it says what kind of abstraction it is: */
    enum simulation_mode relation;
    bool is_stuttering;
    const char *found;   /* the report beside the abstract model, where it was taken */
    const char *refused; /* a text about the one that was not, or NULL */
};

/* Where the report of a model is if nobody said otherwise. */
const char *reported_beside(struct arena *arena, const char *model_path);
/* Takes the report that was asked for, or else one beside the abstract model, read from that path,
 * that is about both models as they are; path: NULL for none. False (reported to the abstract
 * session) if it cannot be used. */
bool reported_take(struct session *concrete, struct session *abstract,
                   const struct model_source *named, const char *model_path,
                   struct reported *reported);
/* Gives the concrete model the merged variables of the report, so that they are compared: agents may
 * observe them, and values may be exchanged while such a variable has some value. False (reported to
 * its session) if it cannot have them. */
bool reported_add_merges(struct reported *reported, struct session *concrete);
/* What is compared of the models by what the report says, but for these names. NULL, or what is
 * wrong in words. */
const char *reported_visible(struct reported *reported, struct visible *visible,
                             struct arena *arena, struct session *concrete,
                             const struct session *abstract, const struct request_names *ignored);
/* Where more could be known by a report, why there is none. */
void reported_warn_refused(const struct reported *reported, struct session *abstract);

/* Takes over what these files say that --checked names; output is the abstract model. False
 * (reported to the session) if one of them is no such result, or of another model. */
bool reported_take_checks(struct guarantees *guarantees, struct session *session,
                          const char *const *paths, uint32_t count, struct str output);
