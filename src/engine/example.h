/* EXAMPLE - the form of the engine's own answers, so that no member of an answer is invented.
 *
 * An answer that gave a verdict without a trace is an example, once varabs has the same verdict.
 * Two examples of a letter that are the same to the byte but for the text of `message` show the
 * form of all answers with that letter; if another one differs, there is no form.
 *
 * Lifetime: heap memory until examples_close.
 */
#pragma once

#include "engine/decider.h"

struct example {
    char *before, *after; /* the text of the message, with its quotes; NULL without an example */
    size_t before_size, after_size;
    bool has_two, is_spoilt;
};

struct examples {
    struct example of[DECIDED_VIOLATED + 1]; /* by verdict */
};

/* The letter of an answer to a check; 0 if it has none. */
char example_letter(struct str object);
/* The verdict that a letter stands for, if it is one of those that are known. */
enum decided_verdict example_verdict(char letter);

/* Takes an answer whose verdict was confirmed. */
void examples_learn(struct examples *examples, enum decided_verdict verdict, struct str object);
void examples_close(struct examples *examples);

bool examples_have(const struct examples *examples, enum decided_verdict verdict);
/* An answer with that message, which has no characters that are escaped, in heap memory; NULL
 * without memory. */
char *examples_make(const struct examples *examples, enum decided_verdict verdict,
                    const char *message, size_t *size);
