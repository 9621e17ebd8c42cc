/* EVENTS - the log of a session: a table with a line for each event, its columns parted by tabs.
 *
 *     time event query engine engine_seconds varabs varabs_seconds states note
 *
 * What comes from models and queries is cut short, and shows no control characters.
 */
#pragma once

#include "base/str.h"
#include "engine/decider.h"

#include <stdio.h>

enum { EVENT_QUERY_SIZE = 80 };

struct events {
    FILE *file; /* NULL: there is no log */
    const char *path;
    double begin;
    uint32_t models; /* that were written beside it */
};

/* A check, as far as it is known. */
struct event_check {
    struct str query;
    char letter; /* of the engine, or 0 */
    double engine_seconds;
    const struct decision *decision; /* or NULL */
};

/* Adds to the file, which is made for its owner alone. False with errno set if that fails. */
bool events_open(struct events *events, const char *path);
/* False if not all was written. */
bool events_close(struct events *events);

void events_note(struct events *events, const char *event, const char *note);
void events_check(struct events *events, const char *event, const struct event_check *check,
                  const char *note);

/* The loudest line, and the model in a file of its own, LOG.1.xml and so on. */
void events_disagree(struct events *events, const struct event_check *check, struct str model);
