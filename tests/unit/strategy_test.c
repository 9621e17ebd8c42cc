/* Games of coalitions: lists, steps and offers, what looks alike, strategies and their rules. */
#include "explore/knowledge/knowledge.h"
#include "explore/knowledge/label.h"
#include "explore/strategy/plan.h"
#include "explore/strategy/replay.h"

#include "approx_sample.h"

#include <check.h>
#include <string.h>

Suite *strategy_suite(void);

static struct sample sample;
static struct arena arena;
static struct search search;
static struct watch watch;
static struct expander expander;
static struct all_states states;
static struct agents agents;
static struct formulas formulas;
static struct labelling labels;
static struct known_steps shared;
static bool is_labelled, is_sharing;
static uint64_t most_tries;

static void setup(void) {
    arena_init(&arena);
    is_labelled = is_sharing = false;
    most_tries = 100000;
    labels = (struct labelling){0};
}

static void teardown(void) {
    if (is_labelled) labels_close(&labels);
    known_steps_close(&shared);
    states_close(&states);
    agents_close(&agents);
    expander_close(&expander);
    search_close(&search);
    sample_close(&sample);
    arena_close(&arena);
}

/* Explores a model whose one query is a formula. */
static void open_work(const char *text) {
    struct search_options options = {.jobs = 1, .is_full = true, .max_tries = most_tries};
    sample_open(&sample, text);
    watch = (struct watch){.kind = WATCH_LATER, .needs_all = true};
    ck_assert(search_run(&search, sample.network, &options, &watch, 1));
    ck_assert(search.is_complete);
    expander_init(&expander, search.program);
    states_open(&states, &search, &expander, &arena);
    agents_init(&agents, &arena, sample.network);
}

/* Answers its formula, whose last part but negations is about a coalition. */
static const struct labelled_game *answer(const char *text) {
    open_work(text);
    const struct expr *formula = sample.model->queries[0].predicate;
    ck_assert_msg(formulas_make(&formulas, &arena, &agents, formula), "%s", formulas.problem);
    labels_make(&labels, &states, &formulas, is_sharing ? &shared : NULL);
    is_labelled = true;
    uint32_t node = formulas.nodes.count - 1;
    while (formulas.nodes.items[node].kind == FORMULA_NOT) node = formulas.nodes.items[node].left;
    ck_assert(formulas.nodes.items[node].kind == FORMULA_ABLE);
    return &labels.games[node];
}

/* As texts */

/* "P.s>t", "P.s>t(1)" with the value of a select, "-" to wait. */
static void write_move(struct buffer *out, const struct move *move) {
    if (!move) {
        buffer_add_text(out, "-");
        return;
    }
    const struct template *template = move->process->template;
    buffer_printf(out, "%s>%s", template->locations[move->edge->source].name,
                  template->locations[move->edge->target].name);
    for (uint32_t i = 0; i < move->edge->select_count; i++)
        if (!is_left_to_nature(move, i)) buffer_printf(out, "(%d)", move->selects[i]);
}

static void write_decider(struct buffer *out, const struct game *game, uint32_t decider) {
    uint32_t player = game->deciders.items[decider].player;
    buffer_printf(out, "%s%s", game->coalition->players.items[player].process->name,
                  is_receiver(game, decider) ? "?" : "");
}

static void write_conditions(struct buffer *out, const struct game *game,
                             const struct condition *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) buffer_add_text(out, " ");
        write_decider(out, game, items[i].decider);
        buffer_add_text(out, ".");
        write_move(out,
                   items[i].move == NO_MOVE ? NULL : &game->coalition->moves.items[items[i].move]);
    }
}

static const char *taken(struct buffer *text) {
    const char *result = buffer_take(text, &arena);
    buffer_close(text);
    return result;
}

/* For each state what is offered, and behind it steps as LABEL=NUMBER OF TARGET, the states
 * counted from 0: "[P.s>t] P.s>t=1; [] *=0". */
static const char *game_text(const struct game *game) {
    struct buffer text = {0};
    uint32_t *number = ARENA_ARRAY(&arena, uint32_t, game->rows.count), rows = 0;
    EACH_ROW (&states, row) number[row] = rows++;
    EACH_ROW (&states, row) {
        uint32_t count;
        const struct condition *offer = game_offer(game, row, &count);
        buffer_add_text(&text, number[row] ? "; [" : "[");
        write_conditions(&text, game, offer, count);
        buffer_add_text(&text, "]");
        for (uint64_t i = game->rows.first[row]; i < game->rows.first[row + 1]; i++) {
            const struct condition *label = game_label(game, i, &count);
            buffer_add_text(&text, " ");
            write_conditions(&text, game, label, count);
            buffer_printf(&text, "%s=%u", count ? "" : "*", number[game->rows.targets[i]]);
        }
    }
    return taken(&text);
}

