/* Types: equality, what may be assigned, and what a declaration may say. */
#include "lang/check/check_internal.h"

#include <assert.h>

const struct type type_plain_int = {.kind = TYPE_INT, .prefix = PREFIX_CONST};

/* After typedef names; TYPE_ERROR for NULL. */
enum type_kind type_kind(const struct type *type) {
    type = type_strip(type);
    return type ? type->kind : TYPE_ERROR;
}

/* What was reported already, so that nothing more is said about it. */
bool type_is_error(const struct type *type) { return type_kind(type) == TYPE_ERROR; }

bool type_is_integral(const struct type *type) {
    enum type_kind kind = type_kind(type);
    return kind == TYPE_INT || kind == TYPE_BOOL;
}

static bool type_has_range(const struct type *type) {
    type = type_strip(type);
    return type->kind == TYPE_INT && (type->lower || !(type->prefix & PREFIX_CONST));
}

int channel_capability(const struct type *type) {
    unsigned prefix = type_prefixes(type);
    return prefix & PREFIX_URGENT ? 0 : prefix & PREFIX_BROADCAST ? 1 : 2;
}

/* With its article, for messages. */
const char *type_describe(const struct type *type) {
    switch (type_kind(type)) {
    case TYPE_VOID: return "void";
    case TYPE_INT: return "an int";
    case TYPE_BOOL: return "a bool";
    case TYPE_SCALAR: return "a scalar";
    case TYPE_STRUCT: return "a struct";
    case TYPE_ARRAY: return "an array";
    case TYPE_CHAN: return "a channel";
    case TYPE_CLOCK: return "a clock";
    case TYPE_DIFFERENCE: return "a difference of clocks";
    case TYPE_TIMING:
    case TYPE_TIMING_GUARD: return "a condition on clocks";
    case TYPE_PROCESS: return "a process";
    case TYPE_AGENT: return "an agent";
    default: return "something else";
    }
}

const char *type_advice(const struct type *type) {
    enum type_kind kind = type_kind(type);
    bool has_bounds = kind == TYPE_INT || kind == TYPE_ARRAY || kind == TYPE_STRUCT;
    return has_bounds ? "; sizes and ranges must be written alike" : "";
}

/* Two expressions are the same if they are built alike from the same symbols and numbers; values
 * do not count (N and 3 differ even if const int N = 3). */
static bool expr_is_equal(const struct expr *left, const struct expr *right) {
    if (left == right) return true;
    if (!left || !right || left->kind != right->kind || left->op != right->op) return false;
    if (left->value != right->value || left->symbol != right->symbol) return false;
    if (left->name != right->name || left->bound != right->bound) return false;
    if (left->argument_count != right->argument_count) return false;
    for (int i = 0; i < 3; i++)
        if (!expr_is_equal(left->child[i], right->child[i])) return false;
    for (uint32_t i = 0; i < left->argument_count; i++)
        if (!expr_is_equal(left->arguments[i], right->arguments[i])) return false;
    return true;
}

/* Whether a size means the same as an index type: a[e] is indexed by int[0,e-1]. */
static bool size_is_range(const struct expr *size, const struct type *index) {
    index = type_strip(index);
    if (index->kind != TYPE_INT || !index->lower) return false;
    const struct expr *upper = index->upper;
    return index->lower->kind == EXPR_INT && index->lower->value == 0 &&
           upper->kind == EXPR_BINARY && upper->op == OP_SUB && upper->child[1]->kind == EXPR_INT &&
           upper->child[1]->value == 1 && expr_is_equal(upper->child[0], size);
}

static bool range_is_equal(const struct type *left, const struct type *right) {
    return expr_is_equal(left->lower, right->lower) && expr_is_equal(left->upper, right->upper);
}

