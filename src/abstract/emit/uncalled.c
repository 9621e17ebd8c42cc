#include "abstract/emit/uncalled.h"

#include "abstract/facts/function.h"
#include "abstract/prepare/cut.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"
#include "xml/load.h"

#include <assert.h>
#include <string.h>

/* A function that is left out unless kept text names it. */
struct candidate {
    const struct function *function;
    const struct text *text;        /* with its declaration */
    struct span span;               /* of that */
    const struct element *template; /* whose function it is, or NULL */
    struct candidate *same;         /* another one of that name, or NULL */
    bool stays;
    bool is_kept; /* a label that the output has as it was names it */
};

struct uncalled {
    struct arena *arena;
    VEC(struct candidate *) list;
    VEC(struct candidate *) open; /* they stay, and what they name was not looked for */
    struct map by_name;           /* by a hash; the first of that name */
    struct map by_place;          /* by where the declaration begins */
    const struct text *text;      /* with the declaration that was added last */
    const struct element *here;   /* the template that is looked at, or NULL */
    const struct splices *edits;  /* of the document that is looked at, or NULL */
    bool keeps;                   /* the text that is looked at is one that the output has */
    const char *asked;            /* what this names stays; or NULL */
};

/* ---- names in texts ---- */

/* After a comment that begins here, or here; what //varabs: declares is none. */
static const char *skip_comment(const char *at, const char *stop) {
    const char *end = NULL;
    if (stop - at < 2 || *at != '/') return at;
    bool is_block = at[1] == '*';
    if (is_block)
        end = strstr(at + 2, "*/");
    else if (at[1] == '/' && strncmp(at, "//varabs:", strlen("//varabs:")) != 0)
        end = strchr(at, '\n');
    else
        return at;
    return end && end < stop ? end + (is_block ? 2 : 1) : stop;
}

static void note_name(struct uncalled *uncalled, struct str word) {
    struct candidate *candidate = map_get(&uncalled->by_name, hash_bytes(word.data, word.size));
    for (; candidate; candidate = candidate->same) {
        bool is_other =
            candidate->template && uncalled->here && candidate->template != uncalled->here;
        bool is_known = candidate->stays && (candidate->is_kept || !uncalled->keeps);
        if (is_known || is_other || !str_is(word, candidate->function->symbol->name)) continue;
        candidate->is_kept |= uncalled->keeps;
        if (candidate->stays) continue;
        candidate->stays = true;
        VEC_PUSH(uncalled->arena, &uncalled->open, candidate);
    }
}

/* Declarations that may go are left out. */
static void note_names(struct uncalled *uncalled, const struct text *text, struct span part) {
    const char *data = text->content.data, *at = data + (part.begin - text->begin);
    const char *stop = data + (part.end - text->begin);
    while (at < stop) {
        const char *next = skip_comment(at, stop);
        position here = text->begin + (position)(at - data);
        const struct candidate *own =
            is_part_of_name(*at) ? map_get(&uncalled->by_place, (uint64_t)here + 1) : NULL;
        if (next == at)
            while (next < stop && is_part_of_name(*next)) next++;
        if (own && !own->stays)
            next = data + (own->span.end - text->begin);
        else if (next > at && is_part_of_name(*at))
            note_name(uncalled, (struct str){at, (size_t)(next - at)});
        at = next > at ? next : at + 1;
    }
}

