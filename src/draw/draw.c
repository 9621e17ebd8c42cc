#include "draw/draw.h"

#include "base/map.h"
#include "base/similar.h"
#include "draw/arrange.h"
#include "draw/compare.h"
#include "draw/notes.h"
#include "draw/paint.h"
#include "draw/tikz.h"

#include <assert.h>
#include <math.h>

enum {
    MARGIN = 16, /* around a diagram, between panels */
    TITLE_SIZE = 15,
    TITLE_HEIGHT = 22,
    TITLE_LEAST = 360, /* titles of narrow diagrams are wrapped at this width */
    PAGE_WIDTH = 1500  /* panels stand beside each other up to this width */
};

/* Bold letters are wider than those that lines_of knows. */
static const double title_scale = 1.15 * TITLE_SIZE / FONT_SIZE;

static struct str name_of(const struct xml_template *template) {
    return template->name ? str_trim(template->name->text.content) : STR("");
}

/* ---- titles ---- */

static struct lines title_of(const struct xml_template *template, const char *remark, double width,
                             struct arena *arena) {
    struct buffer text = {0};
    struct str parameter = {NULL, 0};
    if (template->parameter) parameter = str_trim(template->parameter->text.content);
    buffer_add(&text, name_of(template).data, name_of(template).size);
    if (parameter.size) {
        buffer_add_text(&text, "(");
        buffer_add(&text, parameter.data, parameter.size);
        buffer_add_text(&text, ")");
    }
    buffer_add_text(&text, remark);
    struct lines lines = lines_of(arena, (struct str){text.data, text.size}, width / title_scale);
    buffer_close(&text);
    lines.most_width *= title_scale;
    return lines;
}

static bool has_same_title(const struct xml_template *before, const struct xml_template *after) {
    struct str texts[2] = {{"", 0}, {"", 0}};
    if (before->parameter) texts[0] = before->parameter->text.content;
    if (after->parameter) texts[1] = after->parameter->text.content;
    return str_equal_but_space(texts[0], texts[1]);
}

/* Writes a title and returns where the next thing goes. */
static double add_title(struct svg *svg, const struct lines *lines, double y, const char *style) {
    svg_lines(svg, lines, (struct point){MARGIN, y}, TITLE_SIZE, TITLE_HEIGHT, style, NULL);
    buffer_add_text(&svg->text, "\n");
    return y + lines->count * TITLE_HEIGHT;
}

static double add_titles(struct svg *svg, const struct xml_template *before,
                         const struct xml_template *after, bool is_comparison, double width,
                         struct arena *arena) {
    static const char plain[] = "font-size=\"15\" font-weight=\"bold\"";
    const char *remark = "", *style = plain;
    if (is_comparison && !before) {
        remark = " \xE2\x80\x94 only in the second model";
        style = "font-size=\"15\" font-weight=\"bold\" fill=\"#00a030\"";
    } else if (is_comparison && !after) {
        remark = " \xE2\x80\x94 only in the first model";
        style = "font-size=\"15\" font-weight=\"bold\" fill=\"#d00000\"";
    }
    struct lines title = title_of(after ? after : before, remark, width, arena);
    double y = add_title(svg, &title, MARGIN / 2, style);
    if (!before || !after || has_same_title(before, after)) return y;
    title = title_of(before, "", width, arena);
    return add_title(svg, &title, y,
                     "font-size=\"15\" fill=\"#d00000\" text-decoration=\"line-through\"");
}

/* ---- panels ---- */

static struct diagram diagram_of(const struct xml_template *before,
                                 const struct xml_template *after, struct arena *arena) {
    struct diagram diagrams[2];
    const struct xml_template *const templates[2] = {before, after};
    for (int i = 0; i < 2; i++)
        if (templates[i]) diagram_read(&diagrams[i], templates[i], arena);
    if (!before || !after) return diagrams[after != NULL];
    return compare_diagrams(&diagrams[0], &diagrams[1], arena);
}

static size_t element_count(const struct xml_template *template) {
    if (!template) return 0;
    return (size_t) template->location_count + template->branchpoint_count +
           template->transition_count;
}

static bool refuse_size(struct diag *diag) {
    return diag_error(diag, STATUS_LIMIT, 0,
                      "the drawing gets too large; choose one template with --template");
}

