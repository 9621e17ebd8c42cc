#include "draw/compare.h"

#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The counterpart of each element: its index on the other side, or NONE. */
struct matching {
    uint32_t *before, *after;
};

static struct matching matching_new(uint32_t before, uint32_t after, struct arena *arena) {
    struct matching matching = {ARENA_ARRAY(arena, uint32_t, before),
                                ARENA_ARRAY(arena, uint32_t, after)};
    for (uint32_t i = 0; i < before; i++) matching.before[i] = NONE;
    for (uint32_t i = 0; i < after; i++) matching.after[i] = NONE;
    return matching;
}

static void match(struct matching *matching, uint32_t before, uint32_t after) {
    assert(matching->before[before] == NONE && matching->after[after] == NONE);
    matching->before[before] = after;
    matching->after[after] = before;
}

/* ---- texts ---- */

static uint64_t hash_text(uint64_t hash, struct str text) {
    for (size_t i = 0; i < text.size; i++)
        if (!char_is_space(text.data[i])) hash = hash_mix(hash, (unsigned char)text.data[i]);
    return hash_mix(hash, UINT64_MAX);
}

static const struct note *find_note(const struct notes *notes, enum note_kind kind) {
    for (uint32_t i = 0; i < notes->count; i++)
        if (notes->items[i].kind == kind) return &notes->items[i];
    return NULL;
}

enum { PROFILE = 64, PROFILE_MOST = 4000 };

/* How often pairs of neighbouring characters occur, up to the first PROFILE_MOST characters. */
static void add_profile(struct str text, int factor, int profile[PROFILE], int *total) {
    unsigned char last = 0;
    for (size_t i = 0; i < text.size && i < PROFILE_MOST; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (char_is_space(text.data[i])) continue;
        profile[(last * 7 + c) % PROFILE] += factor;
        *total += 1;
        last = c;
    }
}

/* 0 (nothing in common) to 1. */
static double similarity(struct str left, struct str right) {
    int profile[PROFILE] = {0}, total = 0, differing = 0;
    if (str_equal_but_space(left, right)) return 1;
    add_profile(left, 1, profile, &total);
    add_profile(right, -1, profile, &total);
    for (int i = 0; i < PROFILE; i++) differing += abs(profile[i]);
    return total ? 1 - (double)differing / total : 0;
}

/* ---- notes ---- */

/* Both in one, in the order of their kinds. */
static struct notes merge_notes(const struct notes *before, const struct notes *after, bool *differ,
                                struct arena *arena) {
    struct notes merged = {ARENA_ARRAY(arena, struct note, before->count + after->count), 0};
    *differ = false;
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        const struct note *old = find_note(before, (enum note_kind)kind);
        const struct note *new = find_note(after, (enum note_kind)kind);
        if (!old && !new) continue;
        struct note *note = &merged.items[merged.count++];
        *note = new ? *new : *old;
        note->mark = !old ? MARK_NEW : !new ? MARK_REMOVED : MARK_SAME;
        if (old && new && !str_equal_but_space(old->text, new->text)) {
            note->mark = MARK_CHANGED;
            note->old = old->text;
        }
        *differ |= note->mark != MARK_SAME;
    }
    assert(merged.count <= before->count + after->count);
    return merged;
}

static struct notes mark_notes(const struct notes *notes, enum draw_mark mark,
                               struct arena *arena) {
    struct notes marked = {ARENA_ARRAY(arena, struct note, notes->count), notes->count};
    for (uint32_t i = 0; i < notes->count; i++) {
        marked.items[i] = notes->items[i];
        marked.items[i].mark = mark;
    }
    return marked;
}

/* ---- nodes ---- */

enum node_key { KEY_NAME, KEY_ID_AND_PLACE, KEY_ID, KEY_PLACE, KEYS };

/* False where a node has no such key. */
static bool key_of(const struct draw_node *node, enum node_key kind, uint64_t *key) {
    const struct note *name = find_note(&node->notes, NOTE_NAME);
    *key = hash_mix(1, node->xml->is_branchpoint);
    if (kind == KEY_NAME) {
        if (name) *key = hash_text(*key, name->text);
        return name != NULL;
    }
    if (kind != KEY_PLACE) {
        if (!node->xml->id) return false;
        *key = hash_text(*key, str_of(node->xml->id));
    }
    if (kind != KEY_ID) {
        if (!node->is_placed) return false;
        *key =
            hash_mix(hash_mix(*key, (uint64_t)(int64_t)node->at.x), (uint64_t)(int64_t)node->at.y);
    }
    return true;
}

