/* READ - from bytes to the tree of elements, by way of Expat.
 *
 * Invariants: builds known elements only; order and number of siblings are as schema.h says or an
 *             error was reported. Never opens another file. Depth, memory and the ratio of text
 *             to file size are bounded.
 * Errors:     STATUS_INVALID, STATUS_UNSUPPORTED (elements from entities), STATUS_LIMIT.
 */
#pragma once

#include "xml/document.h"

/* Fills root, encoding and source of a document whose bytes are set. False if there is no tree;
 * errors that leave a tree are only reported. */
bool read_elements(struct document *document, struct diag *diag);

/* A name from the file, cut to a length that fits a message. */
const char *shown(struct arena *arena, const char *name);
