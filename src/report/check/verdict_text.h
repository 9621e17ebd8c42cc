/* VERDICT_TEXT - verdicts as text, in colour on a terminal.
 *
 * There is no colour where the environment has NO_COLOR, not empty (https://no-color.org), or the
 * terminal is a dumb one; nor anywhere but on a terminal.
 */
#pragma once

#include "explore/verdict/verify.h"

#include <stdio.h>

/* "satisfied" and the like. */
const char *verdict_text(enum verdict verdict);

/* At least so many characters, blanks after it. */
void verdict_print(FILE *file, enum verdict verdict, int width);
