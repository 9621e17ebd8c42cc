/* Unknowns, and rewriting what only reads: guards, invariants, synchronisations. */
#include "abstract/form.h"

#include "lang/print.h"
#include "lang/walk.h"

#include <assert.h>

/* Quantifiers: values of one, and nodes that those of an edge may be written out to. */
enum { MAX_EXPANSION = 64, MAX_EXPANDED_NODES = 1 << 16, MAX_CONDITIONS = 8 };

void form_lose(struct form_context *context, struct form *form, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(context->arena, format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; i < form->losses.count; i++)
        if (str_is(str_of(form->losses.items[i]), text)) return;
    VEC_PUSH(context->arena, &form->losses, text);
}

/* Compile-time evaluation must not look at slots. */
static int32_t read_constant(void *user, uint32_t address) {
    struct form_context *context = user;
    if (context->network->slot_of[address] != NO_SLOT) context->has_read_slot = true;
    return context->environment.cells[address];
}

void form_context_init(struct form_context *context, struct arena *arena,
                       const struct network *network, const struct request *request,
                       const struct function_plan *functions, struct analysis *analysis,
                       struct interner *names, struct diag *diag) {
    *context = (struct form_context){.arena = arena,
                                     .network = network,
                                     .request = request,
                                     .functions = functions,
                                     .analysis = analysis,
                                     .names = names,
                                     .diag = diag};
    for (uint32_t i = 0; i < network->before_update.list.count; i++)
        context->has_before_update |= network->before_update.list.items[i].writes;
    network_environment(network, &context->environment, arena);
    context->environment.tracked_count = network->cell_count;
    context->environment.read = read_constant;
    context->environment.context = context;
}

void form_context_close(struct form_context *context) { eval_close(&context->environment); }

static bool has_call_or_quantifier(void *found, const struct expr *expr) {
    if (expr->kind == EXPR_CALL || expr->kind == EXPR_QUANTIFY || expr->kind == EXPR_ASSIGN ||
        expr->kind == EXPR_STEP ||
        (expr->kind == EXPR_NAME && expr->symbol && expr->symbol->kind != SYMBOL_VARIABLE))
        *(bool *)found = true;
    return !*(bool *)found;
}

bool constant_value(struct form_context *context, const struct expr *expr, int64_t *value) {
    if (expr_is_constant(expr, value)) return true;
    bool refused = false;
    walk_expr(expr, has_call_or_quantifier, &refused);
    if (refused) return false;
    const struct type *type = type_strip(expr->type);
    if (expr->kind == EXPR_NAME && type &&
        (type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT || type->kind == TYPE_CHAN))
        return false;
    struct environment *environment = &context->environment;
    context->has_read_slot = false;
    environment->fault = (struct fault){0};
    *value = eval_int(environment, expr);
    bool ok = !environment->fault.kind && !context->has_read_slot;
    environment->fault = (struct fault){0};
    context->has_read_slot = false;
    return ok;
}

bool constant_offset(struct form_context *context, const struct expr *expr, uint32_t *offset) {
    if (expr->kind == EXPR_NAME) {
        *offset = 0;
        return true;
    }
    const struct expr *inner = expr->child[0];
    if (!constant_offset(context, inner, offset)) return false;
    const struct removal *removal = request_find(context->request, expr_root(expr));
    const struct shape *shape = removal->shape;
    uint32_t rest = *offset;
    /* Walk down to the shape of the inner expression. */
    const struct expr *path[64];
    uint32_t depth = 0;
    for (const struct expr *at = inner; at->kind != EXPR_NAME; at = at->child[0]) {
        if (depth == 64) return false;
        path[depth++] = at;
    }
    while (depth--)
        shape = path[depth]->kind == EXPR_INDEX ? shape->element
                                                : shape->fields[path[depth]->field_index];
    if (expr->kind == EXPR_FIELD) {
        *offset = rest + shape->offsets[expr->field_index];
        return true;
    }
    int64_t index;
    if (shape->kind != SHAPE_ARRAY || !constant_value(context, expr->child[1], &index) ||
        index < shape->lower || index > shape->upper)
        return false;
    *offset = rest + (uint32_t)(index - shape->lower) * shape->element->cell_count;
    return true;
}

