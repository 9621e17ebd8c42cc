/* DOCUMENT - an Uppaal XML file as written: its bytes, elements and texts.
 *
 * The reader builds the element tree and then a typed view of it (templates, locations,
 * transitions); both keep byte offsets, so that the writer (xml/splice.h) can replace exactly
 * the ranges that change.
 *
 * Invariants: element ranges nest; ids are resolved; element order is that of the DTD.
 * Lifetime:   everything lives in the arena given at reading; bytes are owned by that arena too.
 * Errors:     reported to diag with STATUS_INVALID (not XML, not Uppaal) or STATUS_UNSUPPORTED.
 * Source:     flat-1_1.dtd to flat-1_6.dtd; reader of Uppaal's own library for order and text.
 */
#pragma once

#include "base/diag.h"
#include "base/str.h"

/* Bounds on what is read: size of a file, nesting of its elements, memory for the tree. */
enum {
    DOCUMENT_MAX_BYTES = 512 * 1024 * 1024,
    DOCUMENT_MAX_DEPTH = 64,
    DOCUMENT_MAX_MEMORY = 1024 * 1024 * 1024
};

enum { COORDINATE_MAX = 1000000 };

enum encoding { ENCODING_ASCII_BASED, ENCODING_UTF16_LE, ENCODING_UTF16_BE };

struct byte_map;

struct attribute {
    const char *name;
    struct str value;
};

/* The text that counts: as Uppaal reads it, the character data up to the first child, comment or
 * processing instruction (CDATA sections are merged). Only elements whose text Uppaal reads have
 * one; in others it is empty. */
struct text {
    struct str content; /* decoded UTF-8, NUL-terminated, line ends are LF */
    position begin;     /* of content.data[0]; position begin + i is content.data[i], and the
                           position after the last character is where the text ends in the file */
    bool is_plain;      /* no entity other than &amp; and the like: each character has bytes of its
                           own, so that edits may splice */
};

struct element {
    const char *name; /* interned */
    struct attribute *attributes;
    uint32_t attribute_count;
    struct element *parent, *first_child, *last_child, *next;
    struct text text;
    position at;                       /* of its start tag */
    size_t begin, end;                 /* byte range from '<' to after the end tag */
    size_t content_begin, content_end; /* byte range between the tags; equal for <a/> */
    bool is_empty_tag;                 /* written <a/> */
};

enum label_kind {
    LABEL_INVARIANT,
    LABEL_SELECT,
    LABEL_GUARD,
    LABEL_SYNC,
    LABEL_UPDATE,
    LABEL_RATE, /* exponentialrate */
    LABEL_PROBABILITY,
    LABEL_COMMENTS,
    LABEL_TESTCODE,
    LABEL_OTHER,
    LABEL_KINDS
};

/* Labels by kind; the last of a repeated kind wins, as in Uppaal. NULL where absent or blank. */
struct labels {
    struct element *of[LABEL_KINDS];
};

struct xml_location {
    struct element *element, *name; /* name element or NULL */
    const char *id;                 /* interned */
    bool is_urgent, is_committed, is_branchpoint;
    struct labels labels;
};

struct xml_transition {
    struct element *element;
    uint32_t source, target; /* index into nodes of the template */
    struct labels labels;
    bool is_controllable;
    /* A select label after another select, a guard, a synchronisation, an update or a weight. */
    struct element *late_select;
};

struct xml_template {
    struct element *element, *name, *parameter, *declaration; /* the last two may be NULL */
    struct xml_location *nodes; /* locations, then branchpoints, in document order */
    uint32_t location_count, branchpoint_count;
    uint32_t initial; /* index into nodes, always a location */
    struct xml_transition *transitions;
    uint32_t transition_count;
};

struct xml_query {
    struct element *element, *formula, *comment; /* the last two may be NULL */
    struct element
        *host;     /* the comment that it is a part of, where Uppaal does not look; or NULL */
    bool is_given; /* on the command line, not in the document: problems of it are errors */
};

struct document {
    struct arena *arena;
    struct source source;
    struct interner *names;
    struct str bytes;                /* the file */
    const struct byte_map *byte_map; /* where rewritten bytes stood in the file; NULL = there */
    enum encoding encoding;
    bool is_single_byte;  /* ISO-8859-1 or the like: each byte is a character */
    const char *line_end; /* "\n" or "\r\n": the file's dominant one */
    struct element *root, *declaration, *instantiation, *system, *queries; /* NULL where absent */
    struct xml_template *templates;
    uint32_t template_count;
    struct xml_query *query_list;
    uint32_t query_count;
};

/* Decoded characters from a position in some text on, NUL-terminated. */
const char *document_text_at(const struct document *document, position at);
/* The text of a span. */
struct str document_text(const struct document *document, struct span span);

/* The text of an element, or of one below it, that has a position; NULL: there is none. */
const struct text *element_text_at(const struct element *element, position at);

/* Value of an attribute, or NULL. NUL-terminated. */
const char *element_attribute(const struct element *element, const char *name);

/* The nearest coordinate that the reader accepts. */
static inline int coordinate_limited(int64_t value) {
    return value < -COORDINATE_MAX  ? -COORDINATE_MAX
           : value > COORDINATE_MAX ? COORDINATE_MAX
                                    : (int)value;
}

/* An integer attribute from -COORDINATE_MAX to COORDINATE_MAX, or the given value where it is
 * absent, out of range or no integer, or where the element is NULL. */
int coordinate(const struct element *element, const char *name, int otherwise);

/* Text of a label, or NULL if absent. */
const struct text *label_text(const struct labels *labels, enum label_kind kind);
