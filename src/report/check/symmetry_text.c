/* Who may change places, as text. */
#include "report/check/symmetry_report.h"

static void print_blocks(FILE *file, const struct symmetry *symmetry, struct arena *arena) {
    for (uint32_t i = 0; i < symmetry->block_count; i++)
        fprintf(file, "%s%s", i ? ", " : "",
                symmetry_block_text(symmetry, &symmetry->blocks[i], arena));
    if (!symmetry->block_count) fputs("none", file);
}

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
    bool is_silent = all->refusal || (!all->block_count && !all->parameter_count);
    if (is_silent) return;
    fputs("may change places: ", file);
    print_blocks(file, all, arena);
    fputc('\n', file);
    if (symmetries->with_queries && all->block_count) {
        fputs("  while all queries stand: ", file);
        print_blocks(file, symmetries->with_queries, arena);
        fputc('\n', file);
    }
    for (uint32_t i = 0; i < all->parameter_count; i++)
        if (all->parameters[i].why) print_parameter(file, all, &all->parameters[i]);
    fputc('\n', file);
}
