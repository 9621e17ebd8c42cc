/* The tables of options and commands. */
#include "cli/table.h"

#include <assert.h>
#include <string.h>

static const struct option_text options[OPTION_COUNT] = {
#define X(name, text, argument, commands, group, meaning, help)                                    \
    {text, argument, commands, GROUP_##group, help},
    OPTIONS(X)
#undef X
};

/* Never NULL, for every option of the table. */
const struct option_text *option_text(int option) {
    assert(option >= 0 && option < OPTION_COUNT);
    return &options[option];
}

bool option_belongs_to(int option, enum command command) {
    return letters_include(option_text(option)->commands, command);
}

/* Options of tests may be given and are not shown. */
bool option_is_shown(int option, enum command command) {
    return option_belongs_to(option, command) && options[option].group != GROUP_HIDDEN;
}

const char *group_title(enum option_group group) {
    static const char *const titles[GROUP_COUNT] = {
#define X(name, title) title,
        OPTION_GROUPS(X)
#undef X
    };
    assert((unsigned)group < GROUP_COUNT);
    return titles[group];
}

const char *command_word(enum command command) {
    static const char *const words[COMMAND_COUNT] = {
#define X(name, letter, word, library) #word,
        COMMANDS(X)
#undef X
    };
    assert((unsigned)command < COMMAND_COUNT);
    return words[command];
}

bool letters_include(const char *letters, enum command command) {
    static const char all[COMMAND_COUNT] = {
#define X(name, letter, word, library) letter,
        COMMANDS(X)
#undef X
    };
    assert((unsigned)command < COMMAND_COUNT);
    bool excludes = letters && *letters == '!';
    return !letters || (strchr(letters, all[command]) != NULL) != excludes;
}
