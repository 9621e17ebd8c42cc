#define _POSIX_C_SOURCE 200809L

#include "cli/options.h"

#include "base/number.h"
#include "base/similar.h"
#include "cli/help.h"
#include "session/name_list.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Says what is wrong, and where there is help: of the command, or of all (COMMAND_COUNT). False. */
__attribute__((format(printf, 2, 3))) static bool usage(enum command command, const char *format,
                                                        ...) {
    struct buffer message = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&message, format, arguments);
    va_end(arguments);
    assert(message.size && (unsigned)command <= COMMAND_COUNT);
    fputs("varabs: error: ", stderr);
    print_visible(stderr, message.data);
    if (message.data[message.size - 1] != '?' && command == COMMAND_COUNT)
        fputs("; see `varabs help`", stderr);
    else if (message.data[message.size - 1] != '?')
        fprintf(stderr, "; see `varabs help %s`", command_word(command));
    fputc('\n', stderr);
    buffer_close(&message);
    return false;
}

static int find_option(const char *text) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (!strcmp(option_text(i)->text, text)) return i;
    return -1;
}

/* What was hardly meant to be the value of an option. */
static bool looks_like_option(const char *text) {
    return !strncmp(text, "--", 2) || find_option(text) >= 0;
}

/* The argument in "--name=value", or NULL. */
static const char *split_value(const char *text, char *name, size_t size) {
    const char *equals = strchr(text, '=');
    if (!equals || strncmp(text, "--", 2) != 0 || (size_t)(equals - text) >= size) return NULL;
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    return equals + 1;
}

static bool set_number(const struct options *options, int option, const char *value, uint64_t most,
                       uint32_t *number) {
    uint64_t parsed = 0;
    bool ok = number_parse(value, 0, most, &parsed);
    *number = (uint32_t)parsed;
    return ok || usage(options->command, "%s %s: write a number from 1 to %llu",
                       option_text(option)->text, value, (unsigned long long)most);
}

/* "20000", "1.5M" */
static bool set_count(const struct options *options, int option, const char *value, uint64_t most,
                      uint64_t *number) {
    if (number_parse(value, 1000, most, number)) return true;
    if (most == UINT64_MAX)
        return usage(options->command, "%s %s: write a number, such as 20000 or 1.5M",
                     option_text(option)->text, value);
    return usage(options->command, "%s %s: write a number from 1 to %llu, such as 20000 or 1.5M",
                 option_text(option)->text, value, (unsigned long long)most);
}

/* "512M", "1.5G", bytes. */
static bool set_size(const struct options *options, int option, const char *value, size_t *size) {
    uint64_t number;
    if (number_parse(value, 1024, SIZE_MAX, &number)) {
        *size = (size_t)number;
        return true;
    }
    return usage(options->command, "%s %s: write a number of bytes, such as 512M or 1.5G",
                 option_text(option)->text, value);
}

static bool set_seconds(const struct options *options, int option, const char *value,
                        double *seconds) {
    char *end;
    *seconds = strtod(value, &end);
    bool is_plain = strspn(value, "0123456789.") == strlen(value);
    if (is_plain && end != value && !*end && *seconds > 0) return true;
    return usage(options->command, "%s %s: write a number of seconds above 0",
                 option_text(option)->text, value);
}

/* Which one it is of "man|bash", or -1; *count becomes the number of these. */
static int choice_of(const char *choices, const char *value, int *count) {
    int found = -1;
    *count = 0;
    for (size_t size; *choices; choices += size + (choices[size] == '|'), ++*count) {
        size = strcspn(choices, "|");
        if (strlen(value) == size && !strncmp(choices, value, size)) found = *count;
    }
    return found;
}

/* "auto, always or never" */
static void add_choices(struct buffer *text, const char *choices, int count) {
    for (int i = 0; i < count; i++) {
        int size = (int)strcspn(choices, "|");
        buffer_printf(text, "%s%.*s", !i ? "" : i + 1 < count ? ", " : " or ", size, choices);
        choices += size + 1;
    }
}

