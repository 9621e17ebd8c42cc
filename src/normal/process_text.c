#include "normal/process_text.h"

#include "lang/syntax/frame.h"
#include "normal/value_text.h"

#include <assert.h>
#include <string.h>

/* In the conditions of an expression, all together. */
enum { MOST_TERMS = 8 };

/* Processes that exchange the same values. */
struct value_group {
    const struct class_point *point; /* NULL: values stay as they are */
    uint32_t members[MOST_SHARERS];  /* indices of points */
    uint32_t count;
    uint32_t term_count;
};

struct value_groups {
    struct value_group items[MOST_SHARERS + 1];
    uint32_t count;
};

/* ---- which processes can do the same ---- */

/* Whether what the point has standing for a value is right in a process, too. It need not be for
 * values that do not come there. */
static bool is_right(const struct process_point *own, const struct class_point *point) {
    uint64_t count = value_set_size(own->point->values);
    if (own->point == point) return true;
    if (own->point->is_one && own->is_exchanged)
        return point->is_one && point->representative == own->point->representative;
    if (own->point->is_one)
        return point_normal(point, own->point->representative) == own->point->representative;
    if (count > MOST_PARTED) return false;
    for (uint64_t i = 0; i < count; i++) {
        int32_t value = value_set_at(own->point->values, i);
        int32_t normal = point_normal(own->point, value);
        if (value < own->lower || value > own->upper) continue;
        if (point_normal(point, own->is_exchanged ? value : normal) != normal) return false;
    }
    return true;
}

static struct value_group *group_for(struct value_groups *groups, const struct process_point *own) {
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->items[i].point ? is_right(own, groups->items[i].point) : !own->is_exchanged)
            return &groups->items[i];
    struct value_group *group = &groups->items[groups->count++];
    *group = (struct value_group){.point = own->is_exchanged ? own->point : NULL};
    return group;
}

/* Groups of processes that have to exchange something come first. */
static void find_groups(struct value_groups *groups, const struct process_points *points) {
    groups->count = 0;
    for (int is_exchanged = 1; is_exchanged >= 0; is_exchanged--)
        for (uint32_t i = 0; i < points->count; i++) {
            if (points->items[i].is_exchanged != is_exchanged) continue;
            struct value_group *group = group_for(groups, &points->items[i]);
            group->members[group->count++] = i;
        }
}

/* ---- what tells them apart ---- */

/* Parameters that are compared: one, or all that can be. */
struct distinction {
    const struct process_points *points;
    const struct symbol *const *parameters;
    uint32_t count;
};

static int32_t argument_of(const struct distinction *distinction, uint32_t member,
                           uint32_t parameter) {
    return sharing_argument(distinction->points->items[member].process,
                            distinction->points->network, distinction->parameters[parameter]);
}

static bool is_same(const struct distinction *distinction, uint32_t left, uint32_t right) {
    for (uint32_t i = 0; i < distinction->count; i++)
        if (argument_of(distinction, left, i) != argument_of(distinction, right, i)) return false;
    return true;
}

/* Whether a member before it has the same term. */
static bool is_repeated(const struct distinction *distinction, const struct value_group *group,
                        uint32_t member) {
    for (uint32_t i = 0; i < member; i++)
        if (is_same(distinction, group->members[i], group->members[member])) return true;
    return false;
}

static bool is_apart(const struct distinction *distinction, const struct value_groups *groups) {
    for (uint32_t g = 0; g < groups->count; g++)
        for (uint32_t h = 0; h < g; h++)
            for (uint32_t i = 0; i < groups->items[g].count; i++)
                for (uint32_t k = 0; k < groups->items[h].count; k++)
                    if (is_same(distinction, groups->items[g].members[i],
                                groups->items[h].members[k]))
                        return false;
    return true;
}

/* Whether a label of the edge means the parameter by its name. */
static bool is_named(const struct edge *edge, const struct template *template,
                     const struct symbol *parameter) {
    for (uint32_t i = 0; i < edge->select_count; i++)
        if (!strcmp(edge->selects[i]->name, parameter->name)) return false;
    return frame_find(template->frame, parameter->name) == parameter;
}

