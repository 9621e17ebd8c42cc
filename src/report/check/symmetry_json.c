/* Who may change places, as JSON. */
#include "report/check/symmetry_report.h"
#include "report/json.h"

static json_t *block_entry(const struct symmetry *symmetry, const struct symmetry_block *block) {
    json_t *entry = json_object(), *names = json_array();
    set(entry, "kind", text(block->are_copies ? "copies" : "names"));
    set(entry, "of", text(block->name));
    for (uint32_t i = 0; i < block->count; i++)
        json_array_append_new(names, block->are_copies
                                         ? text(symmetry->network->processes[block->values[i]].name)
                                         : json_integer((json_int_t)block->values[i]));
    set(entry, "elements", names);
    if (block->is_tried) set(entry, "is_tried", json_true());
    return entry;
}

json_t *block_entries(const struct symmetry *symmetry) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < symmetry->block_count; i++)
        json_array_append_new(list, block_entry(symmetry, &symmetry->blocks[i]));
    return list;
}

static json_t *parameter_entry(const struct symmetry *symmetry,
                               const struct symmetry_parameter *parameter) {
    const struct source *source = &symmetry->network->model->document->source;
    struct source_location place = source_locate(source, parameter->at.begin);
    json_t *entry = json_object();
    set(entry, "template", text(parameter->template->symbol->name));
    set(entry, "parameter", text(parameter->symbol->name));
    set(entry, "because", text(parameter->why));
    set(entry, "line", json_integer(place.line));
    set(entry, "column", json_integer(place.column));
    return entry;
}

json_t *report_symmetries(const struct symmetries *symmetries) {
    const struct symmetry *all = symmetries->of_model;
    json_t *object = json_object(), *list = json_array();
    set(object, "blocks", block_entries(all));
    set(object, "while_queries_stand",
        block_entries(symmetries->with_queries ? symmetries->with_queries : all));
    if (symmetries->tried) set(object, "if_no_order_matters", block_entries(symmetries->tried));
    for (uint32_t i = 0; i < all->parameter_count; i++)
        if (all->parameters[i].why)
            json_array_append_new(list, parameter_entry(all, &all->parameters[i]));
    set(object, "fixed_parameters", list);
    if (all->refusal) set(object, "because", text(all->refusal));
    return object;
}