/* -1 (reported) if it is none that the option has. */
static int choose(const struct options *options, int option, const char *value) {
    enum { MOST_LISTED = 3 };
    const char *name = option_text(option)->text, *choices = option_text(option)->argument;
    struct buffer listed = {0};
    int count, choice = choice_of(choices, value, &count);
    if (choice >= 0) return choice;
    if (count > MOST_LISTED)
        buffer_printf(&listed, "one of %s", choices);
    else
        add_choices(&listed, choices, count);
    usage(options->command, "%s %s: write %s", name, value, listed.data);
    buffer_close(&listed);
    return -1;
}

/* ---- what options mean ---- */

/* Where in the request an option goes. */
static const struct meaning {
    enum {
        MEANS_NOTHING, /* but that it was given, or what take_others does */
        MEANS_FLAG,
        MEANS_TEXT,
        MEANS_COUNT, /* at most `most`, also as 20K */
        MEANS_NUMBER,
        MEANS_SIZE,
        MEANS_SECONDS,
        MEANS_CHOICE, /* of those that the table has; take_choice */
        MEANS_LIST,   /* a text more in list `at` of the request */
        MEANS_NAMES   /* the same for names with commas between them */
    } kind;
    size_t at;
    uint64_t most;
} meanings[OPTION_COUNT] = {
#define AT(kind, member, most)                                                                     \
    { kind, offsetof(struct command_request, member), most }
#define NOTHING                                                                                    \
    { MEANS_NOTHING, 0, 0 }
#define FLAG(member) AT(MEANS_FLAG, member, 0)
#define TEXT(member) AT(MEANS_TEXT, member, 0)
#define COUNT(member, most) AT(MEANS_COUNT, member, most)
#define NUMBER(member, most) AT(MEANS_NUMBER, member, most)
#define SIZE(member) AT(MEANS_SIZE, member, 0)
#define SECONDS(member) AT(MEANS_SECONDS, member, 0)
#define CHOICE                                                                                     \
    { MEANS_CHOICE, 0, 0 }
#define LIST(name)                                                                                 \
    { MEANS_LIST, LIST_##name, 0 }
#define NAMES(name)                                                                                \
    { MEANS_NAMES, LIST_##name, 0 }
#define X(name, text, argument, commands, group, meaning, help) meaning,
    OPTIONS(X)
#undef X
};

static bool take_choice(struct options *options, int option, const char *value) {
    static const enum engine engines[] = {ENGINE_AUTO, ENGINE_EXPLICIT, ENGINE_SYMBOLIC};
    static const enum symmetry_use uses[] = {SYMMETRY_AUTO, SYMMETRY_OFF, SYMMETRY_REPORT};
    struct command_request *request = &options->request;
    int choice = choose(options, option, value);
    if (choice < 0) return false;
    if (option == OPTION_ENGINE) request->verify.engine = engines[choice];
    if (option == OPTION_SYMMETRY) request->verify.symmetry = uses[choice];
    if (option == OPTION_SEMANTICS)
        request->verify.semantics = choice ? SEMANTICS_KRIPKE : SEMANTICS_UPPAAL;
    if (option == OPTION_APPROX)
        request->abstract.analysis.approximation = choice ? APPROX_COMBINED : APPROX_TEMPLATE;
    if (option == OPTION_MODEL) request->wants_failures = choice;
    if (option == OPTION_TO) request->wants_scalars = choice;
    return true;
}

/* Adds to a list, which has room; false (reported) without a name. */
static bool add_names(struct options *options, int option, const char *value, struct arena *arena) {
    struct request_names *list = &options->request.lists[meanings[option].at];
    uint32_t count;
    const char **names = names_of_lists(arena, &value, 1, &count);
    const char **all = ARENA_ARRAY(arena, const char *, (size_t)list->count + count + 1);
    if (list->count) memcpy(all, list->items, list->count * sizeof *all);
    memcpy(all + list->count, names, count * sizeof *all);
    *list = (struct request_names){all, list->count + count};
    return count || option == OPTION_IGNORE ||
           usage(options->command, "%s '%s': there is no name", option_text(option)->text, value);
}

/* What is more than a value of the request. */
static void take_others(struct options *options, int option, const char *value) {
    struct command_request *request = &options->request;
    switch (option) {
    case OPTION_QUERY:
    case OPTION_QUERIES:
        request->queries[request->query_count++] =
            (struct query_source){value, option == OPTION_QUERIES, NULL};
        break;
    case OPTION_MAY: request->wants_may = true; break;
    case OPTION_MUST:
        request->wants_must = true;
        request->abstract.mode = MODE_MUST;
        request->relation = SIMULATE_MUST;
        break;
    case OPTION_MUST_LOWER: request->abstract.mode = MODE_LOWER; break;
    case OPTION_MIXED: request->abstract.mode = MODE_MIXED; break;
    case OPTION_EXACT: request->relation = SIMULATE_EXACT; break;
    case OPTION_NAMES_FROM: options->values[OPTION_REPORT] = value; break;
    default: break;
    }
}

/* What the value of an option means. */
static bool interpret(struct options *options, int option, const char *value, struct arena *arena) {
    const struct meaning *meaning = &meanings[option];
    struct command_request *request = &options->request;
    void *to = (char *)request + meaning->at;
    switch (meaning->kind) {
    case MEANS_NOTHING: break;
    case MEANS_FLAG: *(bool *)to = true; break;
    case MEANS_TEXT: *(const char **)to = value; break;
    case MEANS_COUNT: return set_count(options, option, value, meaning->most, to);
    case MEANS_NUMBER: return set_number(options, option, value, meaning->most, to);
    case MEANS_SIZE: return set_size(options, option, value, to);
    case MEANS_SECONDS: return set_seconds(options, option, value, to);
    case MEANS_CHOICE: return take_choice(options, option, value);
    case MEANS_LIST:
        request->lists[meaning->at].items[request->lists[meaning->at].count++] = value;
        break;
    case MEANS_NAMES: return add_names(options, option, value, arena);
    }
    take_others(options, option, value);
    return true;
}

static bool set_option(struct options *options, int option, const char *value,
                       struct arena *arena) {
    options->values[option] = value ? value : "";
    return interpret(options, option, options->values[option], arena);
}

/* An option that the command does not have. */
static bool refuse_option(const struct options *options, int option) {
    struct buffer names = {0};
    if (options->command != COMMAND_ABSTRACT)
        return usage(options->command, "%s is no option of `%s`", option_text(option)->text,
                     command_text(options->command)->name);
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        if (option_belongs_to(option, (enum command)i))
            buffer_printf(&names, "%s`%s`", names.size ? ", " : "",
                          command_text((enum command)i)->name);
    usage(options->command, "%s is only an option of %s%s", option_text(option)->text, names.data,
          option == OPTION_JSON ? "; the report of an abstraction is --report FILE" : "");
    buffer_close(&names);
    return false;
}

/* ---- what goes together ---- */

#define GIVEN(name) (1ULL << OPTION_##name)
#define ALWAYS (1ULL << 61)
#define SECOND (1ULL << 62)   /* another model */
#define SYMBOLIC (1ULL << 63) /* --engine symbolic */
_Static_assert(OPTION_HELP <= 61, "there is a bit for each option before --help, as rules need");

enum rule_kind { EXCLUDES, NEEDS, AT_MOST_ONE };

/* The first one that is broken is said. */
static const struct rule {
    const char *commands; /* letters */
    uint64_t these;       /* if one of these is given, */
    enum rule_kind kind;
    uint64_t others; /* none or some of these must be; of AT_MOST_ONE nothing */
    const char *message;
} rules[] = {
    {"ER", ALWAYS, NEEDS, SECOND, "the name of the abstract model is missing"},
    {"E", GIVEN(MAY) | GIVEN(MUST) | GIVEN(EXACT), AT_MOST_ONE, 0,
     "--may, --must and --exact exclude each other: leave only one"},
    {"I", GIVEN(HTML), EXCLUDES, GIVEN(AGENTS),
     "--html goes without --agents, of which there is no page"},
    {"R", GIVEN(ACTIONS), EXCLUDES, GIVEN(VISIBLE),
     "--actions and --visible both say what is visible: leave only one"},
    {"C", GIVEN(IGNORE), NEEDS, GIVEN(CONCRETIZE), "--ignore goes with --concretize"},
    {"C", GIVEN(CONCRETIZE), EXCLUDES, GIVEN(WEAK) | GIVEN(STRONG),
     "--concretize goes without --weak and --strong: a run that is fair in an abstraction need "
     "not be fair in the original"},
    {"CEG", SYMBOLIC, EXCLUDES, GIVEN(MAX_STATES),
     "--max-states is not for --engine symbolic, which does not count on its way; use "
     "--max-memory or --timeout"},
    {"G", ALWAYS, NEEDS, GIVEN(REMOVE) | GIVEN(MERGE) | GIVEN(SPEC) | GIVEN(AUTO),
     "nothing to compare: name abstractions with --remove, --merge or --spec, or let --auto choose "
     "one"},
    {"AQ", GIVEN(AUTO), EXCLUDES, GIVEN(REMOVE),
     "--auto chooses what to remove: leave out --remove, or use it on what --auto has written"},
    {"AQ", GIVEN(AUTO), EXCLUDES, GIVEN(MIXED),
     "--auto removes what is exact, where nothing is uncertain: use --may, or remove more"},
    {"AQ", GIVEN(AUTO), EXCLUDES, GIVEN(MUST_LOWER),
     "--auto goes with --may or --must, or with neither"},
    {"AQ", GIVEN(AUTO), EXCLUDES, GIVEN(MERGE) | GIVEN(SPEC),
     "--auto goes without --merge and --spec"},
    {"A", GIVEN(INEXACT), NEEDS, GIVEN(AUTO), "--inexact goes with --auto, which chooses merges"},
    {"A", GIVEN(INEXACT), EXCLUDES, GIVEN(MUST) | GIVEN(STUTTER),
     "--inexact goes with --auto --may alone, without --stutter"},
    {"A", GIVEN(QUERY) | GIVEN(QUERIES), NEEDS, GIVEN(AUTO) | GIVEN(MIXED) | GIVEN(SPEC),
     "--query and --queries go with --auto, with --mixed, or with a --spec that normalises; "
     "`varabs grid` says what carries over of other queries"},
    {"A", ALWAYS, NEEDS,
     GIVEN(REMOVE) | GIVEN(MERGE) | GIVEN(SPEC) | GIVEN(AUTO) | GIVEN(UNTIME) | GIVEN(WITHOUT),
     "nothing to do: name the variables with --remove, --merge or --spec, or let --auto choose"},
    {"A", GIVEN(EXPLORE), EXCLUDES, GIVEN(AUTO),
     "--auto explores by itself what may be exact besides: leave out --explore"},
    {"A", GIVEN(MAY) | GIVEN(MUST) | GIVEN(MUST_LOWER) | GIVEN(MIXED), AT_MOST_ONE, 0,
     "--may, --must, --mixed and --must=lower exclude each other: leave only one"},
    {"A", ALWAYS, NEEDS, GIVEN(MAY) | GIVEN(MUST) | GIVEN(MUST_LOWER) | GIVEN(MIXED) | GIVEN(SPEC),
     "say what kind of abstraction to write: --may, --must, --mixed or --must=lower"},
};

static uint64_t given_of(const struct options *options) {
    uint64_t given = ALWAYS;
    for (int i = 0; i < OPTION_HELP; i++)
        if (options->values[i]) given |= 1ULL << i;
    if (options->request.second.name) given |= SECOND;
    if (options->request.verify.engine == ENGINE_SYMBOLIC) given |= SYMBOLIC;
    return given;
}

/* False (reported) if options do not go together, in that command. */
static bool check_rules(const struct options *options, enum command command) {
    uint64_t given = given_of(options);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        uint64_t these = given & rule->these, others = given & rule->others;
        bool is_broken = rule->kind == EXCLUDES ? these && others
                         : rule->kind == NEEDS  ? these && !others
                                                : (these & (these - 1)) != 0;
        if (is_broken && letters_include(rule->commands, command))
            return usage(options->command, "%s", rule->message);
    }
    return true;
}

/* The command of that word, or COMMAND_COUNT. */
static enum command find_command(const char *word) {
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        if (!strcmp(word, command_word((enum command)i))) return (enum command)i;
    return COMMAND_COUNT;
}

/* "; did you mean 'check'?", or nothing. */
static const char *command_hint(const char *word, struct arena *arena) {
    struct similar similar = {.word = str_of(word)};
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        similar_offer(&similar, command_word((enum command)i));
    return similar_hint(&similar, arena, "");
}

/* "chek" was hardly meant to be a model, nor was "new", if there is no such file. */
static bool check_word(const struct options *options, struct arena *arena) {
    const char *word = options->request.first.name;
    if (options->command != COMMAND_ABSTRACT || !word || strchr(word, '.')) return true;
    const char *hint = command_hint(word, arena);
    if (*hint) return usage(COMMAND_COUNT, "there is no command '%s'%s", word, hint);
    return strpbrk(word, "/-") || access(word, F_OK) == 0 ||
           usage(COMMAND_COUNT,
                 "there is no command '%s', and no file of that name; an abstraction is written "
                 "by `varabs MODEL --remove VAR --may`",
                 word);
}

/* Whether --auto is to decide queries rather than to write a model. */
static bool decides(const struct options *options) {
    return options->command == COMMAND_ABSTRACT && options->values[OPTION_AUTO] &&
           !options->values[OPTION_MAY] && !options->values[OPTION_MUST];
}

/* Makes --auto without a mode the command that it is short for. */
static bool turn_into_decide(struct options *options) {
    if (!check_rules(options, COMMAND_DECIDE)) return false;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options->values[i] && i != OPTION_AUTO && !option_belongs_to(i, COMMAND_DECIDE))
            return usage(options->command,
                         "%s needs --may or --must: --auto alone is `varabs decide`, which writes "
                         "no model",
                         option_text(i)->text);
    options->values[OPTION_AUTO] = NULL;
    options->request.is_auto = false;
    options->command = COMMAND_DECIDE;
    return true;
}

