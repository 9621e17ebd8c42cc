#include "engine/arguments.h"

#include "base/diag.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct engine_arguments *arguments;
    char **words; /* what is left to read, NULL after */
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

static bool set_mode(struct engine_arguments *arguments, const char *value) {
    static const char *const names[] = {"shadow", "answer", "pass"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], value)) {
            arguments->mode = (enum engine_mode)i;
            return true;
        }
    return usage("--mode: write shadow, answer or pass, not", value);
}

static bool set_seconds(double *seconds, const char *value) {
    char *end;
    *seconds = strtod(value, &end);
    bool is_plain = strspn(value, "0123456789.") == strlen(value) && end != value && !*end;
    return (is_plain && *seconds > 0 && *seconds < 1e6) ||
           usage("--limit: write a number of seconds above 0, not", value);
}

static bool set_memory(const char **memory, const char *value) {
    uint64_t bytes;
    *memory = value;
    return number_parse(value, 1024, SIZE_MAX, &bytes) ||
           usage("--max-memory: write a number of bytes, such as 512M, not", value);
}

static bool set_jobs(uint32_t *jobs, const char *value) {
    uint64_t number = 0;
    if (!number_parse(value, 0, 1024, &number))
        return usage("--jobs: write a number from 1 to 1024, not", value);
    *jobs = (uint32_t)number;
    return true;
}

static bool add_harmless(struct engine_arguments *arguments, const char *value) {
    if (arguments->harmless_count == HARMLESS_MOST) return usage("--harmless: too many", NULL);
    arguments->harmless[arguments->harmless_count++] = value;
    return true;
}

static bool read_value(struct engine_arguments *arguments, int option, const char *value) {
    switch (option) {
    case 0: return set_mode(arguments, value);
    case 1: return set_seconds(&arguments->seconds, value);
    case 2: return set_memory(&arguments->memory, value);
    case 3: return set_jobs(&arguments->jobs, value);
    case 4: return add_harmless(arguments, value);
    case 5: arguments->log = value; return true;
    default: arguments->record = value; return true;
    }
}

static bool read_option(struct reader *reader, const char *word) {
    static const char *const valued[] = {"--mode",     "--limit", "--max-memory", "--jobs",
                                         "--harmless", "--log",   "--record"};
    struct engine_arguments *arguments = reader->arguments;
    for (int i = 0; i < (int)(sizeof valued / sizeof *valued); i++) {
        if (!is_option(word, valued[i])) continue;
        const char *value = take_value(reader, word);
        return value && read_value(arguments, i, value);
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return arguments->wants_help = true;
    if (!strcmp(word, "--redact")) return arguments->redacts = true;
    if (!strcmp(word, "--selftest")) return arguments->tests = true;
    if (!strcmp(word, "--strict")) return arguments->is_strict = true;
    if (!strcmp(word, "--assume-no-trace")) return arguments->assumes_no_trace = true;
    if (!strcmp(word, "--never-answer")) return set_mode(arguments, "pass");
    return usage(*word == '-' ? "unknown option" : "the engine's command stands after `--`, not",
                 word);
}

/* What goes together. */
static bool check_rules(const struct engine_arguments *arguments) {
    if (arguments->redacts && !arguments->record) return usage("--redact goes with --record", NULL);
    bool is_for_answers = arguments->is_strict || arguments->assumes_no_trace;
    if (is_for_answers && arguments->mode != ENGINE_ANSWERS)
        return usage("--strict and --assume-no-trace go with --mode answer", NULL);
    if (arguments->log && arguments->mode == ENGINE_PASSES)
        return usage("--log goes without --mode pass, which looks at nothing", NULL);
    return true;
}

bool engine_arguments_read(struct engine_arguments *arguments, int argc, char **argv) {
    struct reader reader = {.arguments = arguments, .words = argv + (argc > 0)};
    *arguments = (struct engine_arguments){.mode = ENGINE_SHADOWS, .seconds = 2, .jobs = 1};
    while (*reader.words && strcmp(*reader.words, "--") != 0) {
        const char *word = *reader.words++;
        if (!read_option(&reader, word)) return false;
        if (arguments->wants_help) return true;
    }
    if (!*reader.words || !reader.words[1])
        return usage("the engine's command is missing: write it after `--`", NULL);
    arguments->command = reader.words + 1;
    return check_rules(arguments);
}
