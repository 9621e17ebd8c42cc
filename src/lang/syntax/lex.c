#include "lang/syntax/lex.h"

#include <assert.h>
#include <string.h>

enum { MAX_NAME = 4000 };

static const char *const texts[TOKEN_COUNT] = {
    [TOKEN_END] = "end of the text", [TOKEN_NAME] = "a name",     [TOKEN_BUILTIN] = "a function",
    [TOKEN_INT] = "a number",        [TOKEN_DOUBLE] = "a number", [TOKEN_STRING] = "a string",
#define X(name, text) [TOKEN_##name] = text,
    KEYWORDS(X) PUNCTUATION(X)
#undef X
};

/* Maths functions are keywords too; all but abs give doubles. */
static const char *const builtins[] = {"abs",
                                       "fabs",
                                       "fmod",
                                       "fma",
                                       "fmax",
                                       "fmin",
                                       "fdim",
                                       "exp",
                                       "exp2",
                                       "expm1",
                                       "ln",
                                       "log",
                                       "log10",
                                       "log2",
                                       "log1p",
                                       "pow",
                                       "sqrt",
                                       "cbrt",
                                       "hypot",
                                       "sin",
                                       "cos",
                                       "tan",
                                       "asin",
                                       "acos",
                                       "atan",
                                       "atan2",
                                       "sinh",
                                       "cosh",
                                       "tanh",
                                       "asinh",
                                       "acosh",
                                       "atanh",
                                       "erf",
                                       "erfc",
                                       "tgamma",
                                       "lgamma",
                                       "ceil",
                                       "floor",
                                       "trunc",
                                       "round",
                                       "fint",
                                       "ldexp",
                                       "ilogb",
                                       "logb",
                                       "nextafter",
                                       "copysign",
                                       "fpclassify",
                                       "isfinite",
                                       "isinf",
                                       "isnan",
                                       "isnormal",
                                       "signbit",
                                       "isunordered",
                                       "random",
                                       "random_arcsine",
                                       "random_beta",
                                       "random_gamma",
                                       "random_normal",
                                       "random_poisson",
                                       "random_tri",
                                       "random_weibull"};

const char *token_text(enum token_kind kind) {
    assert((unsigned)kind < TOKEN_COUNT && texts[kind]);
    return texts[kind];
}

static const unsigned char sizes[TOKEN_COUNT] = {
#define X(name, text) [TOKEN_##name] = sizeof(text) - 1,
    KEYWORDS(X) PUNCTUATION(X)
#undef X
};

static enum token_kind word_kind(const char *word, size_t size) {
    for (int kind = TOKEN_CONST; kind <= TOKEN_LOCATION; kind++)
        if (sizes[kind] == size && texts[kind][0] == word[0] && !memcmp(texts[kind], word, size))
            return (enum token_kind)kind;
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (builtins[i][0] == word[0] && str_is((struct str){word, size}, builtins[i]))
            return TOKEN_BUILTIN;
    return TOKEN_NAME;
}

bool is_reserved_word(const char *word) { return word_kind(word, strlen(word)) != TOKEN_NAME; }

bool token_is_model_word(enum token_kind kind) {
    switch (kind) {
    case TOKEN_SELECT:
    case TOKEN_XOR:
    case TOKEN_FOR:
    case TOKEN_WHILE:
    case TOKEN_DO:
    case TOKEN_IF:
    case TOKEN_ELSE:
    case TOKEN_DEFAULT:
    case TOKEN_RETURN:
    case TOKEN_TYPEDEF:
    case TOKEN_STRUCT:
    case TOKEN_IMPORT:
    case TOKEN_META:
    case TOKEN_BEFORE_UPDATE:
    case TOKEN_AFTER_UPDATE:
    case TOKEN_PROGRESS:
    case TOKEN_GANTT:
    case TOKEN_ASSERT:
    case TOKEN_IO:
    case TOKEN_STRING_WORD:
    case TOKEN_HYBRID:
    case TOKEN_DYNAMIC:
    case TOKEN_SPAWN:
    case TOKEN_EXIT:
    case TOKEN_QUERY:
    case TOKEN_LOCATION: return true;
    default: return false;
    }
}

bool is_query_word(const char *name) {
    static const char *const words[] = {
        "Pmax",     "Pr",         "X",        "bounds", "control",      "control_t",
        "deadlock", "foreach",    "imitate",  "inf",    "loadStrategy", "maxE",
        "maxPr",    "minE",       "minPr",    "numOf",  "sat",          "saveStrategy",
        "simulate", "simulation", "strategy", "sup",    "under"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i])) return true;
    return false;
}

bool hides_in_queries(const char *word) {
    static const char *const others[] = {"bounds", "inf", "simulation", "sup"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(word, others[i])) return false;
    return is_query_word(word);
}

/* The same for a name. */
bool is_model_word(const char *word) { return token_is_model_word(word_kind(word, strlen(word))); }

struct lexer {
    struct arena *arena;
    struct interner *names;
    struct tokens *tokens;
    struct diag *diag;
    const char *begin, *at, *end;
    position base;
    bool ok;
};

static position position_at(const struct lexer *lexer, const char *at) {
    return lexer->base + (position)(at - lexer->begin);
}

static void push(struct lexer *lexer, enum token_kind kind, const char *from, const char *name,
                 int64_t value) {
    struct span span = {position_at(lexer, from), position_at(lexer, lexer->at)};
    VEC_PUSH(lexer->arena, &lexer->tokens->list, (struct token){kind, span, name, value});
}

