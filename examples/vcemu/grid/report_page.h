/*
 * The text of report.html before and after its data. timeline_page.py makes the source when vcemu is built.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_GRID_REPORT_PAGE_H
#define VCEMU_GRID_REPORT_PAGE_H

extern const char report_page_head[];
extern const char report_page_tail[];

#endif