static bool index_is_equal(const struct type *left, const struct type *right) {
    if (left->size && right->size) return expr_is_equal(left->size, right->size);
    if (left->size) return size_is_range(left->size, right->index);
    if (right->size) return size_is_range(right->size, left->index);
    left = type_strip(left->index);
    right = type_strip(right->index);
    if (left->kind == TYPE_INT && right->kind == TYPE_INT) return range_is_equal(left, right);
    return left == right;
}

/* Structural equality. Budgets bound the work on types that share parts exponentially often; such
 * types have too many cells to be used anyway. */
static bool is_equal(const struct type *left, const struct type *right, uint32_t depth,
                     uint32_t *budget) {
    const struct type *whole[2] = {left, right};
    left = type_strip(left);
    right = type_strip(right);
    if (!left || !right || left->kind != right->kind) return false;
    if (depth > TYPE_MAX_DEPTH || !*budget) return false;
    --*budget;
    switch (left->kind) {
    case TYPE_INT:
        return !type_has_range(left) || !type_has_range(right) || range_is_equal(left, right);
    case TYPE_CHAN: return channel_capability(whole[0]) == channel_capability(whole[1]);
    case TYPE_STRUCT:
        if (left == right) return true;
        if (left->field_count != right->field_count) return false;
        for (uint32_t i = 0; i < left->field_count; i++)
            if (left->fields[i].name != right->fields[i].name ||
                !is_equal(left->fields[i].type, right->fields[i].type, depth + 1, budget))
                return false;
        return true;
    case TYPE_ARRAY:
        if (left == right) return true;
        return index_is_equal(left, right) &&
               is_equal(left->element, right->element, depth + 1, budget);
    case TYPE_BOOL:
    case TYPE_CLOCK: return true;
    case TYPE_SCALAR: return left == right; /* each scalar[n] that is written is another type */
    default: return false;
    }
}

bool type_is_equal(const struct type *left, const struct type *right) {
    uint32_t budget = TYPE_MAX_PARTS;
    return is_equal(left, right, 0, &budget);
}

bool type_is_assignable(const struct type *target, const struct type *value) {
    bool takes_numbers = type_is_integral(target) || type_kind(target) == TYPE_CLOCK;
    if (takes_numbers && type_is_integral(value)) return true;
    return type_is_equal(target, value);
}

static bool is_initialisable(const struct type *type, uint32_t *budget) {
    if (!*budget) return true;
    --*budget;
    type = type_strip(type);
    switch (type->kind) {
    case TYPE_STRUCT:
        for (uint32_t i = 0; i < type->field_count; i++)
            if (!is_initialisable(type->fields[i].type, budget)) return false;
        return true;
    case TYPE_ARRAY:
        if (type->index && type_kind(type->index) == TYPE_SCALAR) return false;
        return is_initialisable(type->element, budget);
    default: return type_is_integral(type) || type->kind == TYPE_CLOCK;
    }
}

bool type_is_initialisable(const struct type *type) {
    uint32_t budget = TYPE_MAX_PARTS;
    return is_initialisable(type, &budget);
}

static bool is_returnable(const struct type *type, uint32_t *budget) {
    if (!*budget) return true;
    --*budget;
    if (type_prefixes(type)) return false;
    type = type_strip(type);
    switch (type->kind) {
    case TYPE_INT:
    case TYPE_BOOL:
    case TYPE_SCALAR: return true;
    case TYPE_STRUCT:
        for (uint32_t i = 0; i < type->field_count; i++)
            if (!is_returnable(type->fields[i].type, budget)) return false;
        return true;
    default: return false;
    }
}

bool type_is_returnable(const struct type *type) {
    uint32_t budget = TYPE_MAX_PARTS;
    return is_returnable(type, &budget);
}