static bool check_command(struct options *options) {
    if (decides(options) && !turn_into_decide(options)) return false;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options->values[i] && !option_belongs_to(i, options->command))
            return refuse_option(options, i);
    if (!options->request.first.name)
        return usage(options->command, "%s", "the name of a model is missing");
    options->request.finds_relation =
        options->command == COMMAND_CERTIFY && !options->values[OPTION_MAY] &&
        !options->values[OPTION_MUST] && !options->values[OPTION_EXACT];
    return check_rules(options, options->command);
}

/* `varabs help WORD` */
static bool parse_topic(struct options *options, const char *word, struct arena *arena) {
    enum command command = find_command(word);
    options->wants_overview = false;
    if (!strcmp(word, command_word(COMMAND_ABSTRACT))) return true;
    if (command == COMMAND_COUNT)
        return usage(COMMAND_COUNT, "there is no command '%s'%s", word, command_hint(word, arena));
    options->command = command;
    return true;
}

/* As verifyta takes it after a model. */
static bool is_query_file(const char *name) {
    const char *end = strrchr(name, '.');
    return end && end > name && !strcmp(end, ".q");
}

static bool parse_positional(struct options *options, const char *text, struct arena *arena) {
    if (options->values[OPTION_HELP]) return parse_topic(options, text, arena);
    if (!options->request.first.name && !strcmp(text, "help")) {
        options->values[OPTION_HELP] = "";
        options->wants_overview = options->command == COMMAND_ABSTRACT;
        return true;
    }
    if (!options->request.first.name && options->command == COMMAND_ABSTRACT &&
        find_command(text) != COMMAND_COUNT) {
        options->command = find_command(text);
        return true;
    }
    bool takes_two = options->command == COMMAND_CERTIFY || options->command == COMMAND_REFINES ||
                     options->command == COMMAND_DRAW;
    if (options->request.first.name && !options->request.second.name && takes_two) {
        options->request.second.name = text;
        return true;
    }
    if (options->request.second.name)
        return usage(options->command, "only two models, but there is also '%s'", text);
    if (options->request.first.name && is_query_file(text) &&
        option_belongs_to(OPTION_QUERIES, options->command))
        return set_option(options, OPTION_QUERIES, text, arena);
    if (options->request.first.name && options->command == COMMAND_ABSTRACT &&
        !strpbrk(options->request.first.name, "./-"))
        return usage(COMMAND_COUNT,
                     "there is no command '%s', and only one model at a time; an abstraction is "
                     "written by `varabs MODEL --remove VAR --may`",
                     options->request.first.name);
    if (options->request.first.name)
        return usage(options->command, "only one model at a time, but there is also '%s'", text);
    options->request.first.name = text;
    return true;
}