/* One parameter if that is enough. False if all together are not. */
static bool find_distinction(struct distinction *distinction, const struct value_groups *groups,
                             struct arena *arena) {
    const struct process_points *points = distinction->points;
    const struct process *process = points->items[0].process;
    const struct template *template = process->template;
    const struct symbol **usable =
        ARENA_ARRAY(arena, const struct symbol *, template->parameter_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < template->parameter_count; i++) {
        const struct symbol *parameter = template->parameters[i];
        if (sharing_has_parameter(process, points->network, parameter) &&
            is_named(points->edge, template, parameter))
            usable[count++] = parameter;
    }
    distinction->count = 1;
    for (uint32_t i = 0; i < count; i++) {
        distinction->parameters = &usable[i];
        if (is_apart(distinction, groups)) return true;
    }
    distinction->parameters = usable;
    distinction->count = count;
    return is_apart(distinction, groups);
}

/* ---- text ---- */

static void add_term(struct buffer *out, const struct distinction *distinction, uint32_t member) {
    for (uint32_t i = 0; i < distinction->count; i++) {
        const struct symbol *parameter = distinction->parameters[i];
        int32_t value = argument_of(distinction, member, i);
        bool is_bool = type_strip(parameter->type)->kind == TYPE_BOOL;
        if (i) buffer_add_text(out, " && ");
        if (is_bool)
            buffer_printf(out, "%s%s", value ? "" : "!", parameter->name);
        else
            buffer_printf(out, "%s == %d", parameter->name, value);
    }
}

static void count_terms(const struct distinction *distinction, struct value_group *group) {
    group->term_count = 0;
    for (uint32_t i = 0; i < group->count; i++)
        group->term_count += !is_repeated(distinction, group, i);
}

/* The group with most terms is left to the end, which needs none. False if there are too many. */
static bool order_groups(const struct distinction *distinction, struct value_groups *groups) {
    uint32_t last = groups->count - 1, terms = 0;
    for (uint32_t g = 0; g < groups->count; g++) {
        count_terms(distinction, &groups->items[g]);
        terms += groups->items[g].term_count;
        if (groups->items[g].term_count > groups->items[last].term_count) last = g;
    }
    terms -= groups->items[last].term_count;
    struct value_group most = groups->items[last];
    memmove(&groups->items[last], &groups->items[last + 1],
            (groups->count - last - 1) * sizeof most);
    groups->items[groups->count - 1] = most;
    return terms * distinction->count <= MOST_TERMS;
}

/* False if it would be too long. */
static bool add_value(struct arena *arena, struct buffer *out, const struct value_group *group,
                      const char *name, bool is_bool) {
    const char *value = group->point ? value_text(arena, group->point, name, is_bool) : name;
    if (value) buffer_printf(out, strchr(value, '?') ? "(%s)" : "%s", value);
    return value;
}

static bool add_groups(struct arena *arena, struct buffer *out,
                       const struct distinction *distinction, const struct value_groups *groups,
                       const char *name, bool is_bool) {
    for (uint32_t g = 0; g + 1 < groups->count; g++) {
        const struct value_group *group = &groups->items[g];
        for (uint32_t i = 0; i < group->count; i++) {
            if (is_repeated(distinction, group, i)) continue;
            if (i) buffer_add_text(out, " || ");
            add_term(out, distinction, group->members[i]);
        }
        buffer_add_text(out, " ? ");
        if (!add_value(arena, out, group, name, is_bool)) return false;
        buffer_add_text(out, " : ");
    }
    return add_value(arena, out, &groups->items[groups->count - 1], name, is_bool);
}

const char *process_text(struct arena *arena, const struct process_points *points, const char *name,
                         bool is_bool) {
    struct value_groups groups;
    struct distinction distinction = {.points = points};
    find_groups(&groups, points);
    assert(groups.count && groups.items[0].point);
    if (groups.count == 1) return value_text(arena, groups.items[0].point, name, is_bool);
    if (!find_distinction(&distinction, &groups, arena) || !order_groups(&distinction, &groups))
        return NULL;
    struct buffer out = {0};
    bool ok = add_groups(arena, &out, &distinction, &groups, name, is_bool);
    const char *text = ok ? buffer_take(&out, arena) : NULL;
    buffer_close(&out);
    return text;
}
