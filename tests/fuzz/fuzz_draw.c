/* Draws any document, alone, compared with itself, and compared with a second one: what stands
 * behind a line "====". A drawing is well-formed XML whose numbers are finite. */
#include "load.h"

#include "draw/draw.h"

#include <expat.h>
#include <math.h>

static void load_copy(struct load *load, struct str bytes) {
    load_begin(load);
    bytes.data = arena_copy(&load->arena, bytes.data, bytes.size);
    load_document(load, bytes);
}

/* Coordinates of shapes and texts are numbers in a sane range. */
static void on_element(void *context, const char *name, const char **attributes) {
    static const char *const numbers[] = {"x", "y", "cx", "cy", "r", "width", "height"};
    (void)context;
    (void)name;
    for (; *attributes; attributes += 2)
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            if (strcmp(attributes[0], numbers[i]) != 0) continue;
            char *end;
            double value = strtod(attributes[1], &end);
            require(!*end && end != attributes[1] && fabs(value) < 1e9);
        }
    require(!strcmp(name, "svg") || !strcmp(name, "g") || !strcmp(name, "path") ||
            !strcmp(name, "rect") || !strcmp(name, "circle") || !strcmp(name, "text") ||
            !strcmp(name, "tspan") || !strcmp(name, "title"));
}

static void draw(struct load *first, struct load *second) {
    struct str page;
    uint32_t errors = first->diag.error_count;
    bool ok = draw_page(&page, &first->document, second ? &second->document : NULL, NULL,
                        &first->arena, &first->diag);
    require(ok == (first->diag.error_count == errors));
    if (!ok) return;
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetStartElementHandler(parser, on_element);
    require(XML_Parse(parser, page.data, (int)page.size, 1) == XML_STATUS_OK);
    XML_ParserFree(parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char mark[] = "\n====\n";
    const char *text = (const char *)data, *behind = NULL;
    for (size_t i = 0; i + sizeof mark <= size && !behind; i++)
        if (!memcmp(text + i, mark, sizeof mark - 1)) behind = text + i + sizeof mark - 1;
    struct load first, second;
    size_t first_size = behind ? (size_t)(behind - text) - (sizeof mark - 1) : size;
    load_copy(&first, (struct str){text, first_size});
    if (first.is_read) {
        draw(&first, NULL);
        draw(&first, &first);
    }
    if (first.is_read && behind) {
        load_copy(&second, (struct str){behind, (size_t)(text + size - behind)});
        if (second.is_read) draw(&first, &second);
        arena_close(&second.arena);
    }
    arena_close(&first.arena);
    return 0;
}
