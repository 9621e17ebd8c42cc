/* NAMED - variables by their names: what an argument of --remove names, and what a variable is
 * called.
 *
 * Errors: go to the diag of the reader, with the word that is being read.
 */
#pragma once

#include "model/network.h"

struct request;

/* "Template.name" or "name". */
char *variable_name(struct arena *arena, const struct template *template,
                    const struct symbol *symbol);

/* The name of a variable as --remove takes it: ".name" for a global one if some template declares
 * the same name, too. */
const char *variable_argument(const struct network *network, const struct template *template,
                              const struct symbol *symbol, struct arena *arena);

/* Whether commands list the symbol: a variable, but no constant, parameter, channel or clock. */
bool is_listed_variable(const struct symbol *symbol);

/* A variable, or some of its cells, in some processes: what the word VAR of an option names. */
struct named_variable {
    const struct template *template; /* NULL if global */
    const struct symbol *symbol;
    const struct symbol *set; /* on the system line, if only its processes are meant, or NULL */
    struct str arguments;     /* which of them, as written between the parentheses; NULL = all */
    struct str path;          /* to a part of the variable, not read yet */
};
/* Reads one VAR. False (reported) if it is no variable that can be removed. */
bool request_read(struct arena *arena, const struct network *network, struct str word,
                  position place, struct diag *diag, struct named_variable *named);
/* Takes the next word, perhaps empty, off a comma list whose data is not NULL. */
bool request_next_word(struct str *list, struct str *word);
/* Takes the next location off what stands after an @: its name, and what is after := or a text
 * without data. */
bool request_next_location(struct str *list, struct str *name, struct str *rest);

/* An argument as it is read. */

/* A symbol with the template that declares it; the symbol is NULL if there is no such variable. */
struct named_symbol {
    const struct template *template;
    const struct symbol *symbol;
};

struct argument_reader {
    struct request *request;
    const struct network *network;
    struct diag *diag;
    struct arena *arena;
    struct str word;                  /* the argument being read */
    position place;                   /* of the argument, 0 = the command line */
    VEC(const struct symbol *) named; /* variables of the argument */
    const char *at, *end;
    const struct symbol *set; /* of the system line, if only its processes are meant */
    struct str arguments;     /* which of them */
};

/* STATUS_USAGE about the word. False. */
bool argument_fail(struct argument_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The variable that the word begins with, if it can be removed; what is after it is left to read.
 */
struct named_symbol argument_variable(struct argument_reader *reader);
/* Follows "[2]" and ".f" into the shape. */
bool argument_path(struct argument_reader *reader, const struct symbol *symbol,
                   const struct shape **shape, uint32_t *offset);
/* A location by name or id, or UINT32_MAX. */
uint32_t location_named(const struct template *template, struct str name);
