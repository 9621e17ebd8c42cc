/* What `varabs info` says about a model, as text. */
#include "report/check/info_report.h"

#include "abstract/request/obstacle.h"
#include "lang/print/print.h"
#include "report/guarantee_report.h"

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

static uint32_t count_edges(const struct network *network, const struct symbol *symbol,
                            bool (*uses)(const struct edge_labels *effects,
                                         const struct symbol *symbol)) {
    const struct model *model = network->model;
    uint32_t count = 0;
    for (uint32_t t = 0; t < model->template_count; t++)
        for (uint32_t i = 0; i < model->templates[t]->edge_count; i++)
            count += edge_uses(network, t, i, symbol, uses);
    return count;
}

/* Prints the description as text. */
void print_info(FILE *file, const struct info_report *report) {
    const struct network *network = report->network;
    const struct tried *tried = report->tried;
    struct arena *arena = report->arena;
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
        const struct slot *slot = first_slot(network, variable);
        const char *because = removal_obstacle(network, variable->template, variable->symbol);
        if (!because && tried[i].outcome == TRIED_REFUSED) because = tried[i].because;
        fprintf(file, "%-24s %-20s %6u %-14s %7d %7u %7u  %s%s%s%s\n", variable->name,
                type_text(variable->symbol->type, arena),
                variable->shape ? variable->shape->cell_count : 0, range_text(slot, arena),
                slot ? slot->initial : 0, count_edges(network, variable->symbol, edge_reads),
                count_edges(network, variable->symbol, edge_writes), outcome_text(&tried[i]),
                tried[i].relies_on ? ", if nothing fails" : "", because ? ": " : "",
                because ? because : "");
    }
    const struct listed_clocks clocks = list_clocks(network, arena);
    for (uint32_t i = 0; i < clocks.names.count; i++)
        fprintf(file, "%s%s",
                i ? ", " : "\nclocks, which stay unless --remove or --untime is asked for: ",
                clocks.names.items[i]);
    if (clocks.names.count) fputc('\n', file);
    fputc('\n', file);
    print_symmetries(file, &report->symmetries, arena);
    print_may_fail(file, &report->condition);
}
