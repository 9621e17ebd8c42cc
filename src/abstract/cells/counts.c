#include "abstract/cells/counts.h"

#include "expr/build.h"

#include <assert.h>

/* Rational numbers of small size: what grows past them is not solved. */
struct ratio {
    int64_t over, under; /* under > 0 */
};
#define VALUE_MAX (INT64_C(1) << 32) /* of factors and constants that could be used */
enum { RATIO_MAX = 1 << 30, COLUMNS_MAX = 256, ROWS_MAX = CELLS_MAX_ZONES + CELLS_MAX_FOLDS + 1 };

struct solver {
    struct ratio rows[ROWS_MAX][COLUMNS_MAX]; /* atoms, then folds, then the constant */
    uint32_t row_count, atoms, columns;
    uint32_t pivot_of[COLUMNS_MAX]; /* row, by atom; NO_SLOT = none */
    bool is_too_large;
};

static int64_t common_divisor(int64_t a, int64_t b) {
    a = a < 0 ? -a : a;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a ? a : 1;
}

static struct ratio ratio_of(struct solver *solver, int64_t over, int64_t under) {
    assert(under != 0);
    if (under < 0) over = -over, under = -under;
    int64_t divisor = common_divisor(over, under);
    struct ratio result = {over / divisor, under / divisor};
    if (result.over > RATIO_MAX || result.over < -RATIO_MAX || result.under > RATIO_MAX) {
        solver->is_too_large = true;
        return (struct ratio){0, 1};
    }
    return result;
}

/* a - b * c, each step of which is small */
static struct ratio less_product(struct solver *solver, struct ratio a, struct ratio b,
                                 struct ratio c) {
    struct ratio product = ratio_of(solver, b.over * c.over, b.under * c.under);
    return ratio_of(solver, a.over * product.under - product.over * a.under,
                    a.under * product.under);
}

static void eliminate(struct solver *solver) {
    uint32_t done = 0;
    for (uint32_t column = 0; column < solver->atoms; column++) {
        uint32_t row = done;
        solver->pivot_of[column] = NO_SLOT;
        while (row < solver->row_count && !solver->rows[row][column].over) row++;
        if (row == solver->row_count || solver->is_too_large) continue;
        for (uint32_t k = 0; k < solver->columns; k++) {
            struct ratio other = solver->rows[done][k];
            solver->rows[done][k] = solver->rows[row][k];
            solver->rows[row][k] = other;
        }
        struct ratio pivot = solver->rows[done][column];
        for (uint32_t k = 0; k < solver->columns; k++) {
            struct ratio *at = &solver->rows[done][k];
            *at = ratio_of(solver, at->over * pivot.under, at->under * pivot.over);
        }
        for (uint32_t r = 0; r < solver->row_count; r++) {
            struct ratio factor = solver->rows[r][column];
            if (r == done || !factor.over) continue;
            for (uint32_t k = 0; k < solver->columns; k++)
                solver->rows[r][k] =
                    less_product(solver, solver->rows[r][k], factor, solver->rows[done][k]);
        }
        solver->pivot_of[column] = done++;
    }
}

/* Kinds with equal weights; and the pointer leads to one cell. */
static bool are_alike(const struct cell_group *group, const struct cell_kind *left,
                      const struct cell_kind *right) {
    return !memcmp(left->weights, right->weights, group->fold_count * sizeof *left->weights) &&
           cell_kind_is_pointed(group, left) == cell_kind_is_pointed(group, right);
}

/* Classes of such kinds. */
static uint32_t find_atoms(struct counts *counts) {
    const struct cell_group *group = counts->group;
    uint32_t total = 0;
    for (uint32_t z = 0; z < group->zone_count; z++) {
        const struct cell_zone *zone = &group->zones[z];
        uint32_t first[CELLS_MAX_KINDS];
        assert(zone->kinds.count && zone->kinds.count <= CELLS_MAX_KINDS);
        for (uint32_t k = 0; k < zone->kinds.count; k++) {
            uint32_t a = 0;
            while (a < counts->atom_count[z] &&
                   !are_alike(group, &zone->kinds.items[first[a]], &zone->kinds.items[k]))
                a++;
            if (a == counts->atom_count[z]) first[counts->atom_count[z]++] = k;
            counts->atom_of[z][k] = a;
        }
        total += counts->atom_count[z];
    }
    return total;
}