/* Variables as DECIDER:VALUES, and components as lists of states. */
static const char *views_text(const struct views *views) {
    struct buffer text = {0};
    const struct game *game = views->game;
    for (uint32_t d = 0; d < game->deciders.count; d++) {
        uint32_t end = d + 1 < game->deciders.count ? views->base[d + 1] : views->variable_count;
        for (uint32_t v = views->base[d]; v < end; v++) {
            write_decider(&text, game, d);
            for (uint64_t i = views->values.first[v]; i < views->values.first[v + 1]; i++) {
                buffer_add_text(&text, i == views->values.first[v] ? ":" : ",");
                uint32_t move = views->values.targets[i];
                write_move(&text, move == NO_MOVE ? NULL : &game->coalition->moves.items[move]);
            }
            buffer_add_text(&text, " ");
        }
    }
    for (uint32_t c = 0; c < views->component.count; c++) {
        buffer_add_text(&text, "{");
        for (uint64_t i = views->members.first[c]; i < views->members.first[c + 1]; i++)
            buffer_printf(&text, "%s%u", i > views->members.first[c] ? "," : "",
                          views->members.targets[i]);
        buffer_add_text(&text, "}");
    }
    return taken(&text);
}

/* "P: when s and v == 1 -> s>t; -> -" */
static const char *plan_text(const struct strategy_plan *plan) {
    struct buffer text = {0};
    for (uint32_t i = 0; i < plan->part_count; i++) {
        const struct plan_part *part = &plan->parts[i];
        buffer_printf(&text, "%s%s%s:", i ? " | " : "", part->player->process->name,
                      part->channel == NO_SLOT ? "" : "?");
        for (uint32_t k = 0; k < part->rule_count; k++) {
            const struct plan_rule *rule = &part->rules[k];
            buffer_add_text(&text, k ? "; " : " ");
            for (uint32_t c = 0; c < rule->condition_count; c++)
                buffer_printf(&text, "%s == %d ",
                              observed_text(&arena, sample.network, rule->conditions[c].item),
                              rule->conditions[c].value);
            buffer_add_text(&text, "-> ");
            write_move(&text, rule->move);
        }
    }
    return taken(&text);
}

#define FORMULA(text) "<queries><query><formula><![CDATA[" text "]]></formula></query></queries>"
#define NTA(declarations, templates, system, query)                                                \
    "<nta><declaration>" declarations "</declaration>" templates "<system>" system                 \
    "</system>" FORMULA(query) "</nta>"
#define COMMENT(text) LABEL("comments", text)
#define PLACES LOCATION("s") LOCATION("t") LOCATION("u") INIT("s")

/* Games, views, strategies */

