/* OBSERVER - looks on at what goes over the connection, decides queries beside the engine, and
 * answers in its place where that is allowed.
 *
 * In shadow everything has gone on before it is looked at. To answer, a check is kept back while
 * varabs decides it, for as long as the limit at most; any other byte of the GUI, which may be a
 * poll or the end of the check, ends that, and so does everything that is no verdict.
 *
 * G4 has what is never answered. A verdict that the engine's contradicts is written down, and from
 * then on nothing is answered.
 *
 * Lifetime: borrows the arguments; heap memory until observer_close.
 */
#pragma once

#include "engine/arguments.h"
#include "engine/capture.h"
#include "engine/conversation.h"
#include "engine/decider.h"
#include "engine/events.h"
#include "engine/example.h"
#include "engine/ring.h"

enum { HELD_MOST = 96 * 1024 };

/* The check that was seen last. */
struct observed_check {
    bool is_open; /* there is one whose line is not in the log yet */
    char *query, *model;
    size_t query_size, model_size;
    double begin;
    bool is_plain;    /* model and query have no escapes but of quotes and backslashes */
    bool is_known;    /* nothing unknown was said since the upload */
    bool is_answered; /* by the engine: */
    char letter;      /* or 0 */
    double seconds;
    char *answer; /* a copy of it, if it is short */
    size_t answer_size;
    bool is_decided; /* by varabs: */
    struct decision decision;
};

/* What is kept back. */
enum held_back { HOLDS_NOTHING, HOLDS_BEGINNING, HOLDS_CHECK };

struct engine_observer {
    const struct engine_arguments *arguments;
    struct conversation talk;
    struct object_capture from_gui, from_engine;
    struct observed_check check;
    struct decider_process decider;
    struct events events;
    struct examples examples;
    bool is_off; /* there was a disagreement */
    enum held_back holding;
    char held[HELD_MOST];
    size_t held_size;
};

/* False with errno set if the log cannot be written. */
bool observer_open(struct engine_observer *observer, const struct engine_arguments *arguments);
/* False if not all of the log was written. */
bool observer_close(struct engine_observer *observer);

/* Bytes of the GUI, which go into the ring at once or later. The ring has to have room for them and
 * for HELD_MOST more. */
void observer_gui(struct engine_observer *observer, struct str bytes, struct ring *to_engine);
/* Nothing more comes from there, or goes there. */
void observer_end(struct engine_observer *observer, struct ring *to_engine);
/* Bytes of the engine, which went on before. */
void observer_engine(struct engine_observer *observer, struct str bytes);

/* When something is due, by the clock; 0 = never. */
double observer_due(const struct engine_observer *observer);
/* After poll, for the descriptors of the decider. */
void observer_step(struct engine_observer *observer, const struct pollfd fds[DECIDER_FDS],
                   struct ring *to_engine, struct ring *to_gui);
