/* Declarations without removed variables, changed and generated functions, queries. */
#include "abstract/emit/text.h"

#include "abstract/claim/observation.h"
#include "abstract/emit/label.h"
#include "abstract/facts/context.h"
#include "abstract/facts/function.h"
#include "abstract/fold/model.h"
#include "abstract/request/request.h"
#include "expr/build.h"
#include "lang/print/print.h"
#include "lang/syntax/query_text.h"
#include "lang/syntax/walk.h"

#include <stdlib.h>
#include <string.h>

struct text_edits {
    struct generator *generator;
    VEC(struct text_edit) list;
};

static void add_edit(struct text_edits *edits, position begin, position end, const char *text) {
    VEC_PUSH(edits->generator->arena, &edits->list, (struct text_edit){{begin, end}, str_of(text)});
}

static bool is_gone(const struct generator *generator, const struct symbol *symbol) {
    const struct removal *removal = removed_ever(generator->abstraction->request, symbol);
    return removal && removal->is_whole && !removal->scope;
}

static char char_at(const struct text *text, position at) {
    if (at < text->begin || at >= text->begin + text->content.size) return 0;
    return text->content.data[at - text->begin];
}

/* Whether only blanks stand before the position on its line. */
static bool is_first_on_line(const struct text *text, position at) {
    while (char_at(text, at - 1) == ' ' || char_at(text, at - 1) == '\t') at--;
    return at == text->begin || char_at(text, at - 1) == '\n';
}

/* Where a declaration ends with the comment behind it that is its own: on the same line, which
 * holds nothing else. */
static position end_with_comment(const struct text *text, struct span span) {
    position end = span.end;
    while (char_at(text, end) == ' ' || char_at(text, end) == '\t') end++;
    if (!is_first_on_line(text, span.begin) || char_at(text, end) != '/' ||
        char_at(text, end + 1) != '/')
        return span.end;
    while (char_at(text, end) && char_at(text, end) != '\n') end++;
    return end;
}

/* A whole declaration with its line, if nothing else is on it. */
static void remove_declaration(struct text_edits *edits, const struct text *text,
                               struct span span) {
    position begin = span.begin, end = end_with_comment(text, span);
    while (char_at(text, begin - 1) == ' ' || char_at(text, begin - 1) == '\t') begin--;
    while (char_at(text, end) == ' ' || char_at(text, end) == '\t') end++;
    bool starts_line = is_first_on_line(text, span.begin);
    bool ends_line = end == text->begin + text->content.size || char_at(text, end) == '\n';
    if (!starts_line) begin = span.begin;
    if (starts_line && ends_line && char_at(text, end) == '\n')
        end++;
    else if (starts_line && !ends_line)
        begin = span.begin;
    else if (!ends_line || !starts_line)
        end = ends_line && !starts_line ? span.end : end;
    add_edit(edits, begin, end, "");
}

/* Some declarators of a list: each goes with the comma behind it, the last ones with the comma
 * before them. */
static void remove_declarators(struct text_edits *edits, const struct declaration *declaration) {
    const struct declarator *list = declaration->declarators;
    uint32_t count = declaration->declarator_count, last_kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_gone(edits->generator, list[i].symbol)) last_kept = i;
    for (uint32_t i = 0; i < last_kept; i++)
        if (is_gone(edits->generator, list[i].symbol))
            add_edit(edits, list[i].span.begin, list[i + 1].span.begin, "");
    if (last_kept + 1 < count)
        add_edit(edits, list[last_kept].span.end, list[count - 1].span.end, "");
}

