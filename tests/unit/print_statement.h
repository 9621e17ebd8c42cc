/* Declarations and functions back to text, as lang/print/print.h does expressions: for tests that
 * read again what they print. */
#pragma once

#include "lang/print/print.h"

static void print_statement(struct buffer *out, const struct statement *statement, int indent);
static void print_declaration(struct buffer *out, const struct declaration *declaration,
                              int indent);

/* With ", " between, as in a label. */
static void print_expr_list(struct buffer *out, const struct expr_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (i) buffer_add_text(out, ", ");
        print_expr(out, list->items[i]);
    }
}

static void print_indent(struct buffer *out, int indent) {
    for (int i = 0; i < indent; i++) buffer_add_text(out, "    ");
}

static void print_initialiser(struct buffer *out, const struct initialiser *initialiser) {
    if (initialiser->expr) {
        print_expr(out, initialiser->expr);
        return;
    }
    buffer_add_text(out, "{");
    for (uint32_t i = 0; i < initialiser->item_count; i++) {
        if (i) buffer_add_text(out, ", ");
        if (initialiser->names[i]) buffer_printf(out, "%s: ", initialiser->names[i]);
        print_initialiser(out, initialiser->items[i]);
    }
    buffer_add_text(out, "}");
}

/* As between parentheses: "const int a, bool &b". */
static void print_parameters(struct buffer *out, struct symbol *const *parameters, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) buffer_add_text(out, ", ");
        print_base_type(out, parameters[i]->type);
        buffer_add_text(out, parameters[i]->is_reference ? " &" : " ");
        print_declarator(out, parameters[i]->name, parameters[i]->type);
    }
}

static void print_condition(struct buffer *out, const char *word, const struct statement *s) {
    buffer_printf(out, "%s (", word);
    print_expr_list(out, &s->condition);
    buffer_add_text(out, ")");
}

static void print_nested(struct buffer *out, const struct statement *statement, int indent) {
    bool is_block = statement->kind == STATEMENT_BLOCK;
    buffer_add_text(out, is_block ? " " : "\n");
    if (!is_block) print_indent(out, indent + 1);
    print_statement(out, statement, is_block ? indent : indent + 1);
}

static void print_block(struct buffer *out, const struct statement *block, int indent) {
    buffer_add_text(out, "{\n");
    for (uint32_t i = 0; i < block->declaration_count; i++) {
        print_indent(out, indent + 1);
        print_declaration(out, block->declarations[i], indent + 1);
        buffer_add_text(out, "\n");
    }
    for (uint32_t i = 0; i < block->statement_count; i++) {
        print_indent(out, indent + 1);
        print_statement(out, block->statements[i], indent + 1);
        buffer_add_text(out, "\n");
    }
    print_indent(out, indent);
    buffer_add_text(out, "}");
}

static void print_for(struct buffer *out, const struct statement *statement) {
    buffer_add_text(out, "for (");
    print_expr_list(out, &statement->first);
    buffer_add_text(out, "; ");
    print_expr_list(out, &statement->condition);
    buffer_add_text(out, "; ");
    print_expr_list(out, &statement->step);
    buffer_add_text(out, ")");
}

/* Whether an else behind this statement would be taken by an if inside it. */
static bool ends_in_open_if(const struct statement *statement) {
    for (;;) {
        if (statement->kind == STATEMENT_IF && !statement->other) return true;
        if (statement->kind == STATEMENT_IF)
            statement = statement->other;
        else if (statement->kind == STATEMENT_FOR || statement->kind == STATEMENT_ITERATE ||
                 statement->kind == STATEMENT_WHILE)
            statement = statement->body;
        else
            return false;
    }
}

static void print_if(struct buffer *out, const struct statement *statement, int indent) {
    print_condition(out, "if", statement);
    if (statement->other && ends_in_open_if(statement->body)) {
        buffer_add_text(out, " {\n");
        print_indent(out, indent + 1);
        print_statement(out, statement->body, indent + 1);
        buffer_add_text(out, "\n");
        print_indent(out, indent);
        buffer_add_text(out, "}");
    } else {
        print_nested(out, statement->body, indent);
    }
    if (!statement->other) return;
    if (statement->body->kind == STATEMENT_BLOCK) {
        buffer_add_text(out, " else");
    } else {
        buffer_add_text(out, "\n");
        print_indent(out, indent);
        buffer_add_text(out, "else");
    }
    print_nested(out, statement->other, indent);
}

