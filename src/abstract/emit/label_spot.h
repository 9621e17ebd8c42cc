/* LABEL SPOT - where labels and nails of generated edges go.
 *
 * New labels of an edge stand beyond those it has, away from its line; copies of an edge further
 * away, with their line in between. Loops around a location go where they and their labels cover
 * nothing and seem to belong to nothing else.
 *
 * Units: those of the file, which are the editor's; y grows downwards. Widths of texts are guesses.
 */
#pragma once

#include "base/map.h"
#include "plane/loop.h"
#include "xml/document.h"

enum { LABEL_LINE = 17, EDGE_LABELS = 8 };

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

/* The top left corner of the labels of a further copy of the edge; *shift: how far its line moves.
 */
struct spot block_add_copy(struct label_block *block, int lines, struct spot *shift);

/* Where an edge of the file stands in the output. */
struct edge_spots {
    bool is_gone, is_changed; /* changed: labels stand where labels says */
    struct label_block block;
    struct box labels[EDGE_LABELS];
    uint32_t label_count;
};

/* The drawing: of edges that were changed, and of all that one template has. */
struct label_spots {
    struct map edges; /* struct edge_spots by struct xml_transition */
    const struct xml_template *template;
    bool is_crowded; /* the scene is empty: the template is too large for it */
    struct scene scene;
};

struct label_spots *label_spots_new(struct arena *arena);
/* The spots of an edge; made when they are asked for first. */
struct edge_spots *spots_of_edge(struct label_spots *spots, const struct xml_template *template,
                                 const struct xml_transition *edge);
/* Fills the scene with a template, as it will be but for copies of edges, if it is not there. */
void label_spots_enter(struct label_spots *spots, const struct xml_template *template);
/* A copy of an edge of the template, moved aside, with its labels. */
void label_spots_add_copy(struct label_spots *spots, const struct xml_transition *edge,
                          const void *copy, struct spot shift, struct box labels);
/* A loop to place: so much text; then its nails, and the top left corner of its labels. */
struct new_loop {
    int lines, width;
    struct spot nails[2], labels;
};

/* Finds places for loops around a location of the template. */
void label_spots_add_loops(struct label_spots *spots, uint32_t location, struct new_loop *loops,
                           uint32_t count);

/* A text whose top left corner is there. */
struct box box_of_text(struct spot at, const char *text);
struct box box_of_lines(struct spot at, int lines, int width);
/* Lines of a text, and the width of its longest one; 0 for NULL. */
int count_lines(const char *text);
int width_of_text(const char *text);
