#include "explore/visible/view.h"

#include "base/debug.h"

#include <assert.h>

enum { WORD_BITS = 64, WORD_SIZE = 8 };

struct packer {
    struct view *view;
    uint32_t used; /* bits of the last word */
};

/* Places what both sides have of one thing, with values in a range. The piece of the concrete side,
 * or NULL if it has but one value. */
static const struct view_piece *place(struct packer *packer, struct view_piece concrete,
                                      struct view_piece abstract, int64_t lower, int64_t upper) {
    assert(lower <= upper);
    struct view *view = packer->view;
    uint32_t bits = 0;
    while (((upper - lower) >> bits) != 0) bits++;
    if (!bits) return NULL;
    if (packer->used + bits > WORD_BITS) {
        view->word_count++;
        packer->used = 0;
    }
    concrete.to_word = abstract.to_word = view->word_count - 1;
    concrete.to_shift = abstract.to_shift = packer->used;
    concrete.to_lower = abstract.to_lower = (int32_t)lower;
    assert(packer->used + bits <= WORD_BITS);
    packer->used += bits;
    view->pieces[SIDE_CONCRETE][view->piece_count] = concrete;
    view->pieces[SIDE_ABSTRACT][view->piece_count] = abstract;
    return &view->pieces[SIDE_CONCRETE][view->piece_count++];
}

static struct view_piece piece_of(const struct packed *field) {
    return (struct view_piece){
        .mask = field->mask, .word = field->word, .shift = field->shift, .lower = field->lower};
}

/* Slots with scratch fields have their initial value in every state. */
static struct view_piece slot_piece(const struct layout *layout, uint32_t slot) {
    if (layout->fields[slot].is_scratch)
        return (struct view_piece){.lower = layout->network->slots[slot].initial};
    return piece_of(&layout->fields[slot]);
}

static int64_t upper_of(const struct view_piece *piece) {
    return piece->lower + (int64_t)piece->mask;
}

/* The pieces are those of the processes of the concrete model, which the layout is of. */
static const struct view_exchange *exchanges_of(struct arena *arena, const struct exchange_at *list,
                                                const struct view_piece *const *processes,
                                                const struct layout *layout) {
    const struct view_exchange *first = NULL;
    for (; list; list = list->next) {
        struct view_exchange *own = ARENA_NEW(arena, struct view_exchange);
        *own =
            (struct view_exchange){.exchange = list->exchange, .code = list->code, .next = first};
        if (list->process != NO_PROCESS) own->process = processes[list->process];
        if (list->exchange->key) {
            struct view_piece *key = ARENA_NEW(arena, struct view_piece);
            *key = slot_piece(layout, list->key[SIDE_CONCRETE]);
            own->key = key;
        }
        first = own;
    }
    return first;
}

/* Locations that are numbered as they are need no codes. */
static void set_codes(struct view_piece *piece, const uint32_t *codes, uint32_t count) {
    assert(!piece->lower);
    for (uint32_t i = 0; i < count; i++)
        if (codes[i] != i) piece->codes = codes;
}

/* Pieces come word by word of what is visible, so that their moves are the last ones. */
static struct view_move *move_of(struct view *view, enum side side,
                                 const struct view_piece *piece) {
    struct view_move move = {.word = piece->word,
                             .to_word = piece->to_word,
                             .up = (piece->to_shift - piece->shift) % WORD_BITS};
    for (uint32_t i = view->move_counts[side]; i > 0; i--) {
        struct view_move *at = &view->moves[side][i - 1];
        assert(at->to_word <= move.to_word);
        if (at->to_word < move.to_word) break;
        if (at->word == move.word && at->up == move.up) return at;
    }
    view->moves[side][view->move_counts[side]] = move;
    return &view->moves[side][view->move_counts[side]++];
}

/* Fields of states lie mostly as in visible parts: what is as far away is moved together. */
static void plan_moves(struct view *view, enum side side, struct arena *arena) {
    view->base[side] = ARENA_ARRAY(arena, uint64_t, view->word_count);
    view->moves[side] = ARENA_ARRAY(arena, struct view_move, view->piece_count + 1);
    view->others[side] = ARENA_ARRAY(arena, uint32_t, view->piece_count + 1);
    for (uint32_t i = 0; i < view->piece_count; i++) {
        const struct view_piece *piece = &view->pieces[side][i];
        if (piece->codes || piece->exchange) {
            view->others[side][view->other_counts[side]++] = i;
            continue;
        }
        uint64_t least = (uint64_t)((int64_t)piece->lower - piece->to_lower);
        view->base[side][piece->to_word] += least << piece->to_shift;
        if (piece->mask) move_of(view, side, piece)->mask |= piece->mask << piece->shift;
    }
}

