/* Channels and tags that are visible. */
#include "explore/refine/alphabet.h"

#include "explore/fair/named.h"
#include "explore/fair/tag.h"
#include "xml/document.h"

#include <assert.h>

/* Actions that a model has */

uint32_t alphabet_channel(const struct alphabet *alphabet, enum side side, struct str name) {
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        const char *channel = alphabet->actions.items[i].sources[side].channel;
        if (channel && str_is(name, channel)) return i;
    }
    return NO_ACTION;
}

static uint32_t alphabet_tag(const struct alphabet *alphabet, enum side side, struct str name) {
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        const char *tag = alphabet->actions.items[i].sources[side].tag;
        if (tag && str_is(name, tag)) return i;
    }
    return NO_ACTION;
}

/* Actions that are asked for */

struct resolver {
    struct alphabet *alphabet;
    struct arena *arena;
    struct channel_names channels[SIDE_COUNT];
};

static uint32_t find_action(const struct alphabet *alphabet, struct str name) {
    for (uint32_t i = 0; i < alphabet->actions.count; i++)
        if (str_is(name, alphabet->actions.items[i].name)) return i;
    return NO_ACTION;
}

/* Makes a name visible in each model that has it; false if none has. */
static bool show(struct resolver *resolver, const char *name, bool has_tags) {
    struct alphabet *alphabet = resolver->alphabet;
    bool is_tag = *name == '@', is_there = false;
    struct visible_action action = {.name = name + is_tag};
    struct str plain = str_of(action.name);
    uint32_t found = find_action(alphabet, plain); /* it may be a channel and a tag, named apart */
    if (found != NO_ACTION) action = alphabet->actions.items[found];
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct action_source *source = &action.sources[side];
        if (!is_tag && channel_is_named(&resolver->channels[side], plain))
            source->channel = action.name;
        if (has_tags && network_has_tag(alphabet->networks[side], plain)) source->tag = action.name;
        is_there |= source->channel || source->tag;
    }
    if (found != NO_ACTION)
        alphabet->actions.items[found] = action;
    else if (is_there)
        VEC_PUSH(resolver->arena, &alphabet->actions, action);
    return is_there;
}

static const char *unknown_name(struct resolver *resolver, const char *name) {
    struct similar similar = {.word = str_of(name + (*name == '@'))};
    for (int side = 0; side < SIDE_COUNT; side++)
        similar_offer_actions(&similar, resolver->arena, resolver->alphabet->networks[side],
                              &resolver->channels[side]);
    return arena_printf(
        resolver->arena, "neither model has a channel or tag '%s'%s", name,
        similar_hint(&similar, resolver->arena, "; `varabs draw` shows the channels"));
}

/* The actions of a file: every name must be there, and no channel or tag twice. */
static const char *take_actions(struct resolver *resolver, const struct alphabet_request *request) {
    struct alphabet *alphabet = resolver->alphabet;
    for (uint32_t i = 0; i < request->action_count; i++) {
        const struct visible_action *action = &request->actions[i];
        if (find_action(alphabet, str_of(action->name)) != NO_ACTION)
            return arena_printf(resolver->arena, "there are two actions '%s'", action->name);
        for (int side = 0; side < SIDE_COUNT; side++) {
            const char *channel = action->sources[side].channel, *tag = action->sources[side].tag;
            const char *model = side == SIDE_CONCRETE ? "concrete" : "abstract";
            if (channel && !channel_is_named(&resolver->channels[side], str_of(channel)))
                return arena_printf(resolver->arena, "the %s model has no channel '%s'", model,
                                    channel);
            if (tag && !network_has_tag(alphabet->networks[side], str_of(tag)))
                return arena_printf(resolver->arena, "the %s model has no tag '%s'", model, tag);
            if ((channel &&
                 alphabet_channel(alphabet, (enum side)side, str_of(channel)) != NO_ACTION) ||
                (tag && alphabet_tag(alphabet, (enum side)side, str_of(tag)) != NO_ACTION))
                return arena_printf(resolver->arena, "'%s' of the %s model is two actions",
                                    channel ? channel : tag, model);
        }
        VEC_PUSH(resolver->arena, &alphabet->actions, *action);
    }
    return NULL;
}