const struct type *cell_type(const struct type *type, const struct shape *shape, uint32_t offset) {
    while (shape->kind != SHAPE_CELL) {
        const struct type *plain = type_strip(type);
        if (shape->kind == SHAPE_ARRAY) {
            offset %= shape->element->cell_count;
            type = plain->element;
            shape = shape->element;
            continue;
        }
        uint32_t field = shape->field_count - 1;
        while (shape->offsets[field] > offset) field--;
        offset -= shape->offsets[field];
        type = plain->fields[field].type;
        shape = shape->fields[field];
    }
    return type;
}

bool expr_mentions(const struct expr *expr, const struct symbol *symbol) {
    if (!expr) return false;
    if (expr->kind == EXPR_NAME && expr->symbol == symbol) return true;
    for (int i = 0; i < 3; i++)
        if (expr_mentions(expr->child[i], symbol)) return true;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (expr_mentions(expr->arguments[i], symbol)) return true;
    return false;
}

bool symbols_may_alias(const struct symbol *left, const struct symbol *right) {
    if (left == right) return true;
    bool left_shared = left->is_reference || left->scope == SCOPE_GLOBAL;
    bool right_shared = right->is_reference || right->scope == SCOPE_GLOBAL;
    return (left->is_reference || right->is_reference) && left_shared && right_shared;
}

/* A call of a function that looks at more than its arguments. */
static bool reads_through_call(const struct expr *expr) {
    return expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function &&
           !expr->symbol->function->is_compile_time;
}

/* Whether the value may change because another process writes. */
static bool depends_on_shared(const struct expr *expr) {
    if (!expr) return false;
    const struct symbol *symbol = expr->kind == EXPR_NAME ? expr->symbol : NULL;
    if (symbol &&
        (symbol->is_reference || (symbol->kind == SYMBOL_VARIABLE &&
                                  symbol->scope == SCOPE_GLOBAL && !symbol_is_const(symbol))))
        return true;
    if (reads_through_call(expr)) return true;
    for (int i = 0; i < 3; i++)
        if (depends_on_shared(expr->child[i])) return true;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (depends_on_shared(expr->arguments[i])) return true;
    return false;
}

bool expr_mentions_alias(const struct expr *expr, const struct symbol *symbol) {
    if (!expr) return false;
    if (expr->kind == EXPR_NAME && expr->symbol && symbols_may_alias(expr->symbol, symbol))
        return true;
    if (reads_through_call(expr)) return true;
    for (int i = 0; i < 3; i++)
        if (expr_mentions_alias(expr->child[i], symbol)) return true;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (expr_mentions_alias(expr->arguments[i], symbol)) return true;
    return false;
}

static bool effects_removed(const struct form_context *context, const struct expr *expr,
                            bool writes) {
    struct effects_table table = context->network->effects; /* knows all functions */
    struct effects effects = {0};
    table.arena = context->arena;
    effects_add_expr(&table, &effects, expr);
    for (uint32_t i = 0; i < effects.list.count; i++) {
        const struct effect *effect = &effects.list.items[i];
        if ((writes ? effect->writes : effect->reads) &&
            request_find(context->request, effect->symbol))
            return true;
    }
    return false;
}

bool expr_reads_removed(const struct form_context *context, const struct expr *expr) {
    return effects_removed(context, expr, false);
}

bool expr_writes_removed(const struct form_context *context, const struct expr *expr) {
    return effects_removed(context, expr, true);
}

static bool is_taken(struct form_context *context, struct form *form, const char *name) {
    for (uint32_t i = 0; i < form->unknowns.count; i++)
        if (str_is(str_of(form->unknowns.items[i]->placeholder->name), name)) return true;
    for (uint32_t i = 0; form->edge && i < form->edge->select_count; i++)
        if (str_is(str_of(form->edge->selects[i]->name), name)) return true;
    for (uint32_t i = 0; i < context->taken.count; i++)
        if (str_is(str_of(context->taken.items[i]), name)) return true;
    return false;
}

/* A name that nothing else in the document has; the removed variable's own name is free too. */
const char *fresh_name(struct form_context *context, struct form *form, const char *base,
                       const struct symbol *own) {
    for (uint32_t i = 0;; i++) {
        const char *name = i ? arena_printf(context->arena, "%s_%u", base, i) : base;
        const struct removal *removal = own ? request_find(context->request, own) : NULL;
        bool is_own = removal && removal->is_whole && str_is(str_of(own->name), name) &&
                      !template_hides(form->template, own);
        if (!is_own && intern_find(context->names, name)) continue;
        if (!is_taken(context, form, name)) return name;
    }
}