static void match_nodes_by(struct matching *matching, const struct diagram *before,
                           const struct diagram *after, enum node_key kind, struct arena *arena) {
    struct map found;
    uint64_t key;
    map_init(&found, arena);
    for (uint32_t i = before->node_count; i-- > 0;) /* backwards, so that the first one wins */
        if (matching->before[i] == NONE && key_of(&before->nodes[i], kind, &key))
            map_put(&found, key, &before->nodes[i]);
    for (uint32_t i = 0; i < after->node_count; i++) {
        if (matching->after[i] != NONE || !key_of(&after->nodes[i], kind, &key)) continue;
        const struct draw_node *node = map_get(&found, key);
        if (!node) continue;
        uint32_t index = (uint32_t)(node - before->nodes);
        if (matching->before[index] == NONE) match(matching, index, i);
    }
}

static bool looks_different(const struct draw_node *before, const struct draw_node *after) {
    return before->is_initial != after->is_initial ||
           before->xml->is_committed != after->xml->is_committed ||
           before->xml->is_urgent != after->xml->is_urgent;
}

/* The nodes of after, then those of before that are gone; map_before says where they are. */
static void merge_nodes(struct diagram *merged, const struct diagram *before,
                        const struct diagram *after, const struct matching *matching,
                        uint32_t *map_before, struct arena *arena) {
    merged->nodes = ARENA_ARRAY(arena, struct draw_node, before->node_count + after->node_count);
    for (uint32_t i = 0; i < after->node_count; i++) {
        struct draw_node *node = &merged->nodes[merged->node_count++];
        *node = after->nodes[i];
        if (matching->after[i] == NONE) {
            node->mark = MARK_NEW;
            node->notes = mark_notes(&node->notes, MARK_NEW, arena);
            continue;
        }
        const struct draw_node *old = &before->nodes[matching->after[i]];
        bool differ;
        node->notes = merge_notes(&old->notes, &node->notes, &differ, arena);
        if (differ || looks_different(old, node)) node->mark = MARK_CHANGED;
        if (!node->is_placed && old->is_placed) {
            node->at = old->at;
            node->is_placed = true;
        }
    }
    for (uint32_t i = 0; i < before->node_count; i++) {
        map_before[i] = matching->before[i];
        if (map_before[i] != NONE) continue;
        map_before[i] = merged->node_count;
        struct draw_node *node = &merged->nodes[merged->node_count++];
        *node = before->nodes[i];
        node->mark = MARK_REMOVED;
        node->notes = mark_notes(&node->notes, MARK_REMOVED, arena);
    }
    assert(merged->node_count >= after->node_count);
    assert(merged->node_count <= before->node_count + after->node_count);
}

/* ---- edges ---- */

static bool is_same_line(const struct draw_edge *left, const struct draw_edge *right) {
    if (left->point_count != right->point_count) return false;
    for (uint32_t i = 0; i < left->point_count; i++)
        if (left->points[i].x != right->points[i].x || left->points[i].y != right->points[i].y)
            return false;
    return true;
}

static bool have_same_notes(const struct draw_edge *left, const struct draw_edge *right) {
    if (left->notes.count != right->notes.count) return false;
    for (uint32_t i = 0; i < left->notes.count; i++)
        if (left->notes.items[i].kind != right->notes.items[i].kind ||
            !str_equal_but_space(left->notes.items[i].text, right->notes.items[i].text))
            return false;
    return true;
}

static uint64_t ends_key(uint32_t source, uint32_t target) {
    return ((uint64_t)source << 32 | target) + 1;
}

static uint64_t edge_key(const struct draw_edge *edge, uint64_t ends, bool with_line) {
    uint64_t key = hash_mix(ends, with_line);
    for (uint32_t i = 0; i < edge->notes.count; i++)
        key = hash_text(hash_mix(key, edge->notes.items[i].kind), edge->notes.items[i].text);
    for (uint32_t i = 0; with_line && i < edge->point_count; i++)
        key = hash_mix(hash_mix(key, (uint64_t)(int64_t)edge->points[i].x),
                       (uint64_t)(int64_t)edge->points[i].y);
    return key;
}

