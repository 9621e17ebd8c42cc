#include "lang/print/print.h"

#include "lang/syntax/kinds.h"

#include <assert.h>

static const struct {
    const char *text, *word;
    int level;
} ops[OP_COUNT] = {
    [OP_POW] = {"**", NULL, 14},
    [OP_MUL] = {"*", NULL, 13},
    [OP_DIV] = {"/", NULL, 13},
    [OP_MOD] = {"%", NULL, 13},
    [OP_ADD] = {"+", NULL, 12},
    [OP_SUB] = {"-", NULL, 12},
    [OP_SHL] = {"<<", NULL, 11},
    [OP_SHR] = {">>", NULL, 11},
    [OP_MIN] = {"<?", NULL, 10},
    [OP_MAX] = {">?", NULL, 10},
    [OP_LT] = {"<", NULL, 9},
    [OP_LE] = {"<=", NULL, 9},
    [OP_GE] = {">=", NULL, 9},
    [OP_GT] = {">", NULL, 9},
    [OP_EQ] = {"==", NULL, 8},
    [OP_NE] = {"!=", NULL, 8},
    [OP_BIT_AND] = {"&", NULL, 7},
    [OP_BIT_XOR] = {"^", NULL, 6},
    [OP_BIT_OR] = {"|", NULL, 5},
    [OP_AND] = {"&&", "and", 4},
    [OP_OR] = {"||", "or", 3},
    [OP_IMPLY] = {"imply", "imply", 3},
    [OP_XOR] = {"xor", "xor", 3},
    [OP_NOT] = {"!", "not ", LEVEL_UNARY},
    [OP_NEG] = {"-", NULL, LEVEL_UNARY},
    [OP_PRE_INC] = {"++", NULL, LEVEL_UNARY},
    [OP_PRE_DEC] = {"--", NULL, LEVEL_UNARY},
    [OP_POST_INC] = {"++", NULL, LEVEL_POSTFIX},
    [OP_POST_DEC] = {"--", NULL, LEVEL_POSTFIX},
    [OP_ASSIGN] = {"=", ":=", 1},
    [OP_ADD_ASSIGN] = {"+=", NULL, 1},
    [OP_SUB_ASSIGN] = {"-=", NULL, 1},
    [OP_MUL_ASSIGN] = {"*=", NULL, 1},
    [OP_DIV_ASSIGN] = {"/=", NULL, 1},
    [OP_MOD_ASSIGN] = {"%=", NULL, 1},
    [OP_AND_ASSIGN] = {"&=", NULL, 1},
    [OP_OR_ASSIGN] = {"|=", NULL, 1},
    [OP_XOR_ASSIGN] = {"^=", NULL, 1},
    [OP_SHL_ASSIGN] = {"<<=", NULL, 1},
    [OP_SHR_ASSIGN] = {">>=", NULL, 1},
    [OP_FORALL] = {"forall", NULL, LEVEL_ATOM},
    [OP_EXISTS] = {"exists", NULL, LEVEL_ATOM},
    [OP_SUM] = {"sum", NULL, LEVEL_ATOM},
    [OP_AX] = {"AX", NULL, LEVEL_ATOM},
    [OP_AG] = {"A[]", NULL, LEVEL_ATOM},
    [OP_AF] = {"A<>", NULL, LEVEL_ATOM},
    [OP_EX] = {"EX", NULL, LEVEL_ATOM},
    [OP_EG] = {"E[]", NULL, LEVEL_ATOM},
    [OP_EF] = {"E<>", NULL, LEVEL_ATOM},
    [OP_AU] = {"A", "U", LEVEL_ATOM},
    [OP_AW] = {"A", "W", LEVEL_ATOM},
    [OP_AR] = {"A", "R", LEVEL_ATOM},
    [OP_EU] = {"E", "U", LEVEL_ATOM},
    [OP_EW] = {"E", "W", LEVEL_ATOM},
    [OP_ER] = {"E", "R", LEVEL_ATOM},
    [OP_K] = {"K", NULL, LEVEL_ATOM},
    [OP_KW] = {"Kw", NULL, LEVEL_ATOM},
    [OP_GK] = {"GK", NULL, LEVEL_ATOM},
    [OP_GCK] = {"GCK", NULL, LEVEL_ATOM},
    [OP_DK] = {"DK", NULL, LEVEL_ATOM},
    [OP_ABLE_X] = {"X", NULL, LEVEL_ATOM},
    [OP_ABLE_G] = {"G", NULL, LEVEL_ATOM},
    [OP_ABLE_F] = {"F", NULL, LEVEL_ATOM},
    [OP_ABLE_U] = {"U", "U", LEVEL_ATOM},
    [OP_ABLE_W] = {"W", "W", LEVEL_ATOM},
    [OP_ABLE_R] = {"R", "R", LEVEL_ATOM},
};

