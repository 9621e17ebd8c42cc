/* HELP - what the program says of itself: commands, words, exit statuses, and what an option means
 * to a command. Feeds `varabs help`, the manual page and the completions (manual.h).
 * Lifetime: everything is static. */
#pragma once

#include "base/diag.h"
#include "cli/table.h"

#include <stdio.h>

struct command_text {
    const char *name;  /* "varabs check" */
    const char *usage; /* a line for each form */
    const char *brief; /* for the first screen */
    const char *purpose;
    const char *examples; /* a line each; they run in a folder with the bundled models */
};
struct status_text {
    enum status status;
    const char *commands; /* letters; NULL = all */
    const char *text;
};
/* A word of the output, or of the literature. */
struct word_text {
    const char *commands; /* letters of those that use it */
    const char *word, *meaning;
};

/* What is installed and of use to a command, besides the schema that has its name. */
struct file_text {
    const char *commands; /* letters; NULL = all */
    const char *path, *text;
};

enum { STATUS_TEXT_COUNT = 13, WORD_TEXT_COUNT = 25, FILE_TEXT_COUNT = 7 };
extern const struct status_text status_texts[STATUS_TEXT_COUNT];
extern const struct word_text word_texts[WORD_TEXT_COUNT];
extern const struct file_text file_texts[FILE_TEXT_COUNT];

const struct command_text *command_text(enum command command);
/* What an option means to the command, which has it. */
const char *option_help(int option, enum command command);

/* The first screen: at most 24 lines, as many as a terminal has. */
void help_overview(FILE *file);
/* All about one command. */
void help_command(FILE *file, enum command command);
