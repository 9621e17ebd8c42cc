/* The variables and locations that two models have in common, and when states look alike. */
#include "explore/visible/visible.h"

#include "base/debug.h"

#include <assert.h>

/* Numbers by name, from both models: names are interned anew. */
struct name_index {
    struct interner names;
    struct map numbers; /* plus one */
};

static void name_index_init(struct name_index *index, struct arena *arena) {
    interner_init(&index->names, arena);
    map_init(&index->numbers, arena);
}

static void name_index_put(struct name_index *index, const char *name, uint32_t number) {
    map_put(&index->numbers, map_key(intern_text(&index->names, name)),
            (void *)((uintptr_t)number + 1));
}

/* False if nothing has the name. */
static bool name_index_get(const struct name_index *index, const char *name, uint32_t *number) {
    const char *known = intern_find(&index->names, name);
    const void *value = known ? map_get(&index->numbers, map_key(known)) : NULL;
    *number = (uint32_t)((uintptr_t)value - 1);
    return value != NULL;
}

/* Names to ignore */

struct pattern {
    const char *text;
    const char *owner; /* template of the variable that it stands for, "" for a global one */
    bool is_qualified; /* by that template */
};

/* Whether the pattern is the name or what the name is a part of: x of x[2] and x.f[1]. */
static bool covers(const char *pattern, const char *name) {
    size_t size = strlen(pattern);
    return !strncmp(pattern, name, size) && (!name[size] || name[size] == '[' || name[size] == '.');
}

/* Whether a variable, or a part of it, may be meant: x by x[2]. */
static bool starts_with(const char *pattern, const char *name) { return covers(name, pattern); }

static const char *without_owner(const char *pattern, const char *owner) {
    size_t size = strlen(owner);
    return !strncmp(pattern, owner, size) && pattern[size] == '.' ? pattern + size + 1 : pattern;
}

static const char *note_symbol(struct pattern *pattern, struct arena *arena,
                               const struct symbol *symbol, const char *owner) {
    if (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_PARAMETER) return NULL;
    const char *rest = without_owner(pattern->text, owner);
    bool is_qualified = rest != pattern->text, is_same = false;
    if (!starts_with(rest, symbol->name)) return NULL;
    if (pattern->owner) is_same = !strcmp(owner, pattern->owner);
    if (pattern->owner && !is_same && !is_qualified && !pattern->is_qualified)
        return arena_printf(arena, "%s is ambiguous: write %s.%s or %s.%s", pattern->text,
                            pattern->owner, pattern->text, owner, pattern->text);
    if (pattern->is_qualified && !is_qualified) return NULL;
    pattern->owner = owner;
    pattern->is_qualified = is_qualified;
    return NULL;
}

/* Looks for what the pattern stands for in a model. */
static const char *note_model(struct pattern *pattern, struct arena *arena,
                              const struct model *model) {
    const char *problem = NULL;
    for (uint32_t i = 0; i < model->symbol_count && !problem; i++)
        problem = note_symbol(pattern, arena, model->symbols[i], "");
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->symbol_count && !problem; i++)
            problem = note_symbol(pattern, arena, model->templates[t]->symbols[i],
                                  model->templates[t]->symbol->name);
    return problem;
}

static const char *read_pattern(struct pattern *pattern, struct arena *arena,
                                const struct visible *visible, const char *text) {
    const char *problem = NULL;
    *pattern = (struct pattern){.text = text};
    for (int side = 0; side < SIDE_COUNT && !problem; side++)
        problem = note_model(pattern, arena, visible->networks[side]->model);
    if (!problem && !pattern->owner)
        problem = arena_printf(arena, "--ignore %s: neither model has such a variable", text);
    return problem;
}

const char *visible_local_name(const struct slot *slot, const char *name) {
    return slot->process ? name + strlen(slot->process->name) + 1 : name;
}

