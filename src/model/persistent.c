/* A pass over all labels with sets of variables, one bit each: what may be read that was not
 * written before, and what is written for certain. */
#include "model/persistent.h"

#include "lang/syntax/walk.h"
#include "model/effects.h"

typedef uint64_t variables; /* by bit */

struct passage {
    variables exposed; /* over: read before they are written */
    variables written; /* under: as a whole, on every way to the end */
};

struct finder {
    struct arena *arena;
    const struct model *model;
    struct map bits; /* symbol -> its struct persistent */
    struct persistent *all;
    uint32_t count;
    struct map functions; /* struct function -> struct passage */
    struct map sent;      /* channel -> what all its senders write */
};

/* A way through updates or the body of a function. */
struct way {
    struct finder *finder;
    variables written, exposed;
    variables at_return; /* written at every return so far */
};

static struct passage passage_of(struct finder *finder, const struct function *function);

static variables bit_of(struct finder *finder, const struct symbol *symbol) {
    const struct persistent *found = symbol ? map_get(&finder->bits, map_key(symbol)) : NULL;
    return found ? (variables)1 << (found - finder->all) : 0;
}

/* The first place where each is read is kept for messages. */
static void expose(struct way *way, variables read, const struct expr *expr) {
    read &= ~way->written;
    way->exposed |= read;
    for (uint32_t i = 0; i < way->finder->count && read; i++)
        if (read >> i & 1 && !way->finder->all[i].reader) way->finder->all[i].reader = expr;
}

static bool visit_read(void *context, const struct expr *expr) {
    struct way *way = context;
    const struct function *function = expr->symbol ? expr->symbol->function : NULL;
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD)
        expose(way, bit_of(way->finder, expr->symbol), expr);
    if (expr->kind == EXPR_CALL && function)
        expose(way, passage_of(way->finder, function).exposed, expr);
    return true;
}

/* Whatever it reads, in any order. */
static void read_all(struct way *way, const struct expr *expr) { walk_expr(expr, visit_read, way); }

/* Indices are read, what is written to is not. */
static void read_place(struct way *way, const struct expr *place) {
    for (; place->kind == EXPR_INDEX || (place->kind == EXPR_FIELD && !place->symbol);
         place = place->child[0])
        if (place->kind == EXPR_INDEX) read_all(way, place->child[1]);
    if (place->kind != EXPR_NAME) read_all(way, place);
}

/* An expression of which nothing else is a part. */
static void pass_expr(struct way *way, const struct expr *expr) {
    if (!expr) return;
    if (expr->kind == EXPR_ASSIGN && expr->op == OP_ASSIGN) {
        pass_expr(way, expr->child[1]);
        read_place(way, expr->child[0]);
        if (expr->child[0]->kind == EXPR_NAME)
            way->written |= bit_of(way->finder, expr->child[0]->symbol);
        return;
    }
    read_all(way, expr);
    if (expr->kind == EXPR_CALL && expr->symbol && expr->symbol->function)
        way->written |= passage_of(way->finder, expr->symbol->function).written;
}

static void pass_list(struct way *way, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) pass_expr(way, list->items[i]);
}

static void pass_statement(struct way *way, const struct statement *statement);

/* Perhaps, and perhaps again; what is written there. */
static variables pass_maybe(struct way *way, const struct statement *body,
                            const struct expr_list *rest) {
    variables before = way->written;
    pass_statement(way, body);
    if (rest) pass_list(way, rest);
    variables after = way->written;
    way->written = before;
    return after;
}

static void pass_block(struct way *way, const struct statement *block) {
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        const struct declaration *declaration = block->declarations[i];
        for (uint32_t k = 0; k < declaration->declarator_count; k++) {
            const struct symbol *symbol = declaration->declarators[k].symbol;
            walk_type(symbol->type, visit_read, way);
            walk_initialiser(symbol->initialiser, visit_read, way);
        }
    }
    for (uint32_t i = 0; i < block->statement_count; i++) pass_statement(way, block->statements[i]);
}

static void pass_statement(struct way *way, const struct statement *statement) {
    if (!statement) return;
    switch (statement->kind) {
    case STATEMENT_EMPTY: break;
    case STATEMENT_BLOCK: pass_block(way, statement); break;
    case STATEMENT_EXPR:
    case STATEMENT_ASSERT: pass_expr(way, statement->expr); break;
    case STATEMENT_RETURN:
        pass_expr(way, statement->expr);
        way->at_return &= way->written;
        break;
    case STATEMENT_IF: {
        pass_list(way, &statement->condition);
        variables then = pass_maybe(way, statement->body, NULL);
        variables otherwise = pass_maybe(way, statement->other, NULL);
        way->written = then & otherwise;
        break;
    }
    case STATEMENT_DO: pass_maybe(way, statement->body, &statement->condition); break;
    case STATEMENT_FOR:
    case STATEMENT_ITERATE:
    case STATEMENT_WHILE:
        pass_list(way, &statement->first);
        pass_list(way, &statement->condition);
        if (statement->bound) walk_type(statement->bound->type, visit_read, way);
        pass_maybe(way, statement->body, &statement->step);
        break;
    }
}

/* Calls end, as the checker has refused recursion. */
static struct passage passage_of(struct finder *finder, const struct function *function) {
    struct passage *passage = map_get(&finder->functions, map_key(function));
    if (passage) return *passage;
    struct way way = {.finder = finder, .at_return = ~(variables)0};
    passage = ARENA_NEW(finder->arena, struct passage);
    map_put(&finder->functions, map_key(function), passage);
    pass_statement(&way, function->body);
    *passage = (struct passage){way.exposed, way.written & way.at_return};
    return *passage;
}

/* Edges */