/* Declarations of ghosts (S2) that have their place behind this one, or NULL. */
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
        add_edit(edits, declaration->span.begin, end_with_comment(text, declaration->span), ghosts);
    else if (gone && gone == declaration->declarator_count)
        remove_declaration(edits, text, declaration->span);
    else if (gone)
        remove_declarators(edits, declaration);
    if (ghosts && gone < declaration->declarator_count)
        add_edit(edits, declaration->span.end, declaration->span.end,
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
    if (*text) add_edit(calls->edits, expr->span.end - 1, expr->span.end - 1, text);
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
        add_edit(edits, function->parameter_span.end, function->parameter_span.end,
                 buffer_take(&parameters, arena));
    if (locals.size)
        add_edit(edits, function->body->span.begin + 1, function->body->span.begin + 1,
                 buffer_take(&locals, arena));
    buffer_close(&parameters);
    buffer_close(&locals);
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
            add_edit(edits, declaration->span.end, declaration->span.end,
                     arena_printf(edits->generator->arena, " %s", ghosts));
        if (declaration->kind == DECLARATION_FUNCTION) edit_function(edits, declaration->function);
        if (declaration->kind == DECLARATION_CHANNEL_PRIORITY &&
            edits->generator->abstraction->drops_priorities)
            remove_declaration(edits, text, declaration->span);
    }
}

/* What agents observe (O1) stands at the end of the global declaration, and nowhere else. */

static void remove_comment(struct text_edits *edits, const struct text *text, struct span span) {
    span.begin -= (position)strlen("//varabs:");
    for (uint32_t i = 0; i < edits->list.count; i++) /* with what it stands behind */
        if (edits->list.items[i].span.begin <= span.begin &&
            span.begin < edits->list.items[i].span.end)
            return;
    remove_declaration(edits, text, span);
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
    position end = text->begin + (position)text->content.size;
    for (uint32_t i = 0; i < model->agents.count; i++) {
        const struct query *query = model->agents.items[i]->query;
        if (query == last || query->span.begin < text->begin || query->span.begin >= end) continue;
        remove_comment(edits, text, query->span);
        last = query;
    }
    bool is_open = text->content.size && text->content.data[text->content.size - 1] != '\n';
    add_edit(edits, end, end,
             arena_printf(edits->generator->arena, "%s%s", is_open ? "\n" : "",
                          abstraction->observations->text));
}

/* A text in a comment, or a formula, that declares agents. */
static void drop_agent_queries(struct generator *generator) {
    const struct model *model = generator->abstraction->network->model;
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        if (query->xml->formula && query->xml->formula->end && declares(model, query))
            splice_set_text(&generator->splices, query->xml->formula, STR(""));
    }
}

static bool says_observations(const struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    return abstraction->observations && abstraction->observations->text &&
           abstraction->request->removals.count;
}

