/* What a module calls: everything is kept as it was told. */
#define _GNU_SOURCE
#include "host.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("FAIL ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    fflush(stdout);
    _Exit(1);
}

void HREabort(int status) {
    fflush(stdout);
    _Exit(status);
}

/* Types */

static void *room(int count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) fail("no memory");
    return memory;
}

static void check_index(int index, int count, const char *what) {
    if (index < 0 || index >= count) fail("%s %d of %d", what, index, count);
}

struct lts_type_s *lts_type_create(void) {
    return room(1, sizeof(struct lts_type_s));
}

void lts_type_set_state_length(struct lts_type_s *type, int length) {
    if (length < 1) fail("a state of length %d", length);
    type->length = length;
    type->names = room(length, sizeof *type->names);
    type->types = room(length, sizeof *type->types);
}

void lts_type_set_state_name(struct lts_type_s *type, int index, const char *name) {
    check_index(index, type->length, "name of position");
    type->names[index] = strdup(name);
}

void lts_type_set_state_typeno(struct lts_type_s *type, int index, int number) {
    check_index(index, type->length, "type of position");
    check_index(number, type->type_count, "type");
    type->types[index] = number;
}

void lts_type_set_state_label_count(struct lts_type_s *type, int count) {
    type->label_count = count;
    type->label_names = room(count, sizeof *type->label_names);
    type->label_types = room(count, sizeof *type->label_types);
}

void lts_type_set_state_label_name(struct lts_type_s *type, int label, const char *name) {
    check_index(label, type->label_count, "label");
    type->label_names[label] = strdup(name);
}

void lts_type_set_state_label_typeno(struct lts_type_s *type, int label, int number) {
    check_index(label, type->label_count, "label");
    check_index(number, type->type_count, "type");
    type->label_types[label] = number;
}

void lts_type_set_edge_label_count(struct lts_type_s *type, int count) {
    type->edge_label_count = count;
}

void lts_type_set_edge_label_name(struct lts_type_s *type, int label, const char *name) {
    check_index(label, type->edge_label_count, "edge label");
    if (strcmp(name, "action") != 0) fail("the edge label is called %s", name);
}

void lts_type_set_edge_label_typeno(struct lts_type_s *type, int label, int number) {
    check_index(label, type->edge_label_count, "edge label");
    check_index(number, type->type_count, "type");
    type->edge_label_type = number;
}

int lts_type_put_type(struct lts_type_s *type, const char *name, enum data_format format,
                      int *is_new) {
    for (int i = 0; i < type->type_count; i++)
        if (!strcmp(type->declared[i].name, name)) fail("two types are called %s", name);
    if (type->type_count == MAX_TYPES) fail("too many types");
    type->declared[type->type_count].name = strdup(name);
    type->declared[type->type_count].format = format;
    if (is_new) *is_new = 1;
    return type->type_count++;
}

/* Matrices */

_Static_assert(sizeof(struct matrix) <= MATRIX_ROOM, "a matrix has room");

void dm_create(struct matrix *matrix, int rows, int columns) {
    *matrix = (struct matrix){rows, columns, room(rows * columns, sizeof(bool))};
}

void dm_set(struct matrix *matrix, int row, int column) {
    check_index(row, matrix->rows, "row");
    check_index(column, matrix->columns, "column");
    matrix->bits[row * matrix->columns + column] = true;
}

static void matrix_free(struct matrix *matrix) {
    free(matrix->bits);
    free(matrix);
}

/* Models */

void GBsetContext(struct grey_box_model *model, void *context) { model->context = context; }
void *GBgetContext(struct grey_box_model *model) { return model->context; }
void GBsetLTStype(struct grey_box_model *model, struct lts_type_s *type) { model->type = type; }

void GBsetInitialState(struct grey_box_model *model, int *state) {
    size_t length = (size_t)model->type->length;
    model->initial = room(model->type->length, sizeof *state);
    memcpy(model->initial, state, length * sizeof *state);
}