/* Edges with one key, in the order of the file. */
struct edge_chain {
    uint32_t head;
};

struct edges {
    const struct diagram *before, *after;
    const uint32_t *map_before; /* nodes of before in the merged diagram */
    struct matching matching;
    struct arena *arena;
};

static uint64_t old_ends(const struct edges *edges, uint32_t i) {
    const struct draw_edge *edge = &edges->before->edges[i];
    return ends_key(edges->map_before[edge->source], edges->map_before[edge->target]);
}

static uint64_t new_ends(const struct edges *edges, uint32_t i) {
    const struct draw_edge *edge = &edges->after->edges[i];
    return ends_key(edge->source, edge->target);
}

/* Edges that are the same but perhaps for their line. */
static void match_same_edges(struct edges *edges, bool with_line) {
    const struct diagram *before = edges->before, *after = edges->after;
    struct map chains;
    uint32_t *next = ARENA_ARRAY(edges->arena, uint32_t, before->edge_count);
    map_init(&chains, edges->arena);
    for (uint32_t i = before->edge_count; i-- > 0;) {
        if (edges->matching.before[i] != NONE) continue;
        uint64_t key = edge_key(&before->edges[i], old_ends(edges, i), with_line);
        struct edge_chain *chain = map_get(&chains, key);
        if (!chain) {
            chain = ARENA_NEW(edges->arena, struct edge_chain);
            chain->head = NONE;
            map_put(&chains, key, chain);
        }
        next[i] = chain->head;
        chain->head = i;
    }
    for (uint32_t i = 0; i < after->edge_count; i++) {
        if (edges->matching.after[i] != NONE) continue;
        uint64_t ends = new_ends(edges, i);
        struct edge_chain *chain = map_get(&chains, edge_key(&after->edges[i], ends, with_line));
        if (!chain || chain->head == NONE) continue;
        uint32_t old = chain->head;
        if (old_ends(edges, old) != ends || !have_same_notes(&before->edges[old], &after->edges[i]))
            continue; /* another edge with the same hash */
        chain->head = next[old];
        match(&edges->matching, old, i);
    }
}

static const char *id_of(const struct draw_edge *edge) {
    const char *id = element_attribute(edge->xml->element, "id");
    return id && *id ? id : NULL;
}

/* 0 to 1. What both lack says nothing. */
static double edge_similarity(const struct draw_edge *before, const struct draw_edge *after) {
    static const double weights[NOTE_KINDS] = {
        [NOTE_SELECT] = 1, [NOTE_GUARD] = 2,       [NOTE_SYNC] = 3,
        [NOTE_UPDATE] = 2, [NOTE_PROBABILITY] = 1, [NOTE_COMMENTS] = 1};
    double weight = 2, same = is_same_line(before, after) ? 2 : 0;
    for (int kind = 0; kind < NOTE_KINDS; kind++) {
        const struct note *old = find_note(&before->notes, (enum note_kind)kind);
        const struct note *new = find_note(&after->notes, (enum note_kind)kind);
        if (!old && !new) continue;
        weight += weights[kind];
        if (old && new) same += weights[kind] * similarity(old->text, new->text);
    }
    const char *old_id = id_of(before), *new_id = id_of(after);
    if (old_id && new_id) {
        weight += 2;
        same += strcmp(old_id, new_id) ? 0 : 2;
    }
    return same / weight;
}

struct similar_pair {
    double similarity;
    uint32_t before, after;
};

static int compare_pairs(const void *left, const void *right) {
    const struct similar_pair *a = left, *b = right;
    if (a->similarity != b->similarity) return a->similarity > b->similarity ? -1 : 1;
    if (a->after != b->after) return a->after < b->after ? -1 : 1;
    return a->before < b->before ? -1 : a->before > b->before;
}

/* Edges between the same two nodes that are not matched yet. */
struct unmatched {
    VEC(uint32_t) before, after;
};

