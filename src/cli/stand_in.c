#include "cli/stand_in.h"

#include "cli/signals.h"
#include "engine/engine.h"
#include "verifyta/verifyta.h"

#include <string.h>

static const struct stand_in {
    const char *word;
    int (*run)(int argc, char **argv, void (*defer)(void));
    void (*help)(FILE *file);
} stand_ins[] = {
#define X(word, run, help) {word, run, help},
    STAND_INS(X)
#undef X
};

static const struct stand_in *find(const char *word) {
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (!strcmp(word, stand_ins[i].word)) return &stand_ins[i];
    return NULL;
}

/* The one that the name of the program ends in, or NULL. */
static const struct stand_in *find_by_end(const char *program) {
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
        size_t size = strlen(stand_ins[i].word), all = strlen(program);
        if (all >= size && !strcmp(program + all - size, stand_ins[i].word)) return &stand_ins[i];
    }
    return NULL;
}

bool stand_in_run(int argc, char **argv, int *status) {
    const struct stand_in *found = argc ? find_by_end(argv[0]) : NULL;
    if (found) {
        *status = found->run(argc, argv, signals_defer);
        return true;
    }
    if (argc > 1 && (found = find(argv[1]))) {
        *status = found->run(argc - 1, argv + 1, signals_defer);
        return true;
    }
    bool asks_help = argc > 2 && (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help"));
    if (!asks_help || !(found = find(argv[2]))) return false;
    found->help(stdout);
    *status = 0;
    return true;
}
