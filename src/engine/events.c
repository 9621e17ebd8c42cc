#define _POSIX_C_SOURCE 200809L

#include "engine/events.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { MOST_MODELS = 1000 };

bool events_open(struct events *events, const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    *events = (struct events){.path = path, .begin = clock_seconds()};
    if (fd < 0) return false;
    events->file = fdopen(fd, "a");
    if (!events->file) {
        close(fd);
        return false;
    }
    fputs("time\tevent\tquery\tengine\tengine_seconds\tvarabs\tvarabs_seconds\tstates\tnote\n",
          events->file);
    return true;
}

bool events_close(struct events *events) {
    if (!events->file) return true;
    bool has_failed = ferror(events->file) != 0;
    has_failed |= fclose(events->file) != 0;
    events->file = NULL;
    return !has_failed;
}

static void print_short(FILE *file, struct str text) {
    size_t size = text.size < EVENT_QUERY_SIZE ? text.size : EVENT_QUERY_SIZE;
    while (size < text.size && size && (text.data[size] & 0xc0) == 0x80) size--;
    for (size_t i = 0; i < size; i++)
        fputc((unsigned char)text.data[i] < 32 || text.data[i] == 127 ? ' ' : text.data[i], file);
    if (size < text.size) fputs("...", file);
}

static const char *verdict_name(enum decided_verdict verdict) {
    static const char *const names[] = {"unknown", "satisfied", "violated"};
    return names[verdict];
}

void events_check(struct events *events, const char *event, const struct event_check *check,
                  const char *note) {
    const struct decision *decision = check->decision;
    FILE *file = events->file;
    if (!file) return;
    fprintf(file, "%.3f\t%s\t", clock_seconds() - events->begin, event);
    print_short(file, check->query);
    if (check->letter)
        fprintf(file, "\t%c\t%.3f", check->letter, check->engine_seconds);
    else
        fputs("\t\t", file);
    if (decision)
        fprintf(file, "\t%s\t%.3f\t%llu", verdict_name(decision->verdict), decision->seconds,
                (unsigned long long)decision->states);
    else
        fputs("\t\t\t", file);
    fputc('\t', file);
    print_short(file, str_of(note));
    fputc('\n', file);
    fflush(file);
}

void events_note(struct events *events, const char *event, const char *note) {
    const struct event_check none = {0};
    events_check(events, event, &none, note);
}

/* The name of the file, or nothing. */
static void write_model(struct events *events, struct str model, char *name, size_t size) {
    int fd = -1;
    *name = 0;
    while (fd < 0 && events->models < MOST_MODELS) {
        int length = snprintf(name, size, "%s.%u.xml", events->path, ++events->models);
        if (length < 0 || (size_t)length >= size) break;
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) {
        *name = 0;
        return;
    }
    while (model.size) {
        ssize_t written = write(fd, model.data, model.size);
        if (written < 0 && errno != EINTR) break;
        if (written > 0) model = (struct str){model.data + written, model.size - (size_t)written};
    }
    if (close(fd) || model.size) *name = 0;
}

void events_disagree(struct events *events, const struct event_check *check, struct str model) {
    char name[4096] = "", note[4200];
    if (events->file) write_model(events, model, name, sizeof name);
    snprintf(note, sizeof note, "varabs answers no more; model: %s", *name ? name : "not written");
    events_check(events, "DISAGREEMENT", check, note);
    fputs("varabs engine: DISAGREEMENT: the engine and varabs have different verdicts; ", stderr);
    fputs("please report this, with the model", stderr);
    fprintf(stderr, "%s%s\n", *name ? " in " : "", name);
}
