#include "cli/options.h"

#include "base/similar.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct option_text table[OPTION_COUNT] = {
#define X(name, text, argument, commands, help) {text, argument, commands, help},
    OPTIONS(X)
#undef X
};

static const struct command_text commands[COMMAND_COUNT] = {
    [COMMAND_ABSTRACT] =
        {'A', "varabs", "varabs IN.xml --remove VAR[,VAR...] --may [options]",
         "Removes variables from a timed-free Uppaal model. Writes a smaller model and a JSON\n"
         "report that says which verdicts carry over to the original. `varabs info` lists the\n"
         "templates and variables of a model and whether their removal would be exact;\n"
         "`varabs check` explores its states and answers its queries, `varabs certify` compares "
         "an\n"
         "abstraction with the original, `varabs draw` shows what changed.\n"},
    [COMMAND_INFO] = {'I', "varabs info", "varabs info IN.xml [options]",
                      "Lists the templates and variables of a model and whether their removal\n"
                      "would be exact.\n"},
    [COMMAND_CHECK] =
        {'C', "varabs check", "varabs check IN.xml [options]",
         "Explores the states of a model until all its queries are decided. Without queries it\n"
         "explores everything, which counts states, deadlocks and runtime errors.\n"},
    [COMMAND_CERTIFY] =
        {'E', "varabs certify",
         "varabs certify CONCRETE.xml ABSTRACT.xml --may|--must|--exact [options]",
         "Explores two models and decides whether the second is an abstraction of the first: as\n"
         "far as locations and the variables that both have are concerned, every step of one can\n"
         "be followed by the other. Shows a run that cannot be followed if there is one.\n"},
    [COMMAND_DRAW] =
        {'D', "varabs draw", "varabs draw IN.xml [AFTER.xml] [options]",
         "Draws the templates of a model as SVG, as Uppaal's editor would; with a second\n"
         "model what changed: new, removed and changed edges and locations are marked.\n"},
    [COMMAND_SUGGEST] =
        {'S', "varabs suggest", "varabs suggest IN.xml [options]",
         "Looks for removals that are exact because nothing reads the variables again, at least\n"
         "in some locations, and for others that may be worth their loss. What the queries name\n"
         "is kept.\n"},
};

const struct status_text status_texts[STATUS_TEXT_COUNT] = {
    {STATUS_DONE, 0, "done; `varabs check`: all queries are satisfied; `varabs certify`: holds"},
    {STATUS_VIOLATED, COMMAND_CHECK, "`varabs check`: some query is violated"},
    {STATUS_VIOLATED, COMMAND_CERTIFY, "`varabs certify`: the abstraction is wrong"},
    {STATUS_USAGE, 0, "wrong usage"},
    {STATUS_INVALID, 0, "the input cannot be read or is not valid Uppaal"},
    {STATUS_UNSUPPORTED, 0, "valid, but not supported (clocks, doubles, dynamic templates, ...)"},
    {STATUS_LIMIT, 0, "a budget, memory or time limit, a signal or a full disk ended the run"},
};

const struct option_text *option_text(int option) {
    assert(option >= 0 && option < OPTION_COUNT);
    return &table[option];
}

const struct command_text *command_text(enum command command) { return &commands[command]; }

const char *command_word(enum command command) {
    const char *space = strchr(commands[command].name, ' ');
    return space ? space + 1 : NULL;
}

bool option_belongs_to(int option, enum command command) {
    return strchr(table[option].commands, commands[command].letter) != NULL;
}

static void print_wrapped(FILE *file, const char *text) {
    size_t column = 0;
    for (const char *word = text; *word;) {
        size_t size = strcspn(word, " ");
        if (!column || column + 1 + size > 72) {
            fprintf(file, "%s        ", column ? "\n" : "");
            column = 0;
        } else {
            fputc(' ', file);
            column++;
        }
        fwrite(word, 1, size, file);
        column += size;
        word += size + strspn(word + size, " ");
    }
    fputc('\n', file);
}

/* Options of a command that are no options of another one (COMMAND_COUNT = no such one). */
static void print_options(FILE *file, enum command command, enum command other) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!option_belongs_to(i, command) ||
            (other < COMMAND_COUNT && option_belongs_to(i, other)))
            continue;
        fprintf(file, "    %s%s%s\n", table[i].text, table[i].argument ? " " : "",
                table[i].argument ? table[i].argument : "");
        print_wrapped(file, table[i].help);
    }
}

