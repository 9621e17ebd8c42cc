/* See options.h. */
#include "cli/options.h"

#include "base/number.h"
#include "base/similar.h"
#include "cli/help.h"
#include "session/name_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool usage(enum command command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says what is wrong, and where there is help: of the command, or of all (COMMAND_COUNT). False. */
static bool usage(enum command command, const char *format, ...) {
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
                       uint64_t *number) {
    if (number_parse(value, 0, most, number)) return true;
    return usage(options->command, "%s %s: write a number from 1 to %llu",
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

static bool set_choice(const struct options *options, int option, const char *value,
                       const char *first, const char *second, bool *is_second) {
    *is_second = !strcmp(value, second);
    if (*is_second || !strcmp(value, first)) return true;
    return usage(options->command, "%s %s: write %s or %s", option_text(option)->text, value, first,
                 second);
}

/* Whether it is one of "man|bash". */
static bool is_choice(const char *choices, const char *value) {
    for (size_t size; *choices; choices += size + (choices[size] == '|')) {
        size = strcspn(choices, "|");
        if (strlen(value) == size && !strncmp(choices, value, size)) return true;
    }
    return false;
}

static bool set_engine(struct options *options, const char *value) {
    static const char *const names[] = {
        [ENGINE_EXPLICIT] = "explicit", [ENGINE_SYMBOLIC] = "symbolic", [ENGINE_AUTO] = "auto"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i])) continue;
        options->verify.engine = (enum engine)i;
        return true;
    }
    return usage(options->command, "--engine %s: write auto, explicit or symbolic", value);
}

/* False (reported) without a name. */
static bool list_add(struct options *options, enum name_list list, int option, const char *value) {
    options->lists[list][options->list_counts[list]++] = value;
    return value[strspn(value, ",")] ||
           usage(options->command, "%s '%s': there is no name", option_text(option)->text, value);
}

/* What the value of an option means. */
static bool interpret(struct options *options, int option, const char *value) {
    struct search_options *search = &options->verify.search;
    uint64_t number;
    bool is_second;
    switch (option) {
    case OPTION_IGNORE:
    case OPTION_REMOVE: options->removals[options->removal_count++] = value; break;
    case OPTION_NAMES_FROM: options->values[OPTION_REPORT] = value; break;
    case OPTION_CHECKED: options->checked[options->checked_count++] = value; break;
    case OPTION_MERGE: options->merges[options->merge_count++] = value; break;
    case OPTION_SPEC: options->specs[options->spec_count++] = value; break;
    case OPTION_MUST: options->abstract.mode = MODE_MUST; break;
    case OPTION_MUST_LOWER: options->abstract.mode = MODE_LOWER; break;
    case OPTION_COMMENTS: options->abstract.explains = true; break;
    case OPTION_STUTTER: options->abstract.stutters = true; break;
    case OPTION_DROP_PRIORITIES: options->abstract.drops_priorities = true; break;
    case OPTION_APPROX:
        if (!set_choice(options, option, value, "template", "combined", &is_second)) return false;
        options->abstract.analysis.approximation = is_second ? APPROX_COMBINED : APPROX_TEMPLATE;
        break;
    case OPTION_BUDGET:
        return set_count(options, option, value, 1000000000, &options->abstract.analysis.budget);
    case OPTION_QUERY:
    case OPTION_QUERIES:
        options->queries[options->query_count++] =
            (struct query_source){value, option == OPTION_QUERIES, NULL};
        break;
    case OPTION_SEMANTICS:
        if (!set_choice(options, option, value, "uppaal", "kripke", &is_second)) return false;
        options->verify.semantics = is_second ? SEMANTICS_KRIPKE : SEMANTICS_UPPAAL;
        break;
    case OPTION_FULL: search->is_full = true; break;
    case OPTION_ENGINE: return set_engine(options, value);
    case OPTION_TRACE: options->verify.wants_traces = true; break;
    case OPTION_MAX_STATES:
        return set_count(options, option, value, UINT64_MAX, &search->max_states);
    case OPTION_TRIES: return set_count(options, option, value, UINT64_MAX / 2, &search->max_tries);
    case OPTION_FIRST_LOOK:
        return set_count(options, option, value, UINT64_MAX, &search->first_look);
    case OPTION_LOOK: return set_count(options, option, value, UINT32_MAX, &options->look);
    case OPTION_SHUFFLE:
        return set_count(options, option, value, UINT32_MAX, &options->verify.shuffle);
    case OPTION_INTERPRET: search->interprets = true; break;
    case OPTION_MAX_MEMORY: return set_size(options, option, value, &search->max_size);
    case OPTION_TIMEOUT: return set_seconds(options, option, value, &search->max_seconds);
    case OPTION_JOBS:
        if (!set_number(options, option, value, 1024, &number)) return false;
        search->jobs = (uint32_t)number;
        break;
    case OPTION_PROGRESS:
        if (!strcmp(value, "auto") || !strcmp(value, "always") || !strcmp(value, "never"))
            return true;
        return usage(options->command, "%s %s: write auto, always or never",
                     option_text(option)->text, value);
    case OPTION_MODEL:
        return set_choice(options, option, value, "traces", "failures", &options->wants_failures);
    case OPTION_VISIBLE: return list_add(options, LIST_VISIBLE, option, value);
    case OPTION_HIDE: return list_add(options, LIST_HIDE, option, value);
    case OPTION_WEAK: return list_add(options, LIST_WEAK, option, value);
    case OPTION_STRONG: return list_add(options, LIST_STRONG, option, value);
    case OPTION_ABSTRACT_WEAK: return list_add(options, LIST_ABSTRACT_WEAK, option, value);
    case OPTION_ABSTRACT_STRONG: return list_add(options, LIST_ABSTRACT_STRONG, option, value);
    case OPTION_TO:
        if (!strcmp(value, "promela")) return true;
        return usage(options->command, "--to %s: write promela", value);
    case OPTION_MANUAL:
        if (is_choice(option_text(option)->argument, value)) return true;
        return usage(options->command, "%s %s: write one of %s", option_text(option)->text, value,
                     option_text(option)->argument);
    default: break;
    }
    return true;
}