static bool is_ignored(const struct slot *slot, const char *name, const struct pattern *patterns,
                       uint32_t count) {
    const char *owner = slot->process ? slot->process->template->symbol->name : "";
    const char *local = visible_local_name(slot, name);
    for (uint32_t i = 0; i < count; i++) {
        assert(patterns[i].owner);
        if (!strcmp(owner, patterns[i].owner) &&
            covers(without_owner(patterns[i].text, owner), local))
            return true;
    }
    return false;
}

/* Slots */

/* In the words of the concrete model. */
static char *shared_name(const struct visible *visible, enum side side, uint32_t number,
                         struct arena *arena) {
    const struct network *network = visible->networks[side];
    const struct slot *slot = &network->slots[number];
    char *name = slot_name(network, slot, arena);
    if (side == SIDE_CONCRETE || !slot->process) return name;
    for (uint32_t i = 0; i < visible->process_count; i++)
        if (visible->processes[i].index[SIDE_ABSTRACT] == slot->process->index) {
            uint32_t concrete = visible->processes[i].index[SIDE_CONCRETE];
            const char *owner = visible->networks[SIDE_CONCRETE]->processes[concrete].name;
            if (!strcmp(owner, slot->process->name)) return name;
            return arena_printf(arena, "%s.%s", owner, visible_local_name(slot, name));
        }
    return name;
}

static void name_slots(struct visible *visible, enum side side, struct arena *arena,
                       const struct pattern *patterns, uint32_t count) {
    const struct network *network = visible->networks[side];
    visible->names[side] = ARENA_ARRAY(arena, char *, network->slot_count + 1);
    visible->roles[side] = ARENA_ARRAY(arena, enum slot_role, network->slot_count + 1);
    for (uint32_t i = 0; i < network->slot_count; i++) {
        const struct slot *slot = &network->slots[i];
        char *own = slot_name(network, slot, arena);
        visible->names[side][i] = shared_name(visible, side, i, arena);
        visible->roles[side][i] = slot->is_meta                            ? ROLE_META
                                  : is_ignored(slot, own, patterns, count) ? ROLE_IGNORED
                                                                           : ROLE_ALONE;
    }
}

static void match_slots(struct visible *visible, struct arena *arena) {
    const struct network *concrete = visible->networks[SIDE_CONCRETE];
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    struct name_index index;
    name_index_init(&index, arena);
    for (uint32_t i = 0; i < abstract->slot_count; i++)
        if (visible->roles[SIDE_ABSTRACT][i] == ROLE_ALONE)
            name_index_put(&index, visible->names[SIDE_ABSTRACT][i], i);
    visible->slots = ARENA_ARRAY(arena, struct pairing, concrete->slot_count + 1);
    visible->exchanges = ARENA_ARRAY(arena, const struct exchange_at *, abstract->slot_count + 1);
    for (uint32_t i = 0; i < concrete->slot_count; i++) {
        uint32_t found;
        if (visible->roles[SIDE_CONCRETE][i] != ROLE_ALONE ||
            !name_index_get(&index, visible->names[SIDE_CONCRETE][i], &found))
            continue;
        assert(visible->roles[SIDE_ABSTRACT][found] == ROLE_ALONE); /* names are of one slot */
        visible->roles[SIDE_CONCRETE][i] = visible->roles[SIDE_ABSTRACT][found] = ROLE_VISIBLE;
        visible->slots[visible->slot_count++] = (struct pairing){{i, found}};
    }
}

/* Processes */

enum { MAX_NAMES = 10 };

static void list_names(struct buffer *out, const struct network *network,
                       const struct network *other, const char *whose, struct arena *arena) {
    struct name_index index;
    uint32_t number, count = 0;
    name_index_init(&index, arena);
    for (uint32_t i = 0; i < other->process_count; i++)
        name_index_put(&index, other->processes[i].name, i);
    for (uint32_t i = 0; i < network->process_count; i++)
        if (!name_index_get(&index, network->processes[i].name, &number)) {
            if (count++ >= MAX_NAMES) continue;
            if (count == 1)
                buffer_printf(out, "; only the %s one has ", whose);
            else
                buffer_add_text(out, ", ");
            buffer_add_text(out, network->processes[i].name);
        }
    if (count > MAX_NAMES) buffer_printf(out, " and %u more", count - MAX_NAMES);
}

