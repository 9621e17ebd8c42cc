/* HOST - a small program in place of LTSmin: what a module tells of a model, and what is kept of
 * it.
 */
#pragma once

#include "pins/ltsmin.h"

#include <stdbool.h>

enum { MAX_TYPES = 64 };

/* Texts, shared by all threads. */
struct texts {
    char **items;
    int count;
};

struct lts_type_s {
    int length, label_count, edge_label_count, type_count;
    char **names, **label_names;
    int *types, *label_types;
    int edge_label_type;
    struct {
        char *name;
        enum data_format format;
    } declared[MAX_TYPES];
};

struct matrix {
    int rows, columns;
    bool *bits;
};

struct grey_box_model {
    void *context;
    struct texts *texts; /* by type; of all models */
    struct lts_type_s *type;
    int *initial;
    struct matrix *any, *reads, *may_write, *must_write, *labels;
    next_method *next;
    int (*label)(struct grey_box_model *model, int label, int *state);
    void (*end)(struct grey_box_model *model);
};

static inline bool matrix_has(const struct matrix *matrix, int row, int column) {
    return matrix->bits[row * matrix->columns + column];
}

/* Checks what was told; ends the program if something is wrong. */
void model_check_told(const struct grey_box_model *model);
void model_free(struct grey_box_model *model);

/* Ends the program with a message. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
