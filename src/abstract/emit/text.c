/* Declarations without removed variables, changed and generated functions, queries. */
#include "abstract/emit/text.h"

#include "abstract/claim/observation.h"
#include "abstract/edge/open_edge.h"
#include "abstract/emit/label.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/fold/model.h"
#include "abstract/prepare/cut.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "expr/chain.h"
#include "expr/find.h"
#include "lang/print/print.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/query_text.h"
#include "lang/syntax/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct text_edits {
    struct generator *generator;
    struct text_cuts cuts;
};

static struct text_edits edits_new(struct generator *generator) {
    return (struct text_edits){.generator = generator, .cuts.arena = generator->arena};
}

static bool is_used_by(const struct abstraction *abstraction, const struct declaration *declaration,
                       const struct symbol *clock) {
    bool is_used = false;
    if (declaration->kind == DECLARATION_FUNCTION)
        is_used = effects_find(network_effects(abstraction->network, declaration->function), clock);
    if (declaration->kind == DECLARATION_INSTANCE)
        for (uint32_t i = 0; i < declaration->instance->argument_count; i++)
            is_used |= expr_mentions(declaration->instance->arguments[i], clock);
    return is_used;
}

/* A generated function contains the text of the updates that it replaces. */
static bool is_used_on(const struct abstraction *abstraction, const struct output_edge *out,
                       const struct symbol *clock) {
    bool is_used = false;
    for (uint32_t i = 0; i < out->item_count && !is_used; i++) {
        const struct expr *item = out->items[i].expr;
        bool is_generated = item->kind == EXPR_CALL && item->symbol && !item->symbol->function;
        is_used = expr_mentions(item, clock) ||
                  (is_generated &&
                   effects_find(open_edge_effects(&abstraction->context, out->base), clock));
    }
    return is_used;
}

/* T3.10: whether the declaration of a removed clock is cut, too. Functions and hooks that set it
 * stay as they are. */
static bool clock_is_gone(const struct abstraction *abstraction, const struct symbol *clock) {
    const struct network *network = abstraction->network;
    const struct model *model = network->model;
    bool is_used = !clock_is_removed(abstraction->request, clock) ||
                   effects_find(&network->before_update, clock) ||
                   effects_find(&network->after_update, clock);
    for (uint32_t t = 0; t < model->template_count + 2 && !is_used; t++) {
        const struct declaration_list *list =
            t < model->template_count    ? &model->templates[t]->declarations
            : t == model->template_count ? &model->declarations
                                         : &model->system_declarations;
        for (uint32_t i = 0; i < list->count && !is_used; i++)
            is_used = is_used_by(abstraction, list->items[i], clock);
    }
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct fold *fold = &abstraction->folds.items[i]->fold;
        for (uint32_t k = 0; k < fold->edges.count && !is_used; k++)
            is_used = is_used_on(abstraction, &fold->edges.items[k], clock);
    }
    return !is_used;
}

static bool is_gone(const void *context, const struct symbol *symbol) {
    const struct generator *generator = context;
    if (symbol_is_clock(symbol)) return clock_is_gone(generator->abstraction, symbol);
    const struct removal *removal = removed_ever(generator->abstraction->request, symbol);
    return removal && removal->is_whole && !removal->scope;
}

/* Declarations of ghosts (S2) that have their place after this one, or NULL. */
static const char *ghost_declarations(const struct generator *generator,
                                      const struct declaration *declaration) {
    const struct request *request = generator->abstraction->request;
    struct buffer text = {0};
    for (uint32_t i = 0; i < request->ghosts.count; i++) {
        const struct ghost *ghost = request->ghosts.items[i];
        const struct initialiser *initialiser = ghost->symbol->initialiser;
        if (ghost->anchor != declaration) continue;
        struct str type = str_trim(ghost->definition->type.content);
        buffer_printf(&text, "%s%.*s %s", text.size ? " " : "", (int)type.size, type.data,
                      ghost->symbol->name);
        if (initialiser) buffer_add_text(&text, " = ");
        if (initialiser) print_expr(&text, initialiser->expr);
        buffer_add_text(&text, ";");
    }
    const char *result = text.size ? buffer_take(&text, generator->arena) : NULL;
    buffer_close(&text);
    return result;
}

