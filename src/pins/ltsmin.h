/* LTSMIN - what this module and LTSmin call of each other, as far as it is used here.
 *
 * LTSmin loads the module and calls a function of pins_loaders for each thread or process that
 * explores; the function describes the model by calls of what is declared here, which the program
 * that loads the module defines. Names and types are those of its interface PINS: types that it
 * fills are incomplete here, so that no more than names and calls has to agree.
 *
 * Source: the headers pins.h, dm.h, lts-type.h and chunk_support.h of LTSmin 3.1; names begin as
 *         there.
 */
#pragma once

#include <stdint.h>

struct grey_box_model;
struct lts_type_s;
struct matrix;

enum { MATRIX_ROOM = 512 /* bytes, more than a matrix takes */ };

enum data_format { LTS_DIRECT = 0, LTS_CHUNK = 2, LTS_ENUM = 3, LTS_BOOL = 4 };

struct chunk {
    uint32_t size;
    char *data;
};

struct transition_info {
    int *labels; /* of edges */
    int group;
    int por_proviso;
};

/* Takes a step and the state after it; copied is NULL, or says where the state was not written. */
typedef void transition_callback(void *context, struct transition_info *info, int *state,
                                 int *copied);
typedef int next_method(struct grey_box_model *model, int group, int *state,
                        transition_callback *callback, void *context);

struct loader_record {
    const char *extension;
    void (*load)(struct grey_box_model *model, const char *path);
};

/* Ends the program, also where it is several processes. */
void HREabort(int status) __attribute__((noreturn));

/* What a state is made of, and labels of states and steps. */
struct lts_type_s *lts_type_create(void);
void lts_type_set_state_length(struct lts_type_s *type, int length);
void lts_type_set_state_name(struct lts_type_s *type, int index, const char *name);
void lts_type_set_state_typeno(struct lts_type_s *type, int index, int number);
void lts_type_set_state_label_count(struct lts_type_s *type, int count);
void lts_type_set_state_label_name(struct lts_type_s *type, int label, const char *name);
void lts_type_set_state_label_typeno(struct lts_type_s *type, int label, int number);
void lts_type_set_edge_label_count(struct lts_type_s *type, int count);
void lts_type_set_edge_label_name(struct lts_type_s *type, int label, const char *name);
void lts_type_set_edge_label_typeno(struct lts_type_s *type, int label, int number);
/* The number of a type; is_new may be NULL. */
int lts_type_put_type(struct lts_type_s *type, const char *name, enum data_format format,
                      int *is_new);

/* Rows are groups or labels, columns are places of the state. */
void dm_create(struct matrix *matrix, int rows, int columns);
void dm_set(struct matrix *matrix, int row, int column);

/* The model; matrices are handed over, the initial state is copied. */
void GBsetContext(struct grey_box_model *model, void *context);
void *GBgetContext(struct grey_box_model *model);
void GBsetLTStype(struct grey_box_model *model, struct lts_type_s *type);
void GBsetInitialState(struct grey_box_model *model, int *state);
void GBsetDMInfo(struct grey_box_model *model, struct matrix *matrix);
void GBsetDMInfoRead(struct grey_box_model *model, struct matrix *matrix);
void GBsetDMInfoMayWrite(struct grey_box_model *model, struct matrix *matrix);
void GBsetDMInfoMustWrite(struct grey_box_model *model, struct matrix *matrix);
void GBsetStateLabelInfo(struct grey_box_model *model, struct matrix *matrix);
void GBsetNextStateLong(struct grey_box_model *model, next_method *method);
void GBsetStateLabelLong(struct grey_box_model *model,
                         int (*method)(struct grey_box_model *model, int label, int *state));
void GBsetExit(struct grey_box_model *model, void (*method)(struct grey_box_model *model));

/* Texts that values of a type stand for. */
void pins_chunk_put_at(struct grey_box_model *model, int type, struct chunk chunk, int index);
int pins_chunk_put(struct grey_box_model *model, int type, struct chunk chunk);
