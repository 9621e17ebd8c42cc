#include "report/report.h"

#include "lang/print/print.h"

#include <stdlib.h>

char *type_text(const struct type *type, struct arena *arena) {
    struct buffer text = {0};
    print_base_type(&text, type);
    print_declarator(&text, "", type);
    char *copy = buffer_take(&text, arena);
    buffer_close(&text);
    return copy;
}

uint32_t list_variables(const struct network *network, struct listed_variable **list,
                        struct arena *arena) {
    const struct model *model = network->model;
    VEC(struct listed_variable) all = {0};
    for (uint32_t t = 0; t <= model->template_count; t++) {
        const struct template *template = t ? model->templates[t - 1] : NULL;
        struct symbol *const *symbols = template ? template->symbols : model->symbols;
        uint32_t count = template ? template->symbol_count : model->symbol_count;
        for (uint32_t i = 0; i < count; i++)
            if (is_listed_variable(symbols[i]))
                VEC_PUSH(arena, &all,
                         (struct listed_variable){
                             template, symbols[i], network_shape(network, template, symbols[i]),
                             variable_argument(network, template, symbols[i], arena)});
    }
    *list = all.items;
    return all.count;
}

char *report_dump(const json_t *report) {
    char *text = json_dumps(report, JSON_INDENT(2));
    if (!text) return NULL;
    struct buffer out = {0};
    buffer_add_text(&out, text);
    buffer_add_text(&out, "\n");
    free(text);
    return out.data;
}