static struct unknown *unknown_new(struct form_context *context, struct form *form,
                                   const struct removal *removal, const char *name,
                                   const struct type *type, bool is_mid) {
    struct unknown *unknown = ARENA_NEW(context->arena, struct unknown);
    struct symbol *symbol = ARENA_NEW(context->arena, struct symbol);
    symbol->kind = SYMBOL_SELECT;
    symbol->scope = SCOPE_FRAME;
    symbol->name = fresh_name(context, form, name, removal->symbol);
    symbol->type = (struct type *)type;
    *unknown = (struct unknown){
        .removal = removal, .is_mid = is_mid, .placeholder = symbol, .values = value_set_empty()};
    VEC_PUSH(context->arena, &form->unknowns, unknown);
    return unknown;
}

/* "dec_recv_2" for the cell dec_recv[2]. */
static const char *cell_name(struct form_context *context, const struct removal *removal,
                             uint32_t offset) {
    struct buffer path = {0};
    shape_path(&path, removal->symbol->type, removal->shape, offset);
    char *name =
        arena_printf(context->arena, "%s%s", removal->symbol->name, path.data ? path.data : "");
    buffer_close(&path);
    char *to = name;
    for (char *from = name; *from; from++) {
        if (*from == ']') continue;
        *to++ = *from == '[' || *from == '.' ? '_' : *from == '-' ? 'm' : *from;
    }
    *to = 0;
    return name;
}

struct unknown *form_unknown_cell(struct form_context *context, struct form *form,
                                  const struct removal *removal, uint32_t offset, bool is_mid) {
    is_mid = is_mid && !removal->template;
    for (uint32_t i = 0; i < form->unknowns.count; i++) {
        struct unknown *unknown = form->unknowns.items[i];
        if (unknown->removal == removal && !unknown->access && unknown->offset == offset &&
            unknown->is_mid == is_mid)
            return unknown;
    }
    struct unknown *unknown =
        unknown_new(context, form, removal, cell_name(context, removal, offset),
                    cell_type(removal->symbol->type, removal->shape, offset), is_mid);
    unknown->offset = offset;
    unknown->values = *analysis_values(context->analysis, form->template, form->location,
                                       removal->symbol, offset, is_mid);
    return unknown;
}

/* Which cells an access can be, over all processes and selects: all of them if the index reads
 * slots. */
struct access_scan {
    struct form_context *context;
    const struct form *form;
    const struct expr *access;
    const struct removal *removal;
    bool *reaches;
    struct binding *frame;
    uint64_t left; /* evaluations */
};

static bool scan_selects(struct access_scan *scan, uint32_t select, const struct process *process) {
    struct environment *environment = &scan->context->environment;
    const struct edge *edge = scan->form->edge;
    if (edge && select < edge->select_count) {
        const struct symbol *symbol = edge->selects[select];
        if (!expr_mentions(scan->access, symbol)) return scan_selects(scan, select + 1, process);
        const struct shape *shape = eval_shape(environment, symbol->type);
        if (!shape || shape->kind != SHAPE_CELL) return false;
        uint32_t address = environment->stack;
        eval_push(environment, 1);
        scan->frame[symbol->index] = (struct binding){address, shape};
        bool ok = true;
        for (int64_t v = shape->lower; v <= shape->upper && ok; v++) {
            environment->cells[address] = (int32_t)v;
            ok = scan_selects(scan, select + 1, process);
        }
        environment->stack = address;
        return ok;
    }
    if (!scan->left--) return false;
    struct binding place;
    bool ok = eval_place(environment, scan->access, &place);
    if (scan->context->has_read_slot || environment->fault.kind == FAULT_UNBOUND) return false;
    environment->fault = (struct fault){0};
    if (!ok) return true; /* an index error is no step */
    const struct binding *variable =
        scan->removal->template ? &process->locals[scan->removal->symbol->index]
                                : &scan->context->network->globals[scan->removal->symbol->index];
    if (place.address < variable->address ||
        place.address - variable->address >= scan->removal->shape->cell_count)
        return false;
    scan->reaches[place.address - variable->address] = true;
    return true;
}