static void set_equations(struct solver *solver, const struct counts *counts) {
    const struct cell_group *group = counts->group;
    for (uint32_t r = 0; r < solver->row_count; r++)
        for (uint32_t k = 0; k < solver->columns; k++) solver->rows[r][k].under = 1;
    uint32_t column = 0;
    for (uint32_t z = 0; z < group->zone_count; z++) {
        const struct cell_zone *zone = &group->zones[z];
        for (uint32_t k = 0; k < zone->kinds.count; k++) {
            uint32_t at = column + counts->atom_of[z][k];
            solver->rows[z][at].over = 1;
            for (uint32_t g = 0; g < group->fold_count; g++)
                solver->rows[group->zone_count + g][at].over = zone->kinds.items[k].weights[g];
            if (cell_kind_is_pointed(group, &zone->kinds.items[k]))
                solver->rows[solver->row_count - 1][at].over = 1;
        }
        solver->rows[z][solver->columns - 1].over = zone->size;
        column += counts->atom_count[z];
    }
    if (group->pointer) solver->rows[solver->row_count - 1][solver->columns - 1].over = 1;
    for (uint32_t g = 0; g < group->fold_count; g++) {
        solver->rows[group->zone_count + g][solver->atoms + g].over = 1;
        solver->rows[group->zone_count + g][solver->columns - 1].over =
            -(int64_t)group->folds[g].base;
    }
}

/* What an atom counts; false if other counts take part. */
static bool read_form(const struct solver *solver, uint32_t atom, uint32_t folds,
                      struct count_form *form) {
    if (solver->pivot_of[atom] == NO_SLOT) return false;
    const struct ratio *row = solver->rows[solver->pivot_of[atom]];
    for (uint32_t k = 0; k < solver->atoms; k++)
        if (k != atom && row[k].over) return false;
    form->divisor = 1;
    for (uint32_t k = solver->atoms; k < solver->columns; k++) {
        form->divisor *= row[k].under / common_divisor(form->divisor, row[k].under);
        if (form->divisor > RATIO_MAX) return false;
    }
    assert(form->divisor > 0);
    for (uint32_t g = 0; g < folds; g++)
        form->weights[g] =
            row[solver->atoms + g].over * (form->divisor / row[solver->atoms + g].under);
    const struct ratio *constant = &row[solver->columns - 1];
    form->constant = constant->over * (form->divisor / constant->under);
    return true;
}

/* The greatest distance of a merged value from 0. */
static int64_t greatest_total(const struct cell_group *group, uint32_t fold) {
    int64_t low = group->folds[fold].base, high = low;
    for (uint32_t z = 0; z < group->zone_count; z++) {
        const struct cell_zone *zone = &group->zones[z];
        int64_t least = INT32_MAX, most = INT32_MIN;
        if (!zone->operands[fold]) continue;
        for (uint32_t k = 0; k < zone->kinds.count; k++) {
            int32_t weight = zone->kinds.items[k].weights[fold];
            if (weight < least) least = weight;
            if (weight > most) most = weight;
        }
        assert(least <= most); /* a zone has cells, and these have kinds */
        uint32_t size = group->folds[fold].is_pointed ? 1 : zone->size; /* one adds, at most */
        low += least * size;
        high += most * size;
    }
    assert(low >= INT32_MIN && high <= INT32_MAX); /* totals fit the types of their ghosts */
    return -low > high ? -low : high;
}

/* Whether no test of the counts of a zone leaves 32 bits, where it would wrap: the forms of some of
 * its atoms are added, and all terms divided by what divides them all. */
