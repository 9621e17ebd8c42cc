/* DESCRIBING - what `varabs info` is made of, between its options and its output.
 *
 * Lifetime: in the arena of the session, which is built.
 * Errors:   go to the session's diag.
 */
#ifndef VARABS_COMMAND_DESCRIBING_H
#define VARABS_COMMAND_DESCRIBING_H

#include "agents/agents.h"
#include "report/check/info_report.h"
#include "session/session.h"
#include "suggest/suggest.h"

/* What comes of removing each listed variable alone, as far as trials and interrupts go, and what
 * may fail. tell is called before each of them, from 1 on, and first with zeros; or NULL. */
struct info_report describing_try(struct session *session, const struct abstract_options *options,
                                  void (*tell)(uint32_t removal, uint32_t count));

/* Every agent with what it observes (O5): processes, and then what declarations make of them. False
 * (reported) if one observes too much, or a declaration cannot be read. */
bool describing_agents(struct agents *agents, struct session *session);

#endif
