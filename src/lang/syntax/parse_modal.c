/* Operators over states in queries: paths, knowledge; and declarations about agents.
 *
 * Their words are names where the model declares them (A[i] is an index then). */
#include "lang/syntax/parse_internal.h"

#include <assert.h>
#include <string.h>

static bool adjacent(const struct parser *parser, uint32_t index) {
    return peek_at(parser, index)->span.end == peek_at(parser, index + 1)->span.begin;
}

/* Whether a name stands here that is none of the model. */
static bool at_word(const struct parser *parser, uint32_t ahead, const char *word) {
    const struct token *token = peek_at(parser, ahead);
    return token->kind == TOKEN_NAME && !strcmp(token->name, word) &&
           !frame_find(parser->frame, token->name);
}

/* Whether a word stands where no name can, whatever the model calls so. */
static bool at_operator(const struct parser *parser, const char *word) {
    return at(parser, TOKEN_NAME) && !strcmp(peek(parser)->name, word);
}

static const struct {
    const char *word;
    enum op op;
} knowers[] = {{"K", OP_K}, {"Kw", OP_KW}, {"GK", OP_GK}, {"GCK", OP_GCK}, {"DK", OP_DK}};

static enum op knower_at(const struct parser *parser) {
    if (peek_at(parser, 1)->kind != TOKEN_LEFT_PAREN) return OP_NONE;
    for (size_t i = 0; i < sizeof knowers / sizeof *knowers; i++)
        if (at_word(parser, 0, knowers[i].word)) return knowers[i].op;
    return OP_NONE;
}

/* A[] A<> E[] E<>: OP_NONE if there is none. */
static enum op path_at(const struct parser *parser) {
    const struct token *token = peek(parser);
    if (token->kind != TOKEN_NAME || !adjacent(parser, 0) || !adjacent(parser, 1)) return OP_NONE;
    bool all = !strcmp(token->name, "A"), some = !strcmp(token->name, "E");
    enum token_kind left = peek_at(parser, 1)->kind, right = peek_at(parser, 2)->kind;
    bool box = left == TOKEN_LEFT_BRACKET && right == TOKEN_RIGHT_BRACKET;
    bool diamond = left == TOKEN_LT && right == TOKEN_GT;
    if ((!all && !some) || (!box && !diamond)) return OP_NONE;
    if (all) return box ? OP_AG : OP_AF;
    return box ? OP_EG : OP_EF;
}

/* AX or A X, before something that may be an operand. */
static enum op next_at(const struct parser *parser, uint32_t *tokens) {
    *tokens = 1;
    if (at_word(parser, 0, "AX")) return OP_AX;
    if (at_word(parser, 0, "EX")) return OP_EX;
    *tokens = 2;
    if (!at_word(parser, 1, "X")) return OP_NONE;
    return at_word(parser, 0, "A") ? OP_AX : at_word(parser, 0, "E") ? OP_EX : OP_NONE;
}

/* A[ or A( of an until; path_at comes before. */
static bool at_until(const struct parser *parser) {
    enum token_kind next = peek_at(parser, 1)->kind;
    return (at_word(parser, 0, "A") || at_word(parser, 0, "E")) &&
           (next == TOKEN_LEFT_BRACKET || next == TOKEN_LEFT_PAREN);
}

/* What may stand after an operator of linear time. */
static bool begins_operand(enum token_kind kind) {
    return kind == TOKEN_LEFT_PAREN || kind == TOKEN_NAME || kind == TOKEN_INT;
}

