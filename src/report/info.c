/* What `varabs info` says about a model. */
#include "report/member.h"

/* Edges, invariants and queries that use a variable. */
struct uses {
    uint32_t readers, writers;
};

static struct uses uses_of(const struct network *network, const struct symbol *symbol,
                           json_t *readers, json_t *writers) {
    const struct model *model = network->model;
    struct uses uses = {0, 0};
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++) {
            const struct edge_effects *effects = &network->edge_effects[t][i];
            bool reads = effects_reads(&effects->guard, symbol) ||
                         effects_reads(&effects->sync, symbol) ||
                         effects_reads(&effects->update, symbol);
            bool writes = effects_writes(&effects->update, symbol);
            uses.readers += reads;
            uses.writers += writes;
            json_t *lists[] = {reads ? readers : NULL, writes ? writers : NULL};
            for (int k = 0; k < 2; k++) {
                if (!lists[k]) continue;
                json_t *entry = json_object();
                set(entry, "template", text(model->templates[t]->symbol->name));
                set(entry, "edge", json_integer(i + 1));
                json_array_append_new(lists[k], entry);
            }
        }
    return uses;
}

static const char *exactness_text(signed char exactness) {
    switch (exactness) {
    case 1: return "exact";
    case 0: return "not exact";
    case -1: return "refused";
    default: return "unknown";
    }
}

static const struct slot *first_slot(const struct network *network,
                                     const struct listed_variable *variable) {
    for (uint32_t i = 0; i < network->slot_count; i++)
        if (network->slots[i].symbol == variable->symbol) return &network->slots[i];
    return NULL;
}

static json_t *variable_entry(const struct network *network, const struct listed_variable *variable,
                              signed char exactness, struct arena *arena) {
    json_t *entry = json_object(), *readers = json_array(), *writers = json_array();
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
    uses_of(network, variable->symbol, readers, writers);
    set(entry, "read_by", readers);
    set(entry, "written_by", writers);
    const char *obstacle = removal_obstacle(network, variable->template, variable->symbol);
    set(entry, "removable", json_boolean(!obstacle));
    if (obstacle) set(entry, "obstacle", text(obstacle));
    set(entry, "removal", text(exactness_text(exactness)));
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

json_t *report_info(const struct network *network, const signed char *exactness,
                    struct arena *arena) {
    const struct model *model = network->model;
    json_t *info = json_object(), *templates = json_array(), *variables = json_array();
    json_t *queries = json_array();
    set(info, "format", json_integer(1));
    set(info, "file", text(model->document->source.name));
    for (uint32_t i = 0; i < model->template_count; i++)
        json_array_append_new(templates, template_entry(network, model->templates[i]));
    set(info, "templates", templates);
    set(info, "process_count", json_integer(network->process_count));
    set(info, "slot_count", json_integer(network->slot_count));
    set(info, "priorities", json_boolean(network->has_priorities));
    struct listed_variable *list;
    uint32_t count = list_variables(network, &list, arena);
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(variables, variable_entry(network, &list[i], exactness[i], arena));
    set(info, "variables", variables);
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

static void print_templates(FILE *file, const struct network *network) {
    const struct model *model = network->model;
    fprintf(file, "%-24s %9s %6s %10s\n", "template", "locations", "edges", "processes");
    for (uint32_t i = 0; i < model->template_count; i++) {
        const struct template *template = model->templates[i];
        uint32_t processes = 0;
        for (uint32_t p = 0; p < network->process_count; p++)
            processes += network->processes[p].template == template;
        fprintf(file, "%-24s %9u %6u %10u\n", template->symbol->name, template->location_count,
                template->edge_count, processes);
    }
}

static const char *range_text(const struct slot *slot, struct arena *arena) {
    if (!slot) return "no process";
    if (slot->is_bool) return "0..1";
    return arena_printf(arena, "%d..%d", slot->lower, slot->upper);
}

void print_info(FILE *file, const struct network *network, const signed char *exactness,
                struct arena *arena) {
    struct listed_variable *list;
    uint32_t count = list_variables(network, &list, arena);
    fprintf(file, "%s: processes %u, slots %u, queries %u%s\n\n",
            network->model->document->source.name, network->process_count, network->slot_count,
            network->model->query_count, network->has_priorities ? ", priorities" : "");
    print_templates(file, network);
    fprintf(file, "\n%-24s %-20s %6s %-14s %7s %7s %7s  %s\n", "variable", "type", "slots", "range",
            "initial", "readers", "writers", "removal");
    for (uint32_t i = 0; i < count; i++) {
        const struct listed_variable *variable = &list[i];
        json_t *readers = json_array(), *writers = json_array();
        struct uses uses = uses_of(network, variable->symbol, readers, writers);
        json_decref(readers);
        json_decref(writers);
        const struct slot *slot = first_slot(network, variable);
        const char *obstacle = removal_obstacle(network, variable->template, variable->symbol);
        fprintf(file, "%-24s %-20s %6u %-14s %7d %7u %7u  %s%s%s\n", variable->name,
                type_text(variable->symbol->type, arena),
                variable->shape ? variable->shape->cell_count : 0, range_text(slot, arena),
                slot ? slot->initial : 0, uses.readers, uses.writers, exactness_text(exactness[i]),
                obstacle ? ": " : "", obstacle ? obstacle : "");
    }
}
