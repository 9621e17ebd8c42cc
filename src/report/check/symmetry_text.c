/* Who may change places, as text. */
#include "report/check/symmetry_report.h"

#include <string.h>

static void print_parameter(FILE *file, const struct symmetry *symmetry,
                            const struct symmetry_parameter *parameter) {
    const struct source *source = &symmetry->network->model->document->source;
    struct source_location place = source_locate(source, parameter->at.begin);
    fprintf(file, "  %s.%s: no: %s", parameter->template->symbol->name, parameter->symbol->name,
            parameter->why);
    if (place.line) fprintf(file, " (%u:%u)", place.line, place.column);
    fputc('\n', file);
}

void print_symmetries(FILE *file, const struct symmetries *symmetries, struct arena *arena) {
    const struct symmetry *all = symmetries->of_model;
    bool is_silent =
        all->refusal || (!all->block_count && !all->parameter_count && !symmetries->tried);
    if (is_silent) return;
    const char *text = symmetry_blocks_text(all, arena);
    const char *kept =
        symmetries->with_queries ? symmetry_blocks_text(symmetries->with_queries, arena) : text;
    fprintf(file, "may change places: %s\n", text);
    if (strcmp(text, kept) != 0) fprintf(file, "  while all queries stand: %s\n", kept);
    if (symmetries->tried)
        fprintf(file, "  if no order of receivers matters, which check tries: %s\n",
                symmetry_blocks_text(symmetries->tried, arena));
    for (uint32_t i = 0; i < all->parameter_count; i++)
        if (all->parameters[i].why) print_parameter(file, all, &all->parameters[i]);
    fputc('\n', file);
}
