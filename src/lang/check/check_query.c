/* Queries, and Process.member wherever processes can be named. */
#include "lang/check/check_internal.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/kinds.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <string.h>

/* Arguments that pick one process of a set: all of them at once, any int or the right scalar. */
static bool check_set_arguments(struct checker *checker, struct expr *call,
                                struct symbol **parameters, uint32_t count) {
    bool is_fine = true;
    for (uint32_t i = 0; i < call->argument_count; i++)
        is_fine &= !type_is_error(check_expr(checker, call->arguments[i]));
    if (!is_fine) return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *argument = call->arguments[i];
        bool is_scalar = type_kind(parameters[i]->type) == TYPE_SCALAR;
        if (is_scalar ? type_is_equal(parameters[i]->type, argument->type)
                      : type_is_integral(argument->type))
            continue;
        return check_fail(checker, STATUS_INVALID, argument->span,
                          is_scalar ? "parameter '%s' needs a value of its scalar type"
                                    : "parameter '%s' needs an int",
                          parameters[i]->name);
    }
    return true;
}

/* Process or Set(arguments): gives the symbol of the system line. */
static struct symbol *check_process_name(struct checker *checker, struct expr *expr) {
    struct expr *name = expr->kind == EXPR_CALL ? expr->child[0] : expr;
    struct symbol *symbol = name->symbol;
    symbol->is_used = true;
    if (!checker->has_processes || !map_get(&checker->listed, map_key(symbol))) {
        check_fail(checker, STATUS_INVALID, name->span,
                   checker->has_processes
                       ? "'%s' is not on the system line"
                       : "'%s' is a process; its members can be used in queries only",
                   symbol->name);
        return NULL;
    }
    const struct instance *instance = symbol->instance;
    struct symbol **parameters = instance ? instance->parameters : symbol->template->parameters;
    uint32_t count = instance ? instance->parameter_count : symbol->template->parameter_count;
    uint32_t given = expr->kind == EXPR_CALL ? expr->argument_count : 0;
    if (count != given || (expr->kind == EXPR_CALL && !count)) {
        check_fail(checker, STATUS_INVALID, expr->span,
                   count == 1 ? "'%s' is a set of processes; write %s(...) with its argument"
                   : count    ? "'%s' is a set of processes; write %s(...) with all %u arguments"
                              : "'%s' is one process; leave the parentheses out%.0s",
                   symbol->name, symbol->name, count);
        return NULL;
    }
    if (given && !check_set_arguments(checker, expr, parameters, count)) return NULL;
    struct type *type = ARENA_NEW(checker->arena, struct type);
    type->kind = TYPE_PROCESS;
    type->symbol = symbol;
    expr->type = name->type = type;
    expr->symbol = symbol;
    return symbol;
}

/* The names that a process has, if they are few. */
static const char *list_members(const struct checker *checker, const struct template *template) {
    enum { MOST = 8 };
    const char *names[MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < template->location_count; i++)
        if (template->locations[i].symbol) {
            if (count == MOST) return NULL;
            names[count++] = template->locations[i].name;
        }
    for (uint32_t i = 0; i < template->symbol_count; i++)
        if (template->symbols[i]->kind == SYMBOL_VARIABLE) {
            if (count == MOST) return NULL;
            names[count++] = template->symbols[i]->name;
        }
    const char *text = count ? "; it has " : NULL;
    for (uint32_t i = 0; i < count; i++)
        text = arena_printf(checker->arena, "%s%s%s", text, i ? ", " : "", names[i]);
    return text;
}

static void add_member(struct map *members, struct symbol *symbol) {
    map_put(members, map_key(symbol->name), symbol);
}

/* Anonymous locations are known by their id; they get a symbol when a query may need it. */
static void add_locations(struct checker *checker, struct template *template, struct map *members) {
    for (uint32_t i = 0; i < template->location_count; i++) {
        struct symbol *symbol = template->locations[i].symbol;
        if (!symbol) {
            if (map_get(members, map_key(template->locations[i].name))) continue;
            symbol = ARENA_NEW(checker->arena, struct symbol);
            *symbol = (struct symbol){.kind = SYMBOL_LOCATION,
                                      .scope = SCOPE_TEMPLATE,
                                      .name = template->locations[i].name,
                                      .template = template,
                                      .location = i};
        }
        add_member(members, symbol);
    }
}

static struct map *members_of(struct checker *checker, struct template *template) {
    struct map *members = map_get(&checker->members, map_key(template));
    if (members) return members;
    members = ARENA_NEW(checker->arena, struct map);
    map_init(members, checker->arena);
    map_put(&checker->members, map_key(template), members);
    for (uint32_t i = 0; i < template->parameter_count; i++)
        add_member(members, template->parameters[i]);
    for (uint32_t i = 0; i < template->declarations.count; i++) {
        const struct declaration *declaration = template->declarations.items[i];
        if (declaration->kind == DECLARATION_FUNCTION)
            add_member(members, declaration->function->symbol);
        if (declaration->kind != DECLARATION_VARIABLES) continue;
        for (uint32_t j = 0; j < declaration->declarator_count; j++)
            add_member(members, declaration->declarators[j].symbol);
    }
    add_locations(checker, template, members);
    return members;
}