/* The first of sorted edits that ends at a place or after it. */
static uint32_t find_edit(const struct splices *edits, size_t place) {
    uint32_t low = 0, high = edits->edits.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edits->edits.items[middle].end < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether no edit is in the text or next to it, and no functions are declared in it. */
static bool keeps_text(const struct uncalled *uncalled, const struct element *element) {
    const struct splices *edits = uncalled->edits;
    if (!edits || strcmp(element->name, "label") != 0) return false;
    uint32_t next = find_edit(edits, element->content_begin);
    return next == edits->edits.count || edits->edits.items[next].begin > element->content_end;
}

static void note_element(struct uncalled *uncalled, const struct element *element) {
    const struct text *text = &element->text;
    uncalled->keeps = text->content.size && keeps_text(uncalled, element);
    if (text->content.size)
        note_names(uncalled, text,
                   (struct span){text->begin, text->begin + (position)text->content.size});
    for (const struct element *e = element->first_child; e; e = e->next) {
        if (!strcmp(e->name, "template")) uncalled->here = e;
        note_element(uncalled, e);
        if (e == uncalled->here) uncalled->here = NULL;
    }
}

/* Finds out which of the candidates stay. */
static void settle(struct uncalled *uncalled, const struct document *document) {
    uncalled->keeps = true;
    for (uint32_t i = 0; uncalled->asked && i < uncalled->list.count; i++) {
        const char *name = uncalled->list.items[i]->function->symbol->name;
        if (text_names(uncalled->asked, name)) note_name(uncalled, str_of(name));
    }
    note_element(uncalled, document->root);
    uncalled->keeps = false;
    while (uncalled->open.count) {
        const struct candidate *candidate = uncalled->open.items[--uncalled->open.count];
        uncalled->here = candidate->template;
        note_names(uncalled, candidate->text, candidate->span);
    }
}

/* ---- functions of a model ---- */

static bool is_in(const struct text *text, position at) {
    return text->begin && at >= text->begin && at < text->begin + text->content.size;
}

/* Declarations of functions and others: of the model, of the system line, of a template. */
static const struct declaration_list *list_of(const struct model *model, uint32_t i) {
    return i == 0   ? &model->declarations
           : i == 1 ? &model->system_declarations
                    : &model->templates[i - 2]->declarations;
}

/* The element with the texts of list i. */
static const struct element *place_of(const struct document *document, uint32_t i) {
    return i < 2 ? document->root : document->templates[i - 2].element;
}

/* From list i. */
static void add(struct uncalled *uncalled, const struct document *document, uint32_t i,
                const struct declaration *declaration) {
    struct candidate *candidate = ARENA_NEW(uncalled->arena, struct candidate);
    const char *name = declaration->function->symbol->name;
    uint64_t key = hash_bytes(name, strlen(name));
    position at = declaration->span.begin;
    bool is_near = uncalled->list.count && is_in(uncalled->text, at);
    if (!is_near) uncalled->text = element_text_at(place_of(document, i), at);
    *candidate = (struct candidate){.function = declaration->function,
                                    .text = uncalled->text,
                                    .span = declaration->span,
                                    .template = i < 2 ? NULL : document->templates[i - 2].element,
                                    .same = map_get(&uncalled->by_name, key)};
    assert(candidate->text);
    assert(is_part_of_name(candidate->text->content.data[at - candidate->text->begin]));
    map_put(&uncalled->by_name, key, candidate);
    map_put(&uncalled->by_place, (uint64_t)at + 1, candidate);
    VEC_PUSH(uncalled->arena, &uncalled->list, candidate);
}

static void begin(struct uncalled *uncalled, struct arena *arena, const char *asked) {
    *uncalled = (struct uncalled){.arena = arena, .asked = asked};
    map_init(&uncalled->by_name, arena);
    map_init(&uncalled->by_place, arena);
}

/* Functions that were called before, or have changed; are_kept: of each it is plain that it
 * stays. */
static struct map find_concerned(struct uncalled *uncalled, const struct abstraction *abstraction,
                                 bool *are_kept) {
    const struct model *model = abstraction->network->model;
    struct map concerned;
    map_init(&concerned, uncalled->arena);
    for (uint32_t i = 0; i < model->template_count + 2; i++)
        for (uint32_t k = 0; k < list_of(model, i)->count; k++)
            if (list_of(model, i)->items[k]->kind == DECLARATION_FUNCTION)
                add(uncalled, model->document, i, list_of(model, i)->items[k]);
    settle(uncalled, model->document);
    *are_kept = true;
    for (uint32_t i = 0; i < uncalled->list.count; i++) {
        struct candidate *candidate = uncalled->list.items[i];
        if (!candidate->stays && !function_change_of(&abstraction->functions, candidate->function))
            continue;
        map_put(&concerned, map_key(candidate->function), candidate);
        *are_kept &= candidate->is_kept;
    }
    return concerned;
}

/* Functions of list i of both models, in the same order: what was generated is of one only. */
static void add_both(struct uncalled *uncalled, const struct model *new_model,
                     const struct model *old_model, uint32_t i, const struct map *concerned) {
    const struct declaration_list *output = list_of(new_model, i), *input = list_of(old_model, i);
    uint32_t k = 0;
    for (uint32_t n = 0; n < input->count; n++) {
        const struct declaration *old = input->items[n];
        if (old->kind != DECLARATION_FUNCTION) continue;
        const char *name = old->function->symbol->name;
        while (k < output->count && (output->items[k]->kind != DECLARATION_FUNCTION ||
                                     strcmp(output->items[k]->function->symbol->name, name) != 0))
            k++;
        assert(k < output->count);
        if (map_get(concerned, map_key(old->function)))
            add(uncalled, new_model->document, i, output->items[k]);
    }
}

static bool has_functions(const struct model *model) {
    for (uint32_t i = 0; i < model->template_count + 2; i++)
        for (uint32_t k = 0; k < list_of(model, i)->count; k++)
            if (list_of(model, i)->items[k]->kind == DECLARATION_FUNCTION) return true;
    return false;
}

/* The output without these functions; it is copied into the arena if there are any. */
static struct str cut(const struct uncalled *uncalled, const struct document *document,
                      struct arena *arena, struct str output) {
    struct text_cuts cuts = {.arena = uncalled->arena};
    struct splices splices;
    splices_init(&splices, document, uncalled->arena);
    for (uint32_t i = 0; i < uncalled->list.count; i++)
        if (!uncalled->list.items[i]->stays)
            cut_whole(&cuts, uncalled->list.items[i]->text, uncalled->list.items[i]->span);
    if (!cuts.list.count) return output;
    text_edits_sort(cuts.list.items, cuts.list.count);
    splice_edit_texts(&splices, cuts.list.items, cuts.list.count);
    struct str result = splices_apply(&splices);
    return (struct str){arena_copy(arena, result.data, result.size), result.size};
}

/* Looks at the output itself. */
static void drop(struct abstraction *abstraction, struct arena *arena, const struct map *concerned,
                 const char *asked) {
    const struct model *input = abstraction->network->model;
    struct interner names;
    struct document document;
    struct diag diag;
    struct uncalled uncalled;
    interner_init(&names, arena);
    diag_init(&diag, arena, NULL);
    bool is_read = document_parse(&document, arena, &names, "output", abstraction->output, &diag);
    assert(is_read);
    const struct model *output = model_parse(arena, &names, &document, &diag);
    assert(output->template_count == input->template_count);
    begin(&uncalled, arena, asked);
    for (uint32_t i = 0; i < input->template_count + 2; i++)
        add_both(&uncalled, output, input, i, concerned);
    settle(&uncalled, &document);
    abstraction->output = cut(&uncalled, &document, abstraction->arena, abstraction->output);
}

void uncalled_drop(struct abstraction *abstraction, const struct splices *edits,
                   const char *asked) {
    struct arena arena;
    struct uncalled uncalled;
    bool are_kept;
    if (!has_functions(abstraction->network->model)) return;
    arena_init(&arena);
    begin(&uncalled, &arena, asked);
    uncalled.edits = edits;
    const struct map concerned = find_concerned(&uncalled, abstraction, &are_kept);
    if (!are_kept) drop(abstraction, &arena, &concerned, asked);
    arena_close(&arena);
}
