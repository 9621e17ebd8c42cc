#include "explore/knowledge/able_by_sets.h"

#include "explore/symbolic/runs.h"
#include "lang/syntax/ast.h"

enum { MAX_TRIES = 1 << 14 /* profiles of deciders whose choices depend on each other */ };

static struct reach *reach_of(const struct set_game *game) { return game->decider->reach; }
static struct ldd *ldd_of(const struct set_game *game) { return &reach_of(game)->ldd; }

/* What can be forced in one step */

struct question {
    struct set_game *game;
    uint32_t *kin, kin_count; /* deciders whose choices depend on each other */
    int64_t *chosen;          /* by place in kin: an option */
    uint32_t *place_of;       /* by decider */
    uint32_t fine, steps;
};

static bool is_met(const struct question *question, const struct set_label *label) {
    for (uint32_t i = 0; i < label->count; i++) {
        int64_t chosen = question->chosen[question->place_of[label->conditions[i].decider]];
        if (chosen != CHOOSES_ANY && chosen != label->conditions[i].option) return false;
    }
    return true;
}

/* States in which all deciders have chosen: those are left in which nothing bad happens. */
static void judge(struct question *question, uint32_t states) {
    const struct set_game *game = question->game;
    struct ldd *ldd = ldd_of(game);
    uint32_t steps = LDD_NONE;
    for (uint32_t i = 1; i < game->labels.count && states != LDD_NONE; i++) {
        const struct set_label *label = &game->labels.items[i];
        if (game->kin[label->conditions[0].decider] != question->kin[0] || !is_met(question, label))
            continue;
        states = set_minus(ldd, states, label->bad);
        steps = set_union(ldd, steps, label->sources);
    }
    question->fine = set_union(ldd, question->fine, states);
    question->steps = set_union(ldd, question->steps, set_intersect(ldd, states, steps));
}

/* All that the deciders from a place on can choose in the states. */
static void choose(struct question *question, uint32_t place, uint32_t states) {
    struct set_game *game = question->game;
    struct ldd *ldd = ldd_of(game);
    if (states == LDD_NONE || game->is_too_complex) return;
    if (place == question->kin_count) {
        game->is_too_complex = game->tries++ == MAX_TRIES;
        judge(question, states);
        return;
    }
    const struct set_decider *decider = &game->deciders.items[question->kin[place]];
    for (uint32_t i = 0; i < decider->options.count; i++) {
        question->chosen[place] = i;
        choose(question, place + 1, set_intersect(ldd, states, decider->options.items[i].offer));
    }
    uint32_t other = set_intersect(ldd, states, decider->elsewhere);
    uint32_t idle = set_minus(ldd, states, decider->offer);
    if (is_own_decider(decider)) idle = set_union(ldd, idle, other);
    if (decider->may_wait) idle = states;
    question->chosen[place] = CHOOSES_NOTHING;
    choose(question, place + 1, idle);
    question->chosen[place] = CHOOSES_ANY;
    if (!is_own_decider(decider)) choose(question, place + 1, other);
}

/* The subset of states in which the coalition can choose so that the next state, which is the same
 * where nothing happens, is in the aim. */
static uint32_t force(struct set_game *game, uint32_t states, uint32_t aim) {
    struct ldd *ldd = ldd_of(game);
    uint32_t out = set_minus(ldd, reach_of(game)->states, aim), steps;
    struct question question = {.game = game};
    uint32_t count = game->deciders.count;
    question.kin = ARENA_ARRAY(game->arena, uint32_t, count + 1);
    question.chosen = ARENA_ARRAY(game->arena, int64_t, count + 1);
    question.place_of = ARENA_ARRAY(game->arena, uint32_t, count + 1);
    states = set_minus(ldd, states, set_game_before(game, 0, states, out));
    steps = game->labels.items[0].sources;
    for (uint32_t i = 1; i < game->labels.count; i++)
        game->labels.items[i].bad = set_game_before(game, i, states, out);
    for (uint32_t i = 0; i < count; i++) {
        if (game->kin[i] != i || !game->deciders.items[i].has_choice) continue;
        question.kin_count = 0;
        question.fine = question.steps = LDD_NONE;
        for (uint32_t k = i; k < count; k++) {
            if (game->kin[k] != i) continue;
            question.place_of[k] = question.kin_count;
            question.kin[question.kin_count++] = k;
        }
        game->tries = 0;
        choose(&question, 0, states);
        states = question.fine;
        steps = set_union(ldd, steps, question.steps);
    }
    return set_intersect(ldd, states, set_union(ldd, steps, aim));
}

/* Fixpoints: of what the coalition can force, or of what happens by the strategy that was chosen */

typedef uint32_t one_step(struct set_game *game, uint32_t states, uint32_t aim);