/* Prefixes that do not go with what they stand before. */
static bool check_prefix(struct checker *checker, const struct type *type) {
    enum type_kind kind = type_base_kind(type);
    unsigned prefix = type->prefix;
    if (kind == TYPE_ERROR) return true;
    if (prefix & PREFIX_HYBRID)
        return check_fail(checker, STATUS_UNSUPPORTED, type->span,
                          "hybrid clocks are not supported");
    if ((prefix & (PREFIX_URGENT | PREFIX_BROADCAST)) && type_kind(type) != TYPE_CHAN)
        return check_fail(checker, STATUS_INVALID, type->span, "'%s' goes with channels only",
                          prefix & PREFIX_URGENT ? "urgent" : "broadcast");
    if ((prefix & (PREFIX_CONST | PREFIX_META)) &&
        (kind == TYPE_CHAN || kind == TYPE_CLOCK || kind == TYPE_VOID))
        return check_fail(checker, STATUS_INVALID, type->span, "%s cannot be %s",
                          kind == TYPE_CHAN    ? "a channel"
                          : kind == TYPE_CLOCK ? "a clock"
                                               : "void",
                          prefix & PREFIX_CONST ? "const" : "meta");
    return true;
}

static bool check_bound(struct checker *checker, struct expr *expr) {
    const struct type *type = check_expr(checker, expr);
    if (type_is_error(type)) return false;
    if (type_kind(type) != TYPE_INT)
        return check_fail(checker, STATUS_INVALID, expr->span, "a bound must be an int, not %s",
                          type_describe(type));
    return check_computable(checker, expr, "a bound");
}

/* Both bounds, so that both are reported. */
static bool check_range(struct checker *checker, const struct type *type) {
    assert(type->lower && type->upper);
    bool is_lower_fine = check_bound(checker, type->lower);
    return check_bound(checker, type->upper) && is_lower_fine;
}

static bool check_size(struct checker *checker, struct expr *expr) {
    const struct type *type = check_expr(checker, expr);
    if (type_is_error(type)) return false;
    if (!type_is_integral(type))
        return check_fail(checker, STATUS_INVALID, expr->span, "a size must be an int, not %s",
                          type_describe(type));
    if (!check_computable(checker, expr, "a size")) return false;
    if (checker->template) check_restrict(checker, expr);
    return true;
}

static uint32_t check_at(struct checker *checker, const struct type *type, uint32_t depth);

static bool check_index(struct checker *checker, const struct type *index, uint32_t depth) {
    if (!check_at(checker, index, depth)) return false;
    const struct type *type = type_strip(index);
    if (type->kind != TYPE_SCALAR && !type_has_range(type))
        return check_fail(checker, STATUS_INVALID, index->span,
                          "an array must be indexed by a bounded int or a scalar type, not %s%s",
                          type_describe(type), type->kind == TYPE_INT ? " without a range" : "");
    if (checker->template) {
        check_restrict(checker, type->lower);
        check_restrict(checker, type->upper);
    }
    return true;
}

static uint32_t check_array(struct checker *checker, const struct type *type, uint32_t depth) {
    assert(type->element && !type->size != !type->index);
    uint32_t element = check_at(checker, type->element, depth + 1);
    bool is_fine =
        type->size ? check_size(checker, type->size) : check_index(checker, type->index, depth + 1);
    if (!element || !is_fine) return 0;
    if (type_base_kind(type) == TYPE_VOID) {
        check_fail(checker, STATUS_INVALID, type->span, "there are no arrays of void");
        return 0;
    }
    return element + 1;
}

/* Fields are ints, bools, scalars, structs and arrays of them. */
static bool check_field(struct checker *checker, const struct field *field) {
    switch (type_base_kind(field->type)) {
    case TYPE_INT:
    case TYPE_BOOL:
    case TYPE_SCALAR:
    case TYPE_STRUCT: break;
    case TYPE_CLOCK:
        return check_fail(checker, STATUS_UNSUPPORTED, field->name_span,
                          "field '%s' is a clock; clocks in structs are not supported",
                          field->name);
    default:
        return check_fail(
            checker, STATUS_INVALID, field->name_span,
            "field '%s' cannot be %s; fields are ints, bools, scalars, structs and arrays "
            "of them",
            field->name, type_describe(field->type));
    }
    if (!(type_prefixes(field->type) & PREFIX_CONST)) return true;
    return check_fail(checker, STATUS_INVALID, field->name_span, "field '%s' cannot be const",
                      field->name);
}