const char *op_text(enum op op, bool is_word) {
    assert(op > OP_NONE && op < OP_COUNT);
    return is_word && ops[op].word ? ops[op].word : ops[op].text;
}

static int level_of(const struct expr *expr) {
    int level = expr_traits(expr->kind)->level;
    if (expr->kind == EXPR_INT && expr->value < 0) return LEVEL_UNARY;
    assert(level || ops[expr->op].level);
    return level ? level : ops[expr->op].level;
}

static void print(struct buffer *out, const struct expr *expr, int level, bool is_last);

static void print_arguments(struct buffer *out, const struct expr *expr) {
    buffer_add_text(out, "(");
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        if (i) buffer_add_text(out, ", ");
        print_expr(out, expr->arguments[i]);
    }
    buffer_add_text(out, ")");
}

static void print_binary(struct buffer *out, const struct expr *expr, bool is_last) {
    bool is_assignment = expr->kind == EXPR_ASSIGN;
    bool is_comparison = expr->op >= OP_LT && expr->op <= OP_NE;
    int level = is_comparison ? ops[OP_LT].level : ops[expr->op].level;
    int left = is_assignment ? LEVEL_CONDITION + 1 : is_comparison ? level + 1 : level;
    print(out, expr->child[0], left, false);
    buffer_printf(out, " %s ", op_text(expr->op, expr->is_word));
    print(out, expr->child[1], is_assignment ? level : level + 1, is_last);
}

/* A sign must not join the sign after it: "- -x" is no decrement. */
static void print_prefix(struct buffer *out, const struct expr *expr, bool is_last) {
    const char *text = op_text(expr->op, expr->is_word);
    buffer_add_text(out, text);
    size_t at = out->size;
    print(out, expr->child[0], LEVEL_UNARY, is_last);
    char sign = text[0];
    if ((sign == '-' || sign == '+') && out->data[at] == sign) {
        buffer_add_text(out, " ");
        for (size_t i = out->size - 1; i > at; i--) out->data[i] = out->data[i - 1];
        out->data[at] = ' ';
    }
}

static void print_quantifier(struct buffer *out, const struct expr *expr) {
    assert(expr->bound && ops[expr->op].level == LEVEL_ATOM);
    buffer_printf(out, "%s (%s : ", ops[expr->op].text, expr->bound->name);
    print_base_type(out, expr->bound->type);
    buffer_add_text(out, ") ");
    print(out, expr->child[0], LEVEL_LOWEST, true);
}

/* K(a, p), GK({a, b}, p): braces around a group that is written out. */
static void print_knowledge(struct buffer *out, const struct expr *expr) {
    bool is_list = expr->argument_count != 1;
    buffer_printf(out, "%s(%s", ops[expr->op].text, is_list ? "{" : "");
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        if (i) buffer_add_text(out, ", ");
        print_expr(out, expr->arguments[i]);
    }
    buffer_add_text(out, is_list ? "}, " : ", ");
    print_expr(out, expr->child[0]);
    buffer_add_text(out, ")");
}

/* A(p U q): not with brackets, which would be those of an array A where the model has one. */
static void print_until(struct buffer *out, const struct expr *expr) {
    buffer_printf(out, "%s(", ops[expr->op].text);
    print(out, expr->child[0], LEVEL_LOWEST, true);
    buffer_printf(out, " %s ", ops[expr->op].word);
    print(out, expr->child[1], LEVEL_LOWEST, true);
    buffer_add_text(out, ")");
}