static void edit_variables(struct text_edits *edits, const struct text *text,
                           const struct declaration *declaration, const char *ghosts) {
    uint32_t gone = 0;
    for (uint32_t i = 0; i < declaration->declarator_count; i++)
        gone += is_gone(edits->generator, declaration->declarators[i].symbol);
    if (gone && gone == declaration->declarator_count && ghosts)
        cut_replace(&edits->cuts, declaration->span.begin,
                    cut_end_with_comment(text, declaration->span), ghosts);
    else if (gone && gone == declaration->declarator_count)
        cut_whole(&edits->cuts, text, declaration->span);
    else if (gone)
        cut_declarators(&edits->cuts, declaration, is_gone, edits->generator);
    if (ghosts && gone < declaration->declarator_count)
        cut_replace(&edits->cuts, declaration->span.end, declaration->span.end,
                    arena_printf(edits->generator->arena, " %s", ghosts));
}

/* Functions (M2). */

struct calls {
    struct text_edits *edits;
    const struct function_change *change; /* of the function that holds the calls */
};

static const char *name_here(void *user, const struct symbol *symbol) {
    const struct calls *calls = user;
    return passed_name(calls->change, symbol);
}

static bool edit_call(void *user, const struct expr *expr) {
    struct calls *calls = user;
    if (expr->kind != EXPR_CALL) return true;
    const struct generator *generator = calls->edits->generator;
    const char *text = passed_arguments(&generator->abstraction->functions, expr, name_here, calls,
                                        generator->arena);
    if (*text) cut_replace(&calls->edits->cuts, expr->span.end - 1, expr->span.end - 1, text);
    return true;
}

static void print_passed(struct buffer *out, const struct passed *passed) {
    bool is_reference = passed->passing == PASS_REFERENCE || passed->passing == PASS_CONST;
    if (passed->passing == PASS_CONST) buffer_add_text(out, "const ");
    print_local_type(out, passed->symbol->type);
    buffer_add_text(out, is_reference ? " &" : " ");
    print_declarator(out, passed->name, passed->symbol->type);
}

static void edit_function(struct text_edits *edits, const struct function *function) {
    const struct function_change *change =
        function_change_of(&edits->generator->abstraction->functions, function);
    if (!change) return;
    struct calls calls = {edits, change};
    assert(function->body && change->passed.count);
    walk_statement(function->body, edit_call, &calls);
    struct buffer parameters = {0}, locals = {0};
    bool is_first = function->parameter_count == 0;
    for (uint32_t i = 0; i < change->passed.count; i++) {
        const struct passed *passed = &change->passed.items[i];
        struct buffer *to = passed->passing == PASS_LOCAL ? &locals : &parameters;
        if (to == &locals) buffer_add_text(to, " ");
        if (to == &parameters && !is_first) buffer_add_text(to, ", ");
        if (to == &parameters) is_first = false;
        print_passed(to, passed);
        if (to == &locals) buffer_add_text(to, ";");
    }
    struct arena *arena = edits->generator->arena;
    if (parameters.size)
        cut_replace(&edits->cuts, function->parameter_span.end, function->parameter_span.end,
                    buffer_take(&parameters, arena));
    if (locals.size)
        cut_replace(&edits->cuts, function->body->span.begin + 1, function->body->span.begin + 1,
                    buffer_take(&locals, arena));
    buffer_close(&parameters);
    buffer_close(&locals);
}

/* T3.5: the word goes from a type of channels, if it has one. */
static void cut_urgency(struct text_edits *edits, const struct type *type) {
    const struct generator *generator = edits->generator;
    while (type && type->kind == TYPE_ARRAY) type = type->element;
    if (!generator->abstraction->loses_urgency || !type || !(type->prefix & PREFIX_URGENT)) return;
    struct str text = document_text(generator->document, type->span);
    for (size_t i = 0; i + strlen("urgent") < text.size; i++) {
        if (strncmp(text.data + i, "urgent", strlen("urgent")) != 0) continue;
        size_t end = i + strlen("urgent");
        while (end < text.size && strchr(" \t\r\n", text.data[end])) end++;
        cut_replace(&edits->cuts, type->span.begin + (position)i, type->span.begin + (position)end,
                    "");
        return;
    }
}