static variables globals_of(const struct finder *finder) {
    variables globals = 0;
    for (uint32_t i = 0; i < finder->count; i++)
        if (finder->all[i].symbol->scope == SCOPE_GLOBAL) globals |= (variables)1 << i;
    return globals;
}

/* What an update writes that begins with what was written before. */
static variables pass_edge(struct finder *finder, const struct edge *edge, variables written,
                           variables *exposed) {
    struct way way = {.finder = finder, .written = written};
    pass_list(&way, &edge->updates);
    *exposed |= way.exposed;
    return way.written;
}

/* Of a channel, or NULL where it is not known which. */
static const struct symbol *channel_of(const struct edge *edge) {
    const struct symbol *symbol = expr_root(edge->sync);
    return symbol && !symbol->is_reference && symbol->scope == SCOPE_GLOBAL ? symbol : NULL;
}

/* What all senders write that may synchronise on a channel (NULL = any). */
static variables sent_on(struct finder *finder, const struct symbol *channel, variables before) {
    const struct model *model = finder->model;
    variables sent = globals_of(finder), exposed = 0;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge *edge = &model->templates[t]->edges[i];
            if (!edge->sync || !edge->is_send) continue;
            if (channel && channel_of(edge) && channel_of(edge) != channel) continue;
            sent &= pass_edge(finder, edge, before, &exposed);
        }
    return sent;
}

static variables handed_to(struct finder *finder, const struct edge *receiver, variables before) {
    const struct symbol *channel = channel_of(receiver);
    uint64_t key = channel ? map_key(channel) : map_key(finder);
    variables *sent = map_get(&finder->sent, key);
    if (sent) return *sent;
    sent = ARENA_NEW(finder->arena, variables);
    *sent = sent_on(finder, channel, before);
    map_put(&finder->sent, key, sent);
    return *sent;
}

static void pass_template(struct finder *finder, const struct template *template, struct way *reads,
                          variables before) {
    uint32_t count = template->location_count + template->branchpoint_count;
    variables *written = ARENA_ARRAY(finder->arena, variables, count + 1);
    variables exposed = 0;
    for (uint32_t l = 0; l < count; l++)
        written[l] = l < template->location_count ? before : ~(variables)0;
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        if (edge->target >= template->location_count)
            written[edge->target] &= pass_edge(finder, edge, before, &exposed);
    }
    for (uint32_t l = 0; l < template->location_count; l++)
        read_all(reads, template->locations[l].written_invariant);
    for (uint32_t i = 0; i < template->edge_count; i++) {
        const struct edge *edge = &template->edges[i];
        variables start = written[edge->source];
        read_all(reads, edge->written_guard);
        read_all(reads, edge->sync);
        if (edge->sync && !edge->is_send) start |= handed_to(finder, edge, before);
        pass_edge(finder, edge, start, &reads->exposed);
    }
}

static void pass_queries(const struct model *model, struct way *reads) {
    for (uint32_t i = 0; i < model->query_count; i++) {
        read_all(reads, model->queries[i].predicate);
        for (uint32_t k = 0; k < model->queries[i].expr_count; k++)
            read_all(reads, model->queries[i].exprs[k]);
    }
}

/* What agents observe is asked of states, as queries are. */
static void pass_observations(const struct model *model, struct way *reads) {
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct agent_declaration *declaration = model->agents.items[i];
        for (uint32_t k = 0; k < declaration->item_count; k++)
            read_all(reads, declaration->items[k].expr);
    }
}

static void pass_hook(struct way *way, const struct declaration_list *const *lists, bool is_after) {
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->items[i]->kind == DECLARATION_HOOK &&
                lists[k]->items[i]->is_after == is_after)
                pass_list(way, &lists[k]->items[i]->hook);
}

/* Updates and after_update begin with what before_update has written, all else with nothing. */
static variables pass_model(struct finder *finder, const struct model *model) {
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    struct way reads = {.finder = finder}, hook = {.finder = finder};
    pass_hook(&hook, lists, false);
    for (uint32_t t = 0; t < model->template_count; t++)
        pass_template(finder, model->templates[t], &reads, hook.written);
    pass_hook(&hook, lists, true);
    pass_queries(model, &reads);
    pass_observations(model, &reads);
    return reads.exposed | hook.exposed;
}

/* Variables */

static void add_variables(struct finder *finder, struct persistent_list *list,
                          struct symbol *const *symbols, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (symbols[i]->kind == SYMBOL_VARIABLE && (type_prefixes(symbols[i]->type) & PREFIX_META))
            VEC_PUSH(finder->arena, list, (struct persistent){.symbol = symbols[i]});
}

void persistent_find(struct persistent_list *list, struct arena *arena, const struct model *model,
                     const struct handed *handed) {
    struct finder finder = {.arena = arena, .model = model};
    uint32_t kept = 0;
    add_variables(&finder, list, model->symbols, model->symbol_count);
    for (uint32_t t = 0; t < model->template_count; t++)
        add_variables(&finder, list, model->templates[t]->symbols,
                      model->templates[t]->symbol_count);
    if (!list->count) return;
    finder.all = list->items;
    finder.count = list->count < PERSISTENT_MAX ? list->count : PERSISTENT_MAX;
    map_init(&finder.bits, arena);
    map_init(&finder.functions, arena);
    map_init(&finder.sent, arena);
    for (uint32_t i = 0; i < finder.count; i++)
        map_put(&finder.bits, map_key(list->items[i].symbol), &list->items[i]);
    variables exposed = pass_model(&finder, model);
    for (uint32_t i = 0; i < list->count; i++)
        if (i >= finder.count || exposed >> i & 1 || handed_instance(handed, list->items[i].symbol))
            list->items[kept++] = list->items[i];
    list->count = kept;
}
