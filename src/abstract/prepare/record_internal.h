/* Internals of the record: which cells are seen, and what is left out. */
#pragma once

#include "abstract/prepare/record.h"
#include "abstract/request/request.h"

/* A variable or parameter: its fields, each with those of all elements of arrays together. */
struct record_unit {
    const struct symbol *symbol;
    uint32_t count;
    bool is_flat; /* too many fields: all are one */
    bool *is_seen;
};

/* Some of its fields. */
struct record_part {
    struct record_unit *unit;
    uint32_t first, count;
};

/* A variable, or a part of it, that is passed to a reference parameter. */
struct record_passed {
    const struct symbol *parameter;
    struct record_part part;
};

/* Variables other than its own that a function writes, through calls too; over. */
struct record_writes {
    bool is_unknown; /* something else, or it can stop at an assertion */
    VEC(struct record_part) list;
};

struct record {
    struct arena *arena;
    const struct network *network;
    const struct model *model;
    struct request request;
    struct map units;   /* by symbol */
    struct map writes;  /* by function */
    struct map reached; /* functions that kept text calls: true */
    VEC(const struct function *) reached_list;
    struct map whole; /* functions kept as a whole: agents observe what their guards read */
    bool is_whole;    /* what is looked at is a guard, or called by one */
    VEC(struct record_passed) passed; /* as arguments, in kept text */
    const bool *is_within;            /* the templates that are looked at, or NULL for all */
    const char *asked;                /* functions that it names stay; or NULL */
    bool has_changed;
};

/* record_part.c: what names stand for, and what is written. */
struct record_unit *record_unit_of(struct record *record, const struct symbol *symbol);
bool record_find_part(struct record *record, const struct expr *expr, struct record_part *part);
bool record_is_part_seen(const struct record_part *part);
/* The number of fields of a type, as units count them. */
uint32_t record_field_count(const struct type *type);

enum record_effect { RECORD_NONE, RECORD_UNSEEN, RECORD_SEEN };
/* Whether evaluating an expression changes nothing, unseen variables only, or others. */
enum record_effect record_effect_of(struct record *record, const struct expr *expr);
enum record_effect record_effect_of_list(struct record *record, const struct expr_list *list);

/* record.c: whether a statement goes as a whole; an item of an update. */
bool record_statement_goes(struct record *record, const struct statement *statement);
bool record_item_goes(struct record *record, const struct expr *item);
/* record_write.c: the edits. Whether there are any. */
bool record_write(struct record *record, struct record_taken *taken, struct splices *splices);
