/* JSON - what the makers of JSON share: members, and how a result is written.
 *
 * Lifetime: the caller owns what is made (json_decref), unless it becomes a member. Key order is
 *           that of insertion, so equal runs give equal bytes but for the times.
 */
#pragma once

#include "base/diag.h"
#include "base/str.h"
#include "explore/verdict/verify.h"

#include <assert.h>
#include <jansson.h>

/* Gives the object a member, which it has not; the value is given up. */
static inline void set(json_t *object, const char *key, json_t *value) {
    assert(!json_object_get(object, key));
    json_object_set_new(object, key, value);
}

/* Text of the document may hold anything that UTF-8 can; what is not valid becomes a mark. */
json_t *text(const char *value);
json_t *texts(const char *const *values, uint32_t count);
static inline json_t *text_or_null(const char *value) { return value ? text(value) : json_null(); }
/* The text without blanks at both ends. */
json_t *trimmed(struct str value);

/* "symbolic" or "explicit"; static. */
const char *engine_text(enum engine engine);
/* A number that may be too large for readers of JSON, then null, and in digits; both null if it is
 * not known. */
void set_exact(json_t *object, const char *key, const char *text_key, const struct exact *exact);

/* "line" and "column". */
void set_place(json_t *object, struct source_location place);

/* The first members of every result: "$schema" and "format", by the name of the schema in schemas/,
 * and "tool". Then comes "input", a file_entry. */
void set_header(json_t *object, const char *name);
/* A name may be NULL. */
json_t *file_entry(const char *name, struct str bytes);

struct timed_phase {
    const char *name;
    double seconds;
};

/* "timing": the phases, what is left of the total, and the largest resident memory. */
json_t *json_timing(const struct timed_phase *phases, size_t count, double total_seconds);

/* JSON text with a line end, as written to files; NULL if there is no memory for it. Heap. */
char *report_dump(const json_t *report);
/* Writes an object, which is given up, to a file or, for "-", to standard output; false (reported)
 * if that fails. */
bool report_write(json_t *report, const char *path, struct diag *diag);