/* <<A, B; Ir>>, [[A]] */
static void print_coalition(struct buffer *out, const struct expr *expr) {
    static const struct {
        uint32_t mode;
        const char *word;
    } words[] = {{MODE_PERFECT, "Ir"},
                 {MODE_SUBJECTIVE, "subjective"},
                 {MODE_WAIT, "wait"},
                 {MODE_ACTIVE, "active"}};
    bool is_dual = expr->modes & MODE_DUAL, has_any = false;
    buffer_add_text(out, is_dual ? "[[" : "<<");
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        if (i) buffer_add_text(out, ", ");
        print_expr(out, expr->arguments[i]);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(expr->modes & words[i].mode)) continue;
        buffer_printf(out, "%s%s", has_any ? ", " : "; ", words[i].word);
        has_any = true;
    }
    buffer_add_text(out, is_dual ? "]]" : ">>");
}

/* <<A>> F p */
static void print_able(struct buffer *out, const struct expr *expr) {
    print_coalition(out, expr);
    buffer_printf(out, " %s ", ops[expr->op].text);
    print(out, expr->child[0], LEVEL_LOWEST, true);
}

/* <<A>> (p U q) */
static void print_able_until(struct buffer *out, const struct expr *expr) {
    print_coalition(out, expr);
    buffer_add_text(out, " (");
    print(out, expr->child[0], LEVEL_LOWEST, true);
    buffer_printf(out, " %s ", ops[expr->op].text);
    print(out, expr->child[1], LEVEL_LOWEST, true);
    buffer_add_text(out, ")");
}

static void print_bare(struct buffer *out, const struct expr *expr, bool is_last) {
    switch (expr->kind) {
    case EXPR_INT: buffer_printf(out, "%lld", (long long)expr->value); break;
    case EXPR_BOOL: buffer_add_text(out, expr->value ? "true" : "false"); break;
    case EXPR_NAME: buffer_add_text(out, expr->symbol ? expr->symbol->name : expr->name); break;
    case EXPR_UNARY: print_prefix(out, expr, is_last); break;
    case EXPR_BINARY:
    case EXPR_ASSIGN: print_binary(out, expr, is_last); break;
    case EXPR_STEP:
        if (expr->op == OP_PRE_INC || expr->op == OP_PRE_DEC) {
            print_prefix(out, expr, is_last);
        } else {
            print(out, expr->child[0], LEVEL_POSTFIX, false);
            buffer_add_text(out, ops[expr->op].text);
        }
        break;
    case EXPR_COND:
        print(out, expr->child[0], LEVEL_CONDITION + 1, false);
        buffer_add_text(out, " ? ");
        print(out, expr->child[1], LEVEL_LOWEST, true);
        buffer_add_text(out, " : ");
        print(out, expr->child[2], LEVEL_LOWEST, is_last);
        break;
    case EXPR_CALL:
        print(out, expr->child[0], LEVEL_POSTFIX, false);
        print_arguments(out, expr);
        break;
    case EXPR_INDEX:
        print(out, expr->child[0], LEVEL_POSTFIX, false);
        buffer_add_text(out, "[");
        print_expr(out, expr->child[1]);
        buffer_add_text(out, "]");
        break;
    case EXPR_FIELD:
        print(out, expr->child[0], LEVEL_POSTFIX, false);
        buffer_printf(out, ".%s", expr->name);
        break;
    case EXPR_RATE:
        print(out, expr->child[0], LEVEL_POSTFIX, false);
        buffer_add_text(out, "'");
        break;
    case EXPR_QUANTIFY: print_quantifier(out, expr); break;
    case EXPR_BUILTIN:
        buffer_add_text(out, expr->name);
        print_arguments(out, expr);
        break;
    case EXPR_DEADLOCK: buffer_add_text(out, expr_traits(expr->kind)->text); break;
    case EXPR_PATH:
        buffer_printf(out, "%s ", ops[expr->op].text);
        print(out, expr->child[0], LEVEL_LOWEST, true);
        break;
    case EXPR_UNTIL: print_until(out, expr); break;
    case EXPR_KNOW: print_knowledge(out, expr); break;
    case EXPR_ABLE: print_able(out, expr); break;
    case EXPR_ABLE_UNTIL: print_able_until(out, expr); break;
    case EXPR_DOUBLE:
    case EXPR_STRING: assert(0 && "refused by the checker"); break;
    }
}

