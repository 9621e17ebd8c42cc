/* IRRELEVANT - processes that neither queries nor other processes depend on (X9).
 *
 * They are taken out together: no kept process reads what they write, none has to wait for them or
 * is kept by them from a step, and no query or agent of one names them. They may read all, receive
 * broadcasts, and synchronise with each other. What is left has the steps of the others, and where
 * those that are taken out step, it stays as it is.
 *
 * `varabs certify` shows by exploring that it is so (X6).
 *
 * Lifetime: in the arena of the session.
 */
#pragma once

#include "abstract/claim/taken_out.h"
#include "session/session.h"

/* All that can go without any of these queries losing its verdict, nor, with keeps_all, those of
 * the model; NULL: none can, or nothing is asked. */
const struct taken_out *irrelevant_find(struct session *session, const struct query *queries,
                                        uint32_t count, bool keeps_all);
/* The processes with these names, although queries of the kinds that X9 excepts lose their
 * verdicts; NULL (reported) if a kept process, or one of these queries, depends on one of
 * them. */
const struct taken_out *irrelevant_named(struct session *session, const char *names,
                                         const struct query *queries, uint32_t count);
/* Takes them off the system line. False (reported) if the result cannot be used. */
bool irrelevant_take_out(struct session *session, const struct taken_out *taken_out);