void options_help(FILE *file, enum command command) {
    bool is_all = command == COMMAND_ABSTRACT;
    fprintf(file, "usage: %s\n", commands[command].usage);
    for (int i = COMMAND_ABSTRACT + 1; is_all && i < COMMAND_COUNT; i++)
        fprintf(file, "       %s\n", commands[i].usage);
    fprintf(file, "\n%s`-` stands for standard input or output.\n\noptions:\n",
            commands[command].purpose);
    print_options(file, command, COMMAND_COUNT);
    for (int i = COMMAND_ABSTRACT + 1; is_all && i < COMMAND_COUNT; i++) {
        fprintf(file, "\noptions of `%s`:\n", commands[i].name);
        print_options(file, (enum command)i, command);
    }
    fputs("\nexit status:\n", file);
    for (size_t i = 0; i < STATUS_TEXT_COUNT; i++)
        if (is_all || !status_texts[i].command || status_texts[i].command == command)
            fprintf(file, "    %d  %s\n", status_texts[i].status, status_texts[i].text);
}

static bool usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool usage(const char *format, ...) {
    struct buffer message = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&message, format, arguments);
    va_end(arguments);
    bool is_question = message.data[message.size - 1] == '?';
    fprintf(stderr, "varabs: error: %s%s\n", message.data,
            is_question ? "" : "; see `varabs --help`");
    buffer_close(&message);
    return false;
}

static int find_option(const char *text) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (!strcmp(table[i].text, text)) return i;
    return -1;
}

/* The argument in "--name=value", or NULL. */
static const char *split_value(const char *text, char *name, size_t size) {
    const char *equals = strchr(text, '=');
    if (!equals || strncmp(text, "--", 2) != 0 || (size_t)(equals - text) >= size) return NULL;
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    return equals + 1;
}

/* A whole number with nothing around it. */
static bool parse_number(const char *text, uint64_t most, uint64_t *number, const char **rest) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    *rest = end;
    return *text >= '0' && *text <= '9' && !errno && *number >= 1 && *number <= most;
}

static bool set_number(int option, const char *value, uint64_t most, uint64_t *number) {
    const char *rest;
    if (parse_number(value, most, number, &rest) && !*rest) return true;
    return usage("%s %s: write a number from 1 to %llu", table[option].text, value,
                 (unsigned long long)most);
}

/* "512M", "20G", bytes. */
static bool set_size(int option, const char *value, size_t *size) {
    static const char units[] = "KkMmGgTt";
    const char *rest;
    uint64_t number;
    if (parse_number(value, SIZE_MAX, &number, &rest)) {
        const char *unit = *rest ? strchr(units, *rest) : NULL;
        int shift = unit ? 10 * (int)((unit - units) / 2 + 1) : 0;
        if (!rest[unit != NULL] && number <= SIZE_MAX >> shift) {
            *size = (size_t)number << shift;
            return true;
        }
    }
    return usage("%s %s: write a number of bytes, such as 512M or 20G", table[option].text, value);
}

static bool set_seconds(int option, const char *value, double *seconds) {
    char *end;
    *seconds = strtod(value, &end);
    bool is_plain = strspn(value, "0123456789.") == strlen(value);
    if (is_plain && end != value && !*end && *seconds > 0) return true;
    return usage("%s %s: write a number of seconds above 0", table[option].text, value);
}

static bool set_choice(int option, const char *value, const char *first, const char *second,
                       bool *is_second) {
    *is_second = !strcmp(value, second);
    if (*is_second || !strcmp(value, first)) return true;
    return usage("%s %s: write %s or %s", table[option].text, value, first, second);
}

