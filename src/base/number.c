/* Whole numbers with suffixes. */
#include "base/number.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* The digits at *text, which moves on. False if there are none, or more than most. */
static bool parse_digits(const char **text, uint64_t most, uint64_t *number) {
    const char *begin = *text;
    for (*number = 0; isdigit((unsigned char)**text); ++*text) {
        uint64_t digit = (uint64_t)(**text - '0');
        if (*number > (most - digit) / 10) return false;
        *number = *number * 10 + digit;
    }
    return *text > begin;
}

/* 0.25 for ".25"; 0 without. */
static double parse_fraction(const char **text) {
    double fraction = 0, place = 1;
    if (**text != '.') return 0;
    for (++*text; isdigit((unsigned char)**text); ++*text)
        fraction += (**text - '0') * (place /= 10);
    return fraction;
}

/* The factor of a suffix: 1 without one, 0 if it is none. */
static uint64_t parse_scale(const char *text, uint64_t unit) {
    static const char suffixes[] = "KMGT";
    uint64_t scale = 1;
    if (!*text) return 1;
    const char *suffix = strchr(suffixes, toupper((unsigned char)*text));
    if (!suffix || text[1]) return 0;
    for (const char *at = suffixes; at <= suffix; at++) scale *= unit;
    return scale;
}

bool number_parse(const char *text, uint64_t unit, uint64_t most, uint64_t *number) {
    uint64_t whole;
    if (most < 9 || !parse_digits(&text, most, &whole)) return false;
    bool has_fraction = *text == '.';
    double fraction = parse_fraction(&text);
    uint64_t scale = parse_scale(text, unit);
    if (!scale || (has_fraction && scale == 1) || whole > most / scale) return false;
    assert(fraction >= 0 && fraction <= 1);
    uint64_t part = (uint64_t)(fraction * (double)scale + 0.5);
    if (part > most - whole * scale) return false;
    *number = whole * scale + part;
    assert(*number <= most);
    return *number >= 1;
}