static const char *different_processes(const struct visible *visible, struct arena *arena) {
    struct buffer text = {0};
    buffer_add_text(&text, "the models have different processes");
    list_names(&text, visible->networks[SIDE_CONCRETE], visible->networks[SIDE_ABSTRACT],
               "concrete", arena);
    list_names(&text, visible->networks[SIDE_ABSTRACT], visible->networks[SIDE_CONCRETE],
               "abstract", arena);
    const char *copy = buffer_take(&text, arena);
    buffer_close(&text);
    return copy;
}

/* may_lack: the abstract model may. */
static bool match_processes(struct visible *visible, struct arena *arena, bool may_lack) {
    const struct network *concrete = visible->networks[SIDE_CONCRETE];
    const struct network *abstract = visible->networks[SIDE_ABSTRACT];
    struct name_index index;
    name_index_init(&index, arena);
    if (concrete->process_count != abstract->process_count && !may_lack) return false;
    for (uint32_t i = 0; i < abstract->process_count; i++)
        name_index_put(&index, abstract->processes[i].name, i);
    visible->processes = ARENA_ARRAY(arena, struct pairing, concrete->process_count + 1);
    bool *is_gone = ARENA_ARRAY(arena, bool, concrete->process_count + 1);
    for (uint32_t i = 0; i < concrete->process_count; i++) {
        uint32_t found;
        is_gone[i] = !name_index_get(&index, concrete->processes[i].name, &found);
        if (!is_gone[i])
            visible->processes[visible->process_count++] = (struct pairing){{i, found}};
        else if (may_lack)
            visible->is_gone = is_gone;
        else
            return false;
    }
    return visible->process_count && visible->process_count == abstract->process_count;
}

/* Locations */

#define NO_CODE_YET UINT32_MAX

/* Gives a location of the abstract template that has no code yet that of the one found. */
static void share_code(uint32_t *codes, uint32_t found, uint32_t *code, uint32_t number) {
    assert(*code == NO_CODE_YET);
    if (codes[found] != NO_CODE_YET) return;
    codes[found] = *code = number;
}

/* Matches locations without a name and code, first to first. */
static void share_in_order(const struct template *concrete, const struct template *abstract,
                           uint32_t *codes, uint32_t *theirs) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < concrete->location_count; i++) {
        if (concrete->locations[i].symbol || codes[i] != NO_CODE_YET) continue;
        while (next < abstract->location_count &&
               (abstract->locations[next].symbol || theirs[next] != NO_CODE_YET))
            next++;
        if (next < abstract->location_count) share_code(theirs, next, &codes[i], i);
    }
}

/* Codes of the locations of two templates; returns the number of codes. */
static uint32_t match_locations(const struct template *concrete, const struct template *abstract,
                                struct arena *arena, uint32_t *codes, uint32_t *theirs) {
    struct name_index names, ids;
    uint32_t found, count = concrete->location_count;
    name_index_init(&names, arena);
    name_index_init(&ids, arena);
    for (uint32_t i = 0; i < abstract->location_count; i++) {
        const struct location *location = &abstract->locations[i];
        theirs[i] = NO_CODE_YET;
        if (location->symbol) name_index_put(&names, location->name, i);
        name_index_put(&ids, location->xml->id, i);
    }
    for (uint32_t i = 0; i < count; i++) codes[i] = NO_CODE_YET;
    for (uint32_t i = 0; i < count; i++)
        if (concrete->locations[i].symbol &&
            name_index_get(&names, concrete->locations[i].name, &found))
            share_code(theirs, found, &codes[i], i);
    for (uint32_t i = 0; i < count; i++)
        if (codes[i] == NO_CODE_YET && name_index_get(&ids, concrete->locations[i].xml->id, &found))
            share_code(theirs, found, &codes[i], i);
    if (strcmp(concrete->symbol->name, abstract->symbol->name) != 0) /* a copy has new ids */
        share_in_order(concrete, abstract, codes, theirs);
    for (uint32_t i = 0; i < concrete->location_count; i++) codes[i] = i;
    for (uint32_t i = 0; i < abstract->location_count; i++)
        if (theirs[i] == NO_CODE_YET) theirs[i] = count++;
    assert(count <= concrete->location_count + abstract->location_count);
    return count;
}