/* What the value of an option means. */
static bool interpret(struct options *options, int option, const char *value) {
    struct search_options *search = &options->verify.search;
    uint64_t number;
    bool is_second;
    switch (option) {
    case OPTION_IGNORE:
    case OPTION_REMOVE: options->removals[options->removal_count++] = value; break;
    case OPTION_CHECKED: options->checked[options->checked_count++] = value; break;
    case OPTION_MERGE: options->merges[options->merge_count++] = value; break;
    case OPTION_SPEC: options->specs[options->spec_count++] = value; break;
    case OPTION_MUST: options->abstract.analysis.is_must = true; break;
    case OPTION_MUST_LOWER: options->abstract.is_lower = true; break;
    case OPTION_COMMENTS: options->abstract.explains = true; break;
    case OPTION_STUTTER: options->abstract.stutters = true; break;
    case OPTION_DROP_PRIORITIES: options->abstract.drops_priorities = true; break;
    case OPTION_APPROX:
        if (!set_choice(option, value, "template", "combined", &is_second)) return false;
        options->abstract.analysis.approximation = is_second ? APPROX_COMBINED : APPROX_TEMPLATE;
        break;
    case OPTION_BUDGET:
        return set_number(option, value, 1000000000, &options->abstract.analysis.budget);
    case OPTION_QUERY:
    case OPTION_QUERIES:
        options->queries[options->query_count++] =
            (struct query_source){value, option == OPTION_QUERIES, NULL};
        break;
    case OPTION_SEMANTICS:
        if (!set_choice(option, value, "uppaal", "kripke", &is_second)) return false;
        options->verify.semantics = is_second ? SEMANTICS_KRIPKE : SEMANTICS_UPPAAL;
        break;
    case OPTION_FULL: search->is_full = true; break;
    case OPTION_TRACE: options->verify.wants_traces = true; break;
    case OPTION_MAX_STATES: return set_number(option, value, UINT64_MAX, &search->max_states);
    case OPTION_FIRST_LOOK: return set_number(option, value, UINT64_MAX, &search->first_look);
    case OPTION_INTERPRET: search->interprets = true; break;
    case OPTION_MAX_MEMORY: return set_size(option, value, &search->max_size);
    case OPTION_TIMEOUT: return set_seconds(option, value, &search->max_seconds);
    case OPTION_JOBS:
        if (!set_number(option, value, 1024, &number)) return false;
        search->jobs = (uint32_t)number;
        break;
    case OPTION_MANUAL:
        for (size_t i = 0; i < MANUAL_COUNT; i++)
            if (!strcmp(value, manual_formats[i].name)) return true;
        return usage("%s %s: write one of %s", table[option].text, value, table[option].argument);
    default: break;
    }
    return true;
}

static bool set_option(struct options *options, int option, const char *value) {
    options->values[option] = value ? value : "";
    return interpret(options, option, options->values[option]);
}

/* An option that the command does not have. */
static bool refuse_option(int option, enum command command) {
    struct buffer names = {0};
    if (command != COMMAND_ABSTRACT)
        return usage("%s is no option of `%s`", table[option].text, commands[command].name);
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        if (option_belongs_to(option, (enum command)i))
            buffer_printf(&names, "%s`%s`", names.size ? " and " : "", commands[i].name);
    usage("%s is only an option of %s", table[option].text, names.data);
    buffer_close(&names);
    return false;
}

static bool check_certify(const struct options *options) {
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        count += options->values[i] && (i == OPTION_MAY || i == OPTION_MUST || i == OPTION_EXACT);
    if (!options->second) return usage("%s", "the name of the abstract model is missing");
    if (count == 1) return true;
    return usage("%s", count ? "--may, --must and --exact exclude each other: leave only one"
                             : "say what kind of abstraction it is: --may, --must or --exact");
}

/* "chek" was hardly meant to be a model. */
static bool check_word(const struct options *options, struct arena *arena) {
    struct similar similar = {.word = str_of(options->input)};
    if (options->command != COMMAND_ABSTRACT || !options->input || strchr(options->input, '.'))
        return true;
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        similar_offer(&similar, command_word((enum command)i));
    return !similar.best ||
           usage("there is no command '%s'%s", options->input, similar_hint(&similar, arena, ""));
}

/* Whether --auto is to decide queries rather than to write a model. */
static bool decides(const struct options *options) {
    return options->values[OPTION_AUTO] && !options->values[OPTION_MAY] &&
           !options->values[OPTION_MUST];
}

/* What goes with --auto, and with one of its two uses, only. */
static bool check_auto(const struct options *options) {
    static const int deciding[] = {OPTION_SEMANTICS, OPTION_MAX_STATES, OPTION_MAX_MEMORY,
                                   OPTION_TIMEOUT,   OPTION_JOBS,       OPTION_JSON};
    static const int writing[] = {OPTION_OUTPUT, OPTION_REPORT, OPTION_STUTTER, OPTION_COMMENTS,
                                  OPTION_CHECKED};
    if (options->values[OPTION_AUTO] && options->removal_count)
        return usage("%s", "--auto chooses what to remove: leave out --remove, or use it on what "
                           "--auto has written");
    if (options->values[OPTION_AUTO] && options->abstract.is_lower)
        return usage("%s", "--auto goes with --may or --must, or with neither");
    if (options->values[OPTION_AUTO] && (options->merge_count || options->spec_count))
        return usage("%s", "--auto goes without --merge and --spec");
    if (!options->values[OPTION_AUTO] && options->query_count)
        return usage("%s", "--query and --queries go with --auto only");
    for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
        if (options->values[deciding[i]] && !decides(options))
            return usage("%s goes with --auto without --may or --must only",
                         table[deciding[i]].text);
    for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
        if (options->values[writing[i]] && decides(options))
            return usage("%s needs --may or --must: --auto alone writes no model",
                         table[writing[i]].text);
    return true;
}