void GBsetDMInfo(struct grey_box_model *model, struct matrix *matrix) { model->any = matrix; }
void GBsetDMInfoRead(struct grey_box_model *model, struct matrix *matrix) { model->reads = matrix; }
void GBsetDMInfoMayWrite(struct grey_box_model *model, struct matrix *matrix) {
    model->may_write = matrix;
}
void GBsetDMInfoMustWrite(struct grey_box_model *model, struct matrix *matrix) {
    model->must_write = matrix;
}
void GBsetStateLabelInfo(struct grey_box_model *model, struct matrix *matrix) {
    model->labels = matrix;
}
void GBsetNextStateLong(struct grey_box_model *model, next_method *method) { model->next = method; }
void GBsetStateLabelLong(struct grey_box_model *model,
                         int (*method)(struct grey_box_model *model, int label, int *state)) {
    model->label = method;
}
void GBsetExit(struct grey_box_model *model, void (*method)(struct grey_box_model *model)) {
    model->end = method;
}

/* Texts of types, which all models number alike */

static int find_text(const struct texts *texts, struct chunk chunk) {
    for (int i = 0; i < texts->count; i++)
        if (strlen(texts->items[i]) == chunk.size &&
            !memcmp(texts->items[i], chunk.data, chunk.size))
            return i;
    return texts->count;
}

int pins_chunk_put(struct grey_box_model *model, int type, struct chunk chunk) {
    check_index(type, model->type->type_count, "type");
    enum data_format format = model->type->declared[type].format;
    if (format != LTS_CHUNK && format != LTS_ENUM)
        fail("non-chunk type %s has table", model->type->declared[type].name); /* as LTSmin says */
    pthread_mutex_lock(&lock);
    struct texts *texts = &model->texts[type];
    int index = find_text(texts, chunk);
    if (index == texts->count) {
        texts->items = realloc(texts->items, (size_t)(index + 1) * sizeof *texts->items);
        if (!texts->items) fail("no memory");
        texts->items[texts->count++] = strndup(chunk.data, chunk.size);
    }
    pthread_mutex_unlock(&lock);
    return index;
}

void pins_chunk_put_at(struct grey_box_model *model, int type, struct chunk chunk, int index) {
    int found = pins_chunk_put(model, type, chunk);
    if (found != index)
        fail("the text %.*s is put at %d and %d", (int)chunk.size, chunk.data, found, index);
}

/* The whole */

static void check_matrix(const struct matrix *matrix, int rows, int columns, const char *name) {
    if (!matrix || matrix->columns != columns || matrix->rows != rows)
        fail("the matrix of %s has another size", name);
}

void model_check_told(const struct grey_box_model *model) {
    const struct lts_type_s *type = model->type;
    if (!type || !model->initial || !model->next || !model->any) fail("something is missing");
    int groups = model->any->rows;
    check_matrix(model->any, groups, type->length, "groups");
    check_matrix(model->reads, groups, type->length, "reads");
    check_matrix(model->may_write, groups, type->length, "writes");
    check_matrix(model->must_write, groups, type->length, "sure writes");
    check_matrix(model->labels, type->label_count, type->length, "labels");
    for (int i = 0; i < type->length; i++)
        if (!type->names[i]) fail("position %d has no name", i);
    for (int g = 0; g < groups; g++)
        for (int i = 0; i < type->length; i++) {
            bool reads = matrix_has(model->reads, g, i),
                 writes = matrix_has(model->may_write, g, i);
            if ((reads || writes) != matrix_has(model->any, g, i) ||
                (matrix_has(model->must_write, g, i) && !writes))
                fail("the matrices of group %d contradict each other at %s", g, type->names[i]);
            if (writes && !reads && !matrix_has(model->must_write, g, i))
                fail("group %d may leave %s as it is without reading it", g, type->names[i]);
        }
}

static void type_free(struct lts_type_s *type) {
    for (int i = 0; i < type->length; i++) free(type->names[i]);
    for (int i = 0; i < type->label_count; i++) free(type->label_names[i]);
    for (int i = 0; i < type->type_count; i++) free(type->declared[i].name);
    free(type->names);
    free(type->types);
    free(type->label_names);
    free(type->label_types);
    free(type);
}

void model_free(struct grey_box_model *model) {
    if (model->end) model->end(model);
    matrix_free(model->any);
    matrix_free(model->reads);
    matrix_free(model->may_write);
    matrix_free(model->must_write);
    matrix_free(model->labels);
    type_free(model->type);
    free(model->initial);
}
