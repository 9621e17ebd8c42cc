#include "verifyta/arguments.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* What verifyta's options mean. */
enum meaning {
    MEANS_HELP,
    MEANS_VERSION,
    MEANS_QUIET,
    MEANS_FIGURES,
    MEANS_NOTHING, /* for verdicts */
    MEANS_OWN_QUERIES,
    MEANS_TRACE, /* from here on there is a value */
    MEANS_ORDER,
    MEANS_SPACE,
    MEANS_SEED,
    MEANS_TRACE_FILE
};

static const struct option {
    char letter; /* 0 = none */
    const char *word;
    enum meaning meaning;
} options[] = {
    {'h', "help", MEANS_HELP},        {'v', "version", MEANS_VERSION},
    {'q', NULL, MEANS_QUIET},         {'s', NULL, MEANS_NOTHING},
    {'u', NULL, MEANS_FIGURES},       {'C', NULL, MEANS_NOTHING},
    {'T', NULL, MEANS_NOTHING},       {'b', NULL, MEANS_NOTHING},
    {'y', NULL, MEANS_NOTHING},       {0, "embedded-queries", MEANS_OWN_QUERIES},
    {'t', "diagnostic", MEANS_TRACE}, {'o', "search-order", MEANS_ORDER},
    {'S', NULL, MEANS_SPACE},         {'r', "seed", MEANS_SEED},
    {'f', NULL, MEANS_TRACE_FILE},    {'X', NULL, MEANS_TRACE_FILE},
};

struct reader {
    struct verifyta_arguments *arguments;
    struct arena *arena;
    char **words; /* what is left to read, NULL after */
};

/* Notes why verifyta's place cannot be taken. False. */
__attribute__((format(printf, 3, 4))) static bool refuse(struct reader *reader, bool is_usage,
                                                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    reader->arguments->refusal = arena_vprintf(reader->arena, format, arguments);
    va_end(arguments);
    reader->arguments->is_refusal_usage = is_usage;
    return false;
}

/* ---- options of varabs ---- */

static const char *const own_words[] = {"--engine", "--timeout", "--max-memory", "--jobs"};
enum { OWN_COUNT = sizeof own_words / sizeof *own_words };

static bool set_own(struct reader *reader, int option, const char *value) {
    struct verifyta_arguments *arguments = reader->arguments;
    uint64_t number = 0;
    char *end = NULL;
    switch (option) {
    case 0:
        arguments->engine = value;
        return *value || refuse(reader, true, "--engine: name the program");
    case 1:
        arguments->max_seconds = strtod(value, &end);
        if (end != value && !*end && strspn(value, "0123456789.") == strlen(value) &&
            arguments->max_seconds > 0)
            return true;
        return refuse(reader, true, "--timeout %s: write a number of seconds above 0", value);
    case 2:
        if (!number_parse(value, 1024, SIZE_MAX, &number))
            return refuse(reader, true,
                          "--max-memory %s: write a number of bytes, such as 512M or 1.5G", value);
        arguments->max_size = (size_t)number;
        return true;
    default:
        if (!number_parse(value, 0, 1024, &number))
            return refuse(reader, true, "--jobs %s: write a number from 1 to 1024", value);
        arguments->jobs = (uint32_t)number;
        return true;
    }
}

/* The value of an option of varabs, in this word or the next, which is taken; NULL if it is
 * none. */
static const char *own_value(char ***words, int option) {
    const char *word = **words, *name = own_words[option];
    size_t size = strlen(name);
    if (strncmp(word, name, size) != 0) return NULL;
    if (word[size] == '=') return word + size + 1;
    if (word[size]) return NULL;
    if (!(*words)[1]) return "";
    return *++*words;
}

/* Takes options of varabs out; the others stay for verifyta. */
static bool take_own(struct reader *reader, int argc, char **argv) {
    struct verifyta_arguments *arguments = reader->arguments;
    char **kept = ARENA_ARRAY(reader->arena, char *, (size_t)argc + 2), **to = kept;
    bool is_fine = true;
    *to++ = argv[0];
    for (char **word = argv + 1; *word; word++) {
        const char *value = NULL;
        int option = 0;
        bool is_exit = !strcmp(*word, "--exit-varabs");
        while (option < OWN_COUNT && !(value = own_value(&word, option))) option++;
        arguments->exits_as_varabs |= is_exit;
        if (value)
            is_fine = set_own(reader, option, value) && is_fine;
        else if (!is_exit)
            *to++ = *word;
    }
    arguments->passed = kept;
    reader->words = kept + 1;
    return is_fine;
}

/* ---- options of verifyta ---- */

/* One digit, at most the one given; else refused. */
static bool set_digit(struct reader *reader, const char *word, const char *value, char most,
                      int *digit) {
    if (value[0] >= '0' && value[0] <= most && !value[1]) {
        *digit = value[0] - '0';
        return true;
    }
    return refuse(reader, false, "%s %s: this value is not known here", word, value);
}

