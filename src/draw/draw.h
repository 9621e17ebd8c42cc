/* DRAW - the templates of a model, or what changed between two models, as SVG or for LaTeX.
 *
 * Only the structure of the document counts: texts are drawn as they are, whether or not they can
 * be parsed.
 *
 * Lifetime: results live in the arena given.
 * Errors:   STATUS_USAGE for an unknown template, STATUS_LIMIT past DRAW_MAX_ELEMENTS locations
 *           and edges or DRAW_MAX_BYTES of output.
 */
#pragma once

#include "xml/document.h"

enum { DRAW_MAX_ELEMENTS = 200000, DRAW_MAX_BYTES = 256 * 1024 * 1024 };

/* A template with its title as a group (<g>) whose top left corner is at 0, 0. */
struct panel {
    struct str markup;
    double width, height;
};

/* One template, or with two of them what changed. One of the two may be NULL: the template is
 * then drawn alone, and if is_comparison the title says in which model it is. */
bool draw_panel(struct panel *panel, const struct xml_template *before,
                const struct xml_template *after, bool is_comparison, struct arena *arena,
                struct diag *diag);

/* A whole document for LaTeX, as draw_page draws it. */
bool draw_tikz(struct str *text, const struct document *before, const struct document *after,
               const char *name, struct arena *arena, struct diag *diag);

/* A whole SVG file; after may be NULL. Only the template of that name unless it is NULL. */
bool draw_page(struct str *page, const struct document *before, const struct document *after,
               const char *name, struct arena *arena, struct diag *diag);
