/* Expressions that name processes: queries, progress measures, gantt entries.
 *
 * An access such as Voter(2).voted or Voter(i).a[k] gets the name of the run that the process is
 * in. Where the index may lie in several runs, a quantifier over it is written once for each
 * range: (forall (i : int[1,1]) ...) && (forall (i : int[2,5]) ...). What is still open then is
 * decided by a condition: (n <= 1 ? Voter(n).voted : Voter_abstract(n).voted). */
#include "abstract/prepare/split.h"
#include "abstract/prepare/split_internal.h"
#include "lang/print/print.h"
#include "lang/syntax/walk.h"

#include <assert.h>

enum { PIECES_MAX = 64 };

/* What a quantified variable ranges over at present. */
struct range {
    const struct symbol *symbol;
    int64_t lower, upper;
    const struct range *outer;
};

/* The run that an access is written for. */
struct run_choice {
    const struct expr *process;
    const struct split_run *run;
};

struct writer {
    struct splitter *splitter;
    struct buffer *out;
    position at; /* everything before has been written */
    const struct range *ranges;
    struct run_choice choice;
    bool is_too_long;
    VEC(struct text_edit) edits;
};

static bool is_access_part(const struct expr *expr) {
    return expr->kind == EXPR_INDEX || expr->kind == EXPR_FIELD || expr->kind == EXPR_CALL;
}

/* The process named at the bottom of Process.member, Process.a[i], Process.f(x); NULL if there is
 * none. */
static const struct expr *process_of(const struct expr *expr) {
    while (is_access_part(expr) && !(expr->kind == EXPR_FIELD && expr_is_process(expr->child[0])))
        expr = expr->child[0];
    return expr->kind == EXPR_FIELD ? expr->child[0] : NULL;
}

static const struct split_set *set_of(const struct writer *writer, const struct expr *process) {
    const struct expr *name = process->kind == EXPR_CALL ? process->child[0] : process;
    const struct split_set *set = map_get(&writer->splitter->set_of, map_key(name->symbol));
    return set && set->run_count ? set : NULL;
}

/* The values that an index can have, if they are known. */
static bool index_range(const struct writer *writer, const struct expr *expr, int64_t *lower,
                        int64_t *upper) {
    bool is_negative = expr->kind == EXPR_UNARY && expr->op == OP_NEG;
    if (is_negative) expr = expr->child[0];
    bool is_known = expr->kind == EXPR_INT || (expr->kind == EXPR_NAME && expr->symbol->has_value);
    if (is_known) {
        int64_t value = expr->kind == EXPR_INT ? expr->value : expr->symbol->value;
        *lower = *upper = is_negative ? -value : value;
        return true;
    }
    bool is_sum = expr->kind == EXPR_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB);
    if (is_sum && !is_negative) {
        int64_t least, most;
        if (!index_range(writer, expr->child[0], lower, upper) ||
            !index_range(writer, expr->child[1], &least, &most))
            return false;
        *lower += expr->op == OP_ADD ? least : -most;
        *upper += expr->op == OP_ADD ? most : -least;
        return *lower >= INT32_MIN && *upper <= INT32_MAX; /* else it may wrap */
    }
    if (is_negative || expr->kind != EXPR_NAME) return false;
    const struct range *range = writer->ranges;
    while (range && range->symbol != expr->symbol) range = range->outer;
    if (!range) return false;
    *lower = range->lower;
    *upper = range->upper;
    return true;
}

static bool is_possible(const struct writer *writer, const struct expr *process,
                        const struct split_run *run) {
    assert(process->argument_count == run->set->parameter_count);
    for (uint32_t k = 0; k < run->set->parameter_count; k++) {
        int64_t lower, upper;
        if (!index_range(writer, process->arguments[k], &lower, &upper)) continue;
        if (lower > run->upper[k] || upper < run->lower[k]) return false;
    }
    return true;
}

static void visit(struct writer *writer, const struct expr *expr);

/* Source text up to a position. */
static void write_to(struct writer *writer, position to) {
    assert(to >= writer->at);
    if (to > writer->at) {
        struct span span = {writer->at, to};
        buffer_add(writer->out, document_text(writer->splitter->model->document, span).data,
                   to - writer->at);
    }
    writer->at = to;
    writer->is_too_long |= writer->out->size > SPLIT_MAX_TEXT;
}

