/*
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <expat.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml.h"

#define DEEPEST 16
#define MOST_ELEMENTS 1000000

struct reading {
    XML_Parser parser;
    struct xml_node *root, *at;
    int depth, elements;
    bool is_own;
    const char *refused; /* why we refuse what expat would accept; NULL if we do not */
};

static void refuse(struct reading *reading, const char *why) {
    reading->refused = why;
    XML_StopParser(reading->parser, XML_FALSE);
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes) {
    struct reading *reading = context;
    (void)attributes; /* the protocol has hardly any, and none that we need */
    if (++reading->depth > DEEPEST && !reading->is_own) {
        refuse(reading, "elements are nested too deep");
        return;
    }
    if (++reading->elements > MOST_ELEMENTS && !reading->is_own) {
        refuse(reading, "there are too many elements");
        return;
    }
    struct xml_node *node = zeroed(sizeof *node), *parent = reading->at;
    node->name = copy_of(name);
    node->parent = parent;
    node->inner_begin =
        (size_t)XML_GetCurrentByteIndex(reading->parser) + (size_t)XML_GetCurrentByteCount(reading->parser);
    if (parent == NULL) {
        reading->root = node;
    } else if (parent->child == NULL) {
        parent->child = parent->last_child = node;
    } else {
        parent->last_child = parent->last_child->next = node;
    }
    reading->at = node;
}

static void XMLCALL on_end(void *context, const XML_Char *name) {
    struct reading *reading = context;
    (void)name;
    if (reading->refused != NULL) { /* expat still ends the element that it was in */
        return;
    }
    reading->at->inner_end = (size_t)XML_GetCurrentByteIndex(reading->parser);
    reading->at = reading->at->parent;
    reading->depth--;
}

static void XMLCALL on_text(void *context, const XML_Char *bytes, int length) {
    struct reading *reading = context;
    if (reading->refused == NULL && reading->at != NULL) {
        text_add(&reading->at->text, bytes, (size_t)length);
    }
}

static void XMLCALL on_document_type(void *context, const XML_Char *name, const XML_Char *system,
                                     const XML_Char *public, int has_internal_subset) {
    (void)name, (void)system, (void)public, (void)has_internal_subset;
    refuse(context, "it has a document type");
}

/* Blanks at both ends say nothing in any element that we read as a string. */
static void trim(struct text *text) {
    size_t begin = 0;
    if (text->bytes == NULL) {
        return;
    }
    while (text->length > 0 && isspace((unsigned char)text->bytes[text->length - 1])) {
        text->length--;
    }
    while (begin < text->length && isspace((unsigned char)text->bytes[begin])) {
        begin++;
    }
    text->length -= begin;
    memmove(text->bytes, text->bytes + begin, text->length);
    text->bytes[text->length] = '\0';
}

static struct xml_node *following(struct xml_node *node) {
    if (node->child != NULL) {
        return node->child;
    }
    while (node != NULL && node->next == NULL) {
        node = node->parent;
    }
    return node == NULL ? NULL : node->next;
}

static struct xml_node *parse(const char *source, size_t size, bool is_own, const char *what, struct fault *fault) {
    struct reading reading = {.parser = XML_ParserCreate(NULL), .is_own = is_own};
    if (reading.parser == NULL || size > INT_MAX) {
        XML_ParserFree(reading.parser);
        fault_set(fault, "%s is too large", what);
        return NULL;
    }
    XML_SetUserData(reading.parser, &reading);
    XML_SetElementHandler(reading.parser, on_start, on_end);
    XML_SetCharacterDataHandler(reading.parser, on_text);
    XML_SetStartDoctypeDeclHandler(reading.parser, on_document_type);
    if (XML_Parse(reading.parser, source, (int)size, XML_TRUE) != XML_STATUS_OK) {
        fault_set(fault, "%s is refused: %s (line %lu)", what,
                  reading.refused != NULL ? reading.refused : XML_ErrorString(XML_GetErrorCode(reading.parser)),
                  (unsigned long)XML_GetCurrentLineNumber(reading.parser));
        xml_free(reading.root);
        reading.root = NULL;
    }
    XML_ParserFree(reading.parser);
    for (struct xml_node *node = reading.root; node != NULL; node = following(node)) {
        trim(&node->text);
    }
    return reading.root;
}

struct xml_node *xml_parse(const char *source, size_t size, const char *what, struct fault *fault) {
    return parse(source, size, false, what, fault);
}

struct xml_node *xml_parse_own(const char *source, size_t size, const char *what, struct fault *fault) {
    return parse(source, size, true, what, fault);
}

void xml_free(struct xml_node *root) {
    while (root != NULL) { /* depth is bounded, so recursion goes over children alone */
        struct xml_node *next = root->next;
        xml_free(root->child);
        free(root->name);
        text_free(&root->text);
        free(root);
        root = next;
    }
}

static const struct xml_node *from(const struct xml_node *node, const char *name) {
    while (node != NULL && strcmp(node->name, name) != 0) {
        node = node->next;
    }
    return node;
}

const struct xml_node *xml_child(const struct xml_node *node, const char *name) {
    return from(node->child, name);
}

const struct xml_node *xml_next(const struct xml_node *node, const char *name) {
    return from(node->next, name);
}

const char *xml_string(const struct xml_node *node, const char *name) {
    const struct xml_node *child = xml_child(node, name);
    return child == NULL || child->text.bytes == NULL ? "" : child->text.bytes;
}

bool xml_inner(const struct xml_node *node, const char *source, struct text *inner) {
    if (node->inner_end <= node->inner_begin) { /* such as <name/> */
        return false;
    }
    text_add(inner, source + node->inner_begin, node->inner_end - node->inner_begin);
    return true;
}

double xml_number(const struct xml_node *node, const char *name, double least, double greatest, double otherwise) {
    const char *string = xml_string(node, name);
    char *end;
    const double number = strtod(string, &end);
    return end == string || *end != '\0' || !(number >= least && number <= greatest) ? otherwise : number;
}

bool xml_flag(const struct xml_node *node, const char *name) {
    const struct xml_node *child = xml_child(node, name);
    return child != NULL && strcmp(xml_string(node, name), "0") != 0;
}

void xml_put_escaped(struct text *text, const char *string) {
    for (; *string != '\0'; string++) {
        const unsigned char c = (unsigned char)*string;
        switch (c) {
        case '<':
            text_add(text, "&lt;", 4);
            break;
        case '>':
            text_add(text, "&gt;", 4);
            break;
        case '&':
            text_add(text, "&amp;", 5);
            break;
        default:
            /* Of what a program prints, only what every reader of XML accepts. */
            if ((c >= ' ' && c < 0x7f) || c == '\n' || c == '\t') {
                text_add(text, string, 1);
            } else {
                text_add(text, "?", 1);
            }
        }
    }
}

void xml_put(struct text *text, const char *name, const char *format, ...) {
    struct text value = {0};
    char small[512], *string = small;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof small) {
        string = zeroed((size_t)length + 1);
        va_start(arguments, format);
        vsnprintf(string, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    xml_put_escaped(&value, length < 0 ? "" : string);
    text_printf(text, "<%s>%s</%s>\n", name, value.bytes == NULL ? "" : value.bytes, name);
    text_free(&value);
    if (string != small) {
        free(string);
    }
}