/* An option without its value; with what follows instead, or NULL at the end. */
static bool refuse_missing(const struct options *options, int option, const char *next) {
    const char *text = option_text(option)->text, *argument = option_text(option)->argument;
    if (!option_belongs_to(option, options->command)) return refuse_option(options, option);
    if (next)
        return usage(options->command, "option '%s' needs a value, but '%s' follows", text, next);
    return usage(options->command, "option '%s' needs a value: %s %s", text, text, argument);
}

static bool refuse_unknown(const struct options *options, const char *text, struct arena *arena) {
    struct similar similar = {.word = str_of(text)};
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_is_shown(i, options->command)) similar_offer(&similar, option_text(i)->text);
    return usage(options->command, "unknown option '%s'%s", text,
                 similar_hint(&similar, arena, ""));
}

static void begin(struct options *options, int argc, struct arena *arena) {
    struct command_request *request = &options->request;
    *options =
        (struct options){.request = {.abstract = {.analysis = {.approximation = APPROX_TEMPLATE,
                                                               .budget = ANALYSIS_DEFAULT_BUDGET}},
                                     .verify = {.engine = ENGINE_AUTO, .symmetry = SYMMETRY_AUTO}}};
    request->queries = ARENA_ARRAY(arena, struct query_source, (size_t)argc + 1);
    for (int i = 0; i < LIST_IGNORE; i++)
        request->lists[i].items = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
}