static bool set_option(struct options *options, int option, const char *value) {
    options->values[option] = value ? value : "";
    return interpret(options, option, options->values[option]);
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
    usage(options->command, "%s is only an option of %s", option_text(option)->text, names.data);
    buffer_close(&names);
    return false;
}

static bool check_engine(const struct options *options) {
    if (options->verify.engine != ENGINE_SYMBOLIC || !options->values[OPTION_MAX_STATES])
        return true;
    return usage(options->command, "%s",
                 "--max-states is not for --engine symbolic, which does not count on its way; "
                 "use --max-memory or --timeout");
}

static bool check_certify(const struct options *options) {
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        count += options->values[i] && (i == OPTION_MAY || i == OPTION_MUST || i == OPTION_EXACT);
    if (!options->second)
        return usage(options->command, "%s", "the name of the abstract model is missing");
    if (count == 1) return check_engine(options);
    return usage(options->command, "%s",
                 count ? "--may, --must and --exact exclude each other: leave only one"
                       : "say what kind of abstraction it is: --may, --must or --exact");
}

static bool check_refines(const struct options *options) {
    if (!options->second)
        return usage(options->command, "%s", "the name of the abstract model is missing");
    if (options->values[OPTION_ACTIONS] && options->values[OPTION_VISIBLE])
        return usage(options->command, "%s",
                     "--actions and --visible both say what is visible: leave only one");
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

/* "chek" was hardly meant to be a model. */
static bool check_word(const struct options *options, struct arena *arena) {
    if (options->command != COMMAND_ABSTRACT || !options->input || strchr(options->input, '.'))
        return true;
    const char *hint = command_hint(options->input, arena);
    return !*hint || usage(COMMAND_COUNT, "there is no command '%s'%s", options->input, hint);
}

/* Whether --auto is to decide queries rather than to write a model. */
static bool decides(const struct options *options) {
    return options->command == COMMAND_ABSTRACT && options->values[OPTION_AUTO] &&
           !options->values[OPTION_MAY] && !options->values[OPTION_MUST];
}

/* What goes with --auto, or with little else. */
static bool check_auto(const struct options *options) {
    bool is_auto = options->values[OPTION_AUTO] != NULL;
    if (is_auto && options->removal_count)
        return usage(options->command, "%s",
                     "--auto chooses what to remove: leave out --remove, or use it on what --auto "
                     "has written");
    if (is_auto && options->values[OPTION_MUST_LOWER])
        return usage(options->command, "%s", "--auto goes with --may or --must, or with neither");
    if (is_auto && (options->merge_count || options->spec_count))
        return usage(options->command, "%s", "--auto goes without --merge and --spec");
    if (!is_auto && !options->spec_count && options->query_count)
        return usage(options->command, "%s",
                     "--query and --queries go with --auto, or with a --spec that normalises");
    return true;
}

static bool check_explore(const struct options *options) {
    if (options->values[OPTION_EXPLORE] && options->values[OPTION_AUTO])
        return usage(options->command, "%s",
                     "--auto explores by itself what may be exact besides: leave out --explore");
    return true;
}

static bool check_abstract(const struct options *options) {
    int kinds = !!options->values[OPTION_MAY] + !!options->values[OPTION_MUST] +
                !!options->values[OPTION_MUST_LOWER];
    bool has_spec = options->merge_count || options->spec_count;
    if (!check_auto(options)) return false;
    if (!options->removal_count && !has_spec && !options->values[OPTION_AUTO])
        return usage(options->command, "%s",
                     "nothing to do: name the variables with --remove, --merge or --spec, or let "
                     "--auto choose");
    if (!check_explore(options)) return false;
    if (kinds > 1)
        return usage(options->command, "%s",
                     "--may, --must and --must=lower exclude each other: leave only one");
    if (!kinds && !options->spec_count)
        return usage(options->command, "%s",
                     "say what kind of abstraction to write: --may, --must or --must=lower");
    return true;
}

/* Makes --auto without a mode the command that it is short for. */
static bool turn_into_decide(struct options *options) {
    if (!check_auto(options)) return false;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options->values[i] && i != OPTION_AUTO && !option_belongs_to(i, COMMAND_DECIDE))
            return usage(options->command,
                         "%s needs --may or --must: --auto alone is `varabs decide`, which writes "
                         "no model",
                         option_text(i)->text);
    options->values[OPTION_AUTO] = NULL;
    options->command = COMMAND_DECIDE;
    return true;
}