/* process.name in a query: a location or a local variable. */
const struct type *check_member(struct checker *checker, struct expr *expr) {
    const struct type *error = checker->model->error_type;
    expr->child[0]->type = error;
    struct symbol *process = check_process_name(checker, expr->child[0]);
    if (!process) return error;
    struct symbol *member = map_get(members_of(checker, process->template), map_key(expr->name));
    if (!member) {
        bool is_location = !strcmp(expr->name, "location");
        struct similar similar = {.word = str_of(expr->name)};
        if (diag_has_room(checker->diag))
            similar_offer_symbols(&similar, members_of(checker, process->template));
        const char *members = list_members(checker, process->template);
        check_fail(checker, is_location ? STATUS_UNSUPPORTED : STATUS_INVALID, expr->span,
                   is_location ? "'%s.location' is not supported; write %s.name for each location"
                               : "'%s' has no location, variable or function '%s'%s",
                   process->name, is_location ? process->name : expr->name,
                   similar_hint(&similar, checker->arena,
                                is_location ? ""
                                : members   ? members
                                            : "; `varabs info` lists the variables"));
        return error;
    }
    member->is_used = true;
    expr->symbol = member;
    if (member->kind == SYMBOL_LOCATION) return checker->model->bool_type;
    if (member->kind == SYMBOL_FUNCTION) return member->function->result;
    return check_fail_of_value(checker, member, expr->span) ? error : member->type;
}

/* Knowledge and paths */

/* An agent, or where is_group a group of them: a process, a set of processes, or a declared name.
 */
static bool check_agent(struct checker *checker, struct expr *agent, bool is_group) {
    struct expr *name = agent->kind == EXPR_CALL ? agent->child[0] : agent;
    struct symbol *symbol = name->kind == EXPR_NAME ? name->symbol : NULL;
    struct type *type = ARENA_NEW(checker->arena, struct type);
    if (name->kind == EXPR_NAME && !symbol) return false; /* undeclared, as was said */
    type->kind = TYPE_AGENT;
    type->symbol = symbol;
    agent->type = type;
    if (symbol && symbol->kind == SYMBOL_AGENT && agent == name) {
        if (is_group || symbol->agent->kind == DECLARE_AGENT) return true;
        return check_fail(checker, STATUS_INVALID, agent->span,
                          "'%s' is a group; write GK, GCK or DK for what it knows", symbol->name);
    }
    if (!symbol || !symbol->template)
        return check_fail(
            checker, STATUS_INVALID, agent->span,
            "this is no agent: write the name of a process, or one that 'agent' declares");
    const struct instance *instance = symbol->instance;
    uint32_t count = instance ? instance->parameter_count : symbol->template->parameter_count;
    if (!is_group || !count || agent != name) return check_process_name(checker, agent);
    symbol->is_used = true;
    if (map_get(&checker->listed, map_key(symbol))) return true;
    return check_fail(checker, STATUS_INVALID, agent->span, "'%s' is not on the system line",
                      symbol->name);
}

static bool has_priorities(const struct model *model) {
    if (model->has_process_priorities) return true;
    const struct declaration_list *lists[] = {&model->declarations, &model->system_declarations};
    for (int i = 0; i < 2; i++)
        for (uint32_t j = 0; j < lists[i]->count; j++)
            if (lists[i]->items[j]->kind == DECLARATION_CHANNEL_PRIORITY) return true;
    return false;
}

/* An operator over states, or of knowledge, in a query. */
const struct type *check_modal(struct checker *checker, struct expr *expr) {
    bool is_single = expr->op == OP_K || expr->op == OP_KW, is_fine = true;
    if (is_single && expr->argument_count != 1) {
        check_fail(checker, STATUS_INVALID, expr->span,
                   "K and Kw are about one agent; write GK, GCK or DK for what a group knows");
        return checker->model->error_type;
    }
    for (uint32_t i = 0; i < expr->argument_count; i++)
        is_fine &= check_agent(checker, expr->arguments[i], !is_single);
    bool is_coalition = expr->kind == EXPR_ABLE || expr->kind == EXPR_ABLE_UNTIL;
    if (is_coalition && has_priorities(checker->model)) {
        check_fail(checker, STATUS_UNSUPPORTED, expr->span,
                   "what a coalition can bring about is not decided in models with priorities; "
                   "`varabs IN --drop-priorities` writes one without them");
        return checker->model->error_type;
    }
    bool is_about_agents = is_coalition || expr->kind == EXPR_KNOW;
    if (is_about_agents && checker->model->lost_agents && is_fine) {
        check_fail(checker, STATUS_INVALID, expr->span,
                   "some declaration about agents cannot be read, so it is not known what is "
                   "observed");
        is_fine = false;
    }
    for (int i = 0; i < 2 && expr->child[i]; i++)
        is_fine &= check_integral(checker, expr->child[i], "what an operator is about");
    return is_fine ? checker->model->bool_type : checker->model->error_type;
}