static const char *usual_word(const struct parser *parser) {
    static const char *const words[][2] = {
        {"AG", "A[]"}, {"AF", "A<>"}, {"EG", "E[]"}, {"EF", "E<>"}};
    static const char *const linear[][2] = {{"G", "A[]' or 'p --> q"}, {"F", "A<>"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(parser, 0, words[i][0])) return words[i][1];
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        if (at_word(parser, 0, linear[i][0]) && !frame_find(parser->frame, linear[i][0]) &&
            begins_operand(peek_at(parser, 1)->kind))
            return linear[i][1];
    return NULL;
}

/* "A [ ]" and the like, with blanks. */
static bool at_apart(const struct parser *parser) {
    enum token_kind left = peek_at(parser, 1)->kind, right = peek_at(parser, 2)->kind;
    return (at_word(parser, 0, "A") || at_word(parser, 0, "E")) &&
           ((left == TOKEN_LEFT_BRACKET && right == TOKEN_RIGHT_BRACKET) ||
            (left == TOKEN_LT && right == TOKEN_GT));
}

/* <<A>> or [[A]], where an operand is expected. */
static bool at_strategic(const struct parser *parser) {
    return at(parser, TOKEN_SHL) ||
           (at(parser, TOKEN_LEFT_BRACKET) && peek_at(parser, 1)->kind == TOKEN_LEFT_BRACKET);
}

bool at_modal(const struct parser *parser) {
    uint32_t tokens;
    return path_at(parser) != OP_NONE || next_at(parser, &tokens) != OP_NONE ||
           knower_at(parser) != OP_NONE || at_until(parser) || usual_word(parser) ||
           at_apart(parser) || at_strategic(parser);
}

enum op accept_path_operator(struct parser *parser) {
    enum op op = path_at(parser);
    if (op != OP_NONE) parser->index += 3;
    return op;
}

bool refuse_path_operator(struct parser *parser) {
    const struct token *token = peek(parser);
    const char *word = usual_word(parser);
    if (word) {
        syntax_error(parser, token->span.begin, "write '%s' for '%s'", word, token->name);
        return true;
    }
    if (path_at(parser) != OP_NONE || !at_apart(parser)) return false;
    bool is_box = peek_at(parser, 1)->kind == TOKEN_LEFT_BRACKET;
    syntax_error(parser, token->span.begin, "write '%s%s' without blanks", token->name,
                 is_box ? "[]" : "<>");
    return true;
}

/* Whether what was read from a token on stands in parentheses as a whole. */
static bool is_parenthesised(const struct parser *parser, uint32_t first) {
    const struct token *tokens = parser->tokens.list.items;
    uint32_t depth = 0;
    for (uint32_t i = first; i < parser->index; i++) {
        depth += tokens[i].kind == TOKEN_LEFT_PAREN;
        depth -= tokens[i].kind == TOKEN_RIGHT_PAREN && depth;
        if (!depth) return i > first && i + 1 == parser->index;
    }
    return false;
}

/* The operand of a prefix in a formula: as much as there is to its right. */
static struct expr *parse_operand(struct parser *parser, struct expr *expr) {
    uint32_t first = parser->index;
    expr->child[0] = parse_expr(parser);
    if (!expr->child[0]) return NULL;
    enum op joint = expr->child[0]->kind == EXPR_BINARY ? expr->child[0]->op : OP_NONE;
    if (op_is_connective(joint) && !is_parenthesised(parser, first))
        diag_warning(parser->diag, expr->span.begin,
                     "this operator takes in all that follows it; put parentheses around what it "
                     "is about, to say so or to make it less");
    return expr_close(parser, expr);
}

static struct expr *parse_path(struct parser *parser, enum op op, uint32_t tokens) {
    assert(op != OP_NONE && parser->index + tokens < parser->tokens.list.count);
    struct expr *expr = expr_new(parser, EXPR_PATH, peek(parser)->span.begin);
    parser->index += tokens;
    expr->op = op;
    return parse_operand(parser, expr);
}

/* ("[" | "(") State ("U" | "W" | "R") State ("]" | ")"); until: the operator of U, before those of
 * W and R. */
static struct expr *parse_pair(struct parser *parser, struct expr *expr, enum op until) {
    static const char *const words[] = {"U", "W", "R"};
    _Static_assert(OP_AW == OP_AU + 1 && OP_AR == OP_AU + 2, "in the order of the words");
    _Static_assert(OP_EW == OP_EU + 1 && OP_ER == OP_EU + 2, "in the order of the words");
    _Static_assert(OP_ABLE_W == OP_ABLE_U + 1 && OP_ABLE_R == OP_ABLE_U + 2, "likewise");
    enum token_kind end = at(parser, TOKEN_LEFT_PAREN) ? TOKEN_RIGHT_PAREN : TOKEN_RIGHT_BRACKET;
    parser->index++;
    expr->child[0] = parse_expr(parser);
    if (!expr->child[0]) return NULL;
    for (int i = 0; i < 3; i++)
        if (at_operator(parser, words[i])) expr->op = (enum op)((int)until + i);
    if (expr->op == OP_NONE) {
        unexpected(parser, "U, W or R between two conditions");
        return NULL;
    }
    parser->index++;
    expr->child[1] = parse_expr(parser);
    return expr->child[1] && expect(parser, end) ? expr_close(parser, expr) : NULL;
}

/* A[p U q], E(p W q) and the like. */
static struct expr *parse_until(struct parser *parser) {
    struct expr *expr = expr_new(parser, EXPR_UNTIL, peek(parser)->span.begin);
    bool is_all = !strcmp(peek(parser)->name, "A");
    assert(at_until(parser));
    parser->index++;
    return parse_pair(parser, expr, is_all ? OP_AU : OP_EU);
}

/* Id ["(" Expr {"," Expr} ")"] */
static struct expr *parse_agent(struct parser *parser) {
    if (!at(parser, TOKEN_NAME)) {
        unexpected(parser, "the name of an agent");
        return NULL;
    }
    return parse_postfix(parser);
}

/* AgentRef {"," AgentRef} */
static bool parse_agents(struct parser *parser, struct expr ***agents, uint32_t *count) {
    VEC(struct expr *) list = {0};
    assert(!*count);
    do {
        struct expr *agent = parse_agent(parser);
        if (!agent) return false;
        VEC_PUSH(parser->arena, &list, agent);
    } while (accept(parser, TOKEN_COMMA));
    *agents = list.items;
    *count = list.count;
    return true;
}

/* ("K" | "Kw" | "GK" | "GCK" | "DK") "(" (AgentRef | "{" Agents "}") "," State ")" */
static struct expr *parse_knowledge(struct parser *parser, enum op op) {
    const struct token *token = peek(parser);
    parser->index += 2;
    struct expr *expr = expr_new(parser, EXPR_KNOW, token->span.begin);
    expr->op = op;
    if (accept(parser, TOKEN_LEFT_BRACE)) {
        if (!parse_agents(parser, &expr->arguments, &expr->argument_count) ||
            !expect(parser, TOKEN_RIGHT_BRACE))
            return NULL;
    } else {
        expr->arguments = ARENA_NEW(parser->arena, struct expr *);
        expr->arguments[0] = parse_agent(parser);
        if (!expr->arguments[0]) return NULL;
        expr->argument_count = 1;
    }
    if (!accept(parser, TOKEN_COMMA)) {
        unexpected(parser, "',' and what is known, as in K(P, x == 1)");
        return NULL;
    }
    expr->child[0] = parse_expr(parser);
    return expr->child[0] && expect(parser, TOKEN_RIGHT_PAREN) ? expr_close(parser, expr) : NULL;
}

/* Coalitions */

/* X, F or <>, G or [] after a coalition: OP_NONE if there is none. */
static enum op temporal_at(const struct parser *parser, uint32_t *tokens) {
    enum token_kind left = peek(parser)->kind, right = peek_at(parser, 1)->kind;
    *tokens = 1;
    if (at_operator(parser, "X")) return OP_ABLE_X;
    if (at_operator(parser, "F")) return OP_ABLE_F;
    if (at_operator(parser, "G")) return OP_ABLE_G;
    *tokens = 2;
    if (!adjacent(parser, 0)) return OP_NONE;
    if (left == TOKEN_LT && right == TOKEN_GT) return OP_ABLE_F;
    return left == TOKEN_LEFT_BRACKET && right == TOKEN_RIGHT_BRACKET ? OP_ABLE_G : OP_NONE;
}

/* ";" Mode {"," Mode} */
static bool parse_modes(struct parser *parser, struct expr *expr) {
    static const struct {
        const char *word;
        uint32_t mode; /* whose choice this is */
        bool is_on;
    } words[] = {{"ir", MODE_PERFECT, false},           {"Ir", MODE_PERFECT, true},
                 {"objective", MODE_SUBJECTIVE, false}, {"subjective", MODE_SUBJECTIVE, true},
                 {"nowait", MODE_WAIT, false},          {"wait", MODE_WAIT, true},
                 {"passive", MODE_ACTIVE, false},       {"active", MODE_ACTIVE, true}};
    uint32_t chosen = 0;
    do {
        const struct token *token = peek(parser);
        uint32_t mode = 0;
        for (size_t i = 0; token->kind == TOKEN_NAME && i < sizeof words / sizeof *words; i++) {
            if (strcmp(token->name, words[i].word)) continue;
            mode = words[i].mode;
            if (words[i].is_on) expr->modes |= mode;
        }
        if (token->kind == TOKEN_NAME && !strcmp(token->name, "fair")) {
            not_supported(
                parser, token->span.begin,
                "'fair' is not for coalitions: which runs are fair depends on the whole "
                "strategy, so that no choice can be judged by the states it leads to; let "
                "the loops of others end, or ask for G, W or R");
            return false;
        }
        if (!mode || chosen & mode)
            return unexpected(parser,
                              mode ? "one mode of each kind"
                                   : "a mode: ir or Ir, objective or subjective, nowait or wait, "
                                     "passive or active");
        chosen |= mode;
        parser->index++;
    } while (accept(parser, TOKEN_COMMA));
    return true;
}

/* "<<" [Agents] [";" Modes] ">>", or with "[[" and "]]" */
static bool parse_coalition(struct parser *parser, struct expr *expr) {
    bool is_dual = at(parser, TOKEN_LEFT_BRACKET);
    enum token_kind end = is_dual ? TOKEN_RIGHT_BRACKET : TOKEN_SHR;
    parser->index += is_dual ? 2 : 1;
    if (is_dual) expr->modes |= MODE_DUAL;
    bool has_agents = !at(parser, end) && !at(parser, TOKEN_SEMICOLON);
    if (has_agents && !parse_agents(parser, &expr->arguments, &expr->argument_count)) return false;
    if (accept(parser, TOKEN_SEMICOLON) && !parse_modes(parser, expr)) return false;
    return expect(parser, end) && (!is_dual || expect(parser, TOKEN_RIGHT_BRACKET));
}

/* Coalition ("X" | "F" | "<>" | "G" | "[]") State, or Coalition and a pair */
static struct expr *parse_strategic(struct parser *parser) {
    struct expr *expr = expr_new(parser, EXPR_ABLE, peek(parser)->span.begin);
    uint32_t tokens, more;
    if (!parse_coalition(parser, expr)) return NULL;
    expr->op = temporal_at(parser, &tokens);
    if (expr->op == OP_NONE && (at(parser, TOKEN_LEFT_PAREN) || at(parser, TOKEN_LEFT_BRACKET))) {
        expr->kind = EXPR_ABLE_UNTIL;
        return parse_pair(parser, expr, OP_ABLE_U);
    }
    if (expr->op == OP_NONE) {
        unexpected(parser, "X, F or G after the coalition, or (p U q), (p W q), (p R q)");
        return NULL;
    }
    parser->index += tokens;
    bool is_name = at(parser, TOKEN_NAME) && frame_find(parser->frame, peek(parser)->name);
    if (!is_name && temporal_at(parser, &more) != OP_NONE) {
        syntax_error(parser, peek(parser)->span.begin,
                     "a coalition has one temporal operator; put a coalition, A or E before the "
                     "second one");
        return NULL;
    }
    return parse_operand(parser, expr);
}

/* The current token begins one (at_modal). */
struct expr *parse_modal(struct parser *parser) {
    uint32_t tokens;
    enum op op = path_at(parser);
    if (op != OP_NONE) return parse_path(parser, op, 3);
    op = next_at(parser, &tokens);
    if (op != OP_NONE) return parse_path(parser, op, tokens);
    op = knower_at(parser);
    if (op != OP_NONE) return parse_knowledge(parser, op);
    if (refuse_path_operator(parser)) return NULL;
    if (at_until(parser)) return parse_until(parser);
    return parse_strategic(parser);
}

/* Declarations */

/* No query begins with two names, so that the first is the word, whatever the model calls so. */
bool at_agent_declaration(const struct parser *parser) {
    return peek_at(parser, 1)->kind == TOKEN_NAME &&
           (at_operator(parser, "agent") || at_operator(parser, "group") ||
            at_operator(parser, "observe") || at_operator(parser, "lost"));
}

static bool parse_observed(struct parser *parser, struct observation_item *item) {
    item->expr = parse_expr(parser);
    item->span.end = last_end(parser);
    return item->expr != NULL;
}

/* Obs = "default" | "location" | "local" | "enabled" | "guards" | "shared" | "nothing" | "except"
 * Name | Expr
 */
static bool parse_observation(struct parser *parser, struct observation_item *item) {
    static const struct {
        const char *word;
        enum observation_kind kind;
    } words[] = {{"local", OBSERVE_LOCAL},
                 {"enabled", OBSERVE_ENABLED},
                 {"guards", OBSERVE_GUARDS},
                 {"shared", OBSERVE_SHARED},
                 {"nothing", OBSERVE_NOTHING}};
    item->span = peek(parser)->span;
    if (at(parser, TOKEN_DEFAULT) || at(parser, TOKEN_LOCATION)) { /* words of the language */
        item->kind = at(parser, TOKEN_DEFAULT) ? OBSERVE_ENABLED : OBSERVE_LOCATION;
        parser->index++;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(parser, 0, words[i].word)) {
            item->kind = words[i].kind;
            parser->index++;
            return true;
        }
    item->kind = at_word(parser, 0, "except") ? OBSERVE_EXCEPT : OBSERVE_EXPR;
    parser->index += item->kind == OBSERVE_EXCEPT;
    return parse_observed(parser, item);
}

/* "observe" AgentRef ":" Obs {"," Obs} ";" */
static bool parse_observations(struct parser *parser, struct agent_declaration *declaration) {
    VEC(struct observation_item) items = {0};
    if (!parse_agents(parser, &declaration->agents, &declaration->agent_count) ||
        !expect(parser, TOKEN_COLON))
        return false;
    do {
        struct observation_item item = {.kind = OBSERVE_LOCAL};
        if (!parse_observation(parser, &item)) return false;
        VEC_PUSH(parser->arena, &items, item);
    } while (accept(parser, TOKEN_COMMA));
    declaration->items = items.items;
    declaration->item_count = items.count;
    return true;
}

/* "lost" AgentRef {"," AgentRef} [":" Expr {"," Expr}] ";" */
static bool parse_lost(struct parser *parser, struct agent_declaration *declaration) {
    VEC(struct observation_item) items = {0};
    if (!parse_agents(parser, &declaration->agents, &declaration->agent_count)) return false;
    bool goes_on = accept(parser, TOKEN_COLON);
    while (goes_on) {
        struct observation_item item = {.kind = OBSERVE_EXPR, .span = peek(parser)->span};
        if (!parse_observed(parser, &item)) return false;
        VEC_PUSH(parser->arena, &items, item);
        goes_on = accept(parser, TOKEN_COMMA);
    }
    declaration->items = items.items;
    declaration->item_count = items.count;
    return expect(parser, TOKEN_SEMICOLON);
}

/* ("agent" | "group") Id "=" "{" Agents "}" ";" */
static bool parse_collection(struct parser *parser, struct agent_declaration *declaration) {
    const struct token *name = expect_name(parser);
    if (!name || !expect(parser, TOKEN_ASSIGN) || !expect(parser, TOKEN_LEFT_BRACE) ||
        !parse_agents(parser, &declaration->agents, &declaration->agent_count) ||
        !expect(parser, TOKEN_RIGHT_BRACE))
        return false;
    struct symbol *symbol = symbol_new(parser, SYMBOL_AGENT, SCOPE_GLOBAL, name, NULL);
    symbol->agent = declaration;
    declaration->symbol = symbol;
    declare(parser, symbol);
    return true;
}

static enum agent_declaration_kind declared_at(const struct parser *parser) {
    if (at_operator(parser, "group")) return DECLARE_GROUP;
    if (at_operator(parser, "agent")) return DECLARE_AGENT;
    return at_operator(parser, "lost") ? DECLARE_LOST : DECLARE_OBSERVATION;
}

/* A declaration after its first word, with the semicolon. */
static bool parse_declared(struct parser *parser, struct agent_declaration *declaration) {
    switch (declaration->kind) {
    case DECLARE_LOST: return parse_lost(parser, declaration);
    case DECLARE_OBSERVATION:
        return parse_observations(parser, declaration) && expect(parser, TOKEN_SEMICOLON);
    case DECLARE_AGENT:
    case DECLARE_GROUP: break;
    }
    return parse_collection(parser, declaration) && expect(parser, TOKEN_SEMICOLON);
}

/* All of the text; the agents join the model. */
void parse_agent_declarations(struct parser *parser, struct query *query) {
    struct model *model = parser->model;
    while (!parser->failed && !at(parser, TOKEN_END)) {
        if (!at_agent_declaration(parser)) {
            unexpected(parser, "agent, group or observe");
            return;
        }
        struct agent_declaration *declaration = ARENA_NEW(parser->arena, struct agent_declaration);
        declaration->span.begin = peek(parser)->span.begin;
        declaration->query = query;
        declaration->kind = declared_at(parser);
        parser->index++;
        if (!parse_declared(parser, declaration)) return;
        declaration->span.end = last_end(parser);
        VEC_PUSH(model->arena, &model->agents, declaration);
    }
}
