/* Comma lists: parameters of templates, arguments and parameters of instantiations. */
#include "abstract/prepare/reference.h"
#include "abstract/prepare/reference_internal.h"
#include "expr/find.h"
#include "lang/syntax/frame.h"
#include "lang/syntax/lex.h"

#include <assert.h>

static const struct element *element_of(const struct replacer *replacer, position at) {
    const struct document *document = replacer->model->document;
    const struct element *elements[] = {document->instantiation, document->system};
    for (int i = 0; i < 2; i++)
        if (elements[i] && at >= elements[i]->text.begin &&
            at < elements[i]->text.begin + (position)elements[i]->text.content.size)
            return elements[i];
    return NULL;
}

static void lex_element(struct replacer *replacer, const struct element *element,
                        struct tokens *tokens) {
    struct diag unheard;
    diag_init(&unheard, replacer->arena, NULL);
    if (element) lex(replacer->arena, replacer->model->names, &element->text, tokens, &unheard);
}

/* The token after the one that begins at a position. */
static uint32_t token_after(const struct tokens *tokens, position at) {
    uint32_t low = 0, high = tokens->list.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (tokens->list.items[middle].span.begin <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Changes items of the comma list whose first token is given, but for those whose text is NULL;
 * with an empty text they go. */
static void change_items(struct replacer *replacer, const struct tokens *tokens, uint32_t t,
                         const char *const *texts, uint32_t count) {
    struct span *items = ARENA_ARRAY(replacer->arena, struct span, count);
    bool is_kept_before = false;
    for (uint32_t k = 0, depth = 0; k < count; t++) {
        const struct token *token = &tokens->list.items[t];
        bool opens = token->kind == TOKEN_LEFT_PAREN || token->kind == TOKEN_LEFT_BRACKET ||
                     token->kind == TOKEN_LEFT_BRACE;
        bool closes = token->kind == TOKEN_RIGHT_PAREN || token->kind == TOKEN_RIGHT_BRACKET ||
                      token->kind == TOKEN_RIGHT_BRACE;
        bool ends = token->kind == TOKEN_END || (closes && !depth);
        if (ends || (token->kind == TOKEN_COMMA && !depth)) {
            k++;
            assert(!ends || k == count);
            continue;
        }
        if (!items[k].begin) items[k].begin = token->span.begin;
        items[k].end = token->span.end;
        depth = opens ? depth + 1 : closes ? depth - 1 : depth;
    }
    for (uint32_t k = 0; k < count; k++) {
        position next = k + 1 < count ? items[k + 1].begin : items[k].end;
        bool goes = texts[k] && !*texts[k];
        assert(items[k].begin && items[k].begin < items[k].end);
        assert(!k || items[k - 1].end <= items[k].begin);
        if (goes && is_kept_before)
            reference_edit(replacer, (struct span){items[k - 1].end, items[k].end}, "");
        else if (goes)
            reference_edit(replacer, (struct span){items[k].begin, next}, "");
        else if (texts[k])
            reference_edit(replacer, items[k], texts[k]);
        is_kept_before |= !goes;
    }
}

/* "const int[0,3] box, const S box2" for each parameter that changes. */
static void change_parameters(struct replacer *replacer, const struct tokens *tokens, uint32_t t,
                              const struct changes *changes, uint32_t count) {
    const char **texts = ARENA_ARRAY(replacer->arena, const char *, count + 1);
    struct buffer text = {0};
    for (uint32_t k = 0; k < count; k++) {
        const struct change *change = &changes->of[k];
        if (!change->is_any) continue;
        buffer_add_text(&text, "");
        for (uint32_t i = 0; i < change->index_count; i++)
            buffer_printf(&text, "%sconst %s %s", i ? ", " : "", change->types[i],
                          change->names[i]);
        texts[k] = buffer_take(&text, replacer->arena);
    }
    buffer_close(&text);
    change_items(replacer, tokens, t, texts, count);
}

static bool all_go(const struct changes *changes, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (!changes->of[k].is_any || changes->of[k].index_count) return false;
    return true;
}

static uint32_t count_indices(const struct expr *argument) {
    uint32_t count = 0;
    for (; argument->kind == EXPR_INDEX || argument->kind == EXPR_FIELD;
         argument = argument->child[0])
        count += argument->kind == EXPR_INDEX;
    return count;
}

/* An own parameter at the bottom of an argument. */
static uint32_t parameter_below(const struct instance *instance, const struct expr *argument) {
    uint32_t k = 0;
    const struct symbol *root = expr_root(argument);
    while (k < instance->parameter_count && instance->parameters[k] != root) k++;
    return k;
}

/* Adds what picks the part: indices of the own parameter below, then those that are written. */
static uint32_t add_indices(struct replacer *replacer, const struct instance *instance,
                            const struct changes *own, const struct expr *argument,
                            struct buffer *out) {
    uint32_t count = 0, k = parameter_below(instance, argument);
    if (argument->kind == EXPR_NAME) {
        for (; k < instance->parameter_count && count < own->of[k].index_count; count++)
            buffer_printf(out, "%s%s", count ? ", " : "", own->of[k].names[count]);
        return count;
    }
    count = add_indices(replacer, instance, own, argument->child[0], out);
    if (argument->kind != EXPR_INDEX) return count;
    struct str index = document_text(replacer->model->document, argument->child[1]->span);
    buffer_printf(out, "%s%.*s", count ? ", " : "", (int)index.size, index.data);
    return count + 1;
}

/* Own parameters that are only handed on change with those of the base. */
static struct changes *own_changes(struct replacer *replacer, const struct instance *instance,
                                   const struct changes *base) {
    struct changes *own = ARENA_NEW(replacer->arena, struct changes);
    own->of = ARENA_ARRAY(replacer->arena, struct change, instance->parameter_count + 1);
    for (uint32_t a = 0; a < instance->argument_count; a++) {
        const struct expr *argument = instance->arguments[a];
        const struct change *change = &base->of[a];
        uint32_t k = change->is_any ? parameter_below(instance, argument) : UINT32_MAX;
        if (k >= instance->parameter_count || !instance->parameters[k]->is_reference) continue;
        uint32_t written = count_indices(argument);
        own->of[k].is_any = own->is_any = true;
        if (change->index_count <= written + own->of[k].index_count) continue;
        own->of[k].index_count = change->index_count - written;
        own->of[k].types = change->types;
        reference_name_indices(replacer, &own->of[k], instance->parameters[k]);
    }
    for (uint32_t k = 0; k < instance->parameter_count; k++)
        for (uint32_t a = 0; a < instance->argument_count; a++)
            if (!base->of[a].is_any &&
                expr_mentions(instance->arguments[a], instance->parameters[k]))
                own->of[k] = (struct change){.is_any = false};
    return own;
}

/* The arguments for parameters of the base that change; false if they do not fit, as may be where
 * no process comes from the instantiation. */
static bool new_arguments(struct replacer *replacer, const struct instance *instance,
                          const struct changes *base, const struct changes *own,
                          const char **texts) {
    struct buffer text = {0};
    bool ok = true;
    for (uint32_t a = 0; a < instance->argument_count && ok; a++) {
        const struct change *change = &base->of[a];
        if (!change->is_any) continue;
        buffer_add_text(&text, "");
        if (change->index_count)
            ok = add_indices(replacer, instance, own, instance->arguments[a], &text) ==
                 change->index_count;
        texts[a] = buffer_take(&text, replacer->arena);
    }
    buffer_close(&text);
    return ok;
}

static bool names_wanted(const struct replacer *replacer, const struct instance *instance,
                         const struct changes *base) {
    const struct references *references = replacer->references;
    for (uint32_t a = 0; a < instance->argument_count; a++)
        for (uint32_t i = 0; i < references->wanted.count && !(base && base->of[a].is_any); i++)
            if (expr_mentions(instance->arguments[a],
                              frame_find_here(replacer->model->frame, references->wanted.items[i])))
                return true;
    return false;
}

/* Instantiations that no process comes from go if they cannot be changed like those of processes.
 */
static void leave_out(struct replacer *replacer, const struct declaration *declaration) {
    const struct instance *instance = declaration->instance;
    assert(!map_get(&replacer->used, map_key(instance->symbol)));
    diag_warning(replacer->diag, declaration->span.begin,
                 "the instantiation '%s' is left out: no process comes from it, and it passes what "
                 "is removed",
                 instance->symbol->name);
    map_put(&replacer->gone, map_key(instance->symbol), (void *)(uintptr_t)instance);
    reference_edit(replacer, declaration->span, "");
}

static bool replace_in_instance(struct replacer *replacer, const struct declaration *declaration,
                                const struct tokens *tokens) {
    const struct instance *instance = declaration->instance;
    const struct changes *base = map_get(&replacer->changes_of, map_key(instance->base));
    struct changes *own = base ? own_changes(replacer, instance, base) : NULL;
    uint32_t count = instance->argument_count;
    const char **texts = ARENA_ARRAY(replacer->arena, const char *, count + 1);
    bool fits = !base || new_arguments(replacer, instance, base, own, texts);
    bool is_used = map_get(&replacer->used, map_key(instance->symbol)) != NULL;
    if (!fits || map_get(&replacer->gone, map_key(instance->base)) ||
        names_wanted(replacer, instance, base)) {
        if (!is_used)
            leave_out(replacer, declaration);
        else
            diag_error(
                replacer->diag, STATUS_UNSUPPORTED, declaration->span.begin,
                "'%s' passes what is removed to a parameter of '%s' that nothing uses; leave "
                "that parameter out",
                instance->symbol->name, instance->base->name);
        return !is_used;
    }
    if (!base) return true;
    change_items(replacer, tokens, token_after(tokens, instance->base_span.begin) + 1, texts,
                 count);
    if (!own->is_any) return true;
    map_put(&replacer->changes_of, map_key(instance->symbol), own);
    change_parameters(replacer, tokens, token_after(tokens, instance->symbol->span.begin) + 1, own,
                      instance->parameter_count);
    return true;
}

static void find_used(struct replacer *replacer) {
    const struct model *model = replacer->model;
    for (uint32_t i = 0; i < model->process_count; i++) {
        const struct symbol *symbol = model->processes[i].symbol;
        for (; symbol->kind == SYMBOL_INSTANCE; symbol = symbol->instance->base)
            map_put(&replacer->used, map_key(symbol), (void *)(uintptr_t)symbol);
    }
}

bool references_replace_lists(struct replacer *replacer) {
    const struct model *model = replacer->model;
    struct tokens tokens = {0};
    const struct element *lexed = NULL;
    bool ok = true;
    find_used(replacer);
    for (uint32_t t = 0; t < model->template_count; t++) {
        const struct template *template = model->templates[t];
        const struct changes *changes = map_get(&replacer->changes_of, map_key(template->symbol));
        if (!changes) continue;
        const struct element *element = template->xml->parameter;
        if (element && all_go(changes, template->parameter_count)) { /* with their comments */
            position begin = element->text.begin;
            position end = begin + (position)element->text.content.size;
            reference_edit(replacer, (struct span){begin, end}, "");
            continue;
        }
        tokens.list.count = 0;
        lex_element(replacer, element, &tokens);
        change_parameters(replacer, &tokens, 0, changes, template->parameter_count);
    }
    for (uint32_t i = 0; i < model->system_declarations.count; i++) {
        const struct instance *instance = model->system_declarations.items[i]->instance;
        if (!instance) continue;
        const struct element *element = element_of(replacer, instance->base_span.begin);
        if (element != lexed) {
            tokens.list.count = 0;
            lex_element(replacer, lexed = element, &tokens);
        }
        ok &= replace_in_instance(replacer, model->system_declarations.items[i], &tokens);
    }
    return ok;
}