static void print_statement(struct buffer *out, const struct statement *statement, int indent) {
    switch (statement->kind) {
    case STATEMENT_BLOCK: print_block(out, statement, indent); break;
    case STATEMENT_EMPTY: buffer_add_text(out, ";"); break;
    case STATEMENT_EXPR:
        print_expr(out, statement->expr);
        buffer_add_text(out, ";");
        break;
    case STATEMENT_RETURN:
    case STATEMENT_ASSERT:
        buffer_add_text(out, statement->kind == STATEMENT_RETURN ? "return" : "assert");
        if (statement->expr) buffer_add_text(out, " ");
        if (statement->expr) print_expr(out, statement->expr);
        buffer_add_text(out, ";");
        break;
    case STATEMENT_IF: print_if(out, statement, indent); break;
    case STATEMENT_FOR:
        print_for(out, statement);
        print_nested(out, statement->body, indent);
        break;
    case STATEMENT_ITERATE:
        buffer_printf(out, "for (%s : ", statement->bound->name);
        print_base_type(out, statement->bound->type);
        buffer_add_text(out, ")");
        print_nested(out, statement->body, indent);
        break;
    case STATEMENT_WHILE:
        print_condition(out, "while", statement);
        print_nested(out, statement->body, indent);
        break;
    case STATEMENT_DO:
        buffer_add_text(out, "do");
        print_nested(out, statement->body, indent);
        buffer_add_text(out, " ");
        print_condition(out, "while", statement);
        buffer_add_text(out, ";");
        break;
    }
}

static void print_instance(struct buffer *out, const struct instance *instance) {
    buffer_add_text(out, instance->symbol->name);
    if (instance->parameter_count) {
        buffer_add_text(out, "(");
        print_parameters(out, instance->parameters, instance->parameter_count);
        buffer_add_text(out, ")");
    }
    buffer_printf(out, " = %s(", instance->base->name);
    struct expr_list list = {instance->arguments, instance->argument_count};
    print_expr_list(out, &list);
    buffer_add_text(out, ");");
}

static void print_priorities(struct buffer *out, const struct declaration *declaration) {
    buffer_add_text(out, "chan priority ");
    for (uint32_t i = 0; i < declaration->priority_count; i++) {
        const struct channel_priority *item = &declaration->priorities[i];
        if (i) buffer_add_text(out, item->level > item[-1].level ? " < " : ", ");
        if (item->channel)
            print_expr(out, item->channel);
        else
            buffer_add_text(out, "default");
    }
    buffer_add_text(out, ";");
}

/* With a line end; indent is in steps of four blanks. */
static void print_declaration(struct buffer *out, const struct declaration *declaration,
                              int indent) {
    switch (declaration->kind) {
    case DECLARATION_VARIABLES:
    case DECLARATION_TYPES:
        if (declaration->kind == DECLARATION_TYPES) buffer_add_text(out, "typedef ");
        print_base_type(out, declaration->base);
        for (uint32_t i = 0; i < declaration->declarator_count; i++) {
            const struct symbol *symbol = declaration->declarators[i].symbol;
            buffer_add_text(out, i ? ", " : " ");
            print_declarator(out, symbol->name, symbol->type);
            if (!symbol->initialiser) continue;
            buffer_add_text(out, " = ");
            print_initialiser(out, symbol->initialiser);
        }
        buffer_add_text(out, ";");
        break;
    case DECLARATION_FUNCTION:
        print_base_type(out, declaration->base);
        buffer_printf(out, " %s(", declaration->function->symbol->name);
        print_parameters(out, declaration->function->parameters,
                         declaration->function->parameter_count);
        buffer_add_text(out, ") ");
        print_statement(out, declaration->function->body, indent);
        break;
    case DECLARATION_CHANNEL_PRIORITY: print_priorities(out, declaration); break;
    case DECLARATION_INSTANCE: print_instance(out, declaration->instance); break;
    case DECLARATION_HOOK:
        buffer_add_text(out, declaration->is_after ? "after_update { " : "before_update { ");
        print_expr_list(out, &declaration->hook);
        buffer_add_text(out, " }");
        break;
    }
}
