/*
 * The text of timeline.html before and after its data. timeline_page.py makes the source when vcemu is built.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_RUN_TIMELINE_PAGE_H
#define VCEMU_RUN_TIMELINE_PAGE_H

extern const char timeline_page_head[];
extern const char timeline_page_tail[];

#endif
