#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *argument;
    char command;
    const char *help;
} table[OPTION_COUNT] = {
#define X(name, text, argument, command, help) {text, argument, command, help},
    OPTIONS(X)
#undef X
};

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

void options_help(FILE *file) {
    fputs("usage: varabs IN.xml --remove VAR[,VAR...] --may [options]\n"
          "       varabs info IN.xml [options]\n\n"
          "Removes variables from a timed-free Uppaal model. Writes a smaller model and a JSON\n"
          "report that says which verdicts carry over to the original. `varabs info` lists the\n"
          "templates and variables of a model and whether their removal would be exact.\n"
          "`-` stands for standard input or output.\n",
          file);
    for (int both = 0; both < 2; both++) {
        fputs(both ? "\noptions of `varabs info`:\n" : "\noptions:\n", file);
        for (int i = 0; i < OPTION_COUNT; i++) {
            if (table[i].command != (both ? 'I' : 'A') && (both || table[i].command != 'B'))
                continue;
            fprintf(file, "    %s%s%s\n", table[i].text, table[i].argument ? " " : "",
                    table[i].argument ? table[i].argument : "");
            print_wrapped(file, table[i].help);
        }
    }
    fputs("\nexit status:\n"
          "    0  done\n"
          "    2  wrong usage\n"
          "    3  the input cannot be read or is not valid Uppaal\n"
          "    4  valid, but not supported (clocks, doubles, dynamic templates, ...)\n"
          "    5  a budget or memory limit ended the run\n",
          file);
}

static bool usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("varabs: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("; see `varabs --help`\n", stderr);
    va_end(arguments);
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

static bool set_option(struct options *options, int option, const char *value) {
    if (!value) value = "";
    options->values[option] = value;
    if (option == OPTION_REMOVE) options->removals[options->removal_count++] = value;
    if (option == OPTION_DROP_PRIORITIES) options->abstract.drops_priorities = true;
    if (option == OPTION_APPROX) {
        bool is_combined = !strcmp(value, "combined");
        if (!is_combined && strcmp(value, "template") != 0)
            return usage("--approx %s: write template or combined", value);
        options->abstract.analysis.approximation = is_combined ? APPROX_COMBINED : APPROX_TEMPLATE;
    }
    if (option == OPTION_BUDGET) {
        char *end;
        errno = 0;
        unsigned long long number = strtoull(value, &end, 10);
        if (*end || *value < '0' || *value > '9' || errno || number < 1 || number > 1000000000)
            return usage("--budget %s: write a number from 1 to 1000000000", value);
        options->abstract.analysis.budget = number;
    }
    return true;
}

static bool check_command(const struct options *options) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options->values[i] && table[i].command == (options->is_info ? 'A' : 'I'))
            return usage("%s is %s `varabs info`", table[i].text,
                         options->is_info ? "no option of" : "only an option of");
    if (!options->input) return usage("%s", "the name of a model is missing");
    if (options->is_info) return true;
    if (options->values[OPTION_MUST] || options->values[OPTION_MUST_LOWER]) {
        fputs("varabs: error: must-abstractions are not available in this version; use --may\n",
              stderr);
        return false;
    }
    if (!options->removal_count)
        return usage("%s", "nothing to do: name the variables with --remove");
    if (!options->values[OPTION_MAY])
        return usage("%s", "say what kind of abstraction to write: --may");
    return true;
}

static bool parse_positional(struct options *options, const char *text) {
    static const char *const later[] = {"check", "certify", "draw", "suggest"};
    if (!options->input && !options->is_info) {
        if (!strcmp(text, "info")) {
            options->is_info = true;
            return true;
        }
        for (size_t i = 0; i < sizeof later / sizeof *later; i++)
            if (!strcmp(text, later[i]))
                return usage("`varabs %s` is not available in this version", text);
    }
    if (options->input) return usage("only one model at a time, but there is also '%s'", text);
    options->input = text;
    return true;
}

bool options_parse(struct options *options, int argc, char **argv, struct arena *arena) {
    *options = (struct options){.abstract = {.analysis = {.approximation = APPROX_TEMPLATE,
                                                          .budget = ANALYSIS_DEFAULT_BUDGET}}};
    options->removals = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        char name[32];
        if (only_files || text[0] != '-' || !strcmp(text, "-")) {
            if (!parse_positional(options, text)) return false;
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
        if (option < 0) return usage("unknown option '%s'", text);
        if (value && !table[option].argument)
            return usage("option '%s' takes no value", table[option].text);
        if (table[option].argument && !value) {
            if (i + 1 == argc) return usage("option '%s' needs a value", text);
            value = argv[++i];
        }
        if (!set_option(options, option, value)) return false;
        if (option == OPTION_HELP || option == OPTION_VERSION) return true;
    }
    return check_command(options);
}
