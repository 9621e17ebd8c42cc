/* BYTE MAP - where the bytes of a rewritten document stood in the file that was read.
 *
 * A rewritten document (session_rewrite) is read from bytes that no file holds. A byte map leads
 * their offsets piece by piece to the file, so that diagnostics name lines and columns of the file.
 * Copied bytes map one by one; inserted text belongs as a whole to the place where it went in.
 *
 * Invariants: runs ascend, the first begins at 0; rewriting again composes the maps, so that runs
 *             always lead to the file itself.
 * Lifetime:   everything lives in the arena of the document; bytes are borrowed.
 */
#pragma once

#include "xml/document.h"

struct byte_run {
    size_t begin;   /* offset in the rewritten bytes */
    size_t from;    /* offset in the file */
    bool is_copied; /* byte by byte; else all of it has one place */
};

/* A byte of the file whose place is known: line starts, and some more in long lines. */
struct byte_mark {
    size_t byte;
    struct source_location place;
};

struct byte_map {
    struct arena *arena;
    struct document file; /* as it was read first: its bytes and their encoding */
    VEC(struct byte_run) runs;
    VEC(struct byte_mark) marks;
};

/* A map without runs, for a document that is made from the given one. */
struct byte_map *byte_map_new(struct arena *arena, const struct document *document);

/* The rewritten bytes from offset begin on are a copy of the document's bytes [from, end). */
void byte_map_copy(struct byte_map *map, const struct document *document, size_t begin, size_t from,
                   size_t end);
/* The rewritten bytes from offset begin on are new text, for what the document has at an offset. */
void byte_map_insert(struct byte_map *map, const struct document *document, size_t begin,
                     size_t at);

/* The bytes of the file that was read, whether the document was rewritten or not. */
struct str document_file_bytes(const struct document *document);

/* The run that holds an offset of the rewritten bytes; *end is where the next one begins, SIZE_MAX
 * for the last. */
const struct byte_run *byte_map_find(const struct byte_map *map, size_t byte, size_t *end);

/* Line and column in the file of an offset of the rewritten bytes. */
struct source_location byte_map_place(const struct byte_map *map, size_t byte);
