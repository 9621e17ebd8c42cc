/* LOAD - from a file or bytes to a document: the tree of elements, then its typed view.
 *
 * Errors: STATUS_INVALID for what is not XML or not Uppaal, STATUS_UNSUPPORTED, STATUS_LIMIT for
 *         what is too large. Where a template is at fault, the others are still looked at.
 */
#pragma once

#include "xml/document.h"

/* Reads a whole file; "-" is standard input. False (and a diagnostic) if it cannot be read, is a
 * directory, or is larger than DOCUMENT_MAX_BYTES. */
bool document_load(struct document *document, struct arena *arena, struct interner *names,
                   const char *path, struct diag *diag);

/* Parses bytes (borrowed) as a document; name is used in messages. Initialises diag's source. */
bool document_parse(struct document *document, struct arena *arena, struct interner *names,
                    const char *name, struct str bytes, struct diag *diag);

/* Puts other bytes in place of those of a document that was rewritten (xml/byte_map.h) and parses
 * them. The source goes on, so that positions of what it was before stay valid. */
bool document_replace(struct document *document, struct str bytes, const struct byte_map *map,
                      struct diag *diag);