static const struct {
    const char *model, *game, *views;
    bool is_satisfied;
    const char *plan; /* NULL: none */
} table[] = {
    /* What a player chooses; a select that is left to nature is no part of it. */
    {NTA("",
         TEMPLATE("P", "", "int[0,1] v;",
                  PLACES EDGE("s", "t", SELECT("i : int[0,1]") UPDATE("v = i")) EDGE("s", "u", "")),
         "system P;", "<<P>> F P.v == 1"),
     "[P.s>t(0) P.s>t(1) P.s>u] P.s>t(0)=1 P.s>t(1)=2 P.s>u=3; []; []; []",
     "P:s>t(0),s>t(1),s>u P P P {0}{1}{2}{3}", true, "P: -> s>t(1)"},
    {NTA("",
         TEMPLATE(
             "P", "", "int[0,1] v;",
             PLACES EDGE("s", "t", SELECT("i : int[0,1]") UPDATE("v = i") COMMENT("@nature i"))),
         "system P;", "<<P>> F P.v == 1"),
     "[P.s>t] P.s>t=1 P.s>t=2; []; []", "P:s>t P P {0}{1}{2}", false, NULL},
    /* The whole edge is. */
    {NTA("", TEMPLATE("P", "", "", PLACES EDGE("s", "t", COMMENT("@nature")) EDGE("s", "u", "")),
         "system P;", "<<P>> G !P.t"),
     "[P.s>u] *=1 P.s>u=2; []; []", "P:s>u P P {0}{1}{2}", false, NULL},
    /* Edges that are one move. */
    {NTA("",
         TEMPLATE("P", "", "",
                  PLACES EDGE("s", "t", COMMENT("@action go"))
                      EDGE("s", "u", COMMENT("@action go"))),
         "system P;", "<<P>> F (P.t || P.u)"),
     "[P.s>t] P.s>t=1 P.s>t=2; []; []", "P:s>t P P {0}{1}{2}", true, "P: -> s>t"},
    /* Who receives cannot refuse, but chooses how. */
    {NTA("chan c;",
         TEMPLATE("P", "", "", LOCATION("s") LOCATION("t") INIT("s") EDGE("s", "t", SYNC("c!")))
             TEMPLATE("Q", "", "", PLACES EDGE("s", "t", SYNC("c?")) EDGE("s", "u", SYNC("c?"))),
         "system P, Q;", "<<Q>> F Q.u"),
     "[Q?.s>t Q?.s>u] Q?.s>t=1 Q?.s>u=2; []; []", "Q Q Q Q?:s>t,s>u Q? Q? {0}{1}{2}", true,
     "Q?: -> s>u"},
    {NTA("chan c;",
         TEMPLATE("P", "", "", LOCATION("s") LOCATION("t") INIT("s") EDGE("s", "t", SYNC("c!")))
             TEMPLATE("Q", "", "", PLACES EDGE("s", "t", SYNC("c?"))),
         "system P, Q;", "<<Q; active, wait>> G Q.s"),
     "[Q.s>t] Q.s>t=1; []", "Q:s>t,- Q {0}{1}", true, "Q: -> -"},
    /* A choice for all that looks alike: N has hidden h. */
    {NTA("int[0,2] h;\n//varabs: observe P: local;",
         TEMPLATE("N", "", "",
                  LOCATION("s") LOCATION("t") INIT("s")
                      EDGE("s", "t", SELECT("i : int[1,2]") UPDATE("h = i")))
             TEMPLATE("P", "", "",
                      PLACES EDGE("s", "t", GUARD("h == 1")) EDGE("s", "u", GUARD("h == 2"))),
         "system N, P;", "<<P>> F (P.t || P.u)"),
     "[] *=1 *=2; [P.s>t] P.s>t=3; [P.s>u] P.s>u=4; []; []", "P:s>t,s>u P P {0,1,2}{3}{4}", false,
     NULL},
    {NTA("int[0,2] h;",
         TEMPLATE("N", "", "",
                  LOCATION("s") LOCATION("t") INIT("s")
                      EDGE("s", "t", SELECT("i : int[1,2]") UPDATE("h = i")))
             TEMPLATE("P", "", "",
                      PLACES EDGE("s", "t", GUARD("h == 1")) EDGE("s", "u", GUARD("h == 2"))),
         "system N, P;", "<<P>> F (P.t || P.u)"),
     "[] *=1 *=2; [P.s>t] P.s>t=3; [P.s>u] P.s>u=4; []; []", "P P:s>t P:s>u P P {0}{1}{2}{3}{4}",
     true, "P: guard from s: h == 1 == 1 -> s>t; -> s>u"},
    /* With perfect information states are all there is. */
    {NTA("int[0,1] h;\n//varabs: observe P: nothing;",
         TEMPLATE("N", "", "", LOCATION("s") INIT("s") EDGE("s", "s", UPDATE("h = 1 - h")))
             TEMPLATE("P", "", "",
                      PLACES EDGE("s", "t", GUARD("h == 0")) EDGE("s", "u", GUARD("h == 1"))),
         "system N, P;", "<<P; Ir, wait>> G !P.t"),
     "[P.s>t] *=1 P.s>t=2; [P.s>u] *=0 P.s>u=3; [] *=4; [] *=5; [] *=2; [] *=3", NULL, true,
     "P: h == 0 -> -; -> s>u"},
};

/* Each alone, and as if other coalitions had the same steps. */
START_TEST(games_of_the_table) {
    int row = _i / 2;
    is_sharing = _i % 2;
    const struct labelled_game *game = answer(table[row].model);
    ck_assert_msg(!labels.problem, "%s", labels.problem);
    ck_assert_str_eq(game_text(&game->game), table[row].game);
    ck_assert_int_eq(game->game.own.is_known, !is_sharing);
    ck_assert_int_eq(game->views.game != NULL, table[row].views != NULL);
    if (table[row].views) ck_assert_str_eq(views_text(&game->views), table[row].views);
}
END_TEST