static void cut_urgency_of(struct text_edits *edits, struct symbol *const *parameters,
                           uint32_t count) {
    for (uint32_t i = 0; i < count; i++) cut_urgency(edits, parameters[i]->type);
}

static void edit_list(struct text_edits *edits, const struct element *element,
                      const struct declaration_list *list) {
    const struct text *text = &element->text;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct declaration *declaration = list->items[i];
        bool is_here = declaration->span.begin >= text->begin &&
                       declaration->span.begin < text->begin + text->content.size;
        if (!is_here) continue;
        const char *ghosts = ghost_declarations(edits->generator, declaration);
        if (declaration->kind == DECLARATION_VARIABLES)
            edit_variables(edits, text, declaration, ghosts);
        else if (ghosts)
            cut_replace(&edits->cuts, declaration->span.end, declaration->span.end,
                        arena_printf(edits->generator->arena, " %s", ghosts));
        cut_urgency(edits, declaration->base);
        if (declaration->kind == DECLARATION_INSTANCE)
            cut_urgency_of(edits, declaration->instance->parameters,
                           declaration->instance->parameter_count);
        if (declaration->kind == DECLARATION_FUNCTION) {
            edit_function(edits, declaration->function);
            cut_urgency_of(edits, declaration->function->parameters,
                           declaration->function->parameter_count);
        }
        if (declaration->kind == DECLARATION_CHANNEL_PRIORITY &&
            edits->generator->abstraction->drops_priorities)
            cut_whole(&edits->cuts, text, declaration->span);
    }
}

/* What agents observe (O1) stands at the end of the global declaration, and nowhere else. */

static void remove_comment(struct text_edits *edits, const struct text *text, struct span span) {
    span.begin -= (position)strlen("//varabs:");
    assert(span.begin >= text->begin);
    for (uint32_t i = 0; i < edits->cuts.list.count; i++) /* with the text before it */
        if (edits->cuts.list.items[i].span.begin <= span.begin &&
            span.begin < edits->cuts.list.items[i].span.end)
            return;
    cut_whole(&edits->cuts, text, span);
}

static bool declares(const struct model *model, const struct query *query) {
    for (uint32_t i = 0; i < model->agents.count; i++)
        if (model->agents.items[i]->query == query) return true;
    return false;
}

static void edit_agents(struct text_edits *edits, const struct element *element) {
    const struct abstraction *abstraction = edits->generator->abstraction;
    const struct model *model = abstraction->network->model;
    const struct text *text = &element->text;
    const struct query *last = NULL;
    assert(abstraction->observations->text);
    position end = text->begin + (position)text->content.size;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct query *query = model->agents.items[i]->query;
        if (query == last || query->span.begin < text->begin || query->span.begin >= end) continue;
        remove_comment(edits, text, query->span);
        last = query;
    }
    bool is_open = text->content.size && text->content.data[text->content.size - 1] != '\n';
    cut_replace(&edits->cuts, end, end,
                arena_printf(edits->generator->arena, "%s%s", is_open ? "\n" : "",
                             abstraction->observations->text));
}

/* O1. Lines that would be queries now that there is no formula. */
static void keep_unasked(struct generator *generator, const struct element *comment) {
    struct str old = comment->text.content;
    struct str text = comment_without_queries(generator->arena, old);
    if (text.size != old.size) splice_set_text(&generator->splices, comment, text);
}

/* A text in a comment, or a formula, that declares agents. What follows it stays on a line of its
 * own.
 */
