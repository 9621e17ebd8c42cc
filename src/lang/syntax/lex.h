/* LEX - tokens of Uppaal text.
 *
 * Longest match; comments and `\` newline continuations are blanks. A word is a keyword by this
 * table or a name; whether a name is a typedef the parser decides by its scope.
 *
 * Lifetime: tokens live in the arena given at lexing.
 * Errors:   characters outside the language, unclosed comments and strings, integers beyond
 *           2147483648: STATUS_INVALID, and lexing goes on after them.
 */
#pragma once

#include "base/vec.h"
#include "lang/syntax/ast.h"

/* clang-format off */
/* Keywords of model text. */
#define KEYWORDS(X)                                                                                \
    X(CONST, "const") X(SELECT, "select") X(GUARD, "guard") X(SYNC, "sync")                        \
    X(ASSIGN_WORD, "assign") X(PROBABILITY, "probability") X(PROCESS, "process")                   \
    X(STATE, "state") X(BRANCHPOINT, "branchpoint") X(INIT, "init") X(TRANS, "trans")              \
    X(URGENT, "urgent") X(COMMIT, "commit") X(BROADCAST, "broadcast") X(SYSTEM, "system")          \
    X(TRUE, "true") X(FALSE, "false") X(OR_WORD, "or") X(AND_WORD, "and") X(XOR, "xor")            \
    X(NOT_WORD, "not") X(IMPLY, "imply") X(FOR, "for") X(WHILE, "while") X(DO, "do") X(IF, "if")   \
    X(ELSE, "else") X(DEFAULT, "default") X(RETURN, "return") X(TYPEDEF, "typedef")                \
    X(STRUCT, "struct") X(IMPORT, "import") X(META, "meta") X(BEFORE_UPDATE, "before_update")      \
    X(AFTER_UPDATE, "after_update") X(PROGRESS, "progress") X(GANTT, "gantt")                      \
    X(ASSERT, "assert") X(IO, "IO") X(FORALL, "forall") X(EXISTS, "exists") X(SUM, "sum")          \
    X(PRIORITY, "priority") X(BOOL, "bool") X(INT_WORD, "int") X(DOUBLE_WORD, "double")            \
    X(STRING_WORD, "string") X(CHAN, "chan") X(CLOCK, "clock") X(VOID, "void")                     \
    X(SCALAR, "scalar") X(HYBRID, "hybrid") X(DYNAMIC, "dynamic") X(SPAWN, "spawn")                \
    X(EXIT, "exit") X(QUERY, "query") X(LOCATION, "location")

#define PUNCTUATION(X)                                                                             \
    X(DOT, ".") X(COMMA, ",") X(SEMICOLON, ";") X(COLON, ":") X(LEFT_BRACE, "{")                   \
    X(RIGHT_BRACE, "}") X(LEFT_BRACKET, "[") X(RIGHT_BRACKET, "]") X(LEFT_PAREN, "(")              \
    X(RIGHT_PAREN, ")") X(QUESTION, "?") X(QUOTE, "'") X(BANG, "!") X(ARROW, "->")                 \
    X(LEADS_TO, "-->") X(ASSIGN, "=") X(COLON_ASSIGN, ":=") X(ADD_ASSIGN, "+=")                    \
    X(SUB_ASSIGN, "-=") X(MUL_ASSIGN, "*=") X(DIV_ASSIGN, "/=") X(MOD_ASSIGN, "%=")                \
    X(OR_ASSIGN, "|=") X(AND_ASSIGN, "&=") X(XOR_ASSIGN, "^=") X(SHL_ASSIGN, "<<=")                \
    X(SHR_ASSIGN, ">>=") X(MIN, "<?") X(MAX, ">?") X(ADD, "+") X(SUB, "-") X(MUL, "*")             \
    X(DIV, "/") X(MOD, "%") X(POW, "**") X(BIT_OR, "|") X(BIT_AND, "&") X(BIT_XOR, "^")            \
    X(SHL, "<<") X(SHR, ">>") X(OR, "||") X(AND, "&&") X(LE, "<=") X(GE, ">=") X(LT, "<")          \
    X(GT, ">") X(EQ, "==") X(NE, "!=") X(INC, "++") X(DEC, "--") X(HASH, "#")
/* clang-format on */

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_BUILTIN, /* name of a maths function; a NAME in the tree */
    TOKEN_INT,
    TOKEN_DOUBLE,
    TOKEN_STRING,
#define X(name, text) TOKEN_##name,
    KEYWORDS(X) PUNCTUATION(X)
#undef X
        TOKEN_COUNT
};

struct token {
    enum token_kind kind;
    struct span span;
    const char *name; /* NAME, BUILTIN and keywords: interned */
    int64_t value;    /* INT */
};

struct tokens {
    VEC(struct token) list; /* ends with TOKEN_END */
};

/* Adds the tokens of a text; false if there were errors. */
bool lex(struct arena *arena, struct interner *names, const struct text *text,
         struct tokens *tokens, struct diag *diag);

/* Whether a character may stand in a name, after its first. */
bool is_part_of_name(char c);
/* Over: whether a text names something; comments count, too. */
bool text_names(const char *text, const char *name);

/* A token kind as messages name it: 'name', ';' ... */
const char *token_text(enum token_kind kind);

/* Whether a word is reserved (keywords and maths builtins). */
bool is_reserved_word(const char *word);

/* Words of the query language, which Uppaal does not take as names of templates and locations. */
bool is_query_word(const char *word);
/* Those by which queries cannot name anything else. */
bool hides_in_queries(const char *word);

/* Words that are reserved in model text, but neither in queries nor in the syntax of Uppaal 3: they
 * may name templates and locations, which then only queries can name. */
bool token_is_model_word(enum token_kind kind);
bool is_model_word(const char *word);