static void extend(int64_t *lower, int64_t *upper, int32_t value) {
    if (value < *lower) *lower = value;
    if (value > *upper) *upper = value;
}

/* Extends a range by the values that stand for others. */
static void extend_by(const struct exchange_at *list, int64_t *lower, int64_t *upper) {
    for (; list; list = list->next) {
        const struct exchange *exchange = list->exchange;
        if (exchange->is_one) extend(lower, upper, exchange->representative);
        for (uint32_t i = 0; i < exchange->count; i++)
            extend(lower, upper, exchange->values[i].normal);
    }
}

/* Packs what is visible of both layouts alike; byte_count says into how much. */
void view_init(struct view *view, struct arena *arena, const struct visible *visible,
               const struct layout *concrete, const struct layout *abstract) {
    struct packer packer = {.view = view};
    uint32_t most = visible->process_count + visible->slot_count + 1;
    *view = (struct view){.word_count = 1};
    for (int side = 0; side < SIDE_COUNT; side++)
        view->pieces[side] = ARENA_ARRAY(arena, struct view_piece, most);
    const struct view_piece **processes = ARENA_ARRAY(arena, const struct view_piece *, most);
    for (uint32_t i = 0; i < visible->process_count; i++) {
        const uint32_t *index = visible->processes[i].index;
        struct view_piece one = piece_of(&concrete->fields[layout_location(concrete, index[0])]);
        struct view_piece two = piece_of(&abstract->fields[layout_location(abstract, index[1])]);
        set_codes(&one, visible->codes[SIDE_CONCRETE][i],
                  visible_template(visible, SIDE_CONCRETE, i)->location_count);
        set_codes(&two, visible->codes[SIDE_ABSTRACT][i],
                  visible_template(visible, SIDE_ABSTRACT, i)->location_count);
        processes[i] = place(&packer, one, two, 0, (int64_t)visible->code_counts[i] - 1);
    }
    for (uint32_t i = 0; i < visible->slot_count; i++) {
        uint32_t slot = visible->slots[i].index[SIDE_ABSTRACT];
        struct view_piece one = slot_piece(concrete, visible->slots[i].index[SIDE_CONCRETE]);
        struct view_piece two = slot_piece(abstract, slot);
        int64_t lower = one.lower < two.lower ? one.lower : two.lower;
        int64_t upper = upper_of(&one) > upper_of(&two) ? upper_of(&one) : upper_of(&two);
        one.exchange = exchanges_of(arena, visible->exchanges[slot], processes, concrete);
        extend_by(visible->exchanges[slot], &lower, &upper);
        place(&packer, one, two, lower, upper);
    }
    view->byte_count = (view->word_count - 1) * WORD_SIZE + (packer.used + 7) / 8 + !packer.used;
    assert(view->piece_count < most && view->byte_count <= view->word_count * WORD_SIZE);
    for (int side = 0; side < SIDE_COUNT; side++) plan_moves(view, (enum side)side, arena);
}

static int64_t piece_value(const struct view_piece *piece, const uint64_t *state) {
    uint64_t code = state[piece->word] >> piece->shift & piece->mask;
    int64_t value = piece->codes ? piece->codes[code] : (int64_t)code + piece->lower;
    for (const struct view_exchange *own = piece->exchange; own; own = own->next)
        if ((!own->process || piece_value(own->process, state) == own->code) &&
            (!own->key || exchange_counts(own->exchange, piece_value(own->key, state))))
            return exchange_value(own->exchange, (int32_t)value);
    return value;
}

/* Bits that are moved stay within the word. */
static inline uint64_t turn(uint64_t bits, uint32_t up) {
    return bits << up | bits >> ((WORD_BITS - up) % WORD_BITS);
}

void view_project(const struct view *view, enum side side, const uint64_t *state, uint64_t *words) {
    const struct view_move *move = view->moves[side], *end = move + view->move_counts[side];
    for (uint32_t i = 0; i < view->word_count; i++) {
        uint64_t word = view->base[side][i];
        for (; move < end && move->to_word == i; move++)
            word += turn(state[move->word] & move->mask, move->up);
        words[i] = word;
    }
    assert(move == end);
    for (uint32_t i = 0; i < view->other_counts[side]; i++) {
        const struct view_piece *piece = &view->pieces[side][view->others[side][i]];
        int64_t value = piece_value(piece, state);
        DEBUG_CHECK(assert(value >= piece->to_lower && piece->to_word < view->word_count));
        words[piece->to_word] |= (uint64_t)(value - piece->to_lower) << piece->to_shift;
    }
}