static bool tests_fit(const struct counts *counts, uint32_t zone) {
    enum { MOST_LEAST = 4 }; /* cells are asked for at once */
    const struct cell_group *group = counts->group;
    const struct count_form *forms = counts->forms[zone];
    int64_t divisor = 1, shared = 0, constant = 0, factors[CELLS_MAX_FOLDS] = {0};
    for (uint32_t a = 0; a < counts->atom_count[zone]; a++) {
        divisor *= forms[a].divisor / common_divisor(divisor, forms[a].divisor);
        if (divisor > RATIO_MAX) return false;
    }
    for (uint32_t a = 0; a < counts->atom_count[zone]; a++) {
        int64_t up = divisor / forms[a].divisor;
        int64_t own = forms[a].constant < 0 ? -forms[a].constant : forms[a].constant;
        if (own > INT64_C(1) << 32 || (constant += own * up) > INT64_C(1) << 50) return false;
        for (uint32_t g = 0; g < group->fold_count; g++) {
            int64_t weight = forms[a].weights[g] < 0 ? -forms[a].weights[g] : forms[a].weights[g];
            if (weight > RATIO_MAX || (factors[g] += weight * up) > INT64_C(1) << 50) return false;
            if (weight) shared = common_divisor(weight * up, shared);
        }
    }
    if (!shared) return true;
    int64_t most = (constant + MOST_LEAST * divisor) / shared + 1;
    for (uint32_t g = 0; g < group->fold_count && most <= INT32_MAX; g++)
        most += factors[g] / shared > INT32_MAX ? INT32_MAX
                                                : factors[g] / shared * greatest_total(group, g);
    return most <= INT32_MAX;
}

const struct counts *counts_solve(const struct cell_group *group) {
    struct arena *arena = group->context->arena;
    for (uint32_t g = 0; g < group->fold_count; g++)
        if (!cell_fold_is_sum(&group->folds[g])) return NULL;
    struct counts *counts = ARENA_NEW(arena, struct counts);
    counts->group = group;
    struct solver *solver = ARENA_NEW(arena, struct solver);
    solver->atoms = find_atoms(counts);
    solver->columns = solver->atoms + group->fold_count + 1;
    solver->row_count = group->zone_count + group->fold_count + (group->pointer ? 1 : 0);
    if (solver->columns > COLUMNS_MAX) return NULL;
    assert(solver->row_count <= ROWS_MAX);
    set_equations(solver, counts);
    eliminate(solver);
    uint32_t atom = 0;
    bool ok = !solver->is_too_large;
    for (uint32_t z = 0; z < group->zone_count; z++)
        for (uint32_t a = 0; a < counts->atom_count[z] && ok; a++)
            ok = read_form(solver, atom++, group->fold_count, &counts->forms[z][a]);
    for (uint32_t z = 0; z < group->zone_count && ok; z++) ok = tests_fit(counts, z);
    return ok ? counts : NULL;
}

/* Tests */

static const struct expr *add_term(struct arena *arena, const struct expr *sum, int64_t factor,
                                   const struct symbol *symbol) {
    const struct expr *term = build_name(arena, symbol);
    if (factor != 1) term = build_binary(arena, OP_MUL, build_int(arena, factor), term);
    return sum ? build_binary(arena, OP_ADD, sum, term) : term;
}

/* form >= 0, with all terms that are taken away on the right */
static const struct expr *not_negative(const struct counts *counts, const struct count_form *form) {
    const struct cell_group *group = counts->group;
    struct arena *arena = group->context->arena;
    const struct expr *left = NULL, *right = NULL;
    int64_t divisor = 0;
    for (uint32_t g = 0; g < group->fold_count; g++)
        divisor = form->weights[g] ? common_divisor(form->weights[g], divisor) : divisor;
    if (!divisor) return form->constant >= 0 ? NULL : build_bool(arena, false);
    int64_t constant = form->constant / divisor; /* towards minus infinity: values are integers */
    if (form->constant % divisor && form->constant < 0) constant--;
    for (uint32_t g = 0; g < group->fold_count; g++) {
        const struct symbol *symbol = group->folds[g].ghost->symbol;
        int64_t weight = form->weights[g] / divisor;
        if (weight > 0) left = add_term(arena, left, weight, symbol);
        if (weight < 0) right = add_term(arena, right, -weight, symbol);
    }
    if (!left) return build_binary(arena, OP_LE, right, build_int(arena, constant));
    if (right && constant)
        right = build_binary(arena, constant < 0 ? OP_ADD : OP_SUB, right,
                             build_int(arena, constant < 0 ? -constant : constant));
    return build_binary(arena, OP_GE, left, right ? right : build_int(arena, -constant));
}