/* Grows from the base: a state counts if it has a step to one that has counted, and others as the
 * coalition wants. The layers stay held. */
static uint32_t find_least(struct set_game *game, const struct set_goal *goal, one_step *step,
                           struct set_ability *layers) {
    struct reach *reach = reach_of(game);
    struct ldd *ldd = &reach->ldd;
    size_t held = ldd_hold(ldd, goal->base), newest = ldd_hold(ldd, goal->base);
    while (ldd->held[newest] != LDD_NONE && !ldd_is_over(ldd) && !game->is_too_complex) {
        uint32_t rest = set_minus(ldd, goal->stay, ldd->held[held]);
        uint32_t found = step(game, runs_before(reach, rest, ldd->held[newest]), ldd->held[held]);
        ldd->held[held] = set_union(ldd, ldd->held[held], found);
        ldd->held[newest] = found;
        if (layers) {
            VEC_PUSH(game->arena, &layers->layers, found);
            ldd_hold(ldd, found);
        }
        ldd_safe_point(ldd);
    }
    uint32_t result = ldd->held[held];
    if (!layers) ldd_release(ldd, held);
    return result;
}

/* Shrinks to what can be kept for ever. */
static uint32_t find_greatest(struct set_game *game, const struct set_goal *goal, one_step *step) {
    struct reach *reach = reach_of(game);
    struct ldd *ldd = &reach->ldd;
    size_t held = ldd_hold(ldd, set_union(ldd, goal->base, goal->stay));
    size_t next = ldd_hold(ldd, set_minus(ldd, goal->stay, goal->base));
    while (ldd->held[next] != LDD_NONE && !ldd_is_over(ldd) && !game->is_too_complex) {
        uint32_t kept = step(game, ldd->held[next], ldd->held[held]);
        uint32_t lost = set_minus(ldd, ldd->held[next], kept);
        ldd->held[held] = set_minus(ldd, ldd->held[held], lost);
        uint32_t doubtful = set_minus(ldd, ldd->held[held], goal->base);
        ldd->held[next] = runs_before(reach, doubtful, lost);
        ldd_safe_point(ldd);
    }
    uint32_t result = ldd->held[held];
    ldd_release(ldd, held);
    return result;
}

static uint32_t find(struct set_game *game, const struct set_goal *goal, one_step *step,
                     struct set_ability *layers) {
    if (goal->is_next) return step(game, reach_of(game)->states, goal->base);
    return goal->is_least ? find_least(game, goal, step, layers) : find_greatest(game, goal, step);
}

/* A uniform strategy: each class of states that are the same to a player gets one value */

/* The states in which what a decider has chosen lets a step happen whose condition it is. */
static uint32_t lets(const struct set_game *game, struct set_condition condition) {
    const struct set_decider *decider = &game->deciders.items[condition.decider];
    struct ldd *ldd = ldd_of(game);
    uint32_t states = decider->options.items[condition.option].value;
    for (uint32_t i = 0; i < decider->options.count && !is_own_decider(decider); i++) {
        const struct set_option *option = &decider->options.items[i];
        states = set_union(ldd, states, set_minus(ldd, option->value, option->offer));
    }
    return states;
}

/* As force, by the strategy. */
static uint32_t play(struct set_game *game, uint32_t states, uint32_t aim) {
    struct ldd *ldd = ldd_of(game);
    uint32_t out = set_minus(ldd, reach_of(game)->states, aim), steps = LDD_NONE;
    for (uint32_t i = 0; i < game->labels.count; i++) {
        const struct set_label *label = &game->labels.items[i];
        uint32_t happens = set_intersect(ldd, states, label->sources);
        for (uint32_t k = 0; k < label->count; k++)
            happens = set_intersect(ldd, happens, lets(game, label->conditions[k]));
        states = set_minus(ldd, states, set_game_before(game, i, happens, out));
        steps = set_union(ldd, steps, happens);
    }
    return set_intersect(ldd, states, set_union(ldd, steps, aim));
}

/* How a strategy is chosen: by where the upper bound chooses. */
struct chooser {
    struct set_game *game;
    const struct set_sight *sight;
    struct set_decider *decider;
    uint32_t index;
    uint32_t open;  /* whole classes that have no value yet */
    uint32_t *safe; /* by option: classes in which it does not lead out of the upper bound */
};

static void take(struct chooser *chooser, uint32_t option, uint32_t classes) {
    struct ldd *ldd = ldd_of(chooser->game);
    struct set_option *chosen = &chooser->decider->options.items[option];
    classes = set_intersect(ldd, chooser->open, set_intersect(ldd, classes, chosen->seen));
    chosen->value = set_union(ldd, chosen->value, classes);
    chooser->open = set_minus(ldd, chooser->open, classes);
}

