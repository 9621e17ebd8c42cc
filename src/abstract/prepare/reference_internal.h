/* Internals of reference_write.c and reference_lists.c. */
#pragma once

#include "abstract/prepare/reference.h"

/* Whether, and how, a reference parameter is replaced. */
struct change {
    bool is_any;          /* it goes, */
    const char *form;     /* for a part of this form (of a template's parameter) */
    const char *text;     /* which is this everywhere, or NULL: parameters for the indices come */
    const char **types;   /* of the indices */
    const char **names;   /* of these parameters */
    uint32_t index_count; /* 0 if text is known */
};

struct changes {
    struct change *of; /* by parameter */
    bool is_any;
};

struct replacer {
    struct arena *arena;
    struct references *references;
    const struct network *network;
    const struct model *model;
    struct diag *diag;
    struct map change_of;      /* by parameter of a template: its change */
    struct map name_of;        /* by symbol: its new name */
    struct map changes_of;     /* by symbol of a template or instantiation */
    struct map used, gone;     /* instantiations: that processes come from, that are left out */
    const struct frame *frame; /* of the template, or the global one */
    VEC(const char *) roots;   /* names that must not be hidden where the walk goes on */
    VEC(struct text_edit) edits;
    bool is_found;   /* by a search */
    bool is_refused; /* an error was reported on the way */
};

/* Empty spans get no edit. */
void reference_edit(struct replacer *replacer, struct span span, const char *text);
/* Names of parameters for the indices; the first takes that of the parameter unless something
 * global has it. */
void reference_name_indices(struct replacer *replacer, struct change *change,
                            const struct symbol *parameter);
/* reference_lists.c: parameters of templates, and instantiations. False after an error. */
bool references_replace_lists(struct replacer *replacer);
