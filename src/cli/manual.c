/* The manual pages and the completions, from the tables. */
#include "cli/manual.h"

#include "cli/help.h"
#include "manual/manual_text.h"
#include "manual/mdoc.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The manual pages, in mdoc. */

static const char *const documents[COMMAND_COUNT] = {
#define X(name, letter, word, library) word##_md,
    COMMANDS(X)
#undef X
};

/* Pages that are about no command. */
enum { TOPIC_COUNT = 3 };
static const struct topic {
    const char *name, *brief, *text;
} topics[TOPIC_COUNT] = {
    {"gui", "varabs in place of Uppaal's programs", gui_md},
    {"language", "what varabs takes of the language of Uppaal, and its limits", language_md},
    {"queries", "queries of varabs, about knowledge and strategies, too", queries_md},
};

static void print_list_begin(FILE *file) { fputs(".Bl -tag -width Ds\n", file); }
static void print_list_end(FILE *file) { fputs(".El\n", file); }

static void print_item(FILE *file, const char *name) {
    fputs(".It", file);
    mdoc_arguments(file, name, strlen(name));
    fputc('\n', file);
}

static void print_option(FILE *file, int index, enum command command) {
    const struct option_text *option = option_text(index);
    fputs(".It Fl", file);
    mdoc_arguments(file, option->text + 1, strlen(option->text + 1));
    if (option->argument) {
        fputs(" Ar", file);
        mdoc_arguments(file, option->argument, strlen(option->argument));
    }
    fputc('\n', file);
    mdoc_text(file, option_help(index, command));
}

static void print_option_group(FILE *file, enum command command, enum option_group group) {
    bool is_begun = false;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!option_is_shown(i, command) || option_text(i)->group != group) continue;
        const char *title = group_title(group);
        if (!is_begun) {
            fprintf(file, ".Ss %c%s\n", toupper((unsigned char)*title), title + 1);
            print_list_begin(file);
        }
        is_begun = true;
        print_option(file, i, command);
    }
    if (is_begun) print_list_end(file);
}

/* "varabs check IN.xml [options]" after the name of the command, for each line. */
static void print_synopsis(FILE *file, enum command command) {
    const struct command_text *text = command_text(command);
    for (const char *line = text->usage; *line;) {
        size_t size = strcspn(line, "\n"), name = strlen(text->name);
        char rest[256];
        assert(size > name && size - name < sizeof rest);
        snprintf(rest, sizeof rest, "%.*s", (int)(size - name), line + name);
        fprintf(file, ".Nm %s\n", text->name);
        mdoc_text(file, rest);
        line += size + (line[size] == '\n');
    }
}

static void print_commands(FILE *file) {
    fputs(".Ss Commands\n", file);
    print_list_begin(file);
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++) {
        fprintf(file, ".It Xr varabs-%s 1\n", command_word((enum command)i));
        mdoc_text(file, command_text((enum command)i)->brief);
    }
    print_list_end(file);
}

static void print_words_section(FILE *file, enum command command) {
    bool is_begun = false;
    for (int i = 0; i < WORD_TEXT_COUNT; i++) {
        if (!letters_include(word_texts[i].commands, command)) continue;
        if (!is_begun) {
            fputs(".Sh WORDS\n", file);
            print_list_begin(file);
        }
        is_begun = true;
        print_item(file, word_texts[i].word);
        mdoc_text(file, word_texts[i].meaning);
    }
    if (is_begun) print_list_end(file);
}

static void print_files(FILE *file, enum command command) {
    fputs(".Sh FILES\n", file);
    print_list_begin(file);
    for (int i = 0; i < FILE_TEXT_COUNT; i++) {
        if (!letters_include(file_texts[i].commands, command)) continue;
        fprintf(file, ".It Pa %s\n", file_texts[i].path);
        mdoc_text(file, file_texts[i].text);
    }
    if (option_belongs_to(OPTION_JSON, command)) {
        fprintf(file, ".It Pa share/varabs/schemas/%s.schema.json\n", command_word(command));
        mdoc_text(file, "schema of what --json writes");
    }
    print_list_end(file);
}

