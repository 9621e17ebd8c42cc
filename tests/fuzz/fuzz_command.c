/* Runs any command of the program on any files. An input is an archive, whose file `args` has the
 * arguments as a shell would get them. What is written must
 * be readable again, and nothing else may stay behind. */
#define _DEFAULT_SOURCE /* mkdtemp, strndup */
#include "archive.h"
#include "base/diag.h"
#include "base/interrupt.h"
#include "cli/signals.h"

int varabs_main(int argc, char **argv);

/* The program itself, under another name. Signals and the end of time are the fuzzer's: they would
 * end all runs. */
#define main varabs_main
#define signals_catch() ((void)0)
#define signals_end_after(seconds) ((void)(seconds))
#include "cli/main.c"
#undef main

enum { MAX_ARGS = 32 };

/* Words, between blanks or in single quotes, in place. */
static int split(char *text, char **words) {
    int count = 0;
    char *to = text;
    bool is_quoted = false, is_word = false;
    for (char *at = text;; at++) {
        bool is_end = !*at || (!is_quoted && strchr(" \t\n", *at));
        if (is_end) {
            bool is_last = !*at;
            if (is_word) *to++ = 0;
            is_word = false;
            if (is_last || count == MAX_ARGS) return count;
            continue;
        }
        if (!is_word) words[count++] = to;
        is_word = true;
        if (*at == '\'')
            is_quoted = !is_quoted;
        else
            *to++ = *at;
    }
}

/* Whether the arguments name files of the folder only and do not ask for long runs. */
static bool is_harmless(char **words, int count) {
    bool is_verifyta = !strcmp(words[0], "verifyta");
    for (int i = 0; i < count; i++) {
        if (is_verifyta && !strncmp(words[i], "--engine", 8)) return false; /* which is started */
        const char *value = strchr(words[i], '=') ? strchr(words[i], '=') + 1 : words[i];
        if (strchr(words[i], '/') || *value == '.') return false;
        if (!strncmp(words[i], "--timeout", 9) || !strncmp(words[i], "--jobs", 6)) return false;
    }
    return true;
}

/* Whether an abstraction goes to out.xml. */
static bool writes_model(char **words, int count) {
    bool is_named = false;
    for (int i = 1; i + 1 < count; i++)
        is_named |= !strcmp(words[i], "-o") && !strcmp(words[i + 1], "out.xml");
    return is_named && strstr(words[0], ".xml");
}

static enum command command_of(const char *word) {
    enum command command = 0;
    while (command < COMMAND_COUNT && strcmp(word, command_word(command)) != 0) command++;
    return command;
}

/* With limits, which those given override, and with time of its own. */
static int run(char **words, int count) {
    static char *limits[] = {"--timeout", "10", "--max-states", "5000", "--max-memory", "200M"};
    char *argv[MAX_ARGS + 8] = {"varabs"};
    enum command command = command_of(words[0]);
    bool is_command = command < COMMAND_COUNT;
    int argc = 1, next = is_command || !strcmp(words[0], "verifyta");
    bool explores = is_command && option_belongs_to(OPTION_MAX_STATES, command);
    if (next) argv[argc++] = words[0];
    for (int i = 0; i < (explores ? 6 : 2); i++) argv[argc++] = limits[i];
    while (next < count) argv[argc++] = words[next++];
    interrupt_take_time();
    return varabs_main(argc, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *words[MAX_ARGS], *text = strndup((const char *)data, size);
    int home = enter_folder();
    char *args = unpack(text);
    free(text);
    int count = args ? split(args, words) : 0;
    if (count && is_harmless(words, count)) {
        unlink("out.xml");
        int status = run(words, count);
        require(status >= 0 && status <= STATUS_LIMIT);
        check_folder();
        char *info[] = {"info", "out.xml"};
        if (!status && writes_model(words, count) && !access(info[1], F_OK)) {
            int read = run(info, 2);
            require(!read || read == STATUS_LIMIT);
        }
    }
    free(args);
    require(!fchdir(home) && !close(home));
    return 0;
}
