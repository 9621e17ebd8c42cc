#include "engine/capture.h"

#include <stdlib.h>

/* ---- where objects begin and end in a stream of bytes ---- */

/* An object ends where braces outside of strings balance; in a string a backslash takes the next
 * byte with it. Line ends stand in strings as they are. Nothing else is looked at, and nothing is
 * kept but where the stream is, so that it may be cut anywhere.
 */

static enum scanned scanner_feed(struct scanner *scanner, char byte) {
    if (scanner->is_string) {
        bool was_escaped = scanner->is_escaped;
        scanner->is_escaped = byte == '\\' && !was_escaped;
        if (byte == '"' && !was_escaped) scanner->is_string = false;
        return SCANNED_INSIDE;
    }
    if (byte == '{') return scanner->depth++ ? SCANNED_INSIDE : SCANNED_BEGIN;
    if (!scanner->depth) return SCANNED_BETWEEN;
    if (byte == '}') return --scanner->depth ? SCANNED_INSIDE : SCANNED_END;
    scanner->is_string = byte == '"';
    return SCANNED_INSIDE;
}

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