static void print_statuses(FILE *file, enum command command) {
    fputs(".Sh EXIT STATUS\n", file);
    print_list_begin(file);
    for (int i = 0; i < STATUS_TEXT_COUNT; i++) {
        if (!letters_include(status_texts[i].commands, command)) continue;
        fprintf(file, ".It %d\n", status_texts[i].status);
        mdoc_text(file, status_texts[i].text);
    }
    print_list_end(file);
}

static void print_examples(FILE *file, enum command command) {
    fputs(".Sh EXAMPLES\n.Bd -literal -offset indent\n", file);
    mdoc_literal(file, command_text(command)->examples);
    fputs(".Ed\n", file);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All pages but one: of a command, or of a topic where that is COMMAND_COUNT. */
static void print_see_also(FILE *file, enum command command, const char *topic) {
    const char *names[COMMAND_COUNT + TOPIC_COUNT];
    size_t count = 0, first_topic;
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        if (i != (int)command) names[count++] = command_word((enum command)i);
    first_topic = count;
    for (int i = 0; i < TOPIC_COUNT; i++)
        if (topics[i].name != topic) names[count++] = topics[i].name;
    qsort(names, first_topic, sizeof *names, compare_names);
    fputs(".Sh SEE ALSO\n", file);
    if (command != COMMAND_ABSTRACT) fputs(".Xr varabs 1 ,\n", file);
    for (size_t i = 0; i < count; i++)
        fprintf(file, ".Xr varabs-%s %d%s\n", names[i], i < first_topic ? 1 : 7,
                i + 1 < count ? " ," : "");
}

/* Up to the text of the description. */
static void print_title(FILE *file, const char *name, int section, const char *brief) {
    fputs(".Dd " VARABS_DATE "\n.Dt ", file);
    for (const char *c = name; *c; c++) fputc(toupper((unsigned char)*c), file);
    fprintf(file, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n", section, name, brief);
}

static void print_man(FILE *file, enum command command) {
    const struct command_text *text = command_text(command);
    char name[32] = "varabs";
    bool is_first = command == COMMAND_ABSTRACT;
    if (!is_first) snprintf(name, sizeof name, "varabs-%s", command_word(command));
    print_title(file, name, 1,
                is_first ? "make Uppaal models smaller, and check them" : text->brief);
    fputs(".Sh SYNOPSIS\n", file);
    print_synopsis(file, command);
    if (is_first) fputs(".Nm varabs\nCOMMAND IN.xml [options]\n", file);
    fputs(".Sh DESCRIPTION\n", file);
    mdoc_text(file, text->purpose);
    mdoc_introduction(file, documents[command], true);
    if (is_first) print_commands(file);
    fputs(".Sh OPTIONS\nIn place of a file,\n.Ql \\-\nstands for standard input or output.\n",
          file);
    for (int i = 0; i < GROUP_COUNT; i++) print_option_group(file, command, (enum option_group)i);
    mdoc_sections(file, documents[command]);
    print_words_section(file, command);
    print_files(file, command);
    print_statuses(file, command);
    print_examples(file, command);
    print_see_also(file, command, NULL);
}

static void print_topic(FILE *file, const struct topic *topic) {
    char name[32];
    snprintf(name, sizeof name, "varabs-%s", topic->name);
    print_title(file, name, 7, topic->brief);
    fputs(".Sh DESCRIPTION\n", file);
    mdoc_introduction(file, topic->text, false);
    mdoc_sections(file, topic->text);
    print_see_also(file, COMMAND_COUNT, topic->name);
}

/* Completions. */

enum value_kind { VALUE_NONE, VALUE_CHOICE, VALUE_FILE, VALUE_VARIABLES, VALUE_OTHER };

/* What an option takes, as its name in the table tells. */
static enum value_kind value_kind(const struct option_text *option) {
    const char *argument = option->argument;
    if (!argument) return VALUE_NONE;
    if (islower((unsigned char)*argument) && strchr(argument, '|')) return VALUE_CHOICE;
    if (!strncmp(argument, "VAR[", 4)) return VALUE_VARIABLES;
    return strstr(argument, "FILE") || strstr(argument, ".xml") || strstr(argument, ".json") ||
                   strstr(argument, ".svg")
               ? VALUE_FILE
               : VALUE_OTHER;
}

static void print_replaced(FILE *file, const char *text, char from, const char *to) {
    for (; *text; text++) {
        if (*text == from)
            fputs(to, file);
        else
            fputc(*text, file);
    }
}

static void print_choices(FILE *file, const char *argument) {
    print_replaced(file, argument, '|', " ");
}

static void print_words(FILE *file, enum command command) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_is_shown(i, command)) fprintf(file, " %s", option_text(i)->text);
}