static bool check_command(struct options *options) {
    if (decides(options) && !turn_into_decide(options)) return false;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options->values[i] && !option_belongs_to(i, options->command))
            return refuse_option(options, i);
    if (!options->input) return usage(options->command, "%s", "the name of a model is missing");
    if (options->command == COMMAND_CERTIFY) return check_certify(options);
    if (options->command == COMMAND_REFINES) return check_refines(options);
    if (options->command == COMMAND_CHECK && options->removal_count &&
        !options->values[OPTION_CONCRETIZE])
        return usage(options->command, "%s", "--ignore goes with --concretize");
    bool is_fair = options->values[OPTION_WEAK] || options->values[OPTION_STRONG];
    if (options->values[OPTION_CONCRETIZE] && is_fair)
        return usage(options->command, "%s",
                     "--concretize goes without --weak and --strong: a run that is fair in an "
                     "abstraction need not be fair in the original");
    if (!check_engine(options)) return false;
    return options->command != COMMAND_ABSTRACT || check_abstract(options);
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

static bool parse_positional(struct options *options, const char *text, struct arena *arena) {
    if (options->values[OPTION_HELP]) return parse_topic(options, text, arena);
    if (!options->input && !strcmp(text, "help")) {
        options->values[OPTION_HELP] = "";
        options->wants_overview = options->command == COMMAND_ABSTRACT;
        return true;
    }
    if (!options->input && options->command == COMMAND_ABSTRACT &&
        find_command(text) != COMMAND_COUNT) {
        options->command = find_command(text);
        return true;
    }
    bool takes_two = options->command == COMMAND_CERTIFY || options->command == COMMAND_REFINES ||
                     options->command == COMMAND_DRAW;
    if (options->input && !options->second && takes_two) {
        options->second = text;
        return true;
    }
    if (options->second)
        return usage(options->command, "only two models, but there is also '%s'", text);
    if (options->input && options->command == COMMAND_ABSTRACT && !strpbrk(options->input, "./-"))
        return usage(COMMAND_COUNT, "there is no command '%s', and only one model at a time",
                     options->input);
    if (options->input)
        return usage(options->command, "only one model at a time, but there is also '%s'", text);
    options->input = text;
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

bool options_parse(struct options *options, int argc, char **argv, struct arena *arena) {
    *options = (struct options){.abstract = {.analysis = {.approximation = APPROX_TEMPLATE,
                                                          .budget = ANALYSIS_DEFAULT_BUDGET}}};
    options->removals = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->checked = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->merges = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->specs = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    options->queries = ARENA_ARRAY(arena, struct query_source, (size_t)argc + 1);
    for (int i = 0; i < LIST_COUNT; i++)
        options->lists[i] = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
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
        if (!set_option(options, option, value)) return false;
        if (option == OPTION_VERSION || option == OPTION_MANUAL) return true;
        if (option == OPTION_HELP && (i > 1 || argc > 3)) return true; /* but `--help check` */
        options->wants_overview = option == OPTION_HELP;
    }
    return options->values[OPTION_HELP] || (check_word(options, arena) && check_command(options));
}

const char **options_ignored(const struct options *options, struct arena *arena, uint32_t *count) {
    return names_of_lists(arena, options->removals, options->removal_count, count);
}

const char **options_names(const struct options *options, enum name_list list, struct arena *arena,
                           uint32_t *count) {
    return names_of_lists(arena, options->lists[list], options->list_counts[list], count);
}