static void replace(struct writer *writer, position begin, position end, const char *text) {
    write_to(writer, begin);
    buffer_add_text(writer->out, text);
    writer->at = end;
}

/* A whole expression, wherever the writer stands. */
static void write_expr(struct writer *writer, const struct expr *expr) {
    position at = writer->at;
    writer->at = expr->span.begin;
    visit(writer, expr);
    write_to(writer, expr->span.end);
    writer->at = at;
}

/* An access for a run. */
static void write_access(struct writer *writer, const struct expr *access,
                         const struct expr *process, const struct split_run *run) {
    struct run_choice outer = writer->choice;
    writer->choice = (struct run_choice){process, run};
    write_expr(writer, access);
    writer->choice = outer;
}

/* "2 <= i && i <= 4", for the parameters that tell runs apart; for a single one, which runs
 * ascend by, "i <= 4". */
static void write_condition(struct writer *writer, const struct expr *process,
                            const struct split_run *run) {
    const struct split_set *set = run->set;
    bool is_first = true;
    for (uint32_t k = 0; k < set->parameter_count; k++) {
        bool has_lower = set->parameter_count > 1 && run->lower[k] > set->lower[k];
        bool has_upper = set->parameter_count == 1 || run->upper[k] < set->upper[k];
        for (int side = 0; side < 2; side++) {
            if (!(side ? has_upper : has_lower)) continue;
            const struct expr *index = process->arguments[k];
            bool is_plain = index->kind == EXPR_NAME || index->kind == EXPR_INT;
            buffer_printf(writer->out, "%s%s", is_first ? "" : " && ", is_plain ? "" : "(");
            write_expr(writer, index);
            buffer_printf(writer->out, "%s %s %d", is_plain ? "" : ")",
                          side ? "<=" : ">=", side ? run->upper[k] : run->lower[k]);
            is_first = false;
        }
    }
    assert(!is_first);
}

static void visit_access(struct writer *writer, const struct expr *access,
                         const struct expr *process, const struct split_set *set) {
    VEC(const struct split_run *) runs = {0};
    for (uint32_t i = 0; i < set->run_count; i++)
        if (is_possible(writer, process, &set->runs[i]))
            VEC_PUSH(writer->splitter->arena, &runs, &set->runs[i]);
    write_to(writer, access->span.begin);
    if (runs.count < 2) {
        write_access(writer, access, process, runs.count ? runs.items[0] : &set->runs[0]);
    } else {
        buffer_add_text(writer->out, "(");
        for (uint32_t i = 0; i < runs.count && !writer->is_too_long; i++) {
            if (i + 1 < runs.count) {
                write_condition(writer, process, runs.items[i]);
                buffer_add_text(writer->out, " ? ");
            }
            write_access(writer, access, process, runs.items[i]);
            buffer_add_text(writer->out, i + 1 < runs.count ? " : " : ")");
        }
    }
    writer->at = access->span.end;
}

/* Process.member for the run chosen: its name, and that of an anonymous location. */
static void visit_member(struct writer *writer, const struct expr *field) {
    const struct expr *process = field->child[0];
    const struct split_run *run = writer->choice.run;
    assert(run && process == writer->choice.process);
    const struct expr *name = process->kind == EXPR_CALL ? process->child[0] : process;
    replace(writer, name->span.begin, name->span.end, run->name);
    writer->choice = (struct run_choice){NULL, NULL};
    for (uint32_t k = 0; k < process->argument_count; k++) visit(writer, process->arguments[k]);
    const struct symbol *member = field->symbol;
    const struct template *template = run->set->symbol->template;
    if (member->kind != SYMBOL_LOCATION || template->locations[member->location].symbol ||
        !run->group)
        return;
    assert(run->group < run->set->node->groups->count);
    const char *id = run->set->node->groups->ids[run->group][member->location];
    replace(writer, field->span.end - (position)strlen(field->name), field->span.end,
            arena_printf(writer->splitter->arena, "_%s", id));
}

/* Quantifiers */

static bool names_agents(const struct expr *expr) {
    return expr->kind == EXPR_KNOW || expr->kind == EXPR_ABLE || expr->kind == EXPR_ABLE_UNTIL;
}

struct cuts {
    const struct writer *writer;
    const struct symbol *bound;
    VEC(int64_t) list; /* values at which another run begins */
};