bool draw_panel(struct panel *panel, const struct xml_template *before,
                const struct xml_template *after, bool is_comparison, struct arena *arena,
                struct diag *diag) {
    struct svg body, svg;
    assert(before || after);
    if (element_count(before) + element_count(after) > DRAW_MAX_ELEMENTS) return refuse_size(diag);
    struct diagram diagram = diagram_of(before, after, arena);
    diagram_arrange(&diagram, arena);
    svg_open(&body);
    svg_open(&svg);
    bool fits = paint_diagram(&body, &diagram, DRAW_MAX_BYTES);
    if (body.box.left > body.box.right) svg_cover(&body, 0, 0, 0, 0); /* an empty template */
    double width = body.box.right - body.box.left;
    double y = add_titles(&svg, before, after, is_comparison, fmax(width, TITLE_LEAST), arena);
    panel->width = fmax(width, svg.box.right - MARGIN) + 2 * MARGIN;
    panel->height = y + MARGIN / 2 + body.box.bottom - body.box.top + MARGIN;
    struct svg out;
    svg_open(&out);
    buffer_add_text(&out.text, "<g data-template=\"");
    svg_escaped(&out, name_of(after ? after : before));
    buffer_add_text(&out.text, "\">\n");
    svg_rectangle(&out, (struct box){0, 0, panel->width, panel->height},
                  "fill=\"#ffffff\" stroke=\"#d0d0d0\"");
    buffer_add_text(&out.text, "\n");
    buffer_add(&out.text, svg.text.data, svg.text.size);
    buffer_add_text(&out.text, "<g transform=\"translate(");
    svg_number(&out, MARGIN - body.box.left);
    buffer_add_text(&out.text, " ");
    svg_number(&out, y + MARGIN / 2 - body.box.top);
    buffer_add_text(&out.text, ")\">\n");
    buffer_add(&out.text, body.text.data, body.text.size);
    buffer_add_text(&out.text, "</g>\n</g>\n");
    panel->markup.size = out.text.size;
    panel->markup.data = buffer_take(&out.text, arena);
    svg_close(&out);
    svg_close(&body);
    svg_close(&svg);
    return fits || refuse_size(diag);
}

/* ---- the page ---- */

struct page {
    struct svg svg;
    double x, y;     /* where the next panel goes */
    double row;      /* height of the present row */
    size_t elements; /* so far */
    bool is_tikz;    /* then the text is that of a document for LaTeX, and has no places */
};

static void add_panel(struct page *page, const struct panel *panel) {
    if (page->x > MARGIN && page->x + panel->width + MARGIN > PAGE_WIDTH) {
        page->x = MARGIN;
        page->y += page->row + MARGIN;
        page->row = 0;
    }
    buffer_add_text(&page->svg.text, "<g transform=\"translate(");
    svg_number(&page->svg, page->x);
    buffer_add_text(&page->svg.text, " ");
    svg_number(&page->svg, page->y);
    buffer_add_text(&page->svg.text, ")\">\n");
    buffer_add(&page->svg.text, panel->markup.data, panel->markup.size);
    buffer_add_text(&page->svg.text, "</g>\n");
    svg_cover(&page->svg, page->x, page->y, page->x + panel->width, page->y + panel->height);
    page->x += panel->width + MARGIN;
    page->row = fmax(page->row, panel->height);
}

/* "Voter(voter_t v)", and where it is of one model only, of which. */
static bool add_picture(struct page *page, const struct xml_template *before,
                        const struct xml_template *after, bool is_comparison, struct arena *arena) {
    const char *remark = !is_comparison || (before && after) ? ""
                         : before                            ? " (only in the first model)"
                                                             : " (only in the second model)";
    struct diagram diagram = diagram_of(before, after, arena);
    diagram_arrange(&diagram, arena);
    struct lines title = title_of(after ? after : before, remark, INFINITY, arena);
    return tikz_add(&page->svg.text, &diagram, title.count ? title.items[0] : STR(""),
                    DRAW_MAX_BYTES);
}

static bool add_template(struct page *page, const struct xml_template *before,
                         const struct xml_template *after, bool is_comparison, struct diag *diag) {
    struct arena arena;
    struct panel panel;
    page->elements += element_count(before) + element_count(after) + 1;
    if (page->elements > DRAW_MAX_ELEMENTS) return refuse_size(diag);
    arena_init(&arena);
    bool fits = page->is_tikz
                    ? add_picture(page, before, after, is_comparison, &arena) || refuse_size(diag)
                    : draw_panel(&panel, before, after, is_comparison, &arena, diag);
    if (fits && !page->is_tikz) add_panel(page, &panel);
    arena_close(&arena);
    if (fits && page->svg.text.size > DRAW_MAX_BYTES) return refuse_size(diag);
    return fits;
}

