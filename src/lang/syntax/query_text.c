/* See query_text.h. */
#include "lang/syntax/query_text.h"

#include <stddef.h>
#include <string.h>

enum text_part { PART_CODE, PART_BLANK, PART_COMMENT, PART_JOIN, PART_LINE_END };

/* The size of what stands at a place, and what it is; never 0 before the end. */
static size_t scan(const char *at, const char *end, enum text_part *part) {
    const char *next = at + 1;
    *part = PART_CODE;
    if (*at == '\n') {
        *part = PART_LINE_END;
    } else if (*at == ' ' || *at == '\t' || *at == '\r') {
        *part = PART_BLANK;
    } else if (*at == '\\') {
        while (next < end && (*next == ' ' || *next == '\t' || *next == '\r')) next++;
        if (next == end || *next != '\n') return 1;
        *part = PART_JOIN;
        next++;
    } else if (*at == '/' && next < end && *next == '/') {
        *part = PART_COMMENT;
        while (next < end && *next != '\n') next++;
    } else if (*at == '/' && next < end && *next == '*') {
        *part = PART_COMMENT;
        for (next++; next < end; next++)
            if (*next == '/' && next[-1] == '*' && next - at > 2) return (size_t)(next + 1 - at);
        *part = PART_CODE; /* never closed: the lexer will say so */
    }
    return (size_t)(next - at);
}

static bool begins_with(const char *at, const char *end, const char *word) {
    size_t size = strlen(word);
    return (size_t)(end - at) >= size && !memcmp(at, word, size);
}

/* Whether a query begins here: a path quantifier, or sup, inf, bounds. */
static bool is_opening(const char *at, const char *end) {
    static const char *const quantifiers[] = {"A[]", "A<>", "E[]", "E<>"};
    static const char *const words[] = {"sup", "inf", "bounds"};
    for (size_t i = 0; i < sizeof quantifiers / sizeof *quantifiers; i++)
        if (begins_with(at, end, quantifiers[i])) return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!begins_with(at, end, words[i])) continue;
        const char *next = at + strlen(words[i]);
        while (next < end && *next == ' ') next++;
        if (next < end && (*next == '{' || *next == ':')) return true;
    }
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Whether an operator over states or a declaration of agents begins here, as a query may; it may be
 * part of one as well. */
static bool may_open(const char *at, const char *end) {
    static const char *const operators[] = {"K",  "Kw", "GK",  "GCK", "DK",    "A",     "E",
                                            "AX", "EX", "not", "!",   "agent", "group", "observe"};
    size_t size = 0;
    while (at + size < end && is_letter(at[size])) size++;
    if (begins_with(at, end, "<<") || begins_with(at, end, "[[")) return true; /* a coalition */
    if (!size && at < end && *at == '!') size = 1;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strlen(operators[i]) == size && !memcmp(at, operators[i], size)) return true;
    return false;
}

/* Whether a query cannot end where this text does: a parenthesis is open, or the last word or sign
 * is an operator. */
static bool goes_on(const char *at, const char *end) {
    static const char *const words[] = {"and", "or", "imply", "not", "forall", "exists", "xor"};
    const char *begin = at, *last = NULL;
    int depth = 0;
    while (at < end) {
        enum text_part part;
        size_t size = scan(at, end, &part);
        if (part == PART_CODE) {
            last = at;
            depth += (*at == '(' || *at == '{' || *at == '[');
            depth -= (*at == ')' || *at == '}' || *at == ']');
        }
        at += size;
    }
    if (!last || depth > 0) return true;
    size_t size = 0; /* of the last word */
    while (size < (size_t)(last - begin) && is_letter(last[-(ptrdiff_t)size])) size++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == size && !memcmp(last + 1 - size, words[i], size)) return true;
    return strchr("&|!=<>+-*/%,:", *last) || (*last == ']' && last > begin && last[-1] == '[');
}

struct line {
    const char *begin, *end; /* end is behind the line end */
    bool has_code, is_opening, has_arrow;
    bool may_open; /* it is an opening if what comes before is whole */
};

/* One line, with what backslashes and comments join to it. */
static struct line read_line(const char *at, const char *end) {
    struct line line = {.begin = at};
    enum text_part part = PART_BLANK;
    while (at < end && part != PART_LINE_END) {
        size_t size = scan(at, end, &part);
        if (part == PART_CODE) {
            if (!line.has_code) line.is_opening = is_opening(at, end);
            if (!line.has_code) line.may_open = may_open(at, end);
            line.has_code = true;
            line.has_arrow |= begins_with(at, end, "-->");
        }
        at += size;
    }
    line.end = at;
    return line;
}

static void add(struct query_texts *texts, const struct text *text, const char *begin,
                const char *end, bool is_given) {
    struct element *formula = ARENA_NEW(texts->arena, struct element);
    size_t offset = (size_t)(begin - text->content.data), size = (size_t)(end - begin);
    formula->name = "formula";
    formula->text.content = (struct str){arena_copy(texts->arena, begin, size), size};
    formula->text.begin = text->begin + (position)offset;
    formula->text.is_plain = text->is_plain;
    formula->at = formula->text.begin;
    VEC_PUSH(texts->arena, &texts->list,
             (struct xml_query){.element = formula, .formula = formula, .is_given = is_given});
}

void query_texts_add(struct query_texts *texts, const struct text *text, bool is_given) {
    const char *at = text->content.data, *end = at + text->content.size, *begin = at;
    bool has_code = false, is_whole = false; /* of the query from begin on */
    while (at < end) {
        struct line line = read_line(at, end);
        line.is_opening |= has_code && line.may_open && !goes_on(begin, line.begin);
        if (has_code && (line.is_opening || (line.has_arrow && is_whole))) {
            add(texts, text, begin, line.begin, is_given);
            has_code = is_whole = false;
        }
        if (!has_code) begin = line.begin;
        has_code |= line.has_code;
        is_whole |= line.is_opening || line.has_arrow;
        at = line.end;
    }
    if (has_code) add(texts, text, begin, end, is_given);
}

char *query_formula(struct arena *arena, struct str text) {
    struct buffer out = {0};
    const char *at = text.data, *end = at + text.size;
    bool is_apart = false;
    while (at < end) {
        enum text_part part;
        size_t size = scan(at, end, &part);
        if (part == PART_CODE) {
            if (is_apart && out.size) buffer_add_text(&out, " ");
            buffer_add(&out, at, size);
        }
        is_apart = part != PART_CODE;
        at += size;
    }
    buffer_add_text(&out, "");
    char *formula = buffer_take(&out, arena);
    buffer_close(&out);
    return formula;
}

void query_reject(struct query *query, enum status status, position at, const char *message,
                  struct diag *diag) {
    query->problem = message;
    query->problem_status = status;
    if (query->xml->is_given)
        diag_error(diag, status, at, "%s", message);
    else
        diag_warning(diag, at, "this %s cannot be used: %s",
                     query->is_declaration ? "declaration of agents" : "query", message);
}