static void add_cut(struct cuts *cuts, int64_t value) {
    uint32_t i = cuts->list.count;
    for (uint32_t k = 0; k < cuts->list.count; k++)
        if (cuts->list.items[k] == value) return;
    VEC_PUSH(cuts->writer->splitter->arena, &cuts->list, value);
    for (; i && cuts->list.items[i - 1] > value; i--) cuts->list.items[i] = cuts->list.items[i - 1];
    cuts->list.items[i] = value;
    assert(!i || cuts->list.items[i - 1] < value); /* ascending */
}

static void cut_at_runs(struct cuts *cuts, const struct expr *process) {
    const struct split_set *set = set_of(cuts->writer, process);
    for (uint32_t k = 0; set && k < process->argument_count; k++) {
        const struct expr *argument = process->arguments[k];
        if (argument->kind != EXPR_NAME || argument->symbol != cuts->bound) continue;
        for (uint32_t r = 0; r < set->run_count && cuts->list.count <= PIECES_MAX; r++) {
            add_cut(cuts, set->runs[r].lower[k]);
            add_cut(cuts, (int64_t)set->runs[r].upper[k] + 1);
        }
    }
}

static bool find_cuts(void *user, const struct expr *expr) {
    if (expr->kind == EXPR_FIELD && expr_is_process(expr->child[0]))
        cut_at_runs(user, expr->child[0]);
    for (uint32_t i = 0; names_agents(expr) && i < expr->argument_count; i++)
        if (expr->arguments[i]->kind == EXPR_CALL) cut_at_runs(user, expr->arguments[i]);
    return true;
}

/* The values of a bound variable; false for scalars. */
static bool bound_range(const struct writer *writer, const struct symbol *bound,
                        struct range *range) {
    struct environment *environment = &writer->splitter->environment;
    const struct shape *shape = eval_shape(environment, bound->type);
    *range = (struct range){.symbol = bound, .outer = writer->ranges};
    if (!shape) environment->fault = (struct fault){0};
    if (!shape || shape->is_scalar) return false;
    range->lower = shape->lower;
    range->upper = shape->upper;
    assert(range->lower <= range->upper);
    return true;
}

/* False if the quantifier may stay as it is. */
static bool visit_quantifier(struct writer *writer, const struct expr *expr) {
    struct cuts cuts = {.writer = writer, .bound = expr->bound};
    struct range all, range;
    if (!bound_range(writer, expr->bound, &all)) return false;
    walk_expr(expr->child[0], find_cuts, &cuts);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cuts.list.count; i++)
        if (cuts.list.items[i] > all.lower && cuts.list.items[i] <= all.upper)
            cuts.list.items[kept++] = cuts.list.items[i];
    if (!kept || kept >= PIECES_MAX) return false;
    const char *joint = expr->op == OP_FORALL ? " && " : expr->op == OP_EXISTS ? " || " : " + ";
    range = all;
    write_to(writer, expr->span.begin);
    writer->ranges = &range;
    for (uint32_t i = 0; i <= kept && !writer->is_too_long; i++) {
        range.lower = i ? cuts.list.items[i - 1] : all.lower;
        range.upper = i < kept ? cuts.list.items[i] - 1 : all.upper;
        assert(range.lower <= range.upper && range.upper <= all.upper);
        buffer_printf(writer->out, "%s(%s (%s : int[%d,%d]) ", i ? joint : "(",
                      op_text(expr->op, false), expr->bound->name, (int)range.lower,
                      (int)range.upper);
        write_expr(writer, expr->child[0]);
        buffer_add_text(writer->out, ")");
    }
    buffer_add_text(writer->out, ")");
    writer->ranges = range.outer;
    writer->at = expr->span.end;
    return true;
}

/* Agents */

/* Whether braces or a list stand around a name already. */
static bool is_listed(const struct writer *writer, const struct expr *agent) {
    const struct document *document = writer->splitter->model->document;
    const char *at = document_text(document, agent->span).data - 1;
    while (*at == ' ' || *at == '\t' || *at == '\n') at--; /* an operator or a word is in front */
    return *at != '(';
}

