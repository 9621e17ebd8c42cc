/* FRAGMENT - which operators a formula has, below an even number of negations or an odd one. */
#pragma once

#include "lang/syntax/ast.h"

struct fragment {
    bool has_all, has_some; /* runs: what is asked of every one of them, of some one */
    bool knows, doubts;     /* that somebody knows, that somebody does not */
    bool needs_ends;        /* it depends on how runs end: that something comes or lasts */
    bool is_about_next;     /* AX, EX, <<A>> X */
    bool is_about_coalitions;
};

struct fragment fragment_of(const struct expr *formula);