const struct symbol *visible_kept_meta(const struct network *concrete,
                                       const struct network *abstract) {
    if (concrete->persistent.count) return concrete->persistent.items[0].symbol;
    return abstract->persistent.count ? abstract->persistent.items[0].symbol : NULL;
}

const struct template *visible_template(const struct visible *visible, enum side side,
                                        uint32_t place) {
    uint32_t process = visible->processes[place].index[side];
    return visible->networks[side]->processes[process].template;
}

/* Neighbours are mostly of the same template. */
static void code_locations(struct visible *visible, struct arena *arena) {
    uint32_t **codes = ARENA_ARRAY(arena, uint32_t *, visible->process_count + 1);
    uint32_t **theirs = ARENA_ARRAY(arena, uint32_t *, visible->process_count + 1);
    const struct template *before[SIDE_COUNT] = {NULL, NULL};
    visible->codes[SIDE_CONCRETE] = codes;
    visible->codes[SIDE_ABSTRACT] = theirs;
    visible->code_counts = ARENA_ARRAY(arena, uint32_t, visible->process_count + 1);
    for (uint32_t i = 0; i < visible->process_count; i++) {
        const struct template *concrete = visible_template(visible, SIDE_CONCRETE, i);
        const struct template *abstract = visible_template(visible, SIDE_ABSTRACT, i);
        if (i && concrete == before[SIDE_CONCRETE] && abstract == before[SIDE_ABSTRACT]) {
            codes[i] = codes[i - 1];
            theirs[i] = theirs[i - 1];
            visible->code_counts[i] = visible->code_counts[i - 1];
            continue;
        }
        codes[i] = ARENA_ARRAY(arena, uint32_t, concrete->location_count + 1);
        theirs[i] = ARENA_ARRAY(arena, uint32_t, abstract->location_count + 1);
        visible->code_counts[i] = match_locations(concrete, abstract, arena, codes[i], theirs[i]);
        before[SIDE_CONCRETE] = concrete;
        before[SIDE_ABSTRACT] = abstract;
    }
}

static bool pair_in_order(struct visible *visible, struct arena *arena) {
    uint32_t count = visible->networks[SIDE_CONCRETE]->process_count;
    if (visible->networks[SIDE_ABSTRACT]->process_count != count) return false;
    visible->processes = ARENA_ARRAY(arena, struct pairing, count + 1);
    visible->process_count = count;
    for (uint32_t i = 0; i < count; i++) visible->processes[i] = (struct pairing){{i, i}};
    return true;
}

/* With the processes matched. */
static const char *match_rest(struct visible *visible, struct arena *arena,
                              const char *const *ignored, uint32_t ignored_count) {
    struct pattern *patterns = ARENA_ARRAY(arena, struct pattern, ignored_count + 1);
    for (uint32_t i = 0; i < ignored_count; i++) {
        const char *problem = read_pattern(&patterns[i], arena, visible, ignored[i]);
        if (problem) return problem;
    }
    name_slots(visible, SIDE_CONCRETE, arena, patterns, ignored_count);
    name_slots(visible, SIDE_ABSTRACT, arena, patterns, ignored_count);
    match_slots(visible, arena);
    code_locations(visible, arena);
    return NULL;
}