static void drop_agent_queries(struct generator *generator) {
    const struct model *model = generator->abstraction->network->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        const struct element *formula = query->xml->formula;
        if (!formula || !formula->end || !declares(model, query)) continue;
        struct str content = formula->text.content;
        bool has_more = content.size && content.data[content.size - 1] == '\n';
        splice_set_text(&generator->splices, formula, has_more ? STR("\n") : STR(""));
        if (!query->xml->host && query->xml->comment) keep_unasked(generator, query->xml->comment);
    }
}

static bool says_observations(const struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    return abstraction->observations && abstraction->observations->text &&
           (abstraction->request->removals.count || abstraction->context.rules->is_mixed);
}

static void apply(struct text_edits *edits, const struct element *element) {
    if (!edits->cuts.list.count) return;
    text_edits_sort(edits->cuts.list.items, edits->cuts.list.count);
    splice_edit_text(&edits->generator->splices, element, edits->cuts.list.items,
                     edits->cuts.list.count);
}

/* Whether an edge of the output calls a generated function: the edge that it was for may be gone.
 */
static bool is_called(const struct abstraction *abstraction,
                      const struct generated_function *function) {
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        for (uint32_t k = 0; fold->template == function->template && k < fold->fold.edges.count;
             k++) {
            const struct output_edge *out = &fold->fold.edges.items[k];
            for (uint32_t n = 0; n < out->item_count; n++)
                if (out->items[n].expr->kind == EXPR_CALL && out->items[n].expr->symbol &&
                    out->items[n].expr->symbol->name == function->name)
                    return true;
        }
    }
    return false;
}

/* Generated functions of a template. */
static const char *generated_text(struct generator *generator, const struct template *template) {
    const struct context *context = &generator->abstraction->context;
    struct buffer text = {0};
    for (uint32_t i = 0; i < context->generated.count; i++) {
        if (context->generated.items[i].template != template ||
            !is_called(generator->abstraction, &context->generated.items[i]))
            continue;
        buffer_printf(&text, "%s\n", context->generated.items[i].text);
    }
    buffer_add_text(&text, cell_loops_text(&generator->loops, template));
    char *result = text.size ? buffer_take(&text, generator->arena) : NULL;
    buffer_close(&text);
    return result;
}

static void generate_parameters(struct generator *generator, const struct template *template) {
    struct text_edits edits = edits_new(generator);
    cut_urgency_of(&edits, template->parameters, template->parameter_count);
    if (template->xml->parameter) apply(&edits, template->xml->parameter);
}

/* At the end of the declarations of a template, which may have none. */
static void declare_at_end(struct text_edits *edits, const struct template *template,
                           const char *text) {
    const struct element *element = template->xml->declaration;
    struct generator *generator = edits->generator;
    if (element && !element->text.content.size) {
        splice_set_text(&generator->splices, element, str_of(text));
    } else if (element) {
        struct str content = element->text.content;
        position end = element->text.begin + (position)content.size;
        bool is_open = content.data[content.size - 1] != '\n';
        cut_replace(&edits->cuts, end, end,
                    arena_printf(generator->arena, "%s%s", is_open ? "\n" : "", text));
    } else {
        const struct element *before =
            template->xml->parameter ? template->xml->parameter : template->xml->name;
        assert(before);
        struct str indent = indent_of(generator, before);
        struct str escaped =
            xml_escape(generator->arena, str_of(arena_printf(generator->arena, "\n%s", text)));
        splice_markup(&generator->splices, before->end, before->end,
                      str_of(arena_printf(generator->arena, "%.*s<declaration>%s</declaration>",
                                          (int)indent.size, indent.data, escaped.data)));
    }
}

static void generate_template(struct generator *generator, const struct template *template) {
    const struct element *element = template->xml->declaration;
    const char *text = generated_text(generator, template);
    struct text_edits edits = edits_new(generator);
    if (element) edit_list(&edits, element, &template->declarations);
    if (text) declare_at_end(&edits, template, text);
    if (element) apply(&edits, element);
}

void generate_loops(struct generator *generator, const struct template *template) {
    const char *text = cell_loops_text(&generator->loops, template);
    struct text_edits edits = edits_new(generator);
    if (!*text) return;
    declare_at_end(&edits, template, text);
    if (template->xml->declaration) apply(&edits, template->xml->declaration);
}

