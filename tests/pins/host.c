/* host MODULE MODEL.xml THREADS — explores a model with a module for LTSmin.
 *
 * Every thread loads the model, finds its states with all groups in turn, finds them again from
 * what groups do with the values that they read, and sees that the matrices are true. All threads
 * must find the same. Prints numbers of states, steps and deadlocks, and for every label in how
 * many states it holds; the status is 1 if something is wrong. */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 8, MAX_STEPS = 1 << 12, TRIED_STATES = 2000, MAX_LABELS = 256 };

/* Vectors of one length, each once, in the order in which they were found. */
struct set {
    int length;
    int *values;
    uint32_t count, capacity;
    uint32_t *places; /* by hash: index plus one, or 0 */
    uint32_t place_count;
};

struct run {
    const char *module, *path;
    struct texts *texts;
    struct grey_box_model model;
    struct set states;
    uint64_t steps, deadlocks, sum; /* sum: of hashes of the states */
    uint64_t holds[MAX_LABELS];
};

static void *grow(void *memory, size_t count, size_t size) {
    void *larger = realloc(memory, count * size);
    if (!larger) fail("no memory");
    return larger;
}

/* Sets of vectors */

static uint64_t hash(const int *values, int length) {
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < length; i++) {
        hash = (hash ^ (uint32_t)values[i]) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

static int *set_at(const struct set *set, uint32_t index) {
    return set->values + (size_t)index * (size_t)set->length;
}

static uint32_t *find_place(const struct set *set, const int *values) {
    uint32_t at = (uint32_t)hash(values, set->length) & (set->place_count - 1);
    while (set->places[at] && memcmp(set_at(set, set->places[at] - 1), values,
                                     (size_t)set->length * sizeof *values) != 0)
        at = (at + 1) & (set->place_count - 1);
    return &set->places[at];
}

static void rehash(struct set *set) {
    set->place_count = set->place_count ? set->place_count * 2 : 1024;
    free(set->places);
    set->places = calloc(set->place_count, sizeof *set->places);
    if (!set->places) fail("no memory");
    for (uint32_t i = 0; i < set->count; i++) *find_place(set, set_at(set, i)) = i + 1;
}

/* Whether it is new. */
static bool set_add(struct set *set, const int *values) {
    if (set->count * 2 >= set->place_count) rehash(set);
    uint32_t *place = find_place(set, values);
    if (*place) return false;
    if (set->count == set->capacity) {
        set->capacity = set->capacity ? set->capacity * 2 : 256;
        set->values =
            grow(set->values, (size_t)set->capacity * (size_t)set->length + 1, sizeof *set->values);
    }
    memcpy(set_at(set, set->count), values, (size_t)set->length * sizeof *values);
    *place = ++set->count;
    return true;
}

static void set_free(struct set *set) {
    free(set->values);
    free(set->places);
}

/* Steps of a group */

struct steps {
    int length;
    uint32_t count;
    int *states, labels[MAX_STEPS];
};

static void take(void *context, struct transition_info *info, int *state, int *copied) {
    struct steps *steps = context;
    if (copied) fail("a step says what it did not write");
    if (steps->count == MAX_STEPS) fail("too many steps");
    memcpy(steps->states + (size_t)steps->count * (size_t)steps->length, state,
           (size_t)steps->length * sizeof *state);
    steps->labels[steps->count++] = info->labels[0];
}

static void run_group(struct run *run, int group, int *state, struct steps *steps) {
    steps->count = 0;
    int count = run->model.next(&run->model, group, state, take, steps);
    if (count != (int)steps->count) fail("group %d says %d steps", group, count);
}

static const int *step_at(const struct steps *steps, uint32_t index) {
    return steps->states + (size_t)index * (size_t)steps->length;
}

static void steps_init(struct steps *steps, const struct run *run) {
    *steps = (struct steps){.length = run->model.type->length};
    steps->states = grow(NULL, (size_t)MAX_STEPS * (size_t)steps->length, sizeof(int));
}

/* State by state */

static void look_at_labels(struct run *run, int *state) {
    for (int i = 0; i < run->model.type->label_count && i < MAX_LABELS; i++)
        run->holds[i] += run->model.label(&run->model, i, state) != 0;
}

static void find_states(struct run *run) {
    int length = run->model.type->length, groups = run->model.any->rows;
    int *state = grow(NULL, (size_t)length, sizeof *state);
    struct steps steps;
    steps_init(&steps, run);
    run->states.length = length;
    set_add(&run->states, run->model.initial);
    for (uint32_t i = 0; i < run->states.count; i++) {
        uint64_t before = run->steps;
        memcpy(state, set_at(&run->states, i), (size_t)length * sizeof *state);
        look_at_labels(run, state);
        run->sum += hash(state, length);
        for (int g = 0; g < groups; g++) {
            run_group(run, g, state, &steps);
            run->steps += steps.count;
            for (uint32_t k = 0; k < steps.count; k++) set_add(&run->states, step_at(&steps, k));
        }
        run->deadlocks += run->steps == before;
    }
    free(state);
    free(steps.states);
}

/* The same from what groups do with what they read: a row of values read, then rows of those
 * written */

struct learned {
    struct set reads;         /* short vectors */
    uint32_t *first, *counts; /* by short vector: in written */
    struct set written;       /* not as a set: all rows */
    int *read, *write;        /* positions */
    int read_count, write_count;
};

static void learn_positions(const struct run *run, int group, struct learned *learned) {
    int length = run->model.type->length;
    learned->read = grow(NULL, (size_t)length + 1, sizeof(int));
    learned->write = grow(NULL, (size_t)length + 1, sizeof(int));
    for (int i = 0; i < length; i++) {
        if (matrix_has(run->model.reads, group, i)) learned->read[learned->read_count++] = i;
        if (matrix_has(run->model.may_write, group, i)) learned->write[learned->write_count++] = i;
    }
    learned->reads.length = learned->read_count;
    learned->written.length = learned->write_count;
}

/* Runs the group on the initial state with the short vector in it. */
static void learn(struct run *run, int group, struct learned *learned, const int *read,
                  struct steps *steps) {
    int length = run->model.type->length;
    int *state = grow(NULL, (size_t)length, sizeof *state);
    uint32_t index = learned->reads.count - 1;
    memcpy(state, run->model.initial, (size_t)length * sizeof *state);
    for (int i = 0; i < learned->read_count; i++) state[learned->read[i]] = read[i];
    run_group(run, group, state, steps);
    learned->first = grow(learned->first, (size_t)index + 1, sizeof *learned->first);
    learned->counts = grow(learned->counts, (size_t)index + 1, sizeof *learned->counts);
    learned->first[index] = learned->written.count;
    learned->counts[index] = steps->count;
    struct set *written = &learned->written;
    for (uint32_t k = 0; k < steps->count; k++) {
        if (written->count == written->capacity) {
            written->capacity = written->capacity ? written->capacity * 2 : 64;
            written->values =
                grow(written->values, (size_t)written->capacity * (size_t)written->length + 1,
                     sizeof *written->values);
        }
        for (int i = 0; i < learned->write_count; i++)
            set_at(written, written->count)[i] = step_at(steps, k)[learned->write[i]];
        written->count++;
    }
    free(state);
}

static void apply(struct run *run, int group, struct learned *learned, struct set *states,
                  const int *state, struct steps *steps) {
    int length = states->length;
    int *read = grow(NULL, (size_t)length + 1, sizeof *read);
    int *after = grow(NULL, (size_t)length, sizeof *after);
    for (int i = 0; i < learned->read_count; i++) read[i] = state[learned->read[i]];
    if (set_add(&learned->reads, read)) learn(run, group, learned, read, steps);
    uint32_t index = *find_place(&learned->reads, read) - 1;
    for (uint32_t k = 0; k < learned->counts[index]; k++) {
        const int *written = set_at(&learned->written, learned->first[index] + k);
        memcpy(after, state, (size_t)length * sizeof *after);
        for (int i = 0; i < learned->write_count; i++) after[learned->write[i]] = written[i];
        set_add(states, after);
    }
    free(read);
    free(after);
}

static void learned_free(struct learned *learned) {
    set_free(&learned->reads);
    set_free(&learned->written);
    free(learned->first);
    free(learned->counts);
    free(learned->read);
    free(learned->write);
}

static void find_by_groups(struct run *run) {
    int length = run->model.type->length, groups = run->model.any->rows;
    struct learned *learned = calloc((size_t)groups + 1, sizeof *learned);
    struct set states = {.length = length};
    int *state = grow(NULL, (size_t)length, sizeof *state);
    struct steps steps;
    steps_init(&steps, run);
    if (!learned) fail("no memory");
    for (int g = 0; g < groups; g++) learn_positions(run, g, &learned[g]);
    set_add(&states, run->model.initial);
    for (uint32_t i = 0; i < states.count; i++) {
        memcpy(state, set_at(&states, i), (size_t)length * sizeof *state);
        for (int g = 0; g < groups; g++) apply(run, g, &learned[g], &states, state, &steps);
    }
    if (states.count != run->states.count)
        fail("%" PRIu32 " states by groups, %" PRIu32 " state by state", states.count,
             run->states.count);
    for (uint32_t i = 0; i < states.count; i++)
        if (!*find_place(&run->states, set_at(&states, i))) fail("other states by groups");
    for (int g = 0; g < groups; g++) learned_free(&learned[g]);
    free(learned);
    set_free(&states);
    free(state);
    free(steps.states);
}

/* Whether the matrices are true: what is not read is taken from another state */

static void mix(int *mixed, const struct matrix *reads, int row, const int *state,
                const int *other) {
    for (int i = 0; i < reads->columns; i++)
        mixed[i] = matrix_has(reads, row, i) ? state[i] : other[i];
}

static void compare(const struct run *run, int group, const struct steps *steps,
                    const struct steps *others, const int *state, const int *mixed) {
    const struct grey_box_model *model = &run->model;
    if (steps->count != others->count)
        fail("group %d has %" PRIu32 " and %" PRIu32 " steps", group, steps->count, others->count);
    for (uint32_t k = 0; k < steps->count; k++) {
        if (steps->labels[k] != others->labels[k]) fail("group %d has other labels", group);
        for (int i = 0; i < steps->length; i++) {
            bool writes = matrix_has(model->may_write, group, i);
            int left = step_at(steps, k)[i], right = step_at(others, k)[i];
            if (writes ? left != right : left != state[i] || right != mixed[i])
                fail("group %d: %s is %d and %d, without being %s", group, model->type->names[i],
                     left, right, writes ? "read" : "written");
        }
    }
}

static void check_matrices(struct run *run) {
    int length = run->model.type->length, groups = run->model.any->rows;
    int *mixed = grow(NULL, (size_t)length, sizeof *mixed);
    struct steps steps, others;
    steps_init(&steps, run);
    steps_init(&others, run);
    uint32_t count = run->states.count;
    for (uint32_t i = 0; i < count && i < TRIED_STATES; i++) {
        uint32_t at = (uint32_t)(((uint64_t)i * 2654435761u) % count);
        int *state = set_at(&run->states, at);
        int *other = set_at(&run->states, (uint32_t)(((uint64_t)at * 40503u + i) % count));
        for (int g = 0; g < groups; g++) {
            mix(mixed, run->model.reads, g, state, other);
            run_group(run, g, state, &steps);
            run_group(run, g, mixed, &others);
            compare(run, g, &steps, &others, state, mixed);
        }
        for (int l = 0; l < run->model.type->label_count; l++) {
            mix(mixed, run->model.labels, l, state, other);
            if (run->model.label(&run->model, l, state) != run->model.label(&run->model, l, mixed))
                fail("%s depends on more than it says", run->model.type->label_names[l]);
        }
    }
    free(mixed);
    free(steps.states);
    free(others.states);
}

/* The whole */

static void *explore(void *context) {
    struct run *run = context;
    void *module = dlopen(run->module, RTLD_NOW | RTLD_LOCAL);
    if (!module) fail("%s", dlerror());
    const char *name = dlsym(module, "pins_plugin_name");
    const struct loader_record *loaders = dlsym(module, "pins_loaders");
    if (!name || strcmp(name, "varabs") != 0 || !loaders || strcmp(loaders[0].extension, "xml") ||
        loaders[1].extension)
        fail("the module does not say what it loads");
    run->model.texts = run->texts;
    loaders[0].load(&run->model, run->path);
    model_check_told(&run->model);
    find_states(run);
    find_by_groups(run);
    check_matrices(run);
    return module;
}

static void report(const struct run *run) {
    const struct lts_type_s *type = run->model.type;
    printf("states %" PRIu32 "\ntransitions %" PRIu64 "\ndeadlocks %" PRIu64 "\n",
           run->states.count, run->steps, run->deadlocks);
    printf("groups %d\nlength %d\nactions %d\n", run->model.any->rows, type->length,
           run->texts[type->edge_label_type].count);
    for (int i = 0; i < type->label_count && i < MAX_LABELS; i++)
        printf("%s %" PRIu64 "\n", type->label_names[i], run->holds[i]);
}

static void compare_runs(const struct run *left, const struct run *right) {
    if (left->states.count != right->states.count || left->sum != right->sum ||
        left->steps != right->steps || memcmp(left->holds, right->holds, sizeof left->holds) != 0)
        fail("two threads find different states");
}

int main(int count, char **words) {
    struct texts texts[MAX_TYPES] = {{0}};
    static struct run runs[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    void *modules[MAX_THREADS];
    int thread_count = count == 4 ? atoi(words[3]) : 0;
    if (thread_count < 1 || thread_count > MAX_THREADS) fail("usage: host MODULE MODEL THREADS");
    for (int i = 0; i < thread_count; i++) {
        runs[i] = (struct run){.module = words[1], .path = words[2], .texts = texts};
        if (pthread_create(&threads[i], NULL, explore, &runs[i])) fail("no thread");
    }
    for (int i = 0; i < thread_count; i++) pthread_join(threads[i], &modules[i]);
    for (int i = 1; i < thread_count; i++) compare_runs(&runs[0], &runs[i]);
    report(&runs[0]);
    for (int i = 0; i < thread_count; i++) {
        model_free(&runs[i].model);
        set_free(&runs[i].states);
        dlclose(modules[i]);
    }
    for (int t = 0; t < MAX_TYPES; t++) {
        for (int i = 0; i < texts[t].count; i++) free(texts[t].items[i]);
        free(texts[t].items);
    }
    return 0;
}