/* What may be the first word, apart from a model. */
static void print_command_words(FILE *file) {
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++)
        fprintf(file, " %s", command_word((enum command)i));
    fputs(" help", file);
}

/* Each shell asks the program for the variables of the model that stands on the line. Where no name
 * begins with what was typed, names without their template are tried. */
static const char bash_variables[] =
    "# bash completion of varabs\n"
    "_varabs_variables() {\n"
    "    local last=${1##*,} word names\n"
    "    for word in \"${COMP_WORDS[@]:1}\"; do\n"
    "        case $word in *.xml) break ;; esac\n    done\n"
    "    names=$(\"${COMP_WORDS[0]}\" info \"${word/#\\~/$HOME}\" --words 2>/dev/null)\n"
    "    COMPREPLY=($(compgen -P \"${1%\"$last\"}\" -W \"$names\" -- \"$last\"))\n"
    "    [ ${#COMPREPLY[@]} -gt 0 ] ||\n"
    "        COMPREPLY=($(compgen -P \"${1%\"$last\"}\" -W \"$(sed 's/.*[.]//' <<<\"$names\")\" -- "
    "\"$last\"))\n"
    "}\n";

static const char zsh_variables[] =
    "_varabs_variables() {\n"
    "    local model=${words[(r)*.xml]} names\n"
    "    names=(${(f)\"$(varabs info ${~model} --words 2>/dev/null)\"})\n"
    "    compset -P '*,'\n"
    "    compadd -S '' -a names || { names=(${names##*.}); compadd -S '' -a names }\n"
    "}\n";

static const char fish_variables[] =
    "function __varabs_variables\n"
    "    set -l model (string match -- '*.xml' (commandline -opc))[1]\n"
    "    set -l before (commandline -ct | string replace -r '[^,]*$' '')\n"
    "    for name in (varabs info $model --words 2>/dev/null)\n"
    "        echo $before$name\n"
    "    end\n"
    "end\n";

static void print_bash(FILE *file) {
    fputs(bash_variables, file);
    fputs(
        "_varabs() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words\n"
        "    COMPREPLY=()\n    case $previous in\n",
        file);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_text *option = option_text(i);
        enum value_kind kind = value_kind(option);
        if (kind == VALUE_NONE || option->group == GROUP_HIDDEN) continue;
        fprintf(file, "    %s) ", option->text);
        if (kind == VALUE_CHOICE) {
            fputs("COMPREPLY=($(compgen -W '", file);
            print_choices(file, option->argument);
            fputs("' -- \"$current\")); ", file);
        } else if (kind == VALUE_FILE) {
            fputs("COMPREPLY=($(compgen -f -- \"$current\")); ", file);
        } else if (kind == VALUE_VARIABLES) {
            fputs("compopt -o nospace 2>/dev/null; _varabs_variables \"$current\"; ", file);
        }
        fputs("return ;;\n", file);
    }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", file);
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++) {
        fprintf(file, "    %s) words='", command_word((enum command)i));
        print_words(file, (enum command)i);
        fputs("' ;;\n", file);
    }
    fputs("    *) words='", file);
    print_words(file, COMMAND_ABSTRACT);
    fputs("' ;;\n    esac\n    case $current in\n"
          "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -X '!*.xml' -- \"$current\") "
          "$(compgen -d -- \"$current\")) ;;\n"
          "    esac\n    [ \"$COMP_CWORD\" -ne 1 ] || COMPREPLY+=($(compgen -W '",
          file);
    print_command_words(file);
    fputs("' -- \"$current\"))\n}\ncomplete -o filenames -F _varabs varabs\n", file);
}

/* A description in single quotes for zsh and fish; marks are the characters to escape. */
static void print_description(FILE *file, const char *text, const char *marks) {
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", file);
            continue;
        }
        if (strchr(marks, *text)) fputc('\\', file);
        fputc(*text, file);
    }
}