void generate_lost_query(struct generator *generator, const struct query *query,
                         const char *variable, const char *fate) {
    assert(variable && fate && query->xml->formula);
    if (!query->xml->formula->end) return; /* it was handed over, and is not in the document */
    const struct element *comment = query->xml->comment;
    struct str formula = query->xml->formula->text.content;
    if (query->xml->host) { /* the host is a comment already */
        splice_set_text(&generator->splices, query->xml->formula,
                        str_of(arena_printf(
                            generator->arena, "// Not kept: %s, as it names '%s', which %s.%s",
                            query_formula(generator->arena, formula), variable, fate,
                            formula.size && formula.data[formula.size - 1] == '\n' ? "\n" : "")));
        return;
    }
    const char *old = comment ? comment->text.content.data : "";
    const char *whole = arena_printf(
        generator->arena, "Not kept: %.*s\nIt names '%s', which %s.%s%s", (int)formula.size,
        formula.data, variable, fate, old && *old ? "\n" : "", old ? old : "");
    struct str text = comment_without_queries(generator->arena, str_of(whole));
    splice_set_text(&generator->splices, query->xml->formula, STR(""));
    if (comment) {
        splice_set_text(&generator->splices, comment, text);
        return;
    }
    struct str indent = indent_of(generator, query->xml->formula);
    struct str escaped = xml_escape(generator->arena, text);
    splice_markup(&generator->splices, query->xml->formula->end, query->xml->formula->end,
                  str_of(arena_printf(generator->arena, "%.*s<comment>%s</comment>",
                                      (int)indent.size, indent.data, escaped.data)));
}

/* M5: the '<' between processes become commas. */
static void drop_process_priorities(struct text_edits *edits, const struct model *model) {
    const struct system_process *list = model->processes;
    for (uint32_t i = 1; i < model->process_count; i++)
        if (list[i].priority != list[i - 1].priority)
            cut_replace(&edits->cuts, list[i - 1].span.end, list[i].span.begin, ", ");
}

static void generate_system(struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    const struct document *document = generator->document;
    const struct model *model = abstraction->network->model;
    const struct element *elements[] = {document->instantiation, document->system};
    for (int k = 0; k < 2; k++) {
        struct text_edits edits = edits_new(generator);
        if (!elements[k]) continue;
        edit_list(&edits, elements[k], &model->system_declarations);
        for (uint32_t i = 0; i < abstraction->dropped_entries.count && k == 1; i++)
            if (!abstraction->dropped_entries.items[i].text) /* a measure or gantt entry */
                cut_whole(&edits.cuts, &elements[k]->text,
                          abstraction->dropped_entries.items[i].span);
        if (abstraction->drops_priorities && k == 1) drop_process_priorities(&edits, model);
        apply(&edits, elements[k]);
    }
}

static void generate_invariants(struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    for (uint32_t i = 0; i < abstraction->invariants.count; i++) {
        const struct invariant_fold *fold = &abstraction->invariants.items[i];
        const struct xml_location *location = fold->template->locations[fold->location].xml;
        struct buffer text = {0};
        const struct expr *invariant = build_and(generator->arena, fold->invariant, fold->passed);
        if (invariant && invariant->kind == EXPR_BINARY &&
            invariant->op == OP_LT) /* Uppaal warns */
            invariant =
                build_binary(generator->arena, OP_GT, invariant->child[1], invariant->child[0]);
        if (invariant) print_expr(&text, invariant);
        const char *copy = text.size ? buffer_take(&text, generator->arena) : NULL;
        buffer_close(&text);
        /* The label exists: the invariant that it holds names a removed variable. */
        const struct element *label = find_label(location->element, "invariant");
        generate_comment(generator, location->element, label, "varabs: invariant changed",
                         coordinate(label, "x", 0), coordinate(label, "y", 0) + 17);
        generate_label(generator, location->element, NULL, "invariant", copy, 0, 0);
    }
}

