/* The removed cells, and the values that the analysis has found for them. */
#include "classes/classes.h"
#include "expr/build.h"
#include "lang/print/print.h"
#include "report/abstraction/abstraction_internal.h"

enum { REPORT_MAX_VALUES = 64, REPORT_MAX_SETS = 20000 };

const char *cell_text(struct report_writer *writer, const struct removal *removal,
                      uint32_t offset) {
    const char *variable = variable_name(writer->arena, removal->template, removal->symbol);
    return cell_name(writer->arena, variable, removal->symbol->type, removal->shape, offset);
}

/* Locations by name (S1, S4). */
json_t *scope_entry(const struct template *template, const bool *scope) {
    assert(template && scope);
    json_t *list = json_array();
    for (uint32_t l = 0; l < template->location_count; l++)
        if (scope[l]) json_array_append_new(list, text(template->locations[l].name));
    return list;
}

/* Values by the names of locations (S7). */
static json_t *rest_entry(const struct removal *removal) {
    json_t *entry = json_object();
    for (uint32_t l = 0; l < removal->template->location_count; l++)
        if (removal->has_rest[l])
            set(entry, removal->template->locations[l].name, json_integer(removal->rests[l]));
    return entry;
}

/* Removed cells in runs of equal range. */
json_t *removed_entries(struct report_writer *writer) {
    json_t *list = json_array();
    const struct request *request = writer->abstraction->request;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        for (uint32_t k = 0; k < removal->shape->cell_count;) {
            if (!removal->is_removed[k]) {
                k++;
                continue;
            }
            const struct shape *cell = shape_cell(removal->shape, k);
            uint32_t from = k;
            for (k++; k < removal->shape->cell_count && removal->is_removed[k]; k++) {
                const struct shape *next = shape_cell(removal->shape, k);
                if (next->lower != cell->lower || next->upper != cell->upper ||
                    next->is_bool != cell->is_bool || next->is_scalar != cell->is_scalar)
                    break;
            }
            json_t *entry = json_object();
            set(entry, "variable",
                text(variable_name(writer->arena, removal->template, removal->symbol)));
            set(entry, "first_slot", text(cell_text(writer, removal, from)));
            set(entry, "last_slot", text(cell_text(writer, removal, k - 1)));
            set(entry, "slots", json_integer(k - from));
            set(entry, "type",
                text(type_text(cell_type(removal->symbol->type, removal->shape, from),
                               writer->arena)));
            set(entry, "lower", json_integer(cell->lower));
            set(entry, "upper", json_integer(cell->upper));
            if (removal->scope) set(entry, "scope", scope_entry(removal->template, removal->scope));
            if (removal->scope && removal->has_rest) set(entry, "rests", rest_entry(removal));
            json_array_append_new(list, entry);
        }
    }
    return list;
}

/* The member "together": variables that make no difference together, or cells of them. */
json_t *together_entries(struct report_writer *writer) {
    json_t *list = json_array();
    const struct request *request = writer->abstraction->request;
    for (uint32_t i = 0; i < request->removals.count; i++) {
        const struct removal *removal = &request->removals.items[i];
        if (removal->is_whole)
            json_array_append_new(
                list, text(variable_name(writer->arena, removal->template, removal->symbol)));
        for (uint32_t k = 0; !removal->is_whole && k < removal->shape->cell_count; k++)
            if (removal->is_removed[k])
                json_array_append_new(list, text(cell_text(writer, removal, k)));
    }
    return list;
}

static void set_values(json_t *entry, const struct value_set *set_of, bool is_combined) {
    uint64_t size = value_set_size(set_of);
    set(entry, "analysis", text(is_combined ? "combined" : "template"));
    set(entry, "count", json_integer((json_int_t)size));
    if (!size) return;
    set(entry, "lower", json_integer(set_of->lower));
    set(entry, "upper", json_integer(set_of->upper));
    if (size > REPORT_MAX_VALUES) return;
    json_t *values = json_array();
    for (uint64_t i = 0; i < size; i++)
        json_array_append_new(values, json_integer(value_set_at(set_of, i)));
    set(entry, "values", values);
}

/* The value that stands for all values of a removed cell at a location. False if none does. */
static bool find_representative(const struct report_writer *writer, const struct removal *removal,
                                const struct template *template, uint32_t location, uint32_t cell,
                                int32_t *value) {
    const struct classes *classes = writer->abstraction->classes;
    *value = 0;
    return classes && (!removal->scope || removal->scope[location]) &&
           classes_is_one(classes, template, location, removal->symbol, cell, value);
}

/* Values of the cells of one removal at one location, in runs of cells with equal sets. */
static void add_values(struct report_writer *writer, json_t *list, const struct removal *removal,
                       const struct template *template, uint32_t location, bool is_within_step) {
    struct analysis *analysis = writer->abstraction->analysis;
    for (uint32_t k = 0; k < removal->shape->cell_count;) {
        if (!removal->is_removed[k]) {
            k++;
            continue;
        }
        const struct value_set *values =
            analysis_values(analysis, template, location, removal->symbol, k, is_within_step);
        int32_t representative, other;
        bool has_one = find_representative(writer, removal, template, location, k, &representative);
        uint32_t from = k;
        for (k++; k < removal->shape->cell_count && removal->is_removed[k]; k++)
            if (!value_set_equal(values, analysis_values(analysis, template, location,
                                                         removal->symbol, k, is_within_step)) ||
                has_one != find_representative(writer, removal, template, location, k, &other) ||
                other != representative)
                break;
        json_t *entry = json_object();
        set(entry, "template", text(template->symbol->name));
        set(entry, "location", text(template->locations[location].name));
        set(entry, "first_slot", text(cell_text(writer, removal, from)));
        set(entry, "last_slot", text(cell_text(writer, removal, k - 1)));
        set(entry, "within_step", json_boolean(is_within_step));
        set_values(entry, values, analysis->is_combined);
        if (has_one) set(entry, "representative", json_integer(representative));
        json_array_append_new(list, entry);
    }
}