static void scan_access(struct access_scan *scan) {
    const struct network *network = scan->context->network;
    struct environment *environment = &scan->context->environment;
    uint32_t size = network->model->system_frame_size;
    if (scan->form->edge && scan->form->edge->frame_size > size)
        size = scan->form->edge->frame_size;
    scan->frame = ARENA_ARRAY(scan->context->arena, struct binding, size + 1);
    scan->context->has_read_slot = false;
    bool ok = true;
    for (uint32_t p = 0; p < network->process_count && ok; p++) {
        if (network->processes[p].template != scan->form->template) continue;
        environment->locals = network->processes[p].locals;
        environment->frame = scan->frame;
        /* a read of a slot is seen by the hook, also of those bound behind the memory */
        ok = scan_selects(scan, 0, &network->processes[p]);
    }
    environment->locals = NULL;
    environment->frame = NULL;
    environment->fault = (struct fault){0};
    scan->context->has_read_slot = false;
    if (!ok)
        for (uint32_t i = 0; i < scan->removal->shape->cell_count; i++) scan->reaches[i] = true;
}

static bool is_plain_array(const struct removal *removal) {
    return removal->shape->kind == SHAPE_ARRAY && removal->shape->element->kind == SHAPE_CELL;
}

/* Cells with equal value sets stay together; others are told apart by a test of the index. */
static void classify(struct form_context *context, struct form *form, struct unknown *unknown,
                     const bool *reaches) {
    const struct removal *removal = unknown->removal;
    const struct shape *shape = removal->shape;
    uint32_t cells = shape->cell_count, *class_of = ARENA_ARRAY(context->arena, uint32_t, cells);
    const struct value_set *sets[MAX_CONDITIONS];
    uint32_t count = 0;
    bool splits = !unknown->is_mid && is_plain_array(removal) &&
                  !expr_has_unknown(unknown->access->child[1]) &&
                  type_strip(unknown->access->child[1]->type)->kind != TYPE_SCALAR;
    struct bounds bounds = {INT32_MIN, INT32_MAX, 256};
    for (uint32_t i = 0; i < cells; i++) {
        if (!reaches[i]) continue;
        const struct value_set *set = analysis_values(
            context->analysis, form->template, form->location, removal->symbol, i, unknown->is_mid);
        value_set_join(context->arena, &unknown->values, set, &bounds);
        uint32_t c = 0;
        while (splits && c < count && !value_set_equal(sets[c], set)) c++;
        if (c == MAX_CONDITIONS) splits = false;
        if (!splits) continue;
        if (c == count) sets[count++] = set;
        class_of[i] = c;
    }
    unknown->class_count = splits && count ? count : 1;
    unknown->classes = ARENA_ARRAY(context->arena, struct access_class, unknown->class_count);
    if (unknown->class_count == 1) {
        unknown->classes[0].values = unknown->values;
        return;
    }
    int32_t *members = ARENA_ARRAY(context->arena, int32_t, cells);
    for (uint32_t c = 0; c < count; c++) {
        uint32_t members_count = 0;
        for (uint32_t i = 0; i < cells; i++)
            if (reaches[i] && class_of[i] == c)
                members[members_count++] = shape->lower + (int32_t)i;
        unknown->classes[c] =
            (struct access_class){build_member(context->arena, unknown->access->child[1], members,
                                               members_count, INT32_MIN, INT32_MAX),
                                  *sets[c]};
    }
}

static struct unknown *unknown_access(struct rewriter *rewriter, const struct removal *removal,
                                      const struct expr *original, const struct expr *access) {
    struct form_context *context = rewriter->context;
    struct form *form = rewriter->form;
    /* A cell of its own array is another one if the index changes within the step (A2). */
    bool is_mid = (rewriter->is_mid || (rewriter->is_update && context->has_before_update)) &&
                  depends_on_shared(access);
    for (uint32_t i = 0; i < form->unknowns.count; i++) {
        struct unknown *unknown = form->unknowns.items[i];
        if (unknown->removal == removal && unknown->access && unknown->is_mid == is_mid &&
            expr_equal(unknown->access, access))
            return unknown;
    }
    struct unknown *unknown =
        unknown_new(context, form, removal, removal->symbol->name, original->type, is_mid);
    unknown->access = access;
    struct access_scan scan = {
        .context = context, .form = form, .access = original, .removal = removal, .left = 1 << 20};
    scan.reaches = ARENA_ARRAY(context->arena, bool, removal->shape->cell_count);
    scan_access(&scan);
    classify(context, form, unknown, scan.reaches);
    return unknown;
}

