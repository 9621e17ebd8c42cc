/* FRAME - names in their scopes, innermost first.
 *
 * The parser opens frames and declares names as it goes, because a name that currently means a
 * typedef is another token, as in Uppaal's parser, and resolves every EXPR_NAME at once: declare
 * before use holds everywhere in Uppaal.
 *
 * Lifetime: frames live in the arena; closing a frame only restores the outer one.
 */
#pragma once

#include "base/diag.h"
#include "base/map.h"
#include "base/similar.h"
#include "lang/syntax/ast.h"

struct frame {
    struct frame *outer;
    struct map names; /* interned name -> struct symbol */
};

struct frame *frame_new(struct arena *arena, struct frame *outer);
/* The symbol of that name in this frame or an outer one, or NULL. */
struct symbol *frame_find(const struct frame *frame, const char *name);
struct symbol *frame_find_here(const struct frame *frame, const char *name);
/* Offers all names of a map name -> symbol; where there are very many of them, none. */
enum { HINT_MAX_NAMES = 5000 };
void similar_offer_symbols(struct similar *similar, const struct map *symbols);
/* "; did you mean 'x'?" with a name of these frames, or the text given. */
const char *frame_hint(const struct frame *frame, const char *name, const struct diag *diag,
                       const char *otherwise);
/* Declares. A select may take the name of another one of its edge; every other caller has made sure
 * that the name is free in this frame. */
void frame_declare(struct frame *frame, struct symbol *symbol);
