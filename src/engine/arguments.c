/* See arguments.h. */
#include "engine/arguments.h"

#include "base/diag.h"

#include <stdio.h>
#include <string.h>

struct reader {
    struct engine_arguments *arguments;
    char **words; /* what is left to read, NULL behind */
};

static bool usage(const char *what, const char *word) {
    fputs("varabs engine: error: ", stderr);
    fputs(what, stderr);
    if (word) {
        fputs(" '", stderr);
        print_visible(stderr, word);
        fputc('\'', stderr);
    }
    fputs("; see `varabs help engine`\n", stderr);
    return false;
}

/* The value of an option, in its word or the next; NULL (printed) if there is none. */
static const char *take_value(struct reader *reader, const char *word) {
    const char *equals = strchr(word, '=');
    if (equals) return equals + 1;
    if (*reader->words && strcmp(*reader->words, "--") != 0) return *reader->words++;
    usage("there is no value for", word);
    return NULL;
}

/* "--record", "--record=x" */
static bool is_option(const char *word, const char *name) {
    size_t size = strlen(name);
    return !strncmp(word, name, size) && (!word[size] || word[size] == '=');
}

static bool read_option(struct reader *reader, const char *word) {
    struct engine_arguments *arguments = reader->arguments;
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return arguments->wants_help = true;
    if (!strcmp(word, "--redact")) return arguments->redacts = true;
    if (is_option(word, "--record")) return (arguments->record = take_value(reader, word)) != NULL;
    return usage(*word == '-' ? "unknown option" : "the engine's command stands behind `--`, not",
                 word);
}

bool engine_arguments_read(struct engine_arguments *arguments, int argc, char **argv) {
    struct reader reader = {.arguments = arguments, .words = argv + (argc > 0)};
    *arguments = (struct engine_arguments){0};
    while (*reader.words && strcmp(*reader.words, "--") != 0) {
        const char *word = *reader.words++;
        if (!read_option(&reader, word)) return false;
        if (arguments->wants_help) return true;
    }
    if (!*reader.words || !reader.words[1])
        return usage("the engine's command is missing: write it behind `--`", NULL);
    arguments->command = reader.words + 1;
    if (arguments->redacts && !arguments->record) return usage("--redact goes with --record", NULL);
    return true;
}