static void print_zsh_option(FILE *file, int index, enum command command) {
    static const char marks[] = "[]:\\";
    const struct option_text *option = option_text(index);
    const char *help = option_help(index, command);
    bool is_repeated = strstr(help, "may be repeated") != NULL;
    fprintf(file, "        '%s", is_repeated ? "*" : "");
    print_description(file, option->text, ":\\");
    fputc('[', file);
    print_description(file, help, marks);
    fputc(']', file);
    enum value_kind kind = value_kind(option);
    if (kind != VALUE_NONE) {
        fputc(':', file);
        print_description(file, option->argument, marks);
    }
    if (kind == VALUE_CHOICE) {
        fputs(":(", file);
        print_choices(file, option->argument);
        fputc(')', file);
    } else if (kind != VALUE_NONE) {
        fputs(kind == VALUE_FILE        ? ":_files"
              : kind == VALUE_VARIABLES ? ":_varabs_variables"
                                        : ": ",
              file);
    }
    fputs("' \\\n", file);
}

static void print_zsh(FILE *file) {
    fprintf(file, "#compdef varabs\n%s", zsh_variables);
    fputs("_varabs() {\n    local -a options\n    case ${words[2]} in\n", file);
    for (int i = COMMAND_COUNT - 1; i >= 0; i--) {
        const char *word = i == COMMAND_ABSTRACT ? "*" : command_word((enum command)i);
        fprintf(file, "    %s)\n        shift words; (( CURRENT-- ))\n        _arguments \\\n",
                word);
        for (int k = 0; k < OPTION_COUNT; k++)
            if (option_is_shown(k, (enum command)i)) print_zsh_option(file, k, (enum command)i);
        fputs("        '*:model:_files -g \"*.xml\"' ;;\n", file);
    }
    fputs("    esac\n    (( CURRENT == 1 )) && compadd", file);
    print_command_words(file);
    fputs("\n}\n_varabs \"$@\"\n", file);
}

static void print_fish_option(FILE *file, int index, enum command command, const char *condition) {
    const struct option_text *option = option_text(index);
    enum value_kind kind = value_kind(option);
    const char *name = option->text;
    fprintf(file, "complete -c varabs -n '%s' ", condition);
    if (strchr(name, '='))
        fprintf(file, "-a '%s'", name);
    else
        fprintf(file, name[1] == '-' ? "-l %s" : "-s %s", name + strspn(name, "-"));
    if (kind != VALUE_NONE) fputs(kind == VALUE_FILE ? " -r -F" : " -x", file);
    if (kind == VALUE_CHOICE) {
        fputs(" -a '", file);
        print_choices(file, option->argument);
        fputc('\'', file);
    } else if (kind == VALUE_VARIABLES) {
        fputs(" -a '(__varabs_variables)'", file);
    }
    fputs(" -d '", file);
    for (const char *c = option_help(index, command); *c; c++) {
        if (*c == '\'' || *c == '\\') fputc('\\', file);
        fputc(*c, file);
    }
    fputs("'\n", file);
}

static void print_fish(FILE *file) {
    char condition[256] = "not __fish_seen_subcommand_from";
    for (int i = COMMAND_ABSTRACT + 1; i < COMMAND_COUNT; i++) {
        size_t size = strlen(condition);
        snprintf(condition + size, sizeof condition - size, " %s", command_word((enum command)i));
    }
    fprintf(file, "%scomplete -c varabs -n '__fish_is_first_arg' -a '", fish_variables);
    print_command_words(file);
    fputs("'\n", file);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        char seen[64];
        snprintf(seen, sizeof seen, "__fish_seen_subcommand_from %s",
                 command_word((enum command)i));
        for (int k = 0; k < OPTION_COUNT; k++)
            if (option_is_shown(k, (enum command)i))
                print_fish_option(file, k, (enum command)i,
                                  i == COMMAND_ABSTRACT ? condition : seen);
    }
}

bool manual_print(FILE *file, const char *format, enum command command) {
    for (int i = 0; i < TOPIC_COUNT; i++) {
        if (strcmp(format, topics[i].name) != 0) continue;
        print_topic(file, &topics[i]);
        return true;
    }
    if (!strcmp(format, "man"))
        print_man(file, command);
    else if (!strcmp(format, "bash"))
        print_bash(file);
    else if (!strcmp(format, "zsh"))
        print_zsh(file);
    else if (!strcmp(format, "fish"))
        print_fish(file);
    else
        return false;
    return true;
}