/* The sum of the forms of the atoms that are in, times its divisor. */
static struct count_form sum_of(const struct counts *counts, uint32_t zone, const bool *is_in) {
    struct count_form sum = {.divisor = 1};
    for (uint32_t a = 0; a < counts->atom_count[zone]; a++) {
        const struct count_form *form = &counts->forms[zone][a];
        if (!is_in[a]) continue;
        int64_t shared = common_divisor(sum.divisor, form->divisor);
        int64_t up = form->divisor / shared, other = sum.divisor / shared;
        for (uint32_t g = 0; g < counts->group->fold_count; g++)
            sum.weights[g] = sum.weights[g] * up + form->weights[g] * other;
        sum.constant = sum.constant * up + form->constant * other;
        sum.divisor *= up;
    }
    assert(sum.divisor > 0 && sum.divisor <= RATIO_MAX); /* as tests_fit has seen */
    return sum;
}

const struct expr *counts_at_least(const struct counts *counts, uint32_t zone, const bool *is_in,
                                   uint32_t least) {
    struct count_form sum = sum_of(counts, zone, is_in);
    sum.constant -= (int64_t)least * sum.divisor;
    return least ? not_negative(counts, &sum) : NULL;
}

const struct expr *counts_none(const struct counts *counts, uint32_t zone, const bool *is_in) {
    struct count_form sum = sum_of(counts, zone, is_in);
    for (uint32_t g = 0; g < counts->group->fold_count; g++) sum.weights[g] = -sum.weights[g];
    sum.constant = -sum.constant;
    return not_negative(counts, &sum);
}

/* Values */

bool counts_weigh(const struct counts *counts, uint32_t zone, const int32_t *weights,
                  struct count_form *form) {
    assert(form->divisor == 1);
    for (uint32_t a = 0; a < counts->atom_count[zone]; a++) {
        const struct count_form *of = &counts->forms[zone][a];
        if (of->divisor != 1) return false;
        int64_t constant = of->constant, weight = weights[a];
        if (constant < -RATIO_MAX || constant > RATIO_MAX) return false;
        form->constant += constant * weight;
        if (form->constant < -VALUE_MAX || form->constant > VALUE_MAX) return false;
        for (uint32_t g = 0; g < counts->group->fold_count; g++) {
            if (of->weights[g] < -RATIO_MAX || of->weights[g] > RATIO_MAX) return false;
            form->weights[g] += of->weights[g] * weight;
            if (form->weights[g] < -VALUE_MAX || form->weights[g] > VALUE_MAX) return false;
        }
    }
    return true;
}

const struct expr *counts_value(const struct counts *counts, const struct count_form *form) {
    const struct cell_group *group = counts->group;
    struct arena *arena = group->context->arena;
    int64_t most = form->constant < 0 ? -form->constant : form->constant;
    const struct expr *value = NULL;
    assert(form->divisor == 1);
    for (uint32_t g = 0; g < group->fold_count && most <= INT32_MAX; g++) {
        int64_t weight = form->weights[g] < 0 ? -form->weights[g] : form->weights[g];
        int64_t total = greatest_total(group, g);
        if (weight && total > INT32_MAX / weight) return NULL;
        most += weight * total;
    }
    if (most > INT32_MAX) return NULL;
    for (uint32_t g = 0; g < group->fold_count; g++)
        if (form->weights[g] > 0)
            value = add_term(arena, value, form->weights[g], group->folds[g].ghost->symbol);
    bool is_last = value && form->constant < 0;
    if (!value)
        value = build_int(arena, form->constant);
    else if (form->constant > 0)
        value = build_binary(arena, OP_ADD, value, build_int(arena, form->constant));
    for (uint32_t g = 0; g < group->fold_count; g++)
        if (form->weights[g] < 0)
            value = build_binary(
                arena, OP_SUB, value,
                add_term(arena, NULL, -form->weights[g], group->folds[g].ghost->symbol));
    if (is_last) value = build_binary(arena, OP_SUB, value, build_int(arena, -form->constant));
    return value;
}
