#include "engine/scanner.h"

enum scanned scanner_feed(struct scanner *scanner, char byte) {
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
