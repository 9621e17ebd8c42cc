/* MESSAGES - what a session has to say, in the form of verifyta:
 *
 *     FILE:/nta/template[2]/transition[1]/label[1]:1: [error] TEXT.
 *     FILE::2: [warning] TEXT.                               of the second query
 *     FILE:7: [error] TEXT.                                  of a file that is no XML
 */
#pragma once

#include "lang/syntax/query_text.h"
#include "session/session.h"

#include <stdio.h>

/* Prints errors, and warnings if they are wanted, by their places; nothing of queries that are told
 * of elsewhere, by number. */
void verifyta_messages_print(FILE *file, struct session *session, const struct query_texts *queries,
                             const bool *is_told, bool wants_warnings);
