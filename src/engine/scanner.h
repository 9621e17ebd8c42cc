/* SCANNER - where objects begin and end in a stream of bytes.
 *
 * An object ends where braces outside of strings balance; in a string a backslash takes the next
 * byte with it. Line ends stand in strings as they are. Nothing else is looked at, and nothing is
 * kept but where the stream is, so that it may be cut anywhere.
 */
#ifndef VARABS_ENGINE_SCANNER_H
#define VARABS_ENGINE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>

struct scanner {
    size_t depth; /* of braces; 0 = between objects */
    bool is_string, is_escaped;
};

enum scanned { SCANNED_BETWEEN, SCANNED_BEGIN, SCANNED_INSIDE, SCANNED_END };

/* What the next byte is. */
enum scanned scanner_feed(struct scanner *scanner, char byte);

#endif