static void match_similar(struct edges *edges, const struct unmatched *group) {
    static const double least = 0.28;
    struct arena scratch;
    arena_init(&scratch);
    struct similar_pair *pairs = ARENA_ARRAY(&scratch, struct similar_pair,
                                             (size_t)group->before.count * group->after.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->before.count; i++)
        for (uint32_t k = 0; k < group->after.count; k++) {
            uint32_t old = group->before.items[i], new = group->after.items[k];
            double value = edge_similarity(&edges->before->edges[old], &edges->after->edges[new]);
            if (value >= least) pairs[count++] = (struct similar_pair){value, old, new};
        }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0; i < count; i++)
        if (edges->matching.before[pairs[i].before] == NONE &&
            edges->matching.after[pairs[i].after] == NONE)
            match(&edges->matching, pairs[i].before, pairs[i].after);
    arena_close(&scratch);
}

static void match_similar_edges(struct edges *edges) {
    struct map groups;
    VEC(struct unmatched *) list = {0};
    map_init(&groups, edges->arena);
    for (uint32_t i = 0; i < edges->before->edge_count; i++) {
        if (edges->matching.before[i] != NONE) continue;
        struct unmatched *group = map_get(&groups, old_ends(edges, i));
        if (!group) {
            group = ARENA_NEW(edges->arena, struct unmatched);
            map_put(&groups, old_ends(edges, i), group);
            VEC_PUSH(edges->arena, &list, group);
        }
        if (group->before.count < PAIRS_SIDE) VEC_PUSH(edges->arena, &group->before, i);
    }
    for (uint32_t i = 0; i < edges->after->edge_count; i++) {
        if (edges->matching.after[i] != NONE) continue;
        struct unmatched *group = map_get(&groups, new_ends(edges, i));
        if (group && group->after.count < PAIRS_SIDE) VEC_PUSH(edges->arena, &group->after, i);
    }
    for (uint32_t i = 0; i < list.count; i++) match_similar(edges, list.items[i]);
}

/* The edges of after, then those of before that are gone. */
static void merge_edges(struct diagram *merged, struct edges *edges) {
    const struct diagram *before = edges->before, *after = edges->after;
    struct arena *arena = edges->arena;
    merged->edges = ARENA_ARRAY(arena, struct draw_edge, before->edge_count + after->edge_count);
    for (uint32_t i = 0; i < after->edge_count; i++) {
        struct draw_edge *edge = &merged->edges[merged->edge_count++];
        uint32_t old = edges->matching.after[i];
        bool differ = false;
        *edge = after->edges[i];
        edge->mark = old == NONE ? MARK_NEW : MARK_SAME;
        edge->old_number = old == NONE ? 0 : before->edges[old].number;
        edge->notes = old == NONE
                          ? mark_notes(&edge->notes, MARK_NEW, arena)
                          : merge_notes(&before->edges[old].notes, &edge->notes, &differ, arena);
        if (differ) edge->mark = MARK_CHANGED;
    }
    for (uint32_t i = 0; i < before->edge_count; i++) {
        if (edges->matching.before[i] != NONE) continue;
        struct draw_edge *edge = &merged->edges[merged->edge_count++];
        *edge = before->edges[i];
        edge->source = edges->map_before[edge->source];
        edge->target = edges->map_before[edge->target];
        edge->mark = MARK_REMOVED;
        edge->old_number = edge->number;
        edge->number = 0;
        edge->notes = mark_notes(&edge->notes, MARK_REMOVED, arena);
    }
}

struct diagram compare_diagrams(const struct diagram *before, const struct diagram *after,
                                struct arena *arena) {
    struct diagram merged = {.initial = after->initial};
    struct matching nodes = matching_new(before->node_count, after->node_count, arena);
    uint32_t *map_before = ARENA_ARRAY(arena, uint32_t, before->node_count);
    for (int kind = 0; kind < KEYS; kind++)
        match_nodes_by(&nodes, before, after, (enum node_key)kind, arena);
    merge_nodes(&merged, before, after, &nodes, map_before, arena);
    struct edges edges = {before, after, map_before,
                          matching_new(before->edge_count, after->edge_count, arena), arena};
    match_same_edges(&edges, true);
    match_same_edges(&edges, false);
    match_similar_edges(&edges);
    merge_edges(&merged, &edges);
    return merged;
}