static bool has_condition(const struct set_label *label, struct set_condition condition) {
    for (uint32_t i = 0; i < label->count; i++)
        if (label->conditions[i].decider == condition.decider &&
            label->conditions[i].option == condition.option)
            return true;
    return false;
}

/* Of a set, the states from which a step of an option, whatever else it depends on, leads into
 * another one. */
static uint32_t leads(const struct chooser *chooser, uint32_t option, uint32_t set, uint32_t target,
                      bool is_alone) {
    const struct set_game *game = chooser->game;
    struct set_condition condition = {chooser->index, option};
    uint32_t found = LDD_NONE;
    for (uint32_t i = 1; i < game->labels.count; i++) {
        const struct set_label *label = &game->labels.items[i];
        if ((is_alone && label->count > 1) || !has_condition(label, condition)) continue;
        found = set_union(ldd_of(game), found, set_game_before(game, i, set, target));
    }
    return found;
}

static void find_safe(struct chooser *chooser, const struct set_goal *goal, uint32_t able) {
    struct reach *reach = reach_of(chooser->game);
    struct ldd *ldd = &reach->ldd;
    uint32_t aim = goal->is_next ? goal->base : able;
    uint32_t from = goal->is_next ? able : set_minus(ldd, able, goal->base);
    uint32_t out = set_minus(ldd, reach->states, aim);
    for (uint32_t i = 0; i < chooser->decider->options.count; i++) {
        uint32_t bad = leads(chooser, i, from, out, true);
        chooser->safe[i] = sight_known(chooser->sight, reach, set_minus(ldd, reach->states, bad));
    }
}

/* Classes choose what leads on where the upper bound was found first. */
static void choose_by_layers(struct chooser *chooser, const struct set_goal *goal,
                             const struct set_ability *ability) {
    struct reach *reach = reach_of(chooser->game);
    struct ldd *ldd = &reach->ldd;
    uint32_t before = goal->base;
    for (uint32_t l = 0; l < ability->layers.count && chooser->open != LDD_NONE; l++) {
        uint32_t layer = ability->layers.items[l], out = set_minus(ldd, reach->states, before);
        for (uint32_t i = 0; i < chooser->decider->options.count; i++) {
            uint32_t good = set_minus(ldd, leads(chooser, i, layer, before, false),
                                      leads(chooser, i, layer, out, false));
            if (good == LDD_NONE) continue;
            take(chooser, i,
                 set_intersect(ldd, chooser->safe[i], sight_same(chooser->sight, reach, good)));
        }
        before = set_union(ldd, before, layer);
    }
}

/* No sets but those of the values and of the layers have to be held: nothing is collected. */
static void choose_values(struct set_game *game, const struct set_goal *goal,
                          const struct set_ability *ability) {
    for (uint32_t d = 0; d < game->deciders.count; d++) {
        struct set_decider *decider = &game->deciders.items[d];
        struct chooser chooser = {game, game->sights[decider->player], decider, d, decider->seen,
                                  NULL};
        if (!decider->has_choice) continue;
        chooser.safe = ARENA_ARRAY(game->arena, uint32_t, decider->options.count + 1);
        find_safe(&chooser, goal, ability->able);
        choose_by_layers(&chooser, goal, ability);
        for (uint32_t i = 0; i < decider->options.count; i++) take(&chooser, i, chooser.safe[i]);
        for (uint32_t i = 0; i < decider->options.count && !decider->may_wait; i++)
            take(&chooser, i, chooser.open);
        for (uint32_t i = 0; i < decider->options.count; i++)
            ldd_hold(ldd_of(game), decider->options.items[i].value);
    }
}

/* States of which all are in the set that some player takes for them. */
static uint32_t known_to_players(const struct set_game *game, uint32_t set) {
    uint32_t known = set;
    if (!(game->coalition->modes & MODE_SUBJECTIVE)) return set;
    for (uint32_t i = 0; i < game->coalition->players.count; i++)
        known =
            set_intersect(ldd_of(game), known, sight_known(game->sights[i], reach_of(game), set));
    return known;
}

bool able_by_sets(struct set_game *game, const struct set_goal *goal, struct set_ability *ability) {
    *ability = (struct set_ability){0};
    ability->able = find(game, goal, force, ability);
    ability->sure = ability->possible = known_to_players(game, ability->able);
    ldd_hold(ldd_of(game), ability->able);
    ldd_hold(ldd_of(game), ability->possible);
    if (game->sees_all || ldd_is_over(ldd_of(game))) return !game->is_too_complex;
    choose_values(game, goal, ability);
    ability->sure = known_to_players(game, find(game, goal, play, NULL));
    return !game->is_too_complex;
}
