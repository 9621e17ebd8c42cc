#include "page/page.h"

#include "draw/draw.h"
#include "page/page_text.h" /* page_css and page_js, made of the files of these names */
#include "xml/output.h"

#include <stdlib.h>
#include <string.h>

/* Text between tags or in an attribute. */
static void add_escaped(struct buffer *out, const char *text) {
    for (; *text; text++)
        if (*text == '<')
            buffer_add_text(out, "&lt;");
        else if (*text == '&')
            buffer_add_text(out, "&amp;");
        else if (*text == '"')
            buffer_add_text(out, "&quot;");
        else
            buffer_add(out, text, 1);
}

/* In JSON a '<' can only be in a text, where it may be written as a number: no text ends the
 * element. False if there is no memory for it. */
static bool add_json(struct buffer *out, const char *id, const json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    if (!text) return false;
    buffer_printf(out, "<script type=\"application/json\" id=\"%s\">", id);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            buffer_add_text(out, "\\u003c");
        else
            buffer_add(out, c, 1);
    buffer_add_text(out, "</script>\n");
    free(text);
    return true;
}

static void add_markup(struct buffer *out, const char *class, const char *id, const char *title,
                       struct str drawing) {
    const char *begin = strstr(drawing.data, "<svg");
    buffer_printf(out, "<div class=\"%s\" data-drawing=\"%s\" data-title=\"", class, id);
    add_escaped(out, title);
    buffer_add_text(out, "\">\n");
    buffer_add(out, begin, drawing.size - (size_t)(begin - drawing.data));
    buffer_add_text(out, "</div>\n");
}

static bool add_drawing(struct buffer *out, const char *id, const char *title,
                        const struct document *first, const struct document *second,
                        struct arena *arena, struct diag *diag) {
    struct str drawing;
    if (!draw_page(&drawing, first, second, NULL, arena, diag)) return false;
    add_markup(out, "drawing", id, title, drawing);
    return true;
}

static void add_round(struct buffer *out, const struct page_round *round, struct arena *arena) {
    const char *id = arena_printf(arena, "round-%u-%u", round->query, round->round);
    const char *title = arena_printf(arena, "the abstraction of round %u", round->round + 1);
    add_markup(out, "drawing", id, title, round->drawing);
}

static void add_chart(struct buffer *out, const struct page_chart *chart, struct arena *arena) {
    add_markup(out, "chart", arena_printf(arena, "chart-%u", chart->query),
               "message sequence chart", chart->drawing);
}

static bool add_drawings(struct buffer *out, const struct result_page *page, struct arena *arena,
                         struct diag *diag) {
    const struct document *first = page->first.document, *second = page->second.document;
    buffer_add_text(out, "<div id=\"models\">\n");
    bool ok = (!page->is_comparison ||
               add_drawing(out, "changes", "what changed", first, second, arena, diag)) &&
              add_drawing(out, "first", page->first.name, first, NULL, arena, diag) &&
              (!second || add_drawing(out, "second", page->second.name, second, NULL, arena, diag));
    for (uint32_t i = 0; i < page->round_count && ok; i++) add_round(out, &page->rounds[i], arena);
    for (uint32_t i = 0; i < page->chart_count && ok; i++) add_chart(out, &page->charts[i], arena);
    buffer_add_text(out, "</div>\n");
    return ok;
}

json_t *page_processes(const struct network *network) {
    json_t *object = json_object();
    for (uint32_t i = 0; network && i < network->process_count; i++)
        json_object_set_new(object, network->processes[i].name,
                            json_string(network->processes[i].template->symbol->name));
    return object;
}

static bool add_data(struct buffer *out, const struct result_page *page) {
    json_t *about =
        json_pack("{s:s, s:s, s:s?, s:o, s:o, s:s?, s:s?, s:s?}", "kind", page->kind, "first",
                  page->first.name, "second", page->second.name, "first_processes",
                  page_processes(page->first.network), "second_processes",
                  page_processes(page->second.network), "first_states", page->first.states,
                  "second_states", page->second.states, "command", page->command);
    for (uint32_t i = 0; i < page->round_count; i++) {
        const struct page_round *round = &page->rounds[i];
        char name[64];
        snprintf(name, sizeof name, "round-%u-%u_processes", round->query, round->round);
        json_object_set(about, name, round->processes);
    }
    bool ok = about && add_json(out, "about", about) && add_json(out, "result", page->result);
    json_decref(about);
    return ok;
}

/* Reports what goes wrong. */
static bool add_page(struct buffer *out, const struct result_page *page, const char *name,
                     struct arena *arena, struct diag *diag) {
    buffer_add_text(
        out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<title>");
    add_escaped(out, page->first.name);
    buffer_printf(out, " - varabs %s</title>\n<style>\n%s</style>\n", page->kind, page_css);
    buffer_add_text(
        out, "<script>document.documentElement.classList.add(\"js\");</script>\n" /* at once */
             "</head>\n<body>\n");
    buffer_add_text(out, "<noscript>This page needs JavaScript for its tables; the drawings are "
                         "below.</noscript>\n<main id=\"main\"></main>\n");
    bool is_drawn = add_drawings(out, page, arena, diag), has_data = add_data(out, page);
    if (is_drawn && !has_data)
        diag_error(diag, STATUS_LIMIT, 0, "there is not enough memory for the page '%s'", name);
    buffer_printf(out, "<script>\n%s</script>\n</body>\n</html>\n", page_js);
    return is_drawn && has_data;
}

bool page_make(struct str *bytes, const struct result_page *page, const char *name,
               struct arena *arena, struct diag *diag) {
    struct buffer out = {0};
    bool ok = add_page(&out, page, name, arena, diag);
    size_t size = out.size;
    if (ok) *bytes = (struct str){buffer_take(&out, arena), size};
    buffer_close(&out);
    return ok;
}

bool page_write(const struct result_page *page, const char *path, struct arena *arena,
                struct diag *diag) {
    struct buffer out = {0};
    bool ok = add_page(&out, page, path, arena, diag) &&
              file_write(path, (struct str){out.data, out.size}, diag);
    buffer_close(&out);
    return ok;
}