/* A set of processes of several runs: those of all of them. */
static void write_set(struct writer *writer, const struct expr *agent,
                      const struct split_set *set) {
    bool needs_braces = set->run_count > 1 && !is_listed(writer, agent);
    write_to(writer, agent->span.begin);
    if (needs_braces) buffer_add_text(writer->out, "{");
    for (uint32_t i = 0; i < set->run_count; i++)
        buffer_printf(writer->out, "%s%s", i ? ", " : "", set->runs[i].name);
    if (needs_braces) buffer_add_text(writer->out, "}");
    writer->at = agent->span.end;
}

/* An agent by its process, which is in one run; where that is open, the name stays, which means
 * nothing then. */
static void write_agent(struct writer *writer, const struct expr *agent,
                        const struct split_set *set) {
    const struct split_run *found = NULL;
    uint32_t count = 0;
    if (agent->kind == EXPR_NAME) {
        write_set(writer, agent, set);
        return;
    }
    for (uint32_t i = 0; i < set->run_count; i++)
        if (is_possible(writer, agent, &set->runs[i])) {
            found = &set->runs[i];
            count++;
        }
    write_to(writer, agent->span.begin);
    if (count == 1) replace(writer, agent->span.begin, agent->child[0]->span.end, found->name);
    write_to(writer, agent->span.end);
}

/* Writes an expression anew as a whole where it has to be. Returns whether it was. */
static bool visit_whole(struct writer *writer, const struct expr *expr) {
    const struct expr *process = is_access_part(expr) ? process_of(expr) : NULL;
    const struct split_set *set = process ? set_of(writer, process) : NULL;
    if (set && process != writer->choice.process) {
        visit_access(writer, expr, process, set);
        return true;
    }
    if (expr_is_process(expr) && set_of(writer, expr)) { /* accesses do not come here */
        write_agent(writer, expr, set_of(writer, expr));
        return true;
    }
    return expr->kind == EXPR_QUANTIFY && visit_quantifier(writer, expr);
}

/* The parts of an expression that stays as a whole. */
static void visit_parts(struct writer *writer, const struct expr *expr,
                        void (*visit_part)(struct writer *writer, const struct expr *expr)) {
    const struct range *outer = writer->ranges;
    struct range range;
    if (expr->kind == EXPR_QUANTIFY && bound_range(writer, expr->bound, &range))
        writer->ranges = &range;
    bool is_about_agents = names_agents(expr); /* who stands in front */
    for (int i = 0; i < 3 && !is_about_agents; i++) visit_part(writer, expr->child[i]);
    for (uint32_t i = 0; i < expr->argument_count; i++) visit_part(writer, expr->arguments[i]);
    for (int i = 0; i < 3 && is_about_agents; i++) visit_part(writer, expr->child[i]);
    writer->ranges = outer;
}

static void visit(struct writer *writer, const struct expr *expr) {
    if (!expr || writer->is_too_long || visit_whole(writer, expr)) return;
    if (expr->kind == EXPR_FIELD && expr->child[0] == writer->choice.process &&
        writer->choice.run) {
        struct run_choice choice = writer->choice;
        visit_member(writer, expr);
        writer->choice = choice;
        return;
    }
    visit_parts(writer, expr, visit);
}

/* The outermost expressions that are written anew become edits, so that the bytes around them
 * stay. */
static void find_edits(struct writer *writer, const struct expr *expr) {
    if (!expr || writer->is_too_long) return;
    writer->at = expr->span.begin;
    writer->out->size = 0;
    if (visit_whole(writer, expr)) {
        struct str before = document_text(writer->splitter->model->document, expr->span);
        struct str after = {writer->out->data, writer->out->size};
        if (str_equal(before, after)) return;
        const char *text = arena_copy(writer->splitter->arena, after.data, after.size);
        VEC_PUSH(writer->splitter->arena, &writer->edits,
                 (struct text_edit){expr->span, {text, after.size}});
        return;
    }
    visit_parts(writer, expr, find_edits);
}

bool split_rewrite_expr(struct splitter *splitter, const struct expr *expr,
                        struct text_edit **edits, uint32_t *count) {
    struct buffer out = {0};
    struct writer writer = {.splitter = splitter, .out = &out};
    find_edits(&writer, expr);
    buffer_close(&out);
    *edits = writer.edits.items;
    *count = writer.edits.count;
    for (uint32_t i = 0; i < writer.edits.count; i++)
        splitter->text_size += writer.edits.items[i].text.size;
    return !writer.is_too_long && splitter->text_size <= SPLIT_MAX_TEXT;
}
