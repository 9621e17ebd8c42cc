#include "verifyta/messages.h"

#include <string.h>

static bool text_holds(const struct text *text, position at) {
    return text->begin && at >= text->begin && at - text->begin <= text->content.size;
}

/* Of which query, from 1, a position is, or 0. */
static uint32_t query_of(const struct query_texts *queries, position at) {
    for (uint32_t i = 0; i < queries->list.count && at; i++)
        if (text_holds(&queries->list.items[i].formula->text, at)) return i + 1;
    return 0;
}

/* The element that a position is in, or NULL; elements are nested DOCUMENT_MAX_DEPTH times at
 * most. */
static const struct element *element_at(const struct element *element, position at) {
    if (element->at == at || text_holds(&element->text, at)) return element;
    for (const struct element *child = element->first_child; child; child = child->next) {
        const struct element *found = element_at(child, at);
        if (found) return found;
    }
    return NULL;
}

/* There may be several of the name below one parent. */
static bool is_counted(const char *name) {
    static const char *const counted[] = {"template", "location", "branchpoint", "transition",
                                          "label",    "nail",     "query"};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (!strcmp(counted[i], name)) return true;
    return false;
}

/* "/nta/template[2]/name" */
static void print_path(FILE *file, const struct element *element) {
    uint32_t number = 1;
    if (element->parent) print_path(file, element->parent);
    fprintf(file, "/%s", element->name);
    if (!element->parent || !is_counted(element->name)) return;
    for (const struct element *other = element->parent->first_child; other != element;
         other = other->next)
        number += !strcmp(other->name, element->name);
    fprintf(file, "[%u]", number);
}

static uint32_t line_in(const struct text *text, position at) {
    uint32_t line = 1;
    if (!text_holds(text, at)) return line;
    for (size_t i = 0; i < at - text->begin; i++) line += text->content.data[i] == '\n';
    return line;
}

static void print_place(FILE *file, const struct session *session, position at, uint32_t query) {
    const struct element *element =
        !query && at && session->document.root ? element_at(session->document.root, at) : NULL;
    print_visible(file, session->document.source.name);
    if (query) {
        fprintf(file, "::%u", query);
    } else if (element) {
        fputc(':', file);
        print_path(file, element);
        fprintf(file, ":%u", line_in(&element->text, at));
    } else if (source_locate(&session->document.source, at).line) {
        fprintf(file, ":%u", source_locate(&session->document.source, at).line);
    }
}

void verifyta_messages_print(FILE *file, struct session *session, const struct query_texts *queries,
                             const bool *is_told, bool wants_warnings) {
    struct diag *diag = &session->diag;
    diag_sort(diag);
    for (uint32_t i = 0; i < diag->items.count; i++) {
        const struct diagnostic *item = &diag->items.items[i];
        uint32_t query = query_of(queries, item->at);
        bool is_error = item->status != STATUS_DONE;
        if ((!is_error && !wants_warnings) || (query && is_told && is_told[query - 1])) continue;
        print_place(file, session, item->at, query);
        fprintf(file, ": [%s] ", is_error ? "error" : "warning");
        print_visible(file, item->message);
        fputs(".\n", file);
    }
}
