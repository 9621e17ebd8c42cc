#include "engine/capture.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 4096 };

static void keep(struct object_capture *capture, char byte) {
    if (capture->is_lost) return;
    if (capture->size == capture->capacity) {
        size_t capacity = capture->capacity ? 2 * capture->capacity : FIRST_CAPACITY;
        char *bytes = capture->size < capture->most ? realloc(capture->bytes, capacity) : NULL;
        if (!bytes) {
            capture_close(capture);
            capture->is_lost = true;
            return;
        }
        capture->bytes = bytes;
        capture->capacity = capacity;
    }
    capture->bytes[capture->size++] = byte;
}

size_t capture_feed(struct object_capture *capture, struct str bytes, bool *is_whole) {
    *is_whole = false;
    for (size_t i = 0; i < bytes.size; i++) {
        char byte = bytes.data[i];
        enum scanned scanned = scanner_feed(&capture->scanner, byte);
        if (scanned == SCANNED_BETWEEN) {
            capture->has_between |= !char_is_space(byte);
            continue;
        }
        if (scanned == SCANNED_BEGIN) {
            capture->size = 0;
            capture->is_lost = false;
        }
        keep(capture, byte);
        if (scanned != SCANNED_END) continue;
        *is_whole = true;
        return i + 1;
    }
    return bytes.size;
}

struct str capture_object(const struct object_capture *capture) {
    return capture->is_lost ? (struct str){0} : (struct str){capture->bytes, capture->size};
}

/* Where it is in the stream is still known. */
void capture_close(struct object_capture *capture) {
    free(capture->bytes);
    capture->bytes = NULL;
    capture->size = capture->capacity = 0;
}
