/* GENERATE_PLACE - where labels and nails of generated edges go.
 *
 * New labels of an edge stand beyond those it has, away from its line; copies of an edge further
 * away, with their line in between. Loops around a location go to the corner where least is.
 *
 * Units: those of the file, which are the editor's; y grows downwards. Widths of texts are guesses.
 */
#ifndef VARABS_ABSTRACT_GENERATE_PLACE_H
#define VARABS_ABSTRACT_GENERATE_PLACE_H

#include "xml/document.h"

enum { LABEL_LINE = 17 };

struct spot {
    int x, y;
};

/* Labels of an edge, beneath each other. */
struct label_block {
    int left, top, bottom;
    bool is_above;     /* they stand above the line, so that further ones go above them */
    bool is_flat;      /* the line is rather flat than steep */
    int first, copies; /* top of the labels of the edge itself; copies of it so far */
};

/* The mean of its nails or, without such, of its ends. */
struct spot middle_of_edge(const struct xml_template *template, const struct xml_transition *edge);

struct label_block block_of_edge(const struct xml_template *template,
                                 const struct xml_transition *edge);

/* The top left corner of so many further lines of text. */
struct spot block_add(struct label_block *block, int lines);

/* The same for the labels of a copy of the edge; shift is what its line is moved by. */
struct spot block_add_copy(struct label_block *block, int lines, struct spot *shift);

/* Loops that were added to a location. */
struct loops {
    bool is_chosen;     /* the corner is: */
    int side_x, side_y; /* 1 or -1 */
    int reach, count;
};

/* Two nails of one more loop, and the top left corner of its labels. */
struct spot add_loop(struct loops *loops, const struct xml_template *template, uint32_t location,
                     int lines, int columns, struct spot nails[2]);

/* Lines of a text, and the columns of its longest one; 0 for NULL. */
int count_lines(const char *text);
int count_columns(const char *text);

#endif
