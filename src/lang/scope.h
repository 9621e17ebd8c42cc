/* SCOPE - frames of names, innermost first.
 *
 * The parser opens frames and declares names as it goes, because a name that currently means a
 * typedef is another token (UPPAAL.md section 2), and resolves every EXPR_NAME at once: declare
 * before use holds everywhere in Uppaal.
 *
 * Lifetime: frames live in the arena; closing a frame only restores the outer one.
 */
#ifndef VARABS_LANG_SCOPE_H
#define VARABS_LANG_SCOPE_H

#include "base/map.h"
#include "lang/ast.h"

struct frame {
    struct frame *outer;
    struct map names; /* interned name -> struct symbol */
};

struct frame *frame_new(struct arena *arena, struct frame *outer);
/* The symbol of that name in this frame or an outer one, or NULL. */
struct symbol *frame_find(const struct frame *frame, const char *name);
struct symbol *frame_find_here(const struct frame *frame, const char *name);
/* Declares; the caller has made sure that the name is free in this frame. */
void frame_declare(struct frame *frame, struct symbol *symbol);

#endif
