/* MEMBER - what the makers of JSON objects share. */
#ifndef VARABS_REPORT_MEMBER_H
#define VARABS_REPORT_MEMBER_H

#include "report/report.h"

static inline void set(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

/* Text of the document may hold anything that UTF-8 can; what is not valid becomes a mark. */
static inline json_t *text(const char *value) {
    json_t *string = json_string(value);
    return string ? string : json_string("(not UTF-8)");
}

/* json.c: the members "tool" and "input"; a name may be NULL. */
json_t *tool_entry(void);
json_t *file_entry(const char *name, struct str bytes);
/* split.c: the member "split" of a report. */
json_t *split_entry(const struct split *split, const struct source *source);
/* The member "references". */
json_t *references_entry(const struct references *references, const struct source *source);

#endif
