#define _POSIX_C_SOURCE 200809L

#include "xml/input.h"

#include "base/interrupt.h"
#include "xml/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Reads to the end or the limit, whichever comes first; false with errno set on failure. */
static bool read_all(FILE *file, size_t hint, struct buffer *buffer) {
    buffer->capacity = hint;
    buffer->data = heap_resize(NULL, hint, 1);
    errno = 0;
    for (;;) {
        size_t got = fread(buffer->data + buffer->size, 1, buffer->capacity - buffer->size, file);
        buffer->size += got;
        if (buffer->size > DOCUMENT_MAX_BYTES) return true;
        if (buffer->size < buffer->capacity) return !ferror(file);
        buffer->capacity *= 2;
        buffer->data = heap_resize(buffer->data, buffer->capacity, 1);
    }
}

/* Room for the whole file and one byte, so that its end is seen at once. */
static size_t size_hint(const struct stat *status) {
    enum { LEAST = 64 * 1024 };
    if (!S_ISREG(status->st_mode) || status->st_size < LEAST) return LEAST;
    if (status->st_size > DOCUMENT_MAX_BYTES) return DOCUMENT_MAX_BYTES + 2;
    return (size_t)status->st_size + 1;
}

/* False with errno set on failure. Not all systems know what standard input is. */
static bool read_file(FILE *file, struct buffer *buffer) {
    struct stat status = {0};
    bool is_known = fstat(fileno(file), &status) == 0;
    if (!is_known || !S_ISDIR(status.st_mode)) return read_all(file, size_hint(&status), buffer);
    errno = EISDIR;
    return false;
}

bool file_load(const char *path, struct arena *arena, struct str *bytes) {
    bool is_standard_input = !strcmp(path, "-");
    struct buffer buffer = {0};
    interrupt_wait(true);
    FILE *file = is_standard_input ? stdin : fopen(path, "rb");
    if (!file && errno == ENOMEM) memory_is_over();
    bool is_read = file && read_file(file, &buffer);
    int number = errno;
    interrupt_wait(false);
    if (file && !is_standard_input) fclose(file);
    if (is_read) *bytes = (struct str){arena_copy(arena, buffer.data, buffer.size), buffer.size};
    buffer_close(&buffer);
    errno = number;
    return is_read;
}
