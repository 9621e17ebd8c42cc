#include "explore/strategy/coalition.h"

#include "base/str.h"
#include "explore/graph/lists.h"
#include "explore/mixed/strength.h"
#include "lang/syntax/ast.h"

#include <assert.h>
#include <string.h>

/* Of what tells moves, and guards, apart. */
struct key_part {
    uint32_t name, value;
};

struct gatherer {
    struct coalition *coalition;
    struct all_states *states;
    const struct program *program;
    VEC(const char *) words;
    struct lists known_moves, known_tests; /* of one player */
    VEC(uint32_t) moves;                   /* by number in known_moves */
};

static void fail(struct coalition *coalition, const struct edge *edge, const char *problem) {
    if (coalition->problem) return;
    coalition->problem = problem;
    if (edge && edge->xml) coalition->span = (struct span){edge->xml->element->at, 0};
}

/* Players */

static void add_player(struct gatherer *gatherer, const struct agent *agent,
                       const struct process *process) {
    struct coalition *coalition = gatherer->coalition;
    assert(process->index < gatherer->program->network->process_count);
    uint32_t known = coalition->player_of[process->index];
    if (known != NO_PLAYER) {
        if (coalition->players.items[known].agent != agent)
            fail(coalition, NULL,
                 arena_printf(gatherer->states->arena,
                              "process %s is part of two agents of the coalition", process->name));
        return;
    }
    struct player player = {.process = process, .agent = agent};
    player.tests = ARENA_ARRAY(gatherer->states->arena, struct row_range,
                               process->template->location_count + 1);
    coalition->player_of[process->index] = coalition->players.count;
    VEC_PUSH(gatherer->states->arena, &coalition->players, player);
}

/* Marks in the comments of an edge */

struct edge_marks {
    bool is_natural;
    uint32_t left_to_nature;
    const char *action;
};

static void read_nature(struct gatherer *gatherer, const struct edge *edge, struct str rest,
                        struct edge_marks *marks) {
    if (!rest.size) marks->is_natural = true;
    for (uint32_t i = 0; rest.size && i < edge->select_count; i++) {
        if (!str_is(rest, edge->selects[i]->name)) continue;
        if (i >= 32)
            fail(gatherer->coalition, edge, "'@nature' is for the first 32 selects");
        else
            marks->left_to_nature |= UINT32_C(1) << i;
        return;
    }
    if (rest.size)
        fail(gatherer->coalition, edge,
             arena_printf(gatherer->states->arena, "'@nature %.*s' names no select of its edge",
                          (int)rest.size, rest.data));
}

static void read_mark(struct gatherer *gatherer, const struct edge *edge, struct str line,
                      struct edge_marks *marks) {
    static const char nature[] = "@nature", action[] = "@action";
    enum { SIZE = sizeof nature - 1 };
    bool is_nature = line.size >= SIZE && !memcmp(line.data, nature, SIZE);
    bool is_action = line.size >= SIZE && !memcmp(line.data, action, SIZE);
    if (!is_nature && !is_action) return;
    struct str rest = {line.data + SIZE, line.size - SIZE};
    if (rest.size && rest.data[0] != ' ' && rest.data[0] != '\t') return; /* another word */
    rest = str_trim(rest);
    if (is_nature)
        read_nature(gatherer, edge, rest, marks);
    else if (!rest.size)
        fail(gatherer->coalition, edge, "'@action' needs a name");
    else
        marks->action = arena_printf(gatherer->states->arena, "%.*s", (int)rest.size, rest.data);
}

static struct edge_marks marks_of(struct gatherer *gatherer, const struct edge *edge) {
    struct edge_marks marks = {.is_natural = edge->xml && !edge->xml->is_controllable};
    const struct element *comments = edge->xml ? edge->xml->labels.of[LABEL_COMMENTS] : NULL;
    if (!comments) return marks;
    const char *at = comments->text.content.data, *end = at + comments->text.content.size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        read_mark(gatherer, edge, str_trim((struct str){at, (size_t)(stop - at)}), &marks);
        at = stop + 1;
    }
    return marks;
}