/* NULL, or what is wrong. */
static const char *show_all(struct resolver *resolver, const struct alphabet_request *request) {
    const struct channel_names *abstract = &resolver->channels[SIDE_ABSTRACT];
    if (request->actions) return take_actions(resolver, request);
    for (uint32_t i = 0; i < request->visible_count; i++)
        if (!show(resolver, request->visible[i], true))
            return unknown_name(resolver, request->visible[i]);
    for (uint32_t i = 0; i < abstract->count && !request->visible_count; i++)
        show(resolver, abstract->items[i], false);
    return NULL;
}

/* Hides a channel, unless a tag alone is meant, and a tag; false if neither model has them. */
static bool hide(struct resolver *resolver, struct str name, bool is_tag) {
    struct alphabet *alphabet = resolver->alphabet;
    bool is_known = !is_tag && find_action(alphabet, name) != NO_ACTION;
    uint32_t kept = 0;
    for (int side = 0; side < SIDE_COUNT; side++)
        is_known |= (!is_tag && channel_is_named(&resolver->channels[side], name)) ||
                    network_has_tag(alphabet->networks[side], name);
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        struct visible_action action = alphabet->actions.items[i];
        bool is_left = false;
        for (int side = 0; side < SIDE_COUNT; side++) {
            struct action_source *source = &action.sources[side];
            if (!is_tag && source->channel && str_is(name, source->channel)) source->channel = NULL;
            if (source->tag && str_is(name, source->tag)) source->tag = NULL;
            if (!source->channel && !source->tag) *source = (struct action_source){0};
            is_left |= source->channel || source->tag;
        }
        if (is_left && (is_tag || !str_is(name, action.name)))
            alphabet->actions.items[kept++] = action;
    }
    alphabet->actions.count = kept;
    return is_known;
}

static const char *hide_all(struct resolver *resolver, const struct alphabet_request *request) {
    for (uint32_t i = 0; i < request->hidden_count; i++) {
        const char *name = request->hidden[i];
        bool is_tag = *name == '@';
        if (!hide(resolver, str_of(name + is_tag), is_tag)) return unknown_name(resolver, name);
    }
    return NULL;
}

/* Hidden actions */

static void note_hidden(struct resolver *resolver, enum side side, const char *name) {
    struct alphabet *alphabet = resolver->alphabet;
    if (alphabet_channel(alphabet, side, str_of(name)) != NO_ACTION) return;
    struct hidden_channel *found = NULL;
    for (uint32_t i = 0; i < alphabet->hidden.count && !found; i++)
        if (!strcmp(alphabet->hidden.items[i].name, name)) found = &alphabet->hidden.items[i];
    if (!found) {
        VEC_PUSH(resolver->arena, &alphabet->hidden, (struct hidden_channel){.name = name});
        found = &alphabet->hidden.items[alphabet->hidden.count - 1];
    }
    found->is_in[side] = true;
}

static bool is_hidden_edge(const struct alphabet *alphabet, enum side side,
                           const struct edge *edge) {
    struct tag tag;
    if (edge->sync) return false;
    for (size_t at = 0; tag_next(edge, &at, &tag);)
        if (alphabet_tag(alphabet, side, tag.name) != NO_ACTION) return false;
    return true;
}

static void find_hidden(struct resolver *resolver) {
    struct alphabet *alphabet = resolver->alphabet;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct network *network = alphabet->networks[side];
        for (uint32_t i = 0; i < resolver->channels[side].count; i++)
            note_hidden(resolver, (enum side)side, resolver->channels[side].items[i]);
        for (uint32_t p = 0; p < network->process_count; p++) {
            const struct template *template = network->processes[p].template;
            for (uint32_t i = 0; i < template->edge_count; i++)
                alphabet->hides_internal |=
                    is_hidden_edge(alphabet, (enum side)side, &template->edges[i]);
        }
    }
}

/* The whole */