/* level: the loosest operator that may stand here bare; is_last: nothing follows that a body
 * reaching as far right as possible could swallow. */
static void print(struct buffer *out, const struct expr *expr, int level, bool is_last) {
    bool reaches_on =
        expr->kind == EXPR_QUANTIFY || expr->kind == EXPR_PATH || expr->kind == EXPR_ABLE;
    bool bare = level_of(expr) >= level && (!reaches_on || is_last);
    if (!bare) buffer_add_text(out, "(");
    print_bare(out, expr, bare ? is_last : true);
    if (!bare) buffer_add_text(out, ")");
}

/* As checked text that parses to the same tree. */
void print_expr(struct buffer *out, const struct expr *expr) {
    print(out, expr, LEVEL_LOWEST, true);
}

static void print_prefixes(struct buffer *out, unsigned prefix) {
    if (prefix & PREFIX_CONST) buffer_add_text(out, "const ");
    if (prefix & PREFIX_META) buffer_add_text(out, "meta ");
    if (prefix & PREFIX_HYBRID) buffer_add_text(out, "hybrid ");
    if (prefix & PREFIX_URGENT) buffer_add_text(out, "urgent ");
    if (prefix & PREFIX_BROADCAST) buffer_add_text(out, "broadcast ");
}

const struct type *type_base(const struct type *type) {
    while (type->kind == TYPE_ARRAY) type = type->element;
    return type;
}

static void print_struct(struct buffer *out, const struct type *type) {
    buffer_add_text(out, "struct { ");
    for (uint32_t i = 0; i < type->field_count; i++) {
        print_base_type(out, type_base(type->fields[i].type));
        buffer_add_text(out, " ");
        print_declarator(out, type->fields[i].name, type->fields[i].type);
        buffer_add_text(out, "; ");
    }
    buffer_add_text(out, "}");
}

void print_base_type(struct buffer *out, const struct type *type) {
    static const char *const words[] = {
        [TYPE_VOID] = "void",   [TYPE_BOOL] = "bool",     [TYPE_CHAN] = "chan",
        [TYPE_CLOCK] = "clock", [TYPE_DOUBLE] = "double", [TYPE_STRING] = "string"};
    type = type_base(type);
    print_prefixes(out, type->prefix);
    switch (type->kind) {
    case TYPE_INT:
        buffer_add_text(out, "int");
        if (!type->lower) break;
        buffer_add_text(out, "[");
        print_expr(out, type->lower);
        buffer_add_text(out, ",");
        print_expr(out, type->upper);
        buffer_add_text(out, "]");
        break;
    case TYPE_SCALAR:
        buffer_add_text(out, "scalar[");
        print_expr(out, type->size);
        buffer_add_text(out, "]");
        break;
    case TYPE_STRUCT: print_struct(out, type); break;
    case TYPE_NAMED: buffer_add_text(out, type->name); break;
    default:
        assert((size_t)type->kind < sizeof words / sizeof *words && words[type->kind]);
        buffer_add_text(out, words[type->kind]);
        break;
    }
}

void print_declarator(struct buffer *out, const char *name, const struct type *type) {
    buffer_add_text(out, name);
    for (; type->kind == TYPE_ARRAY; type = type->element) {
        buffer_add_text(out, "[");
        if (type->index)
            print_base_type(out, type->index);
        else
            print_expr(out, type->size);
        buffer_add_text(out, "]");
    }
}

char *expr_text(const struct expr *expr, struct arena *arena) {
    struct buffer text = {0};
    print_expr(&text, expr);
    return buffer_finish(&text, arena);
}

char *type_text(const struct type *type, struct arena *arena) {
    struct buffer text = {0};
    print_base_type(&text, type);
    print_declarator(&text, "", type);
    return buffer_finish(&text, arena);
}