const char *visible_init(struct visible *visible, struct arena *arena,
                         const struct network *concrete, const struct network *abstract,
                         const char *const *ignored, uint32_t ignored_count) {
    *visible = (struct visible){.networks = {concrete, abstract}};
    if (!match_processes(visible, arena, false)) return different_processes(visible, arena);
    return match_rest(visible, arena, ignored, ignored_count);
}

const char *visible_init_without(struct visible *visible, struct arena *arena,
                                 const struct network *concrete, const struct network *abstract,
                                 const char *const *ignored, uint32_t ignored_count) {
    *visible = (struct visible){.networks = {concrete, abstract}};
    if (!match_processes(visible, arena, true)) return different_processes(visible, arena);
    return match_rest(visible, arena, ignored, ignored_count);
}

const char *visible_init_in_order(struct visible *visible, struct arena *arena,
                                  const struct network *concrete, const struct network *abstract,
                                  const char *const *ignored, uint32_t ignored_count) {
    *visible = (struct visible){.networks = {concrete, abstract}};
    if (!pair_in_order(visible, arena)) return different_processes(visible, arena);
    return match_rest(visible, arena, ignored, ignored_count);
}

/* Images */

static bool put(const struct layout *layout, uint32_t field, int32_t value, uint64_t *words) {
    const struct packed *packed = &layout->fields[field];
    if (!field_holds(packed, value)) return false;
    if (packed->mask) field_set(packed, words, value);
    return true;
}

const char *visible_image(const struct visible *visible, const struct layout *concrete,
                          const uint64_t *state, const struct layout *abstract, uint64_t *words) {
    memcpy(words, abstract->initial, abstract->word_count * sizeof *words);
    for (uint32_t i = 0; i < visible->process_count; i++) {
        const uint32_t *index = visible->processes[i].index;
        const uint32_t *codes = visible->codes[SIDE_ABSTRACT][i];
        uint32_t count = visible_template(visible, SIDE_ABSTRACT, i)->location_count, found = 0;
        uint32_t location = (uint32_t)field_get(
            &concrete->fields[layout_location(concrete, index[SIDE_CONCRETE])], state);
        while (found < count && codes[found] != visible->codes[SIDE_CONCRETE][i][location]) found++;
        if (found == count) return "the abstraction lacks some location";
        if (!put(abstract, layout_location(abstract, index[SIDE_ABSTRACT]), (int32_t)found, words))
            return "the abstraction never is at some location";
    }
    for (uint32_t i = 0; i < visible->slot_count; i++) {
        const uint32_t *index = visible->slots[i].index;
        int32_t value = field_get(&concrete->fields[index[SIDE_CONCRETE]], state);
        assert(!visible->exchanges[index[SIDE_ABSTRACT]]);
        if (!put(abstract, index[SIDE_ABSTRACT], value, words))
            return "the abstraction has not met some value of a variable";
    }
    return NULL;
}

/* Locations */

static bool agrees_at(const struct visible *visible, uint32_t place, location_test *test) {
    const struct template *one = visible_template(visible, SIDE_CONCRETE, place);
    const struct template *other = visible_template(visible, SIDE_ABSTRACT, place);
    for (uint32_t i = 0; i < one->location_count; i++)
        for (uint32_t k = 0; k < other->location_count; k++)
            if (visible->codes[SIDE_CONCRETE][place][i] ==
                    visible->codes[SIDE_ABSTRACT][place][k] &&
                test(&one->locations[i]) != test(&other->locations[k]))
                return false;
    return true;
}

bool visible_agrees(const struct visible *visible, location_test *test) {
    const struct network *network = visible->networks[SIDE_CONCRETE];
    for (uint32_t place = 0; place < visible->process_count; place++)
        if (!agrees_at(visible, place, test)) return false;
    for (uint32_t p = 0; visible->is_gone && p < network->process_count; p++)
        for (uint32_t i = 0; i < network->processes[p].template->location_count; i++)
            if (visible->is_gone[p] && test(&network->processes[p].template->locations[i]))
                return false;
    return true;
}