/* Whether some action is in both models: otherwise a model is compared with silence. */
static bool has_common(const struct alphabet *alphabet) {
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        const struct action_source *sources = alphabet->actions.items[i].sources;
        if ((sources[SIDE_CONCRETE].channel || sources[SIDE_CONCRETE].tag) &&
            (sources[SIDE_ABSTRACT].channel || sources[SIDE_ABSTRACT].tag))
            return true;
    }
    return false;
}

const char *alphabet_init(struct alphabet *alphabet, struct arena *arena,
                          const struct network *concrete, const struct network *abstract,
                          const struct alphabet_request *request) {
    struct resolver resolver = {.alphabet = alphabet, .arena = arena};
    if (request->action_count && request->visible_count)
        return "--actions and --visible both say what is visible: leave only one";
    *alphabet = (struct alphabet){.networks = {concrete, abstract}};
    for (int side = 0; side < SIDE_COUNT; side++)
        resolver.channels[side] = channel_names_of(alphabet->networks[side], arena);
    const char *problem = show_all(&resolver, request);
    if (!problem) problem = hide_all(&resolver, request);
    if (problem) return problem;
    if (!has_common(alphabet))
        return "the models have no visible action in common; name channels or tags of both with "
               "--visible, or map them with --actions";
    find_hidden(&resolver);
    return NULL;
}

/* Tags with their values */

/* Notes how many values an action has in a model; false (reported) if that was another number. */
static bool note_count(struct alphabet *alphabet, uint32_t action, enum side side, uint32_t count,
                       struct diag *diag, position at) {
    assert(action < alphabet->actions.count);
    struct visible_action *visible = &alphabet->actions.items[action];
    const struct action_source *source = &visible->sources[side];
    uint32_t *noted = &visible->value_counts[side], given = count;
    if (source->has_arguments) count = source->argument_count;
    for (uint32_t i = 0; i < source->argument_count; i++)
        if (source->arguments[i].is_index && source->arguments[i].index >= given)
            return diag_error(diag, STATUS_USAGE, at,
                              "action '%s' has no i%u here: there are %u values", visible->name,
                              source->arguments[i].index, given);
    if (given > ACTION_MAX_VALUES || count > ACTION_MAX_VALUES)
        return diag_error(diag, STATUS_LIMIT, at, "action '%s' has more than %d values",
                          visible->name, ACTION_MAX_VALUES);
    if (*noted != NO_COUNT && *noted != count)
        return diag_error(diag, STATUS_USAGE, at, "action '%s' has %u values here and %u elsewhere",
                          visible->name, count, *noted);
    *noted = count;
    return true;
}

static uint32_t count_dimensions(const struct type *type) {
    uint32_t count = 0;
    for (type = type_strip(type); type->kind == TYPE_ARRAY; type = type_strip(type->element))
        count++;
    return count;
}

static bool count_indices(struct alphabet *alphabet, enum side side, const struct symbol *symbol,
                          const struct process *process, const struct binding *binding,
                          struct arena *arena, struct diag *diag) {
    const char *name = channel_name_of(arena, symbol, process, binding);
    if (!name) return true;
    uint32_t action = alphabet_channel(alphabet, side, str_of(name));
    return action == NO_ACTION || note_count(alphabet, action, side, count_dimensions(symbol->type),
                                             diag, symbol->span.begin);
}

static bool count_all_indices(struct alphabet *alphabet, enum side side, struct arena *arena,
                              struct diag *diag) {
    const struct network *network = alphabet->networks[side];
    const struct model *model = network->model;
    for (uint32_t i = 0; i < model->symbol_count; i++)
        if (!count_indices(alphabet, side, model->symbols[i], NULL, &network->globals[i], arena,
                           diag))
            return false;
    for (uint32_t p = 0; p < network->process_count; p++) {
        const struct process *process = &network->processes[p];
        for (uint32_t i = 0; i < process->template->symbol_count; i++)
            if (!count_indices(alphabet, side, process->template->symbols[i], process,
                               &process->locals[i], arena, diag))
                return false;
    }
    return true;
}