/* Templates by name; of several with one name the first. */
static void map_templates(const struct document *document, struct interner *names, struct map *map,
                          struct arena *arena) {
    map_init(map, arena);
    for (uint32_t i = document ? document->template_count : 0; i-- > 0;) {
        struct str name = name_of(&document->templates[i]);
        map_put(map, map_key(intern(names, name.data, name.size)), &document->templates[i]);
    }
}

/* Draws the templates of one document beside those of the other; the second time only those that
 * the other does not have. */
static bool add_templates(struct page *page, const struct document *document,
                          const struct document *other, bool is_before, const char *name,
                          struct arena *arena, struct diag *diag, uint32_t *count) {
    struct interner names;
    struct map map;
    interner_init(&names, arena);
    map_templates(other, &names, &map, arena);
    for (uint32_t i = 0; i < document->template_count; i++) {
        const struct xml_template *template = &document->templates[i];
        struct str own = name_of(template);
        if (name && !str_is(own, name)) continue;
        const struct xml_template *match =
            map_get(&map, map_key(intern(&names, own.data, own.size)));
        if (is_before && match) continue;
        ++*count;
        if (!add_template(page, is_before ? template : match, is_before ? NULL : template,
                          other != NULL, diag))
            return false;
    }
    return true;
}

static void add_legend(struct page *page, struct arena *arena) {
    paint_legend(&page->svg, (struct point){MARGIN, MARGIN}, arena);
    page->y += 3 * LINE_HEIGHT;
}

static struct str finish(struct page *page, struct arena *arena) {
    struct box box = {0, 0, MARGIN, MARGIN};
    if (page->svg.box.left <= page->svg.box.right)
        box = (struct box){0, 0, page->svg.box.right + MARGIN, page->svg.box.bottom + MARGIN};
    return svg_page(&page->svg, box, arena);
}

static void offer_templates(struct similar *similar, const struct document *document,
                            struct arena *arena) {
    for (uint32_t i = 0; i < document->template_count; i++) {
        struct str name = name_of(&document->templates[i]);
        similar_offer(similar, arena_copy(arena, name.data, name.size));
    }
}

/* "; there are P, Q", or how to see them where there are many. */
static const char *names_hint(const struct document *document, struct arena *arena) {
    enum { MANY = 8 };
    const char *hint = "; there are ";
    if (document->template_count > MANY) return "; `varabs info` lists them";
    for (uint32_t i = 0; i < document->template_count; i++) {
        struct str name = name_of(&document->templates[i]);
        hint = arena_printf(arena, "%s%s%.*s", hint, i ? ", " : "", (int)name.size, name.data);
    }
    return document->template_count ? hint : "";
}

/* All templates that are asked for. */
static bool draw_all(struct page *page, const struct document *before, const struct document *after,
                     const char *name, struct arena *arena, struct diag *diag) {
    uint32_t count = 0;
    bool ok = add_templates(page, after ? after : before, after ? before : NULL, false, name, arena,
                            diag, &count);
    if (ok && after) ok = add_templates(page, before, after, true, name, arena, diag, &count);
    if (!ok || !name || count) return ok;
    struct similar similar = {.word = str_of(name)};
    offer_templates(&similar, before, arena);
    if (after) offer_templates(&similar, after, arena);
    return diag_error(diag, STATUS_USAGE, 0, "there is no template '%s'%s", name,
                      similar_hint(&similar, arena, names_hint(after ? after : before, arena)));
}

bool draw_page(struct str *out, const struct document *before, const struct document *after,
               const char *name, struct arena *arena, struct diag *diag) {
    struct page page = {.x = MARGIN, .y = MARGIN};
    svg_open(&page.svg);
    if (after) add_legend(&page, arena);
    bool ok = draw_all(&page, before, after, name, arena, diag);
    if (ok) *out = finish(&page, arena);
    svg_close(&page.svg);
    return ok;
}

bool draw_tikz(struct str *out, const struct document *before, const struct document *after,
               const char *name, struct arena *arena, struct diag *diag) {
    struct page page = {.is_tikz = true};
    struct buffer *text = &page.svg.text;
    tikz_begin(text, after != NULL);
    bool ok = draw_all(&page, before, after, name, arena, diag);
    tikz_end(text);
    size_t size = text->size;
    if (ok) *out = (struct str){buffer_take(text, arena), size};
    buffer_close(text);
    return ok;
}
