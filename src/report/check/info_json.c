/* What `varabs info` says about a model, as JSON. */
#include "report/check/info_report.h"

#include "abstract/request/obstacle.h"
#include "lang/print/print.h"
#include "report/guarantee_report.h"
#include "report/json.h"
#include "xml/byte_map.h"

/* The edges that use a variable as effects_reads or effects_writes say. */
static json_t *edge_entries(const struct network *network, const struct symbol *symbol,
                            bool (*uses)(const struct edge_labels *effects,
                                         const struct symbol *symbol)) {
    const struct model *model = network->model;
    json_t *list = json_array();
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            if (!edge_uses(network, t, i, symbol, uses)) continue;
            json_t *entry = json_object();
            set(entry, "template", text(model->templates[t]->symbol->name));
            set(entry, "edge", json_integer(i + 1));
            json_array_append_new(list, entry);
        }
    return list;
}

static json_t *variable_entry(const struct network *network, const struct listed_variable *variable,
                              const struct tried *tried, struct arena *arena) {
    json_t *entry = json_object();
    set(entry, "name", text(variable->name));
    set(entry, "template",
        variable->template ? text(variable->template->symbol->name) : json_null());
    set(entry, "type", text(type_text(variable->symbol->type, arena)));
    set(entry, "slots",
        json_integer(variable->shape ? (json_int_t)variable->shape->cell_count : 0));
    const struct slot *slot = first_slot(network, variable);
    if (slot) {
        set(entry, "lower", json_integer(slot->lower));
        set(entry, "upper", json_integer(slot->upper));
        set(entry, "initial", json_integer(slot->initial));
    }
    set(entry, "read_by", edge_entries(network, variable->symbol, edge_reads));
    set(entry, "written_by", edge_entries(network, variable->symbol, edge_writes));
    const char *obstacle = removal_obstacle(network, variable->template, variable->symbol);
    set(entry, "removable", json_boolean(!obstacle));
    if (obstacle) set(entry, "obstacle", text(obstacle));
    set(entry, "removal", text(outcome_text(tried)));
    if (tried->because) set(entry, "because", text(tried->because));
    if (tried->relies_on) set(entry, "relies_on", text(tried->relies_on));
    return entry;
}

static json_t *template_entry(const struct network *network, const struct template *template) {
    json_t *entry = json_object(), *locations = json_array(), *processes = json_array();
    set(entry, "name", text(template->symbol->name));
    for (uint32_t i = 0; i < template->location_count; i++)
        json_array_append_new(locations, text(template->locations[i].name));
    set(entry, "locations", locations);
    set(entry, "branchpoints", json_integer(template->branchpoint_count));
    set(entry, "edges", json_integer(template->edge_count));
    for (uint32_t p = 0; p < network->process_count; p++)
        if (network->processes[p].template == template)
            json_array_append_new(processes, text(network->processes[p].name));
    set(entry, "processes", processes);
    return entry;
}

json_t *report_info(const struct info_report *report) {
    const struct network *network = report->network;
    const struct model *model = network->model;
    struct arena *arena = report->arena;
    json_t *info = json_object(), *templates = json_array(), *variables = json_array();
    json_t *queries = json_array();
    const struct document *document = model->document;
    set_header(info, "info");
    set(info, "input", file_entry(document->source.name, document_file_bytes(document)));
    for (uint32_t i = 0; i < model->template_count; i++)
        json_array_append_new(templates, template_entry(network, model->templates[i]));
    set(info, "templates", templates);
    set(info, "process_count", json_integer(network->process_count));
    set(info, "slot_count", json_integer(network->slot_count));
    set(info, "priorities", json_boolean(network->has_priorities));
    struct listed_variable *list;
    uint32_t count = list_variables(network, &list, arena);
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(variables,
                              variable_entry(network, &list[i], &report->tried[i], arena));
    set(info, "variables", variables);
    const struct listed_clocks clocks = list_clocks(network, arena);
    if (clocks.names.count) set(info, "clocks", texts(clocks.names.items, clocks.names.count));
    set(info, "symmetry", report_symmetries(&report->symmetries));
    set(info, "may_fail", may_fail_entries(&report->condition));
    for (uint32_t i = 0; i < model->query_count; i++) {
        const struct query *query = &model->queries[i];
        if (query->quantifier == QUERY_EMPTY) continue;
        struct str formula = str_trim(query->xml->formula->text.content);
        json_t *string = json_stringn(formula.data, formula.size);
        json_array_append_new(queries, string ? string : text(""));
    }
    set(info, "queries", queries);
    return info;
}