START_TEST(strategies_of_the_table) {
    const struct labelled_game *game = answer(table[_i].model);
    struct ability *ability = (struct ability *)&game->ability;
    uint32_t first = states_first(&states);
    ck_assert_int_eq(bit_get(ability->sure, first), table[_i].is_satisfied);
    ck_assert_int_eq(bit_get(ability->possible, first), table[_i].is_satisfied);
    if (!table[_i].plan) return;
    const struct strategy_plan *plan = plan_make(ability, labels.classes, first);
    ck_assert(plan && replay_wins(plan, ability, labels.classes, first));
    ck_assert_str_eq(plan_text(plan), table[_i].plan);
}
END_TEST

/* Two choices that the bounds say nothing of: only one that is the same on both sides counts. */
#define SIDES(query)                                                                               \
    NTA("int[0,2] h;\n//varabs: observe P: local;",                                                \
        TEMPLATE("N", "", "",                                                                      \
                 LOCATION("s") LOCATION("t") INIT("s")                                             \
                     EDGE("s", "t", SELECT("i : int[1,2]") UPDATE("h = i")))                       \
            TEMPLATE("P", "", "",                                                                  \
                     PLACES EDGE("s", "t", GUARD("h == 1") COMMENT("@action left"))                \
                         EDGE("s", "u", GUARD("h == 2") COMMENT("@action left"))                   \
                             EDGE("s", "t", GUARD("h == 2") COMMENT("@action right"))              \
                                 EDGE("s", "u", GUARD("h == 1") COMMENT("@action right"))),        \
        "system N, P;", query)

/* Where nearly each step has parts of its own, their lists would take more than the steps. */
START_TEST(steps_with_too_many_lists_are_not_shared) {
    is_sharing = true;
    const struct labelled_game *game = answer(NTA(
        "",
        TEMPLATE("N", "", "", LOCATION("s") INIT("s") EDGE("s", "s", SELECT("i : int[1,30000]")))
            TEMPLATE("P", "", "", LOCATION("s") LOCATION("t") INIT("s") EDGE("s", "t", "")),
        "system N, P;", "<<P; Ir>> F P.t"));
    ck_assert(shared.is_given_up && !shared.is_known && game->game.own.is_known);
    ck_assert_uint_eq(game->game.own.takers.count, 2);
    ck_assert(!bit_get(game->ability.sure, states_first(&states)));
}
END_TEST

START_TEST(a_search_that_is_given_up_is_open) {
    most_tries = 1;
    const struct labelled_game *game = answer(SIDES("<<P>> F P.t"));
    uint32_t first = states_first(&states);
    ck_assert(!bit_get(game->ability.sure, first) && bit_get(game->ability.possible, first));
    ck_assert_int_eq(states.ledger.limit, LIMIT_NONE);
}
END_TEST

START_TEST(a_search_that_ends_decides) {
    const struct labelled_game *game = answer(SIDES("<<P>> F P.t"));
    uint32_t first = states_first(&states);
    ck_assert(!bit_get(game->ability.sure, first) && !bit_get(game->ability.possible, first));
    ck_assert_uint_gt(game->ability.tries, 1);
}
END_TEST

START_TEST(bounds_that_agree_need_no_search) {
    const struct labelled_game *game = answer(SIDES("<<P>> G (P.s || P.t || P.u)"));
    ck_assert(bit_get(game->ability.sure, states_first(&states)));
    ck_assert_uint_eq(game->ability.tries, 0);
}
END_TEST

/* P tells all its states apart, R none; in the mixed model P has lost something everywhere
 * (MX3). */
#define COUNTED(declarations, query)                                                               \
    NTA(declarations "//varabs: observe P: local;\n//varabs: observe R: nothing;",                 \
        TEMPLATE("P", "", "int[0,100] n;",                                                         \
                 LOCATION("s") LOCATION("t") INIT("s")                                             \
                     EDGE("s", "s", GUARD("n &lt; 100") UPDATE("n = n + 1"))                       \
                         EDGE("s", "t", GUARD("n == 7")) EDGE("t", "s", ""))                       \
            TEMPLATE("R", "", "", LOCATION("u") INIT("u") EDGE("u", "u", "")),                     \
        "system P, R;", query)