static void fail(struct lexer *lexer, const char *at, const char *message) {
    diag_error(lexer->diag, STATUS_INVALID, position_at(lexer, at), "%s", message);
    lexer->ok = false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_part_of_name(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '#'; }

bool text_names(const char *text, const char *name) {
    size_t size = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += size)
        if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[size])) return true;
    return false;
}

/* Whether a backslash and blanks end the line here: Uppaal's continuation. */
static const char *skip_continuation(const char *at, const char *end) {
    for (at++; at < end && (*at == ' ' || *at == '\t' || *at == '\r'); at++) continue;
    return at < end && *at == '\n' ? at + 1 : NULL;
}

/* Skips blanks and comments; false at the end. */
static bool skip_blanks(struct lexer *lexer) {
    while (lexer->at < lexer->end) {
        const char *at = lexer->at, *next;
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
            if (*at == '\r' && (at + 1 == lexer->end || at[1] != '\n'))
                fail(lexer, at, "a lone carriage return is not allowed; use a line feed");
            lexer->at++;
        } else if (*at == '\\' && (next = skip_continuation(at, lexer->end))) {
            lexer->at = next;
        } else if (*at == '/' && at + 1 < lexer->end && at[1] == '/') {
            while (lexer->at < lexer->end && *lexer->at != '\n') lexer->at++;
        } else if (*at == '/' && at + 1 < lexer->end && at[1] == '*') {
            for (lexer->at += 2; lexer->at < lexer->end; lexer->at++)
                if (lexer->at[-1] == '*' && *lexer->at == '/' && lexer->at - at > 2) break;
            if (lexer->at == lexer->end)
                fail(lexer, at, "this comment is never closed; add '*/'");
            else
                lexer->at++;
        } else {
            return true;
        }
    }
    return false;
}

static void lex_number(struct lexer *lexer) {
    const char *from = lexer->at;
    int64_t value = 0;
    bool is_double = false;
    for (; lexer->at < lexer->end && is_digit(*lexer->at); lexer->at++)
        if (value <= INT64_C(2147483648)) value = value * 10 + (*lexer->at - '0');
    if (lexer->at + 1 < lexer->end && *lexer->at == '.' && is_digit(lexer->at[1])) {
        is_double = true;
        for (lexer->at++; lexer->at < lexer->end && is_digit(*lexer->at); lexer->at++) continue;
    }
    if (lexer->at + 1 < lexer->end && (*lexer->at == 'e' || *lexer->at == 'E')) {
        const char *at = lexer->at + 1;
        if (at + 1 < lexer->end && (*at == '+' || *at == '-')) at++;
        if (is_digit(*at)) {
            is_double = true;
            while (at < lexer->end && is_digit(*at)) at++;
            lexer->at = at;
        }
    }
    if (!is_double && value > INT64_C(2147483648)) {
        fail(lexer, from, "this number does not fit 32 bits");
        value = 0;
    }
    push(lexer, is_double ? TOKEN_DOUBLE : TOKEN_INT, from, NULL, value);
}

static void lex_word(struct lexer *lexer) {
    const char *from = lexer->at;
    for (lexer->at++; lexer->at < lexer->end; lexer->at++)
        if (!is_part_of_name(*lexer->at)) break;
    size_t size = (size_t)(lexer->at - from);
    if (size > MAX_NAME) {
        fail(lexer, from, "this name is longer than 4000 characters");
        size = MAX_NAME;
    }
    push(lexer, word_kind(from, size), from, intern(lexer->names, from, size), 0);
}

static void lex_string(struct lexer *lexer) {
    const char *from = lexer->at++;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') lexer->at++;
    if (lexer->at == lexer->end || *lexer->at != '"') {
        fail(lexer, from, "this string is never closed; add '\"'");
        return;
    }
    lexer->at++;
    push(lexer, TOKEN_STRING, from, intern(lexer->names, from + 1, (size_t)(lexer->at - from) - 2),
         0);
}

static bool lex_punctuation(struct lexer *lexer) {
    enum token_kind best = TOKEN_END;
    size_t best_size = 0, rest = (size_t)(lexer->end - lexer->at);
    for (int kind = TOKEN_DOT; kind <= TOKEN_HASH; kind++) {
        size_t size = sizes[kind];
        if (texts[kind][0] == *lexer->at && size > best_size && size <= rest &&
            !memcmp(lexer->at, texts[kind], size)) {
            best = (enum token_kind)kind;
            best_size = size;
        }
    }
    if (!best_size) return false;
    const char *from = lexer->at;
    lexer->at += best_size;
    push(lexer, best, from, NULL, 0);
    return true;
}

bool lex(struct arena *arena, struct interner *names, const struct text *text,
         struct tokens *tokens, struct diag *diag) {
    struct lexer lexer = {.arena = arena,
                          .names = names,
                          .tokens = tokens,
                          .diag = diag,
                          .begin = text->content.data,
                          .at = text->content.data,
                          .end = text->content.data + text->content.size,
                          .base = text->begin,
                          .ok = true};
    while (skip_blanks(&lexer)) {
        char c = *lexer.at;
        if (is_digit(c)) {
            lex_number(&lexer);
        } else if (is_letter(c)) {
            lex_word(&lexer);
        } else if (c == '"') {
            lex_string(&lexer);
        } else if (!lex_punctuation(&lexer)) {
            const char *from = lexer.at++;
            while (lexer.at < lexer.end && ((unsigned char)*lexer.at & 0xC0) == 0x80) lexer.at++;
            fail(&lexer, from,
                 (unsigned char)c >= 0x80 ? "only ASCII characters are allowed outside comments"
                                          : "this character has no meaning in Uppaal");
        }
    }
    push(&lexer, TOKEN_END, lexer.at, NULL, 0);
    return lexer.ok;
}
