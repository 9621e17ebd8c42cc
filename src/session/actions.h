/* ACTIONS - actions from a file, which names them for two models (schemas/actions.schema.json).
 *
 * Lifetime: in the arena of the concrete session; expressions in those of their sessions.
 * Errors:   a file that cannot be read or is not as the schema says is STATUS_INVALID, reported to
 *           the concrete session.
 */
#pragma once

#include "explore/refine/alphabet.h"
#include "session/session.h"

enum { ACTIONS_MAX_BYTES = 1 << 20 };

/* An argument in the text; its expression becomes a query of the model. */
struct pending_argument {
    struct action_argument *argument;
    const char *text;
};

struct actions_file {
    VEC(struct visible_action) actions;
    VEC(const char *) weak[SIDE_COUNT], strong[SIDE_COUNT]; /* names for fairness */
    VEC(struct pending_argument) pending[SIDE_COUNT];
};

/* The sessions are loaded (session_load), and not built yet. */
bool actions_read(struct actions_file *file, struct session *concrete, const char *path);
/* Builds the model of a session, with the expressions that the file has for it. */
bool actions_build(struct actions_file *file, struct session *session, enum side side,
                   const char *path);

/* Finds out which steps of two built models are actions; false (reported). In the arena of the
 * concrete session. */
bool actions_name(struct alphabet *alphabet, struct session *concrete, struct session *abstract,
                  const struct alphabet_request *request);