#define MIXED "//varabs: mixed\n//varabs: lost P: P.s;\n"

static const char *const counted[] = {
    COUNTED("", "A[] not K(P, P.n == 3)"),
    COUNTED("", "A<> Kw(R, P.n)"),
    COUNTED("", "E(P.n < 9 U GK({P, R}, P.n > 2))"),
    COUNTED("", "E[] not DK({P, R}, P.t)"),
    COUNTED("", "EX GCK({P, R}, P.t)"),
    COUNTED("", "<<P>> F P.t"),
    COUNTED("", "<<P; Ir>> G P.s"),
    COUNTED("", "<<P, R; subjective>> (P.s U P.t)"),
    COUNTED("", "<<R; wait>> X P.s"),
    COUNTED(MIXED, "A[] not K(P, P.n == 3)"),
    COUNTED(MIXED, "E<> Kw(P, P.n)"),
    COUNTED(MIXED, "A[] not GCK({P, R}, P.t)"),
    COUNTED(MIXED, "A[] not DK({P, R}, P.t)"),
    COUNTED(MIXED, "<<P>> F P.t"),
    COUNTED(MIXED, "<<P, R; subjective>> G P.s"),
};

/* Makes plans of the strategy that was found, with more and more memory. */
static void make_plans(struct ability *ability) {
    uint32_t first = states_first(&states);
    size_t used = states.ledger.used, least = ledger_size(&states.ledger);
    if (!bit_get(ability->sure, first)) return;
    for (size_t more = 0, is_done = 0; !is_done; more += 128) {
        states.ledger.limit = LIMIT_NONE;
        states.ledger.max_size = least + more;
        const struct strategy_plan *plan = plan_make(ability, labels.classes, first);
        if (plan) replay_wins(plan, ability, labels.classes, first);
        is_done = states.ledger.limit == LIMIT_NONE;
        ck_assert_uint_eq(states.ledger.used, used);
    }
}

/* Where there is no room nothing is written, and all is given back. */
START_TEST(formulas_end_at_a_limit_on_memory) {
    is_sharing = _i % 2;
    open_work(counted[_i / 2]);
    ck_assert_msg(formulas_make(&formulas, &arena, &agents, sample.model->queries[0].predicate),
                  "%s", formulas.problem);
    size_t used = ledger_size(&states.ledger), more = 0, step = 128;
    bool is_done = false;
    for (; !is_done; more += step) {
        states.ledger.limit = LIMIT_NONE;
        states.ledger.max_size = used + more;
        labels_make(&labels, &states, &formulas, is_sharing ? &shared : NULL);
        ck_assert_msg(!labels.problem, "%s", labels.problem);
        is_done = states.ledger.limit == LIMIT_NONE;
        struct labelled_game *game = &labels.games[formulas.nodes.count - 1];
        if (is_done && game->coalition) make_plans(&game->ability);
        labels_close(&labels);
        known_steps_close(&shared);
        machine_close(&states.machine);
        states.machine = (struct machine){.code = NULL};
        ck_assert_uint_eq(states.ledger.used, 0);
    }
    ck_assert_uint_gt(more, 10 * step);
}
END_TEST

Suite *strategy_suite(void) {
    Suite *suite = suite_create("strategy");
    TCase *lists = tcase_create("lists"), *games = tcase_create("games");
    TCase *limits = tcase_create("limits");
    tcase_add_checked_fixture(lists, setup, teardown);
    tcase_add_checked_fixture(games, setup, teardown);
    tcase_add_checked_fixture(limits, setup, teardown);
    tcase_add_loop_test(limits, formulas_end_at_a_limit_on_memory, 0,
                        2 * (int)(sizeof counted / sizeof *counted));
    tcase_add_loop_test(games, games_of_the_table, 0, 2 * (int)(sizeof table / sizeof *table));
    tcase_add_loop_test(games, strategies_of_the_table, 0, (int)(sizeof table / sizeof *table));
    tcase_add_test(games, steps_with_too_many_lists_are_not_shared);
    tcase_add_test(games, a_search_that_is_given_up_is_open);
    tcase_add_test(games, a_search_that_ends_decides);
    tcase_add_test(games, bounds_that_agree_need_no_search);
    suite_add_tcase(suite, lists);
    suite_add_tcase(suite, games);
    suite_add_tcase(suite, limits);
    return suite;
}