/* `deadlock` and operators over states are formulas, not bools: they combine only with and, or,
 * imply, not, quantifiers, and each other. */
static bool check_place(struct checker *checker, const struct expr *expr, bool is_formula) {
    const struct expr_traits *traits = expr_traits(expr->kind);
    if (traits->is_beyond_state && !is_formula)
        return check_fail(checker, STATUS_INVALID, expr->span,
                          "%s combines with and, or, imply, not, forall and exists only",
                          traits->text ? "'deadlock'" : "an operator over states");
    bool is_connective = expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLY ||
                         expr->op == OP_NOT || expr->op == OP_FORALL || expr->op == OP_EXISTS ||
                         (traits->is_modal && expr->op != OP_KW);
    for (int i = 0; i < 3; i++)
        if (expr->child[i] && !check_place(checker, expr->child[i], is_formula && is_connective))
            return false;
    for (uint32_t i = 0; i < expr->argument_count; i++)
        if (!check_place(checker, expr->arguments[i], false)) return false;
    return true;
}

/* A predicate; without is_formula an expression whose value counts. */
static void check_part(struct checker *checker, struct expr *expr, bool is_formula) {
    bool is_clock = expr->kind != EXPR_BINARY && checker->query->predicate != expr &&
                    type_kind(check_expr(checker, expr)) == TYPE_CLOCK;
    if (is_clock) {
        check_clock_query(checker, expr);
        return;
    }
    if (!check_condition(checker, expr, "an expression of a query")) return;
    if (!check_place(checker, expr, is_formula) || !expr_has(expr, EXPR_DEADLOCK)) return;
    enum quantifier quantifier = checker->query->quantifier;
    if (quantifier != QUERY_ALWAYS && quantifier != QUERY_POSSIBLY && quantifier != QUERY_FORMULA)
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'deadlock' can be used with A[] and E<> only");
    else if (has_priorities(checker->model))
        check_fail(checker, STATUS_INVALID, expr->span,
                   "'deadlock' cannot be used in models with priorities");
}

/* What is not observed: a variable as a whole. */
static bool check_exception(struct checker *checker, struct expr *expr) {
    if (type_is_error(check_expr(checker, expr))) return false;
    bool is_name = expr->kind == EXPR_NAME || expr->kind == EXPR_FIELD;
    if (is_name && expr->symbol && symbol_is_variable(expr->symbol)) return true;
    return check_fail(checker, STATUS_INVALID, expr->span,
                      "'except' takes a whole variable, x or P.x; name what is observed instead");
}

/* What the declarations name: agents that there are, variables, expressions. */
static void check_declaration(struct checker *checker, struct agent_declaration *declaration) {
    bool has_items = declaration->kind == DECLARE_OBSERVATION || declaration->kind == DECLARE_LOST;
    bool is_fine = true;
    checker->query = declaration->query;
    for (uint32_t i = 0; i < declaration->agent_count; i++)
        is_fine &= check_agent(checker, declaration->agents[i], true);
    for (uint32_t i = 0; i < declaration->item_count; i++) {
        struct expr *expr = declaration->items[i].expr;
        if (!expr) continue;
        if (declaration->items[i].kind == OBSERVE_EXPR)
            is_fine &= check_condition(checker, expr, "what is observed") &&
                       check_place(checker, expr, false);
        else
            is_fine &= check_exception(checker, expr);
    }
    if (is_fine && declaration->kind == DECLARE_AGENT)
        for (uint32_t i = 0; i < declaration->agent_count; i++)
            if (declaration->agents[i]->type->kind == TYPE_AGENT &&
                declaration->agents[i]->type->symbol->kind == SYMBOL_AGENT) {
                check_fail(checker, STATUS_INVALID, declaration->agents[i]->span,
                           "an agent consists of processes");
                is_fine = false;
            }
    assert(has_items || !declaration->item_count);
    checker->query = NULL;
    if (!is_fine && !checker->model->lost_agents) checker->model->lost_agents = declaration->query;
}

/* Each alone: an invalid query spoils no other one. */
void check_queries(struct checker *checker) {
    struct model *model = checker->model;
    for (uint32_t i = 0; i < model->agents.count; i++)
        check_declaration(checker, model->agents.items[i]);
    for (uint32_t i = 0; i < checker->model->query_count; i++) {
        struct query *query = &checker->model->queries[i];
        if (query->quantifier == QUERY_INVALID || query->quantifier == QUERY_EMPTY) continue;
        checker->query = query;
        if (query->predicate) check_part(checker, query->predicate, true);
        for (uint32_t j = 0; j < query->expr_count; j++)
            check_part(checker, query->exprs[j], query->quantifier == QUERY_LEADS_TO);
        checker->query = NULL;
        if (query->problem) query->quantifier = QUERY_INVALID;
    }
}
