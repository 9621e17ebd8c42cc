/* VERIFY SAMPLE - small models with queries, their verdicts, and whether traces are runs. */
#pragma once

#include "explore/successor/idle.h"
#include "explore/verdict/verify.h"

#include "approx_sample.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define NTA(declarations, templates, system, queries)                                              \
    "<nta><declaration>" declarations "</declaration>" templates "<system>" system                 \
    "</system><queries>" queries "</queries></nta>"
#define QUERY(formula) "<query><formula><![CDATA[" formula "]]></formula><comment/></query>"
#define URGENT(name) "<location id=\"" name "\"><name>" name "</name><urgent/></location>"
#define ONE(declarations, body, queries)                                                           \
    NTA(declarations, TEMPLATE("P", "", "", body), "system P;", queries)

static struct sample sample;
static struct arena arena; /* of the results */
static struct verification verification;
static struct verify_options options;

static inline void setup(void) {
    sample = (struct sample){0};
    verification = (struct verification){0};
    options = (struct verify_options){.wants_traces = true};
    arena_init(&arena);
}

static inline void teardown(void) {
    if (verification.arena) verify_close(&verification);
    sample_close(&sample);
    arena_close(&arena);
}

static inline void run_again(void) {
    if (verification.arena) verify_close(&verification);
    const struct model *model = sample.model;
    ck_assert(verify(&verification, &arena, sample.network, model->queries, model->query_count,
                     &options));
    ck_assert_uint_eq(verification.answer_count, model->query_count);
}

static inline void run(const char *text, enum semantics semantics) {
    if (verification.arena) verify_close(&verification);
    verification.arena = NULL;
    if (sample.network) sample_close(&sample);
    sample_open(&sample, text);
    options.semantics = semantics;
    run_again();
}

/* A letter for each query: Satisfied, Violated, Unknown. */
static inline const char *verdicts(void) {
    char *text = arena_alloc(&arena, verification.answer_count + 1);
    for (uint32_t i = 0; i < verification.answer_count; i++)
        text[i] = "USV"[verification.answers[i].verdict];
    return text;
}

/* Traces are runs */

static inline void pack(const struct trace_state *state, uint64_t *words) {
    const struct layout *layout = verification.search->layout;
    memcpy(words, layout->initial, layout->word_count * sizeof *words);
    for (uint32_t i = 0; i < layout->network->process_count; i++)
        field_set(&layout->fields[layout_location(layout, i)], words, (int32_t)state->locations[i]);
    for (uint32_t i = 0; i < layout->network->slot_count; i++)
        if (!layout->fields[i].is_scratch) field_set(&layout->fields[i], words, state->values[i]);
}

static inline bool is_step(const struct expander *expander, const struct step_record *record,
                           const struct trace_step *step) {
    if (record->part_count != step->part_count) return false;
    for (uint32_t i = 0; i < step->part_count; i++) {
        uint32_t part = expander->parts.items[record->first_part + i];
        const struct edge_instance *instance = &expander->program->instances.items[part];
        if (instance->process != step->parts[i]->process ||
            instance->edges[0] != step->parts[i]->edges[0])
            return false;
    }
    return true;
}

static inline void check_step(struct expander *expander, const struct trace *trace, uint32_t index,
                              uint64_t *state, uint64_t *next) {
    bool is_error = index + 1 == trace->state_count, is_found = false;
    pack(&trace->states[index], state);
    if (!is_error) pack(&trace->states[index + 1], next);
    expander_clear(expander);
    ck_assert(expander_run(expander, state));
    for (uint32_t i = 0; i < expander->errors.count && is_error; i++)
        is_found |= is_step(expander, &expander->errors.items[i], &trace->steps[index]);
    for (uint32_t i = 0; i < expander_degree(expander) && !is_error; i++)
        is_found |=
            !memcmp(expander_state(expander, i), next, expander->word_count * sizeof *next) &&
            is_step(expander, &expander->records.items[i], &trace->steps[index]);
    ck_assert(is_found);
}

static inline void check_trace(const struct trace *trace, bool is_error) {
    const struct search *search = verification.search;
    struct expander expander;
    uint64_t *state = ARENA_ARRAY(&arena, uint64_t, search->layout->word_count + 1);
    uint64_t *next = ARENA_ARRAY(&arena, uint64_t, search->layout->word_count + 1);
    size_t size = search->layout->stored_words * sizeof *state;
    ck_assert_uint_eq(trace->step_count + !is_error, trace->state_count);
    expander_init(&expander, search->program);
    expander.is_recording = true;
    pack(&trace->states[0], state);
    ck_assert(!memcmp(state, search->layout->initial, size));
    for (uint32_t i = 0; i < trace->step_count; i++) check_step(&expander, trace, i, state, next);
    pack(&trace->states[trace->state_count - 1], state);
    if (trace->end == TRACE_LOOP) {
        ck_assert_uint_lt(trace->loop, trace->state_count - 1);
        pack(&trace->states[trace->loop], next);
        ck_assert(!memcmp(state, next, size));
    }
    expander_clear(&expander);
    ck_assert(expander_run(&expander, state));
    if (trace->end == TRACE_DEADLOCK) ck_assert_uint_eq(expander_degree(&expander), 0);
    if (trace->end == TRACE_IDLE) ck_assert(expander_can_idle(&expander));
    expander_close(&expander);
}

/* "4 open", "5 loop 2": the number of states and how it ends. */
static inline const char *trace_text(uint32_t index) {
    static const char *const ends[] = {"open", "deadlock", "idle", "loop"};
    const struct trace *trace = verification.answers[index].trace;
    if (!trace) return "none";
    check_trace(trace, false);
    if (trace->end != TRACE_LOOP)
        return arena_printf(&arena, "%u %s", trace->state_count, ends[trace->end]);
    return arena_printf(&arena, "%u loop %u", trace->state_count, trace->loop);
}

static inline void check_all(const char *expected, const char *const *traces) {
    ck_assert_str_eq(verdicts(), expected);
    for (uint32_t i = 0; expected[i]; i++)
        ck_assert_msg(!strcmp(trace_text(i), traces[i]), "query %u: %s instead of %s", i,
                      trace_text(i), traces[i]);
}
