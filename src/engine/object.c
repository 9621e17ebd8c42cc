#include "engine/object.h"

#include <assert.h>
#include <string.h>

static void skip_blank(struct str *rest) {
    while (rest->size && char_is_space(*rest->data))
        *rest = (struct str){rest->data + 1, rest->size - 1};
}

static bool take(struct str *rest, char c) {
    skip_blank(rest);
    if (!rest->size || *rest->data != c) return false;
    *rest = (struct str){rest->data + 1, rest->size - 1};
    return true;
}

/* The size of the string that a text begins with, with its quotes; 0 if there is none. */
static size_t string_size(struct str text) {
    if (!text.size || *text.data != '"') return 0;
    for (size_t i = 1; i < text.size; i++) {
        if (text.data[i] == '\\')
            i++;
        else if (text.data[i] == '"')
            return i + 1;
    }
    return 0;
}

/* The size of the object or array that a text begins with; 0 if it has no end, or is too deep. */
static size_t nested_size(struct str text) {
    char closing[OBJECT_DEPTH];
    size_t depth = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '"') {
            size_t size = string_size((struct str){text.data + i, text.size - i});
            if (!size) return 0;
            i += size - 1;
        } else if (c == '{' || c == '[') {
            if (depth == OBJECT_DEPTH) return 0;
            closing[depth++] = c == '{' ? '}' : ']';
        } else if (c == '}' || c == ']') {
            if (!depth || closing[depth - 1] != c) return 0;
            if (!--depth) return i + 1;
        }
    }
    return 0;
}

/* The size of the value that a text begins with; 0 if there is none. */
static size_t value_size(struct str text) {
    static const char plain[] = "0123456789+-.eEtrufalsn"; /* numbers, true, false, null */
    size_t size = 0;
    if (!text.size) return 0;
    if (*text.data == '"') return string_size(text);
    if (*text.data == '{' || *text.data == '[') return nested_size(text);
    while (size < text.size && text.data[size] && strchr(plain, text.data[size])) size++;
    return size;
}

struct member_walk members_of(struct str object) {
    struct member_walk members = {.rest = object};
    members.is_broken = !take(&members.rest, '{');
    return members;
}

static bool fail(struct member_walk *members) {
    members->is_broken = true;
    return false;
}

bool members_next(struct member_walk *members) {
    struct str *rest = &members->rest;
    bool is_first = !members->name.data;
    if (members->is_broken || members->is_over) return false;
    if (take(rest, '}')) {
        members->is_over = true;
        skip_blank(rest);
        return rest->size ? fail(members) : false;
    }
    if (!is_first && !take(rest, ',')) return fail(members);
    skip_blank(rest);
    size_t size = string_size(*rest);
    if (!size) return fail(members);
    members->name = (struct str){rest->data + 1, size - 2};
    *rest = (struct str){rest->data + size, rest->size - size};
    if (!take(rest, ':')) return fail(members);
    skip_blank(rest);
    size = value_size(*rest);
    if (!size) return fail(members);
    members->value = (struct str){rest->data, size};
    *rest = (struct str){rest->data + size, rest->size - size};
    return true;
}

struct str object_member(struct str object, const char *name) {
    struct member_walk members = members_of(object);
    struct str found = {0};
    bool is_doubled = false;
    while (members_next(&members))
        if (str_is(members.name, name)) {
            is_doubled |= found.data != NULL;
            found = members.value;
        }
    return members.is_broken || is_doubled ? (struct str){0} : found;
}

bool value_is(struct str value, const char *text) {
    size_t size = strlen(text);
    return value.size == size + 2 && *value.data == '"' && !memcmp(value.data + 1, text, size);
}

/* ---- strings ---- */

/* Four hexadecimal digits; -1 if they are none. */
static long hex_of(struct str text) {
    static const char digits[] = "0123456789abcdefABCDEF";
    long number = 0;
    if (text.size < 4) return -1;
    for (size_t i = 0; i < 4; i++) {
        const char *digit = text.data[i] ? strchr(digits, text.data[i]) : NULL;
        if (!digit) return -1;
        long value = digit - digits;
        number = number * 16 + (value < 16 ? value : value - 6);
    }
    return number;
}

static size_t put_utf8(char *to, unsigned long c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(first[more] | (c >> (6 * more)));
    for (size_t i = 1; i <= more; i++) to[i] = (char)(0x80 | ((c >> (6 * (more - i))) & 0x3f));
    return more + 1;
}

/* "\u00e9", or two of them for one character, after the u; how much was read, 0 if it is none. */
static size_t put_unicode(struct str text, char *to, size_t *size) {
    long c = hex_of(text), low;
    if (c < 0 || (c >= 0xdc00 && c < 0xe000)) return 0;
    if (c < 0xd800 || c >= 0xe000) {
        *size += put_utf8(to + *size, (unsigned long)c);
        return 4;
    }
    if (text.size < 10 || text.data[4] != '\\' || text.data[5] != 'u') return 0;
    low = hex_of((struct str){text.data + 6, text.size - 6});
    if (low < 0xdc00 || low >= 0xe000) return 0;
    *size += put_utf8(to + *size, 0x10000 + (unsigned long)((c - 0xd800) * 0x400 + (low - 0xdc00)));
    return 10;
}

size_t value_decode(struct str value, char *to, bool *is_plain) {
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    size_t size = 0;
    *is_plain = true;
    if (value.size < 2 || string_size(value) != value.size) return SIZE_MAX;
    for (size_t i = 1; i + 1 < value.size; i++) {
        if (value.data[i] != '\\') {
            to[size++] = value.data[i];
            continue;
        }
        char c = value.data[++i];
        const char *escape = c ? strchr(escapes, c) : NULL;
        *is_plain &= c == '"' || c == '\\';
        if (escape) {
            to[size++] = meanings[escape - escapes];
        } else {
            struct str rest = {value.data + i + 1, value.size - i - 2};
            size_t read = c == 'u' ? put_unicode(rest, to, &size) : 0;
            if (!read) return SIZE_MAX;
            i += read;
        }
    }
    assert(size < value.size);
    return size;
}