static const struct expr *rewrite_children(struct rewriter *rewriter, const struct expr *expr) {
    struct arena *arena = rewriter->context->arena;
    struct expr *copy = NULL;
    for (int i = 0; i < 3; i++) {
        if (!expr->child[i] || (expr->kind == EXPR_CALL && i == 0)) continue;
        const struct expr *child = rewrite_read(rewriter, expr->child[i]);
        if (child == expr->child[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        copy->child[i] = (struct expr *)child;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++) {
        const struct expr *argument = rewrite_read(rewriter, expr->arguments[i]);
        if (argument == expr->arguments[i]) continue;
        if (!copy) copy = build_copy(arena, expr);
        if (copy->arguments == expr->arguments) {
            copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
            memcpy(copy->arguments, expr->arguments,
                   expr->argument_count * sizeof *copy->arguments);
        }
        copy->arguments[i] = (struct expr *)argument;
    }
    return copy ? simplify_node(arena, copy) : expr;
}

const struct expr *rewrite_indices(struct rewriter *rewriter, const struct expr *expr) {
    if (expr->kind == EXPR_NAME) return expr;
    const struct expr *inner = rewrite_indices(rewriter, expr->child[0]);
    const struct expr *index =
        expr->kind == EXPR_INDEX ? rewrite_read(rewriter, expr->child[1]) : expr->child[1];
    if (inner == expr->child[0] && index == expr->child[1]) return expr;
    struct expr *copy = build_copy(rewriter->context->arena, expr);
    copy->child[0] = (struct expr *)inner;
    copy->child[1] = (struct expr *)index;
    return copy;
}

static const struct shadow *find_shadow(const struct rewriter *rewriter,
                                        const struct symbol *symbol) {
    if (!rewriter->shadows) return NULL;
    for (uint32_t i = rewriter->shadows->list.count; i-- > 0;)
        if (rewriter->shadows->list.items[i].symbol == symbol)
            return &rewriter->shadows->list.items[i];
    return NULL;
}

static bool indices_are_shadowed(const struct rewriter *rewriter, const struct expr *expr) {
    for (uint32_t i = 0; rewriter->shadows && i < rewriter->shadows->list.count; i++)
        if (expr_mentions_alias(expr, rewriter->shadows->list.items[i].symbol)) return true;
    return false;
}

static bool is_scalar_type(const struct type *type) {
    type = type_strip(type);
    return type && type->kind != TYPE_ARRAY && type->kind != TYPE_STRUCT;
}

/* a[i] where only some cells of a are removed: those cells by test of the index. */
static const struct expr *rewrite_partial(struct rewriter *rewriter, const struct expr *expr,
                                          const struct removal *removal) {
    struct form_context *context = rewriter->context;
    const struct expr *path = rewrite_indices(rewriter, expr);
    if (!is_plain_array(removal) || path->kind != EXPR_INDEX) {
        rewriter->lost = "an index into a partly removed variable is not constant";
        return expr;
    }
    const struct expr *result = path;
    uint32_t count = 0;
    for (uint32_t i = removal->shape->cell_count; i-- > 0;) {
        if (!removal->is_removed[i]) continue;
        if (++count > MAX_CONDITIONS) {
            rewriter->lost = "too many removed cells behind one index";
            return expr;
        }
        struct unknown *unknown =
            form_unknown_cell(context, rewriter->form, removal, i, rewriter->is_mid);
        const struct expr *here =
            build_binary(context->arena, OP_EQ, path->child[1],
                         build_int(context->arena, removal->shape->lower + (int32_t)i));
        result = build_cond(context->arena, here, build_name(context->arena, unknown->placeholder),
                            result);
    }
    return result;
}

static const struct expr *rewrite_path(struct rewriter *rewriter, const struct expr *expr,
                                       const struct removal *removal) {
    struct form_context *context = rewriter->context;
    uint32_t offset;
    if (rewriter->is_update && !removal->is_whole) return rewrite_indices(rewriter, expr);
    if (!is_scalar_type(expr->type)) {
        rewriter->lost = "an array or struct is used as a whole";
        return expr;
    }
    const struct shadow *shadow = find_shadow(rewriter, removal->symbol);
    if (shadow) {
        if (shadow->now && removal->shape->kind == SHAPE_CELL) return shadow->now;
        rewriter->lost = "it is read after it was written in the same update";
        return expr;
    }
    if (constant_offset(context, expr, &offset)) {
        if (!removal->is_removed[offset]) return rewrite_indices(rewriter, expr);
        return build_name(context->arena, form_unknown_cell(context, rewriter->form, removal,
                                                            offset, rewriter->is_mid)
                                              ->placeholder);
    }
    if (!removal->is_whole) return rewrite_partial(rewriter, expr, removal);
    if (indices_are_shadowed(rewriter, expr)) {
        rewriter->lost = "its index changes in the same update";
        return expr;
    }
    const struct expr *access = rewrite_indices(rewriter, expr);
    return build_name(context->arena, unknown_access(rewriter, removal, expr, access)->placeholder);
}

/* A variable that is passed by reference must have the very type of the parameter; values do not
 * have to. */
static void check_reference(struct rewriter *rewriter, const struct expr *argument) {
    if (argument->kind != EXPR_NAME && argument->kind != EXPR_INDEX && argument->kind != EXPR_FIELD)
        return;
    for (uint32_t i = 0; i < rewriter->form->unknowns.count; i++) {
        struct unknown *unknown = rewriter->form->unknowns.items[i];
        if (unknown->placeholder != argument->symbol ||
            type_strip(unknown->placeholder->type)->kind == TYPE_BOOL)
            continue;
        unknown->needs_type = true;
        return;
    }
    rewriter->lost = "it is passed by reference";
}

/* M2: a function that reads removed scalars gets them as arguments. */
static const struct expr *rewrite_call(struct rewriter *rewriter, const struct expr *expr) {
    struct form_context *context = rewriter->context;
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    if (!function) return rewrite_children(rewriter, expr);
    for (uint32_t i = 0; i < expr->argument_count && i < function->parameter_count; i++) {
        const struct symbol *root =
            function->parameters[i]->is_reference ? expr_root(expr->arguments[i]) : NULL;
        const struct removal *bound = root ? request_find(context->request, root) : NULL;
        if (bound && (bound->is_whole || !rewriter->is_update) &&
            !(type_prefixes(function->parameters[i]->type) & PREFIX_CONST)) {
            rewriter->lost = "it is passed by reference";
            return expr;
        }
    }
    const struct effects *effects =
        effects_of_function((struct effects_table *)&context->network->effects, function);
    for (uint32_t i = 0; i < effects->list.count; i++) {
        const struct removal *removal =
            request_find(context->request, effects->list.items[i].symbol);
        if (removal && !removal->is_whole && !rewriter->is_update) {
            rewriter->lost = "a function uses a partly removed variable";
            return expr;
        }
    }
    const struct expr *inner = rewrite_children(rewriter, expr);
    for (uint32_t i = 0; i < expr->argument_count && i < function->parameter_count; i++)
        if (function->parameters[i]->is_reference && inner->arguments[i] != expr->arguments[i])
            check_reference(rewriter, inner->arguments[i]);
    const struct function_change *change = function_change_of(context->functions, function);
    if (!change) return inner;
    struct expr *copy = build_copy(context->arena, inner);
    copy->arguments =
        ARENA_ARRAY(context->arena, struct expr *, inner->argument_count + change->passed.count);
    for (uint32_t i = 0; i < inner->argument_count; i++) copy->arguments[i] = inner->arguments[i];
    for (uint32_t i = 0; i < change->passed.count; i++) {
        const struct passed *passed = &change->passed.items[i];
        if (passed->passing == PASS_LOCAL) continue;
        if (passed->passing != PASS_VALUE) {
            rewriter->lost = "a function uses it as a whole or writes it";
            return expr;
        }
        struct expr *name = build_name(context->arena, passed->symbol);
        copy->arguments[copy->argument_count++] = (struct expr *)rewrite_read(rewriter, name);
    }
    return copy;
}

static const struct expr *substitute(struct arena *arena, const struct expr *expr,
                                     const struct symbol *symbol, const struct expr *value) {
    if (expr->kind == EXPR_NAME) return expr->symbol == symbol ? value : expr;
    struct expr *copy = build_copy(arena, expr);
    for (int i = 0; i < 3; i++)
        if (expr->child[i])
            copy->child[i] = (struct expr *)substitute(arena, expr->child[i], symbol, value);
    if (expr->argument_count) {
        copy->arguments = ARENA_ARRAY(arena, struct expr *, expr->argument_count);
        for (uint32_t i = 0; i < expr->argument_count; i++)
            copy->arguments[i] =
                (struct expr *)substitute(arena, expr->arguments[i], symbol, value);
    }
    return simplify_node(arena, copy);
}

/* A quantifier over removed cells is written out, so that each cell is an unknown. */
static const struct expr *rewrite_quantifier(struct rewriter *rewriter, const struct expr *expr) {
    struct form_context *context = rewriter->context;
    struct arena *arena = context->arena;
    if (!expr_reads_removed(context, expr->child[0])) return rewrite_children(rewriter, expr);
    struct environment *environment = &context->environment;
    const struct shape *shape = eval_shape(environment, expr->bound->type);
    bool known = shape && !environment->fault.kind && !context->has_read_slot &&
                 !shape->is_scalar && (int64_t)shape->upper - shape->lower < MAX_EXPANSION;
    environment->fault = (struct fault){0};
    context->has_read_slot = false;
    if (!known) {
        if (!expr_mentions(expr->child[0], expr->bound)) return rewrite_children(rewriter, expr);
        rewriter->lost = "a quantifier over it is too wide to write out";
        return expr;
    }
    uint32_t count = (uint32_t)(shape->upper - shape->lower) + 1;
    uint32_t limit = (MAX_EXPANDED_NODES - rewriter->form->expanded_nodes) / count;
    uint32_t size = expr_size(expr->child[0], limit);
    if (size > limit) {
        rewriter->lost = "the quantifiers over it are too long to write out";
        return expr;
    }
    rewriter->form->expanded_nodes += size * count;
    enum op op = expr->op == OP_FORALL ? OP_AND : expr->op == OP_EXISTS ? OP_OR : OP_ADD;
    const struct expr *result = NULL;
    for (int64_t i = shape->lower; i <= shape->upper; i++) {
        const struct expr *value = build_int(arena, i);
        const struct expr *body =
            rewrite_read(rewriter, substitute(arena, expr->child[0], expr->bound, value));
        result = result ? simplify_node(arena, build_binary(arena, op, result, body)) : body;
    }
    return result;
}

const struct expr *rewrite_read(struct rewriter *rewriter, const struct expr *expr) {
    if (rewriter->lost) return expr;
    switch (expr->kind) {
    case EXPR_NAME:
    case EXPR_INDEX:
    case EXPR_FIELD: {
        const struct symbol *root = expr_root(expr);
        const struct removal *removal =
            root ? request_find(rewriter->context->request, root) : NULL;
        return removal ? rewrite_path(rewriter, expr, removal) : rewrite_children(rewriter, expr);
    }
    case EXPR_CALL: return rewrite_call(rewriter, expr);
    case EXPR_QUANTIFY: return rewrite_quantifier(rewriter, expr);
    case EXPR_ASSIGN:
    case EXPR_STEP:
        if (expr_reads_removed(rewriter->context, expr) ||
            expr_writes_removed(rewriter->context, expr))
            rewriter->lost = "an assignment inside an expression involves it";
        return expr;
    default: return rewrite_children(rewriter, expr);
    }
}

/* The value analysis ran the guard for all values that it can meet, and it never failed. Else, a
 * disjunct that fails for one value could hide one that holds for another. */
static bool guard_never_fails(const struct form_context *context, const struct form *form) {
    if (!form->edge) return false;
    const struct edge_fact *fact =
        &context->analysis->edges[form->template->index][form->edge_index];
    return !fact->guard_faults && !fact->is_incomplete;
}

/* A conjunct that cannot be expressed is left out: a may-abstraction stays one. */
static const struct expr *rewrite_guard(struct form_context *context, struct form *form,
                                        const struct expr *guard, const char *what) {
    if (!guard) return NULL;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND && expr_reads_removed(context, guard)) {
        const struct expr *left = rewrite_guard(context, form, guard->child[0], what);
        const struct expr *right = rewrite_guard(context, form, guard->child[1], what);
        if (left == guard->child[0] && right == guard->child[1]) return guard;
        return build_and(context->arena, left, right);
    }
    if (!expr_reads_removed(context, guard)) return guard;
    uint32_t unknowns = form->unknowns.count;
    struct rewriter rewriter = {
        .context = context, .form = form, .is_mid = form->edge && form->edge->leaves_branchpoint};
    const struct expr *result = rewrite_read(&rewriter, guard);
    const char *unprotected = NULL;
    const struct expr *safe = rewriter.lost ? NULL : protected_guard(context, result, &unprotected);
    if (safe && !unprotected) return safe;
    if (safe && guard_never_fails(context, form)) return result;
    if (!rewriter.lost) rewriter.lost = unprotected;
    form->unknowns.count = unknowns;
    form_lose(context, form, "a part of the %s is taken as true: %s", what, rewriter.lost);
    return NULL;
}

void form_of_invariant(struct form_context *context, const struct template *template,
                       uint32_t location, struct form *form) {
    const struct expr *invariant = template->locations[location].invariant;
    *form = (struct form){.template = template, .location = location};
    if (!invariant || !expr_reads_removed(context, invariant)) {
        form->guard = invariant;
        return;
    }
    form->touches = true;
    form->guard = rewrite_guard(context, form, invariant, "invariant");
}

static bool symbol_is_broadcast(const struct form_context *context, const struct template *template,
                                const struct symbol *symbol) {
    const struct model *model = context->network->model;
    if (!symbol->is_reference) return (type_prefixes(symbol->type) & PREFIX_BROADCAST) != 0;
    for (uint32_t p = 0; p < context->network->process_count; p++) {
        const struct process *process = &context->network->processes[p];
        if (process->template != template) continue;
        uint32_t address = process->locals[symbol->index].address;
        for (uint32_t i = 0; i < model->symbol_count; i++) {
            const struct binding *binding = &context->network->globals[i];
            if (!binding->shape || address < binding->address ||
                address >= binding->address + binding->shape->cell_count)
                continue;
            if (type_prefixes(model->symbols[i]->type) & PREFIX_BROADCAST) return true;
        }
    }
    return false;
}

bool sync_is_broadcast(const struct form_context *context, const struct template *template,
                       const struct expr *sync) {
    if (!sync) return false;
    if (sync->kind == EXPR_COND)
        return sync_is_broadcast(context, template, sync->child[1]) ||
               sync_is_broadcast(context, template, sync->child[2]);
    const struct symbol *root = expr_root(sync);
    return root && symbol_is_broadcast(context, template, root);
}

static bool form_sync(struct form_context *context, struct form *form) {
    const struct edge *edge = form->edge;
    form->sync = edge->sync;
    if (!edge->sync || !expr_reads_removed(context, edge->sync)) return true;
    struct rewriter rewriter = {
        .context = context, .form = form, .is_mid = edge->leaves_branchpoint};
    form->sync = rewrite_read(&rewriter, edge->sync);
    if (!rewriter.lost) {
        const struct expr *condition =
            no_error_condition(context, form->sync, true, &rewriter.lost);
        form->guard = build_and(context->arena, form->guard, condition);
    }
    if (!rewriter.lost) return true;
    diag_error(context->diag, STATUS_UNSUPPORTED, edge->sync->span.begin,
               "this synchronisation cannot be rewritten: %s; remove less", rewriter.lost);
    return false;
}

bool form_of_edge(struct form_context *context, const struct template *template, uint32_t index,
                  struct form *form) {
    const struct edge *edge = &template->edges[index];
    *form = (struct form){.template = template,
                          .location = edge->source,
                          .edge = edge,
                          .edge_index = index,
                          .guard = edge->guard};
    const struct edge_effects *effects = &context->network->edge_effects[template->index][index];
    const struct effects *all[] = {&effects->guard, &effects->sync, &effects->update};
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < all[k]->list.count; i++)
            if (request_find(context->request, all[k]->list.items[i].symbol)) form->touches = true;
    if (edge->weight && expr_reads_removed(context, edge->weight)) {
        diag_error(context->diag, STATUS_UNSUPPORTED, edge->weight->span.begin,
                   "this branch weight names a removed variable; remove less");
        return false;
    }
    form->guard = rewrite_guard(context, form, edge->guard, "guard");
    if (!form_sync(context, form)) return false;
    return form_update(context, form);
}