/* Moves */

/* The number of a word among those that moves are known by. */
static uint32_t number_of_word(struct gatherer *gatherer, const char *word) {
    for (uint32_t i = 0; i < gatherer->words.count; i++)
        if (!strcmp(gatherer->words.items[i], word)) return i;
    VEC_PUSH(gatherer->states->arena, &gatherer->words, word);
    return gatherer->words.count - 1;
}

/* What tells a move from others of its player: the action or the edge, and the values of selects by
 * name. Gives how many numbers these are. */
static uint32_t key_of(struct gatherer *gatherer, const struct move *move, struct key_part *key) {
    assert(move->player < gatherer->coalition->players.count && move->edge);
    const struct edge *edge = move->edge;
    const struct template *template =
        gatherer->coalition->players.items[move->player].process->template;
    uint32_t count = 1;
    key[0] = move->action ? (struct key_part){edge->source, number_of_word(gatherer, move->action)}
                          : (struct key_part){UINT32_MAX, edge_index(template, edge)};
    for (uint32_t i = 0; i < edge->select_count; i++) {
        if (is_left_to_nature(move, i)) continue;
        struct key_part item = {number_of_word(gatherer, edge->selects[i]->name),
                                (uint32_t)move->selects[i]};
        uint32_t at = count++;
        for (; at > 1 && key[at - 1].name > item.name; at--) key[at] = key[at - 1];
        key[at] = item;
    }
    return count;
}

static uint32_t add_move(struct gatherer *gatherer, const struct move *move) {
    struct coalition *coalition = gatherer->coalition;
    struct arena *arena = gatherer->states->arena;
    struct key_part *key = ARENA_ARRAY(arena, struct key_part, move->edge->select_count + 1);
    uint32_t number = lists_number(&gatherer->known_moves, key, key_of(gatherer, move, key));
    if (number == LISTS_FULL) return NO_MOVE;
    while (gatherer->moves.count <= number) VEC_PUSH(arena, &gatherer->moves, NO_MOVE);
    uint32_t known = gatherer->moves.items[number];
    assert(known == NO_MOVE || known < coalition->moves.count);
    if (known == NO_MOVE) {
        gatherer->moves.items[number] = coalition->moves.count;
        VEC_PUSH(arena, &coalition->moves, *move);
        return coalition->moves.count - 1;
    }
    const struct move *other = &coalition->moves.items[known];
    if (move->is_receive != other->is_receive || move->channel != other->channel)
        fail(coalition, move->edge,
             move->edge == other->edge
                 ? "a channel must not depend on a select that nature chooses (@nature)"
                 : "the edges of one action must have the same synchronisation");
    return known;
}

/* The guard of an instance; for paths after a branchpoint, which differ only there, once. */
static void add_test(struct gatherer *gatherer, const struct edge_instance *instance,
                     uint32_t number) {
    assert(number < gatherer->coalition->moves.count && instance->edge_count);
    struct compiler *compiler = gatherer->program->compiler;
    const struct edge *edge = instance->edges[0];
    struct arena *arena = gatherer->states->arena;
    bool is_always = !guard_of_edge(gatherer->program->network, instance->process->template, edge);
    struct move_test test = {.move = number, .is_always = is_always};
    test.strength = strength_of_edge(edge);
    struct leg_labels leg = {instance->process, edge, instance->selects[0]};
    struct key_part *key = ARENA_ARRAY(arena, struct key_part, edge->select_count + 1);
    key[0] = (struct key_part){number, (uint32_t)(edge - instance->process->template->edges)};
    for (uint32_t i = 0; i < edge->select_count; i++)
        key[i + 1] = (struct key_part){i, (uint32_t)instance->selects[0][i]};
    uint32_t known = gatherer->known_tests.count;
    if (lists_number(&gatherer->known_tests, key, edge->select_count + 1) != known) return;
    if (instance->channel == ANY_CHANNEL) test.channel = &instance->channel_code;
    if (!is_always) {
        unit_begin(compiler);
        unit_guard(compiler, &leg);
        if (!unit_end(compiler, &test.guard)) return; /* it never holds */
    }
    VEC_PUSH(arena, &gatherer->coalition->tests, test);
}

