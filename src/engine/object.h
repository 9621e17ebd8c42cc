/* OBJECT - reads the members of an object as the GUI and the engine write them: JSON, but with line
 * ends in strings.
 *
 * Errors: what is no such object, or is nested more than OBJECT_DEPTH times, has no members.
 */
#pragma once

#include "base/str.h"

enum { OBJECT_DEPTH = 64 };

/* Goes through the members of an object, which is borrowed. */
struct member_walk {
    struct str rest;
    bool is_broken;         /* it is no object, or no more of it can be read */
    bool is_over;           /* all of it was read */
    struct str name, value; /* of the member, as written; the name without quotes */
};

struct member_walk members_of(struct str object);
/* Whether there is another member, which is read then. */
bool members_next(struct member_walk *members);

/* The value of a member, as written; empty if there is none, or several, or no such object. */
struct str object_member(struct str object, const char *name);

/* Whether a value is that string, without escapes. */
bool value_is(struct str value, const char *text);

/* What a string says, in as much memory as it has itself, and the number of bytes of that;
 * *is_plain becomes whether only quotes and backslashes were escaped. SIZE_MAX if the value is no
 * string, or has an escape that JSON does not have. */
size_t value_decode(struct str value, char *to, bool *is_plain);
