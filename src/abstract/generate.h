/* GENERATE - the edits that turn the input document into the abstraction (rules M8 and M9).
 *
 * Only ranges that change are replaced. A source edge that stays keeps its element; further edges
 * of the same origin are copies of it with their nails and labels moved aside, or loops where there
 * is room, so that the GUI does not draw them on top of each other.
 */
#ifndef VARABS_ABSTRACT_GENERATE_H
#define VARABS_ABSTRACT_GENERATE_H

#include "abstract/abstract.h"
#include "xml/splice.h"

struct generator {
    struct abstraction *abstraction;
    struct arena *arena;
    const struct document *document;
    struct splices splices;
    struct places *places; /* generate_place.h */
};

/* Source text of a span. */
struct str source_text(const struct document *document, struct span span);

/* generate_edge.c: the edges of one location; first changes of those that are there in all
 * locations, then the others. */
void generate_edges(struct generator *generator, const struct location_fold *fold);
void generate_copies(struct generator *generator, const struct location_fold *fold);
/* Sets, adds or removes the label of an element; NULL or empty text removes. */
void generate_label(struct generator *generator, const struct element *parent,
                    const struct element *before, const char *kind, const char *text, int x, int y);
const struct element *find_label(const struct element *parent, const char *kind);
struct str indent_of(const struct generator *generator, const struct element *element);

/* generate_comment.c: what an edge was made of, in the arena. */
const char *comment_of_edge(const struct generator *generator, const struct output_edge *out);
/* Adds a comment behind another element of the parent, below one that is there, if that is asked
 * for (--comments). */
void generate_comment(struct generator *generator, const struct element *parent,
                      const struct element *before, const char *comment, int x, int y);

/* generate_text.c: declarations, functions, queries, progress and gantt. */
void generate_texts(struct generator *generator);

#endif