/* What options mean to the command alone. */
static void complete(struct options *options) {
    struct command_request *request = &options->request;
    const char *const *values = options->values;
    request->is_uppaal = values[OPTION_SEMANTICS] && request->verify.semantics == SEMANTICS_UPPAAL;
    if (values[OPTION_CONCRETIZE]) request->second.name = values[OPTION_CONCRETIZE];
    if (options->command == COMMAND_CERTIFY) request->report.name = values[OPTION_REPORT];
    request->finds_report = true;
}

bool options_parse(struct options *options, int argc, char **argv, struct arena *arena) {
    begin(options, argc, arena);
    options->argc = argc;
    options->argv = argv;
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        char name[32];
        if (only_files || text[0] != '-' || !strcmp(text, "-")) {
            if (!check_word(options, arena) || !parse_positional(options, text, arena))
                return false;
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
        if (option < 0) return refuse_unknown(options, text, arena);
        if (value && option == OPTION_MUST)
            return usage(options->command, "%s: write --must or --must=lower", text);
        if (value && !option_text(option)->argument)
            return usage(options->command, "option '%s' takes no value", option_text(option)->text);
        if (option_text(option)->argument && !value) {
            value = i + 1 < argc ? argv[++i] : NULL;
            if (!value || looks_like_option(value)) return refuse_missing(options, option, value);
        }
        if (!set_option(options, option, value, arena)) return false;
        if (option == OPTION_VERSION || option == OPTION_MANUAL) return true;
        if (option == OPTION_HELP && (i > 1 || argc > 3)) return true; /* but `--help check` */
        options->wants_overview = option == OPTION_HELP;
    }
    if (options->values[OPTION_HELP]) return true;
    if (!check_word(options, arena) || !check_command(options)) return false;
    complete(options);
    return true;
}