static bool set_value(struct reader *reader, const struct option *option, const char *word,
                      const char *value) {
    struct verifyta_arguments *arguments = reader->arguments;
    switch (option->meaning) {
    case MEANS_TRACE: return set_digit(reader, word, value, '2', &arguments->trace);
    case MEANS_ORDER: return set_digit(reader, word, value, '2', &arguments->order);
    case MEANS_SPACE: return set_digit(reader, word, value, '2', &arguments->space);
    case MEANS_SEED:
        arguments->seed = value;
        return (*value && strspn(value, "0123456789") == strlen(value)) ||
               refuse(reader, true, "%s: write a number", word);
    default: arguments->trace_file = value; return true;
    }
}

static void set_flag(struct verifyta_arguments *arguments, enum meaning meaning) {
    arguments->wants_help |= meaning == MEANS_HELP;
    arguments->wants_version |= meaning == MEANS_VERSION;
    arguments->is_quiet |= meaning == MEANS_QUIET;
    arguments->has_figures |= meaning == MEANS_FIGURES;
    arguments->takes_own_queries |= meaning == MEANS_OWN_QUERIES;
}

/* The next word as a value. */
static bool take_next(struct reader *reader, const struct option *option, const char *word) {
    if (!*reader->words) return refuse(reader, true, "option '%s' needs a value", word);
    return set_value(reader, option, word, *reader->words++);
}

/* The option of a letter, or of so many characters of a word; NULL if it is not known. */
static const struct option *find_option(char letter, const char *word, size_t size) {
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *own = options[i].word;
        bool is_it = letter ? options[i].letter == letter
                            : own && strlen(own) == size && !strncmp(own, word, size);
        if (is_it) return &options[i];
    }
    return NULL;
}

static bool refuse_unknown(struct reader *reader, const char *word) {
    return refuse(reader, false, "option '%s' is not known here", word);
}

/* "--name", "--name=value" */
static bool read_long(struct reader *reader, const char *word) {
    size_t size = strcspn(word + 2, "=");
    const struct option *option = find_option(0, word + 2, size);
    bool has_value = word[2 + size] == '=';
    if (!option) return refuse_unknown(reader, word);
    if (option->meaning >= MEANS_TRACE)
        return has_value ? set_value(reader, option, word, word + 3 + size)
                         : take_next(reader, option, word);
    if (has_value) return refuse(reader, true, "option '%s' takes no value", word);
    set_flag(reader->arguments, option->meaning);
    return true;
}

/* "-squ", "-t0" */
static bool read_letters(struct reader *reader, const char *word) {
    for (const char *letter = word + 1; *letter; letter++) {
        const struct option *option = find_option(*letter, NULL, 0);
        if (!option) return refuse_unknown(reader, word);
        if (option->meaning >= MEANS_TRACE)
            return letter[1] ? set_value(reader, option, word, letter + 1)
                             : take_next(reader, option, word);
        set_flag(reader->arguments, option->meaning);
    }
    return true;
}

static bool read_word(struct reader *reader, const char *word) {
    struct verifyta_arguments *arguments = reader->arguments;
    if (!strncmp(word, "--", 2)) return read_long(reader, word);
    if (word[0] == '-' && word[1]) return read_letters(reader, word);
    if (!strcmp(word, "-")) return refuse(reader, true, "%s: name a file", word);
    if (!arguments->model)
        arguments->model = word;
    else if (!arguments->query_file)
        arguments->query_file = word;
    else
        return refuse(reader, true, "one model and one query file, but there is also '%s'", word);
    return true;
}

bool verifyta_arguments_read(struct verifyta_arguments *arguments, int argc, char **argv,
                             struct arena *arena) {
    struct reader reader = {.arguments = arguments, .arena = arena};
    const char *compiles = getenv("UPPAAL_COMPILE_ONLY"), *engine = getenv("VARABS_VERIFYTA");
    *arguments =
        (struct verifyta_arguments){.trace = NOT_GIVEN, .order = NOT_GIVEN, .space = NOT_GIVEN};
    if (engine && *engine) arguments->engine = engine;
    if (!take_own(&reader, argc, argv)) return false;
    while (*reader.words && read_word(&reader, *reader.words++)) {
    }
    if (arguments->refusal || arguments->wants_help || arguments->wants_version) return true;
    if (compiles && *compiles)
        refuse(&reader, false, "UPPAAL_COMPILE_ONLY is set: varabs writes no .if files");
    else if (!arguments->model)
        refuse(&reader, true, "the name of a model is missing");
    else if (arguments->query_file && arguments->takes_own_queries)
        refuse(&reader, true, "--embedded-queries goes without a query file, but there is '%s'",
               arguments->query_file);
    return true;
}
