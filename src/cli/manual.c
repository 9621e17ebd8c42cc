/* The manual page and the completions, from the tables. */
#include "cli/manual.h"

#include "cli/help.h"

#include <ctype.h>
#include <string.h>

/* The manual page, in mdoc. */

/* A word, or several that stay on one line; nothing in it is taken for markup. */
static void print_plain(FILE *file, const char *text, size_t size) {
    static const char marks[] = "\\-`'";
    static const char *const escapes[] = {"\\e", "\\-", "\\(ga", "\\(aq"};
    if (size && *text == '.') fputs("\\&", file);
    for (size_t i = 0; i < size; i++) {
        const char *mark = strchr(marks, text[i]);
        if (mark)
            fputs(escapes[mark - marks], file);
        else
            fputc(text[i], file);
    }
}

/* A paragraph: wrapped, each sentence on a line of its own. */
static void print_text(FILE *file, const char *text) {
    size_t column = 0;
    while (*(text += strspn(text, " \n"))) {
        size_t size = strcspn(text, " \n");
        if (column) fputc(column + size > 64 ? '\n' : ' ', file);
        column = column + size > 64 ? size : column + size + 1;
        print_plain(file, text, size);
        if (text[size - 1] == '.' && text[size]) {
            fputc('\n', file);
            column = 0;
        }
        text += size;
    }
    if (column) fputc('\n', file);
}

static void print_option(FILE *file, int index, enum command command) {
    const struct option_text *option = option_text(index);
    fputs(".It Fl ", file);
    print_plain(file, option->text + 1, strlen(option->text + 1));
    if (option->argument) {
        fputs(" Ar ", file);
        print_plain(file, option->argument, strlen(option->argument));
    }
    fputc('\n', file);
    print_text(file, option_help(index, command));
}

/* "varabs check IN.xml [options]" without the name of the program, for each line. */
static void print_synopsis(FILE *file, const char *usage) {
    for (const char *line = usage; *line;) {
        size_t size = strcspn(line, "\n"), name = strlen("varabs ");
        fputs(".Nm varabs\n", file);
        print_plain(file, line + name, size - name);
        fputc('\n', file);
        line += size + (line[size] == '\n');
    }
}

static void print_command(FILE *file, enum command command) {
    const struct command_text *text = command_text(command);
    fprintf(file, ".Ss %s\n", command == COMMAND_ABSTRACT ? "varabs IN.xml" : text->name);
    print_text(file, text->purpose);
    fputs(".Bl -tag -width Ds\n", file);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_is_shown(i, command)) print_option(file, i, command);
    fputs(".El\n", file);
}

static void print_words_section(FILE *file) {
    fputs(".Sh WORDS\n.Bl -tag -width Ds\n", file);
    for (int i = 0; i < WORD_TEXT_COUNT; i++) {
        fputs(".It ", file);
        print_plain(file, word_texts[i].word, strlen(word_texts[i].word));
        fputc('\n', file);
        print_text(file, word_texts[i].meaning);
    }
    fputs(".El\n", file);
}

/* Behind a status that is not for all commands: "check, decide". */
static void print_status_commands(FILE *file, const char *letters) {
    const char *separator = "";
    for (int i = 0; letters && i < COMMAND_COUNT; i++) {
        if (!letters_include(letters, (enum command)i)) continue;
        fprintf(file, "%s%s", separator, command_word((enum command)i));
        separator = ", ";
    }
    if (letters) fputs(":\n", file);
}

static void print_statuses(FILE *file) {
    fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds\n", file);
    for (int i = 0; i < STATUS_TEXT_COUNT; i++) {
        fprintf(file, ".It %d\n", status_texts[i].status);
        print_status_commands(file, status_texts[i].commands);
        print_text(file, status_texts[i].text);
    }
    fputs(".El\n", file);
}

static void print_examples(FILE *file) {
    fputs(".Sh EXAMPLES\nThe models are in\n"
          ".Pa share/doc/varabs/examples .\n.Bd -literal\n",
          file);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const char *examples = command_text((enum command)i)->examples;
        print_plain(file, examples, strlen(examples));
        fputc('\n', file);
    }
    fputs(".Ed\n", file);
}

static void print_man(FILE *file) {
    fputs(".Dd " VARABS_DATE "\n.Dt VARABS 1\n.Os\n.Sh NAME\n.Nm varabs\n"
          ".Nd make Uppaal models smaller, and check them\n.Sh SYNOPSIS\n",
          file);
    for (int i = 0; i < COMMAND_COUNT; i++)
        print_synopsis(file, command_text((enum command)i)->usage);
    fputs(".Sh DESCRIPTION\n", file);
    for (int i = 0; i < COMMAND_COUNT; i++) print_command(file, (enum command)i);
    print_words_section(file);
    print_statuses(file);
    print_examples(file);
}

/* Completions. */

enum value_kind { VALUE_NONE, VALUE_CHOICE, VALUE_FILE, VALUE_OTHER };

/* What an option takes, as its name in the table tells. */
static enum value_kind value_kind(const struct option_text *option) {
    const char *argument = option->argument;
    if (!argument) return VALUE_NONE;
    if (islower((unsigned char)*argument) && strchr(argument, '|')) return VALUE_CHOICE;
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

static void print_bash(FILE *file) {
    fputs(
        "# bash completion of varabs\n_varabs() {\n"
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
        fputs(kind == VALUE_FILE ? ":_files" : ": ", file);
    }
    fputs("' \\\n", file);
}

static void print_zsh(FILE *file) {
    fputs("#compdef varabs\n_varabs() {\n    local -a options\n    case ${words[2]} in\n", file);
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
    fprintf(file, "complete -c varabs -n '__fish_is_first_arg' -a '");
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

const struct manual_format manual_formats[MANUAL_COUNT] = {
    {"man", print_man}, {"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