static bool check_command(const struct options *options) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options->values[i] && !option_belongs_to(i, options->command))
            return refuse_option(i, options->command);
    if (!options->input) return usage("%s", "the name of a model is missing");
    if (options->command == COMMAND_CERTIFY) return check_certify(options);
    if (options->command == COMMAND_CHECK && options->removal_count &&
        !options->values[OPTION_CONCRETIZE])
        return usage("%s", "--ignore goes with --concretize");
    if (options->command != COMMAND_ABSTRACT) return true;
    if (!check_auto(options)) return false;
    if (decides(options)) return true;
    bool has_spec = options->merge_count || options->spec_count;
    if (!options->removal_count && !has_spec && !options->values[OPTION_AUTO])
        return usage("%s", "nothing to do: name the variables with --remove, --merge or --spec, or "
                           "let --auto choose");
    int kinds =
        !!options->values[OPTION_MAY] + !!options->values[OPTION_MUST] + options->abstract.is_lower;
    if (kinds > 1)
        return usage("%s", "--may, --must and --must=lower exclude each other: leave only one");
    if (!kinds && !options->spec_count)
        return usage("%s", "say what kind of abstraction to write: --may, --must or --must=lower");
    return true;
}

static bool parse_positional(struct options *options, const char *text) {
    if (!options->input && !strcmp(text, "help")) {
        options->values[OPTION_HELP] = "";
        return true;
    }
    if (!options->input && options->command == COMMAND_ABSTRACT) {
        for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
            if (!strcmp(text, command_word((enum command)i))) {
                options->command = (enum command)i;
                return true;
            }
    }
    bool takes_two = options->command == COMMAND_CERTIFY || options->command == COMMAND_DRAW;
    if (options->input && !options->second && takes_two) {
        options->second = text;
        return true;
    }
    if (options->second) return usage("only two models, but there is also '%s'", text);
    if (options->input && options->command == COMMAND_ABSTRACT && !strpbrk(options->input, "./-"))
        return usage("there is no command '%s', and only one model at a time", options->input);
    if (options->input) return usage("only one model at a time, but there is also '%s'", text);
    options->input = text;
    return true;
}

static bool refuse_unknown(const char *text, enum command command, struct arena *arena) {
    struct similar similar = {.word = str_of(text)};
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_belongs_to(i, command)) similar_offer(&similar, table[i].text);
    return usage("unknown option '%s'%s", text, similar_hint(&similar, arena, ""));
}

bool options_parse(struct options *options, int argc, char **argv, struct arena *arena) {
    *options = (struct options){.abstract = {.analysis = {.approximation = APPROX_TEMPLATE,
                                                          .budget = ANALYSIS_DEFAULT_BUDGET}}};
    options->removals = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->checked = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->merges = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->specs = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->queries = ARENA_ARRAY(arena, struct query_source, (size_t)argc + 1);
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        char name[32];
        if (only_files || text[0] != '-' || !strcmp(text, "-")) {
            if (!check_word(options, arena) || !parse_positional(options, text)) return false;
            continue;
        }
        if (!strcmp(text, "--")) {
            only_files = true;
            continue;
        }
        if (!strcmp(text, "-h")) text = "--help";
        int option = find_option(text);
        const char *value = NULL;
        if (option < 0 && (value = split_value(text, name, sizeof name)))
            option = find_option(name);
        if (option < 0) return refuse_unknown(text, options->command, arena);
        if (value && option == OPTION_MUST) return usage("%s: write --must or --must=lower", text);
        if (value && !table[option].argument)
            return usage("option '%s' takes no value", table[option].text);
        if (table[option].argument && !value) {
            if (i + 1 == argc) return usage("option '%s' needs a value", text);
            value = argv[++i];
        }
        if (!set_option(options, option, value)) return false;
        if (option == OPTION_HELP || option == OPTION_VERSION || option == OPTION_MANUAL)
            return true;
    }
    return options->values[OPTION_HELP] || (check_word(options, arena) && check_command(options));
}

/* The names in a list with commas. */
static void split_names(const char *text, struct arena *arena, const char **names,
                        uint32_t *count) {
    for (;;) {
        size_t size = strcspn(text, ",");
        if (size) names[(*count)++] = arena_copy(arena, text, size);
        if (!text[size]) return;
        text += size + 1;
    }
}

const char **options_ignored(const struct options *options, struct arena *arena, uint32_t *count) {
    size_t most = 1;
    for (uint32_t i = 0; i < options->removal_count; i++) most += strlen(options->removals[i]) + 1;
    const char **names = ARENA_ARRAY(arena, const char *, most);
    *count = 0;
    for (uint32_t i = 0; i < options->removal_count; i++)
        split_names(options->removals[i], arena, names, count);
    return names;
}
