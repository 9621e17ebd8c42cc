#define _POSIX_C_SOURCE 200809L

#include "report/check/verdict_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *verdict_text(enum verdict verdict) {
    static const char *const names[] = {[VERDICT_UNKNOWN] = "unknown",
                                        [VERDICT_SATISFIED] = "satisfied",
                                        [VERDICT_VIOLATED] = "violated"};
    assert((unsigned)verdict < sizeof names / sizeof names[0]);
    return names[verdict];
}

static bool shows_colour(FILE *file) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    int fd = fileno(file);
    return !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0 && fd >= 0 &&
           isatty(fd);
}

void verdict_print(FILE *file, enum verdict verdict, int width) {
    static const char *const colours[] = {
        [VERDICT_UNKNOWN] = "33", [VERDICT_SATISFIED] = "32", [VERDICT_VIOLATED] = "31"};
    const char *text = verdict_text(verdict);
    int size = (int)strlen(text);
    if (shows_colour(file))
        fprintf(file, "\033[%sm%s\033[0m", colours[verdict], text);
    else
        fputs(text, file);
    if (width > size) fprintf(file, "%*s", width - size, "");
}
