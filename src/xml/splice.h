/* SPLICE - writes a document back with only the changed byte ranges replaced (rule M8).
 *
 * Invariants: with no edits the output is the input byte for byte. Inserted characters outside
 *             ASCII become character references, so any encoding can hold them; UTF-16 files get
 *             UTF-16 insertions.
 * Lifetime:   edits live in the arena of splices_init; replacement texts are borrowed until the
 *             output is made.
 */
#pragma once

#include "xml/byte_map.h"

struct edit {
    size_t begin, end;           /* bytes of the input; begin == end inserts */
    struct str text;             /* UTF-8 markup, already escaped where it is character data */
    size_t copy_begin, copy_end; /* bytes of the input that are inserted as they are */
    uint32_t order;              /* edits at one place appear in the order of their registration */
};

/* A change inside one text, in positions of the source. */
struct text_edit {
    struct span span; /* begin == end inserts before that position */
    struct str text;  /* UTF-8, not escaped */
};

struct splices {
    const struct document *document;
    struct arena *arena;
    VEC(struct edit) edits;
};

void splices_init(struct splices *splices, const struct document *document, struct arena *arena);

/* Replaces a byte range of the input by markup. */
void splice_markup(struct splices *splices, size_t begin, size_t end, struct str markup);

/* Inserts a copy of a byte range of the input. */
void splice_copy(struct splices *splices, size_t at, size_t begin, size_t end);

/* Gives an attribute that the element has another value, which needs no escapes. */
void splice_set_attribute(struct splices *splices, const struct element *element, const char *name,
                          const char *value);

/* Inserts a copy of an element after it, on a line of its own if it stands so. The changes are
 * edits of the same document; those inside the element are made in the copy. */
void splice_copy_element(struct splices *splices, const struct element *element,
                         struct splices *changes);

/* Removes an element together with the white space before it on its line (and that line's end if
 * nothing else is left on it). */
void splice_remove_element(struct splices *splices, const struct element *element);

/* Adds markup after the last child of an element. */
void splice_add_child(struct splices *splices, const struct element *element, struct str markup);

/* Writes <queries/> as <queries></queries>: Uppaal's reader cannot read the first. */
void splice_open_queries(struct splices *splices);

/* Replaces the whole content of an element by character data (escaped here). */
void splice_set_text(struct splices *splices, const struct element *element, struct str text);

/* Applies edits to the text of an element, sorted by position and not overlapping: byte by byte
 * where the text is plain, else by replacing the whole content. An empty element gets a content. */
void splice_edit_text(struct splices *splices, const struct element *element,
                      const struct text_edit *edits, uint32_t count);

/* Edits in the texts of any elements. */
void splice_edit_texts(struct splices *splices, const struct text_edit *edits, uint32_t count);

/* By place, insertions before what is replaced there. */
void text_edits_sort(struct text_edit *edits, uint32_t count);
/* The edits of a sorted list that lie in a text; NULL if there are none. */
const struct text_edit *text_edits_in(const struct text *text, const struct text_edit *edits,
                                      uint32_t count, uint32_t *found);
/* The content of a text after such edits. */
struct str text_edited(struct arena *arena, const struct text *text, const struct text_edit *edits,
                       uint32_t count);

/* A line end and the blanks before an element that is the first on its line, else nothing: what to
 * put before one after it. In a file in UTF-16 a line end alone. */
struct str element_indent(struct arena *arena, const struct document *document,
                          const struct element *element);

/* Escapes character data for XML (&, <, >). Result lives in the arena. */
struct str xml_escape(struct arena *arena, struct str text);
/* The same for the value of an attribute in double quotes. */
struct str xml_escape_attribute(struct arena *arena, struct str text);

/* The output bytes, in the arena. Edits must not overlap. */
struct str splices_apply(struct splices *splices);

/* The changed document, with a map that says where its bytes come from; without runs so far. */
struct str splices_trace(struct splices *splices, struct byte_map *map);