static uint32_t check_struct(struct checker *checker, const struct type *type, uint32_t depth) {
    uint32_t height = 1;
    for (uint32_t i = 0; i < type->field_count; i++) {
        uint32_t field = check_at(checker, type->fields[i].type, depth + 1);
        if (!field || !check_field(checker, &type->fields[i])) return 0;
        if (field + 1 > height) height = field + 1;
    }
    return height;
}

static uint32_t check_named(struct checker *checker, const struct type *type, uint32_t depth) {
    struct symbol *symbol = type->symbol;
    if (!symbol) return 0;
    symbol->is_used = true;
    uint64_t known = (uint64_t)(uintptr_t)map_get(&checker->checked, map_key(symbol));
    if (!known) {
        known = check_at(checker, symbol->type, depth + 1) + 1ULL;
        if (known == 1 && !checker->is_lenient) symbol->type = checker->model->error_type;
        map_put(&checker->checked, map_key(symbol), (void *)(uintptr_t)known);
    }
    if (known == 1) return 0;
    if (depth + known <= TYPE_MAX_DEPTH) return (uint32_t)known;
    check_fail(checker, STATUS_LIMIT, type->span, "type '%s' is nested too deeply", type->name);
    return 0;
}

static uint32_t check_at(struct checker *checker, const struct type *type, uint32_t depth) {
    if (depth > TYPE_MAX_DEPTH) {
        check_fail(checker, STATUS_LIMIT, type->span, "this type is nested too deeply");
        return 0;
    }
    /* First what is known: resolving every name of a chain would take quadratic time. */
    uint32_t named = type->kind == TYPE_NAMED ? check_named(checker, type, depth) : 1;
    if (!named || !check_prefix(checker, type)) return 0;
    switch (type->kind) {
    case TYPE_INT:
        if (!type->lower) return 1;
        return check_range(checker, type);
    case TYPE_SCALAR: return check_size(checker, type->size);
    case TYPE_STRUCT: return check_struct(checker, type, depth);
    case TYPE_ARRAY: return check_array(checker, type, depth);
    case TYPE_NAMED: return named;
    case TYPE_DOUBLE:
        if (checker->allows_idle) return 1;
        check_fail(checker, STATUS_UNSUPPORTED, type->span, "type 'double' is not supported");
        return 0;
    case TYPE_STRING:
        if (checker->allows_idle) return 1;
        check_fail(checker, STATUS_UNSUPPORTED, type->span, "type 'string' is not supported");
        return 0;
    case TYPE_ERROR: return 0;
    default: return 1;
    }
}

uint32_t check_type(struct checker *checker, const struct type *type) {
    return check_at(checker, type, 0);
}

bool check_symbol_type(struct checker *checker, struct symbol *symbol) {
    bool is_fine = check_type(checker, symbol->type) > 0;
    if (is_fine && type_kind(symbol->type) == TYPE_VOID) {
        check_fail(checker, STATUS_INVALID, symbol->span, "'%s' cannot be void", symbol->name);
        is_fine = false;
    }
    if (!is_fine) symbol->type = checker->model->error_type;
    return is_fine;
}

bool check_range_type(struct checker *checker, struct symbol *symbol) {
    if (!check_symbol_type(checker, symbol)) return false;
    enum type_kind kind = type_kind(symbol->type);
    if (kind == TYPE_SCALAR || (kind == TYPE_INT && type_has_range(symbol->type))) return true;
    if (kind == TYPE_INT)
        check_fail(checker, STATUS_INVALID, symbol->span,
                   "'%s' needs a range; write int[lower,upper]", symbol->name);
    else
        check_fail(checker, STATUS_INVALID, symbol->span,
                   "'%s' must range over a bounded int or a scalar type, not %s", symbol->name,
                   type_describe(symbol->type));
    symbol->type = checker->model->error_type;
    return false;
}
