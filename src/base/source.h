/* SOURCE - from a position inside any text of the document to line and column of the file.
 *
 * Every element and every character of text gets a position: one number, unique in the
 * document, so that a span is two numbers. Position 0 means "the file as a whole". Texts from
 * elsewhere (queries of the command line) may join in and keep a name of their own.
 *
 * Invariants: pieces are sorted by position; within a piece columns advance by one a character.
 * Lifetime:   pieces live in the arena given at source_init; content is borrowed.
 */
#pragma once

#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>

typedef uint32_t position; /* 0 = no particular place */

struct span {
    position begin, end; /* end is one past the last character */
};

struct piece {
    position begin;        /* position of its first character */
    uint32_t line, column; /* of that character in the file, from 1; columns count characters */
    size_t byte;           /* offset of that character in the file */
    const char *content;   /* decoded text from that character on; NULL for an element or reference,
                              whose positions all have one place */
    bool is_cdata;         /* it stands in a CDATA section */
    bool is_inserted;      /* not from the file: all its characters have one place */
    const char *name;      /* where it comes from, if not from the source's own file */
};

struct source {
    const char *name; /* as shown in messages */
    struct arena *arena;
    VEC(struct piece) pieces;
    position next; /* first unused position */
};

struct source_location {
    uint32_t line, column; /* from 1; 0 where unknown */
};

void source_init(struct source *source, struct arena *arena, const char *name);

/* Reserves size positions for text that starts at the given location; pieces of one text must be
 * added in order. Returns the first of them. */
position source_add(struct source *source, size_t size, struct source_location place, size_t byte,
                    const char *content);

/* Reserves size more positions at the end of the piece added last. */
void source_extend(struct source *source, size_t size);

/* Adds a whole text from elsewhere under the name given; both are borrowed, the text is
 * NUL-terminated. Returns the position of its first character. */
position source_add_text(struct source *source, const char *name, struct str text);

/* The name of what a position lies in. */
const char *source_name(const struct source *source, position at);

/* Line and column of a position. */
struct source_location source_locate(const struct source *source, position at);

/* The piece that holds a position, or NULL. */
const struct piece *source_piece(const struct source *source, position at);