static void add_instance(struct gatherer *gatherer, uint32_t player, uint32_t index,
                         const struct edge_marks *marks) {
    assert(gatherer->coalition->move_of[index] == NO_MOVE); /* an instance is met once */
    const struct edge_instance *instance = &gatherer->program->instances.items[index];
    bool is_synchronised = instance->sync < instance->edge_count;
    struct move move = {.player = player,
                        .process = instance->process,
                        .edge = instance->edges[0],
                        .selects = instance->selects[0],
                        .left_to_nature = marks->left_to_nature,
                        .action = marks->action,
                        .channel = instance->channel,
                        .is_send = is_synchronised && instance->is_send,
                        .is_receive = is_synchronised && !instance->is_send};
    if (is_synchronised && instance->sync)
        fail(gatherer->coalition, instance->edges[instance->sync],
             "a synchronisation after a branchpoint is no move of an agent");
    uint32_t number = add_move(gatherer, &move);
    if (number == NO_MOVE) return;
    gatherer->coalition->move_of[index] = number;
    add_test(gatherer, instance, number);
}

/* The moves of a player from one location. */
static void add_location(struct gatherer *gatherer, uint32_t number, uint32_t location) {
    struct coalition *coalition = gatherer->coalition;
    struct player *player = &coalition->players.items[number];
    assert(location < player->process->template->location_count);
    const struct edge *edge = NULL;
    struct edge_marks marks = {.action = NULL};
    player->tests[location].first = coalition->tests.count;
    for (uint32_t i = 0; i < gatherer->program->instances.count; i++) {
        const struct edge_instance *instance = &gatherer->program->instances.items[i];
        if (instance->process != player->process || instance->source != location) continue;
        if (instance->edges[0] != edge) marks = marks_of(gatherer, instance->edges[0]);
        edge = instance->edges[0];
        bool is_joint = gatherer->program->network->model->is_mixed && edge_is_joint(edge);
        if (!marks.is_natural && !is_joint) add_instance(gatherer, number, i, &marks);
    }
    player->tests[location].count = coalition->tests.count - player->tests[location].first;
}

/* By player and location: a look at all instances each, so that tests stand in order. */
static void add_moves(struct gatherer *gatherer, uint32_t number) {
    const struct template *template = gatherer->coalition->players.items[number].process->template;
    if (!lists_open(&gatherer->known_moves, &gatherer->states->ledger, sizeof(struct key_part)) ||
        !lists_open(&gatherer->known_tests, &gatherer->states->ledger, sizeof(struct key_part)))
        return;
    gatherer->moves.count = 0;
    for (uint32_t l = 0; l < template->location_count; l++) add_location(gatherer, number, l);
}

void coalition_make(struct coalition *coalition, struct all_states *states,
                    const struct agent_list *agents, uint32_t modes) {
    const struct program *program = states->search->program;
    struct gatherer gatherer = {.coalition = coalition, .states = states, .program = program};
    uint32_t processes = program->network->process_count;
    *coalition = (struct coalition){.modes = modes};
    coalition->player_of = ARENA_ARRAY(states->arena, uint32_t, processes + 1);
    coalition->move_of = ARENA_ARRAY(states->arena, uint32_t, program->instances.count + 1);
    memset(coalition->player_of, 0xFF, processes * sizeof(uint32_t));
    memset(coalition->move_of, 0xFF, program->instances.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < agents->list.count; i++) {
        const struct agent *agent = agents->list.items[i];
        for (uint32_t k = 0; k < agent->process_count; k++)
            add_player(&gatherer, agent, agent->processes[k]);
    }
    for (uint32_t i = 0; i < coalition->players.count; i++) {
        add_moves(&gatherer, i);
        lists_close(&gatherer.known_moves);
        lists_close(&gatherer.known_tests);
    }
}