static void apply(struct text_edits *edits, const struct element *element) {
    if (!edits->list.count) return;
    text_edits_sort(edits->list.items, edits->list.count);
    splice_edit_text(&edits->generator->splices, element, edits->list.items, edits->list.count);
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

/* Generated functions of a template, at the end of its declarations. */
static const char *generated_text(struct generator *generator, const struct template *template,
                                  bool needs_break) {
    const struct context *context = &generator->abstraction->context;
    struct buffer text = {0};
    for (uint32_t i = 0; i < context->generated.count; i++) {
        if (context->generated.items[i].template != template ||
            !is_called(generator->abstraction, &context->generated.items[i]))
            continue;
        if (!text.size && needs_break) buffer_add_text(&text, "\n");
        buffer_printf(&text, "%s\n", context->generated.items[i].text);
    }
    char *result = text.size ? buffer_take(&text, generator->arena) : NULL;
    buffer_close(&text);
    return result;
}

static void generate_template(struct generator *generator, const struct template *template) {
    const struct element *element = template->xml->declaration;
    struct text_edits edits = {.generator = generator};
    if (element) {
        struct str content = element->text.content;
        bool is_open = content.size && content.data[content.size - 1] != '\n';
        const char *text = generated_text(generator, template, is_open);
        edit_list(&edits, element, &template->declarations);
        position end = element->text.begin + (position)content.size;
        if (text && content.size)
            add_edit(&edits, end, end, text);
        else if (text)
            splice_set_text(&generator->splices, element, str_of(text));
        apply(&edits, element);
        return;
    }
    const char *text = generated_text(generator, template, true);
    if (!text) return;
    const struct element *before =
        template->xml->parameter ? template->xml->parameter : template->xml->name;
    struct str indent = indent_of(generator, before);
    struct str escaped = xml_escape(generator->arena, str_of(text));
    splice_markup(&generator->splices, before->end, before->end,
                  str_of(arena_printf(generator->arena, "%.*s<declaration>%s</declaration>",
                                      (int)indent.size, indent.data, escaped.data)));
}

void generate_lost_query(struct generator *generator, const struct query *query,
                         const char *variable, const char *fate) {
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
    const char *text = arena_printf(
        generator->arena, "Not kept: %.*s\nIt names '%s', which %s.%s%s", (int)formula.size,
        formula.data, variable, fate, old && *old ? "\n" : "", old ? old : "");
    splice_set_text(&generator->splices, query->xml->formula, STR(""));
    if (comment) {
        splice_set_text(&generator->splices, comment, str_of(text));
        return;
    }
    struct str indent = indent_of(generator, query->xml->formula);
    struct str escaped = xml_escape(generator->arena, str_of(text));
    splice_markup(&generator->splices, query->xml->formula->end, query->xml->formula->end,
                  str_of(arena_printf(generator->arena, "%.*s<comment>%s</comment>",
                                      (int)indent.size, indent.data, escaped.data)));
}

/* M5: the '<' between processes become commas. */
static void drop_process_priorities(struct text_edits *edits, const struct model *model) {
    const struct system_process *list = model->processes;
    for (uint32_t i = 1; i < model->process_count; i++)
        if (list[i].priority != list[i - 1].priority)
            add_edit(edits, list[i - 1].span.end, list[i].span.begin, ", ");
}

static void generate_system(struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    const struct document *document = generator->document;
    const struct model *model = abstraction->network->model;
    const struct element *elements[] = {document->instantiation, document->system};
    for (int k = 0; k < 2; k++) {
        struct text_edits edits = {.generator = generator};
        if (!elements[k]) continue;
        edit_list(&edits, elements[k], &model->system_declarations);
        for (uint32_t i = 0; i < abstraction->dropped_entries.count && k == 1; i++)
            if (!abstraction->dropped_entries.items[i].text) /* a measure or gantt entry */
                remove_declaration(&edits, &elements[k]->text,
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
        const struct expr *invariant = fold->invariant;
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

static bool is_part_of_name(char c) {
    return c == '_' || c == '$' || c == '#' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static bool has_word(const char *text, const char *word) {
    size_t size = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[size])) return true;
    return false;
}

/* Exponential rates are not looked at, but Uppaal would miss the names in them: those that may name
 * what is removed go. */
static void generate_rates(struct generator *generator, const struct template *template) {
    const struct abstraction *abstraction = generator->abstraction;
    for (uint32_t l = 0; l < template->location_count; l++) {
        const struct xml_location *location = template->locations[l].xml;
        const struct element *rate = location->labels.of[LABEL_RATE];
        for (uint32_t i = 0; rate && i < abstraction->request->removals.count; i++) {
            const struct removal *removal = &abstraction->request->removals.items[i];
            if (removal->scope || !has_word(rate->text.content.data, removal->symbol->name))
                continue;
            diag_warning(abstraction->context.diag, rate->text.begin,
                         "this exponential rate names '%s', which is removed: it goes, too",
                         removal->symbol->name);
            generate_label(generator, location->element, NULL, "exponentialrate", NULL, 0, 0);
            break;
        }
    }
}

void generate_texts(struct generator *generator) {
    const struct abstraction *abstraction = generator->abstraction;
    const struct model *model = abstraction->network->model;
    const struct element *global = generator->document->declaration;
    if (global) {
        struct text_edits edits = {.generator = generator};
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
        generate_rates(generator, model->templates[i]);
    generate_system(generator);
    generate_invariants(generator);
    for (uint32_t i = 0; i < abstraction->rewritten_queries.count; i++) {
        const struct rewritten_query *query = &abstraction->rewritten_queries.items[i];
        splice_edit_text(&generator->splices, model->queries[query->index].xml->formula,
                         query->edits, query->edit_count);
    }
    for (uint32_t i = 0, q = 0; i < abstraction->dropped_entries.count; i++)
        if (abstraction->dropped_entries.items[i].text)
            generate_lost_query(generator, &model->queries[abstraction->dropped_queries.items[q++]],
                                abstraction->dropped_entries.items[i].variable, "was removed");
}