/* Of what was taken out before, no values are known. */
static bool is_taken(const struct report_writer *writer, const struct removal *removal) {
    const struct split *split = writer->abstraction->split;
    const char *name = variable_name(writer->arena, removal->template, removal->symbol);
    for (uint32_t i = 0; split && i < split->record.variables.count; i++)
        if (!strcmp(split->record.variables.items[i], name)) return true;
    return false;
}

/* The templates, by index, at whose locations the values of a removal are said. A global variable
 * has the same ones at all locations of a template that does not name it. */
static bool *told_templates(const struct report_writer *writer, const struct removal *removal) {
    const struct abstraction *abstraction = writer->abstraction;
    const struct network *network = abstraction->network;
    uint32_t count = network->model->template_count;
    bool *is_told = ARENA_ARRAY(writer->arena, bool, count + 1);
    bool is_everywhere =
        abstraction->analysis->is_combined || handed_instance(&network->handed, removal->symbol);
    for (uint32_t t = 0; t < count && is_everywhere; t++) is_told[t] = !removal->template;
    if (removal->template)
        is_told[removal->template->index] = true;
    else
        namers_mark(network->namers, removal->symbol, is_told);
    return is_told;
}

/* The members "values" and, past the limit, "values_left_out". */
void set_value_entries(json_t *object, struct report_writer *writer) {
    json_t *list = json_array();
    json_int_t left_out = 0;
    const struct abstraction *abstraction = writer->abstraction;
    const struct model *model = abstraction->network->model;
    bool is_combined = abstraction->analysis->is_combined;
    for (uint32_t i = 0; i < abstraction->request->removals.count; i++) {
        const struct removal *removal = &abstraction->request->removals.items[i];
        const bool *is_told = told_templates(writer, removal);
        for (uint32_t t = 0; t < model->template_count; t++) {
            const struct template *template = model->templates[t];
            if (!is_told[t]) continue;
            for (uint32_t l = 0; l < template->location_count && !is_taken(writer, removal); l++) {
                if (!analysis_reaches(abstraction->analysis, template, l)) continue;
                if (json_array_size(list) >= REPORT_MAX_SETS) {
                    left_out++;
                    continue;
                }
                add_values(writer, list, removal, template, l, false);
                if (!removal->template && is_combined)
                    add_values(writer, list, removal, template, l, true);
            }
        }
    }
    set(object, "values", list);
    if (left_out) set(object, "values_left_out", json_integer(left_out));
}

/* The member "product": the trial of the combined analysis that nobody asked for. */
json_t *product_entry(struct report_writer *writer) {
    static const char *const outcomes[] = {[TRIAL_BETTER] = "better",
                                           [TRIAL_NO_BETTER] = "no better",
                                           [TRIAL_TOO_LARGE] = "too large"};
    const struct network *network = writer->abstraction->network;
    const struct analysis *analysis = writer->abstraction->analysis;
    const struct slot *slot = &network->slots[analysis->widest.slot];
    json_t *entry = json_object();
    assert((unsigned)analysis->trial < sizeof outcomes / sizeof outcomes[0]);
    set(entry, "slot", text(slot_name(network, slot, writer->arena)));
    set(entry, "values", json_integer((json_int_t)analysis->widest.values));
    set(entry, "outcome", text(outcomes[analysis->trial]));
    return entry;
}

static json_t *kind_entry(const struct data_kind *kind) {
    json_t *entry = json_object();
    set(entry, "lower", json_integer(kind->lower));
    set(entry, "upper", json_integer(kind->upper));
    return entry;
}

static json_t *data_entry(const struct report_writer *writer, const struct removed_data *data) {
    json_t *entry = json_object(), *variables = json_array(), *kinds = json_array();
    for (uint32_t i = 0; i < data->class->variables.count; i++) {
        const struct symbol *symbol = data->class->variables.items[i];
        const struct removal *removal = removed_ever(writer->abstraction->request, symbol);
        json_array_append_new(variables,
                              text(variable_name(writer->arena, removal->template, symbol)));
    }
    for (uint32_t i = 0; i < data->class->kinds.count; i++)
        json_array_append_new(kinds, kind_entry(&data->class->kinds.items[i]));
    set(entry, "variables", variables);
    set(entry, "kinds", kinds);
    set(entry, "are_narrowed", json_boolean(data->is_narrowed));
    if (data->size) {
        json_t *size = json_object();
        set(size, "constant", text(data->size->name));
        set(size, "at_least", json_integer(data->least));
        set(entry, "for_any", size);
    }
    if (data->any) {
        json_t *any = kind_entry(&data->any_of);
        set(any, "constant", text(data->any->name));
        set(entry, "whichever", any);
    }
    return entry;
}

json_t *data_entries(struct report_writer *writer) {
    const struct context *context = &writer->abstraction->context;
    json_t *list = json_array();
    for (uint32_t i = 0; i < context->data.count; i++)
        json_array_append_new(list, data_entry(writer, &context->data.items[i]));
    return list;
}
