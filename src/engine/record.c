#define _POSIX_C_SOURCE 200809L

#include "engine/record.h"

#include "base/clock.h"

#include <assert.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool record_open(struct recording *record, const char *path, bool redacts) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    *record = (struct recording){.begin = clock_seconds(), .redacts = redacts};
    if (fd < 0) return false;
    record->file = fdopen(fd, "w");
    if (!record->file) close(fd);
    return record->file != NULL;
}

bool record_close(struct recording *record) {
    if (!record->file) return true;
    bool has_failed = ferror(record->file) != 0;
    has_failed |= fclose(record->file) != 0;
    record->file = NULL;
    return !has_failed;
}

/* ---- redacting ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char hidden(char c) {
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 128;
    return is_letter ? 'x' : is_digit(c) ? '0' : c;
}

static bool key_stays(const struct redacting *at) {
    static const char *const kept[] = {"cmd", "res", "status"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strlen(kept[i]) == at->key_size && !memcmp(kept[i], at->key, at->key_size)) return true;
    return false;
}

static void begin_string(struct redacting *at) {
    bool in_object = at->depth <= REDACT_DEPTH && at->is_object[at->depth];
    at->is_string = true;
    at->is_key = in_object && at->awaits_key;
    at->keeps = at->is_key || (in_object && key_stays(at));
    if (at->is_key) at->key_size = 0;
}

static char in_string(struct redacting *at, char c) {
    bool was_escaped = at->is_escaped;
    at->is_escaped = c == '\\' && !was_escaped;
    if (c == '"' && !was_escaped) {
        at->is_string = false;
        return c;
    }
    if (at->is_key && at->key_size < REDACT_KEY) at->key[at->key_size++] = c;
    bool is_escape = was_escaped && strchr("nrtbfu\"\\/", c);
    return at->keeps || is_escape ? c : hidden(c);
}

static void enter(struct redacting *at, bool is_object) {
    at->depth++;
    if (at->depth <= REDACT_DEPTH) at->is_object[at->depth] = is_object;
    at->awaits_key = is_object;
}

/* What stands for a byte. */
static char redact(struct redacting *at, char c) {
    if (at->is_string) return in_string(at, c);
    if (!at->depth && c != '{') return hidden(c);
    switch (c) {
    case '"': begin_string(at); break;
    case '{': enter(at, true); break;
    case '[': enter(at, false); break;
    case '}':
    case ']':
        at->depth--;
        at->awaits_key = false;
        break;
    case ',': at->awaits_key = at->depth <= REDACT_DEPTH && at->is_object[at->depth]; break;
    case ':': at->awaits_key = false; break;
    default: break; /* numbers, true, false, null */
    }
    return c;
}

/* ---- recording ---- */

static void put_byte(FILE *file, char c) {
    if (c == '"' || c == '\\')
        fprintf(file, "\\%c", c);
    else if (c == '\n')
        fputs("\\n", file);
    else if ((unsigned char)c < 32 || (unsigned char)c >= 127)
        fprintf(file, "\\u%04x", (unsigned)(unsigned char)c);
    else
        fputc(c, file);
}

void record_bytes(struct recording *record, enum direction direction, const char *bytes,
                  size_t size) {
    static const char *const names[DIRECTION_COUNT] = {"g", "e", "err"};
    assert((unsigned)direction < DIRECTION_COUNT);
    if (!record->file || !size) return;
    fprintf(record->file, "{\"t\":%.0f,\"dir\":\"%s\",\"bytes\":\"",
            (clock_seconds() - record->begin) * 1000, names[direction]);
    for (size_t i = 0; i < size; i++) {
        char c = bytes[i];
        if (record->redacts)
            c = direction == FROM_ENGINE_ERROR ? hidden(c)
                                               : redact(&record->redacting[direction], c);
        put_byte(record->file, c);
    }
    fputs("\"}\n", record->file);
    fflush(record->file);
}
