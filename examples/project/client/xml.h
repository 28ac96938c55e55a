/*
 * XML as a tree, read by expat: replies of servers, which may be hostile, and the client's own state.
 *
 * Refused: a document type, and with it every entity of its own; deeper nesting or more elements than any reply has;
 * anything that is not well-formed. So a reply that was cut off is refused as a whole.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_XML_H
#define GRID_CLIENT_XML_H

#include "text.h"

struct xml_node {
    char *name;
    struct text text;              /* what stands in the element itself, without its children */
    size_t inner_begin, inner_end; /* where its contents stand in the source, byte by byte */
    struct xml_node *parent, *child, *last_child, *next;
};

/* NULL, and the fault says why, if it is refused. `what` names the source, such as "the reply". */
struct xml_node *xml_parse(const char *source, size_t size, const char *what, struct fault *fault);
/* Of what the client wrote itself: as deep and as long as it is. */
struct xml_node *xml_parse_own(const char *source, size_t size, const char *what, struct fault *fault);
void xml_free(struct xml_node *root);

/* The first child of this name, the next sibling of this name; NULL if there is none. */
const struct xml_node *xml_child(const struct xml_node *node, const char *name);
const struct xml_node *xml_next(const struct xml_node *node, const char *name);

/* The text of a child without blanks around it; "" if there is none. It lives as long as the tree. */
const char *xml_string(const struct xml_node *node, const char *name);

/* Adds the contents of an element as they stand in the source, byte by byte; false if there are none. */
bool xml_inner(const struct xml_node *node, const char *source, struct text *inner);

/* The child as a number; `otherwise` if it is absent, no number, not finite or outside the bounds. */
double xml_number(const struct xml_node *node, const char *name, double least, double greatest, double otherwise);

/* Whether there is such a child, <name/> or <name>1</name>, that does not say 0. */
bool xml_flag(const struct xml_node *node, const char *name);

/* Writes <name>value</name> with what has a meaning in XML escaped, and a newline. */
void xml_put(struct text *text, const char *name, const char *format, ...) FAULT_FORMAT(3, 4);
void xml_put_escaped(struct text *text, const char *string);

#endif