/* T3.5: after name and labels, as the format wants it. */
static void generate_urgent(struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    for (uint32_t i = 0; i < abstraction->folds.count; i++) {
        const struct location_fold *fold = abstraction->folds.items[i];
        if (!fold->becomes_urgent) continue;
        assert(fold->location < fold->template->location_count);
        splice_add_child(&generator->splices,
                         fold->template->locations[fold->location].xml->element, STR("<urgent/>"));
    }
}

static const struct symbol *gone_clock_in(const struct generator *generator,
                                          struct symbol *const *symbols, uint32_t count,
                                          const char *text) {
    for (uint32_t i = 0; i < count; i++)
        if (symbol_is_clock(symbols[i]) && text_names(text, symbols[i]->name) &&
            is_gone(generator, symbols[i]))
            return symbols[i];
    return NULL;
}

/* A removed variable or clock that a text may name, or NULL. */
static const struct symbol *gone_in(const struct generator *generator,
                                    const struct template *template, const char *text) {
    const struct request *request = generator->abstraction->request;
    const struct model *model = generator->abstraction->network->model;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (!removal->scope && text_names(text, removal->symbol->name)) return removal->symbol;
    }
    const struct symbol *clock =
        gone_clock_in(generator, model->symbols, model->symbol_count, text);
    return clock ? clock
                 : gone_clock_in(generator, template->symbols, template->symbol_count, text);
}

/* Exponential rates are not looked at, but Uppaal would miss the names in them: those that may name
 * what is removed go. */
static void generate_rates(struct generator *generator, const struct template *template) {
    for (uint32_t l = 0; l < template->location_count; l++) {
        const struct xml_location *location = template->locations[l].xml;
        const struct element *rate = location->labels.of[LABEL_RATE];
        const struct symbol *gone =
            rate ? gone_in(generator, template, rate->text.content.data) : NULL;
        if (!gone) continue;
        diag_warning(generator->abstraction->context.diag, rate->text.begin,
                     "this exponential rate names '%s', which is removed: it goes, too",
                     gone->name);
        generate_label(generator, location->element, NULL, "exponentialrate", NULL, 0, 0);
    }
}

void generate_texts(struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    const struct model *model = abstraction->network->model;
    const struct element *global = generator->document->declaration;
    if (global) {
        struct text_edits edits = edits_new(generator);
        edit_list(&edits, global, &model->declarations);
        if (says_observations(generator)) edit_agents(&edits, global);
        apply(&edits, global);
    } else if (says_observations(generator)) {
        struct str text =
            xml_escape(generator->arena, str_of(generator->abstraction->observations->text));
        size_t at = generator->document->root->content_begin;
        splice_markup(
            &generator->splices, at, at,
            str_of(arena_printf(generator->arena, "<declaration>%s</declaration>", text.data)));
    }
    if (says_observations(generator)) drop_agent_queries(generator);
    for (uint32_t i = 0; i < model->template_count; i++)
        generate_template(generator, model->templates[i]);
    for (uint32_t i = 0; i < model->template_count; i++)
        generate_parameters(generator, model->templates[i]);
    for (uint32_t i = 0; i < model->template_count; i++)
        generate_rates(generator, model->templates[i]);
    generate_system(generator);
    generate_invariants(generator);
    generate_urgent(generator);
    for (uint32_t i = 0; i < abstraction->rewritten_queries.count; i++) {
        const struct rewritten_query *query = &abstraction->rewritten_queries.items[i];
        splice_edit_text(&generator->splices, model->queries[query->index].xml->formula,
                         query->edits, query->edit_count);
    }
    uint32_t q = 0;
    for (uint32_t i = 0; i < abstraction->dropped_entries.count; i++)
        if (abstraction->dropped_entries.items[i].text)
            generate_lost_query(generator, &model->queries[abstraction->dropped_queries.items[q++]],
                                abstraction->dropped_entries.items[i].variable, "was removed");
    assert(q == abstraction->dropped_queries.count); /* an entry for each of them */
}
