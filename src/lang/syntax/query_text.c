#include "lang/syntax/query_text.h"

#include "lang/syntax/lex.h"

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

static size_t name_size(const char *at, const char *end) {
    const char *next = at;
    while (next < end && is_part_of_name(*next)) next++;
    return (size_t)(next - at);
}

/* Words between and before operands. */
static const char *const operators[] = {"and", "or",     "xor",    "imply",
                                        "not", "forall", "exists", "sum"};
enum { INFIX_COUNT = 4, BINDERS_FROM = 5, OPERATOR_COUNT = sizeof operators / sizeof *operators };

static bool is_operator(const char *word, size_t size, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (strlen(operators[i]) == size && !memcmp(word, operators[i], size)) return true;
    return false;
}

/* Whether this is more of what stands before: an infix operator or a sign that begins no query. */
static bool is_rest(const char *at, const char *end) {
    size_t size = name_size(at, end);
    if (size) return is_operator(at, size, 0, INFIX_COUNT);
    if (begins_with(at, end, "<<") || begins_with(at, end, "[[")) return false; /* a coalition */
    return begins_with(at, end, "!=") || strchr("&|=<>+-*/%^?:;,.)]}[{", *at);
}

/* What is known of a query up to some place. */
struct so_far {
    const char *last; /* the last character of code; NULL before it */
    size_t word;      /* characters of the name that ends there */
    int depth;        /* of parentheses, brackets and braces */
    bool is_binder;   /* the outermost parentheses, open or just closed, are a quantifier's */
    bool is_whole;    /* it has an opening or an arrow */
};

static void read_code(struct so_far *query, const char *at) {
    bool opens = *at == '(' || *at == '{' || *at == '[';
    if (query->depth == 0)
        query->is_binder =
            *at == '(' && query->word &&
            is_operator(query->last + 1 - query->word, query->word, BINDERS_FROM, OPERATOR_COUNT);
    query->depth += opens;
    query->depth -= *at == ')' || *at == '}' || *at == ']';
    bool is_next = query->last && at == query->last + 1;
    query->word = !name_size(at, at + 1) ? 0 : is_next ? query->word + 1 : 1;
    query->last = at;
}

/* Whether a query cannot end there: a parenthesis is open, or an operand is to come. */
static bool goes_on(const struct so_far *query, const char *begin) {
    const char *last = query->last;
    if (!last || query->depth > 0 || query->is_binder) return true;
    return is_operator(last + 1 - query->word, query->word, 0, OPERATOR_COUNT) ||
           strchr("&|!=<>+-*/%^?,:.", *last) || (*last == ']' && last > begin && last[-1] == '[');
}

struct line {
    const char *code, *end; /* where its code begins, or NULL; after its line end */
    bool has_arrow;
};

/* One line, with what backslashes and comments join to it. */
static struct line read_line(const char *at, const char *end) {
    struct line line = {0};
    enum text_part part = PART_BLANK;
    while (at < end && part != PART_LINE_END) {
        size_t size = scan(at, end, &part);
        if (part == PART_CODE) {
            if (!line.code) line.code = at;
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
    struct so_far query = {0};
    while (at < end) {
        struct line line = read_line(at, end);
        bool opens = line.code && is_opening(line.code, end);
        if (query.last && line.code &&
            (opens || (line.has_arrow && query.is_whole) ||
             (!goes_on(&query, begin) && !is_rest(line.code, end)))) {
            add(texts, text, begin, at, is_given);
            query = (struct so_far){0};
        }
        if (!query.last) begin = at;
        query.is_whole |= opens || line.has_arrow;
        while (at < line.end) {
            enum text_part part;
            size_t size = scan(at, end, &part);
            if (part == PART_CODE) read_code(&query, at);
            at += size;
        }
    }
    if (query.last) add(texts, text, begin, end, is_given);
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
    return buffer_finish(&out, arena);
}

bool is_query_line(struct str line, struct str *rest) {
    static const char mark[] = "varabs:";
    struct str content = str_trim(line);
    size_t size = sizeof mark - 1;
    if (content.size < size || memcmp(content.data, mark, size) != 0) return false;
    *rest = (struct str){content.data + size, content.size - size};
    return true;
}

struct str comment_without_queries(struct arena *arena, struct str text) {
    struct buffer out = {0};
    const char *end = text.data + text.size;
    for (const char *line = text.data, *next; line < end; line = next) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        struct str rest;
        next = stop ? stop + 1 : end;
        if (is_query_line((struct str){line, (size_t)(next - line)}, &rest))
            buffer_add_text(&out, "// ");
        buffer_add(&out, line, (size_t)(next - line));
    }
    struct str result = {NULL, out.size};
    result.data = buffer_finish(&out, arena);
    return result;
}

void query_reject(struct query *query, enum status status, position at, const char *message,
                  struct diag *diag) {
    query->problem = message;
    query->problem_status = status;
    query->problem_at = at;
    if (query->xml->is_given)
        diag_error(diag, status, at, "%s", message);
    else
        diag_warning(diag, at, "this %s cannot be used: %s",
                     query->is_declaration ? "declaration of agents" : "query", message);
}