/* The name of a step over a channel does not depend on tags. */
static void warn_of_tag(const struct alphabet *alphabet, enum side side, const struct edge *edge,
                        const struct tag *tag, struct diag *diag) {
    assert(edge->sync);
    const struct expr *channel = edge->sync;
    while (channel->kind == EXPR_INDEX) channel = channel->child[0];
    uint32_t of_channel = NO_ACTION;
    if (channel->kind == EXPR_NAME && !channel->symbol->is_reference &&
        channel->symbol->scope == SCOPE_GLOBAL)
        of_channel = alphabet_channel(alphabet, side, str_of(channel->symbol->name));
    if (of_channel == alphabet_tag(alphabet, side, tag->name)) return;
    diag_warning(diag, edge->sync->span.begin,
                 "the tag '@%.*s' does not make this step visible: its channel alone says which "
                 "action it is",
                 (int)tag->name.size, tag->name.data);
}

/* One visible tag of an edge without channel; false (reported) if it cannot be used. */
static bool read_tag(struct alphabet *alphabet, struct arena *arena, enum side side,
                     struct model *model, struct template *template, struct edge *edge,
                     const struct tag *tag) {
    uint32_t action = alphabet_tag(alphabet, side, tag->name);
    assert(action != NO_ACTION && !edge->sync);
    position at = label_text(&edge->xml->labels, LABEL_COMMENTS)->begin;
    const struct visible_tag *known = alphabet_tag_of(alphabet, side, edge);
    if (known || tag->is_open)
        return diag_error(model->diag, STATUS_INVALID, at,
                          known ? "this edge has two visible tags; a step is one action"
                                : "the parenthesis after '@%.*s' is never closed",
                          (int)tag->name.size, tag->name.data);
    struct visible_tag *visible = ARENA_NEW(arena, struct visible_tag);
    visible->action = action;
    if (!tag_read_values(tag, arena, model, template, edge, &visible->arguments)) return false;
    map_put(&alphabet->tags[side], map_key(edge), visible);
    return note_count(alphabet, action, side, visible->arguments.count, model->diag, at);
}

static bool read_tags_of(struct alphabet *alphabet, struct arena *arena, enum side side,
                         struct model *model, struct template *template, struct edge *edge) {
    struct tag tag;
    for (size_t at = 0; tag_next(edge, &at, &tag);) {
        if (alphabet_tag(alphabet, side, tag.name) == NO_ACTION) continue;
        if (edge->sync)
            warn_of_tag(alphabet, side, edge, &tag, model->diag);
        else if (!read_tag(alphabet, arena, side, model, template, edge, &tag))
            return false;
    }
    return true;
}

bool alphabet_read_tags(struct alphabet *alphabet, struct arena *arena, enum side side,
                        struct model *model) {
    assert(alphabet->networks[side]->model == model);
    map_init(&alphabet->tags[side], arena);
    for (uint32_t i = 0; i < alphabet->actions.count; i++)
        alphabet->actions.items[i].value_counts[side] = NO_COUNT;
    if (!count_all_indices(alphabet, side, arena, model->diag)) return false;
    for (uint32_t t = 0; t < model->template_count; t++) {
        struct template *template = model->templates[t];
        for (uint32_t i = 0; i < template->edge_count; i++)
            if (!read_tags_of(alphabet, arena, side, model, template, &template->edges[i]))
                return false;
    }
    return true;
}

const struct visible_tag *alphabet_tag_of(const struct alphabet *alphabet, enum side side,
                                          const struct edge *edge) {
    return map_get(&alphabet->tags[side], map_key(edge));
}

const char *alphabet_compare(const struct alphabet *alphabet, struct arena *arena) {
    for (uint32_t i = 0; i < alphabet->actions.count; i++) {
        const struct visible_action *action = &alphabet->actions.items[i];
        uint32_t concrete = action->value_counts[SIDE_CONCRETE];
        uint32_t abstract = action->value_counts[SIDE_ABSTRACT];
        if (concrete == abstract || concrete == NO_COUNT || abstract == NO_COUNT) continue;
        return arena_printf(arena,
                            "action '%s' has %u values in the concrete model and %u in the "
                            "abstract one; --actions can say which",
                            action->name, concrete, abstract);
    }
    return NULL;
}
