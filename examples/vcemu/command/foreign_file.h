/*
 * Files that people give the tool although another program reads them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_COMMAND_FOREIGN_FILE_H
#define VCEMU_COMMAND_FOREIGN_FILE_H

#include <stdbool.h>

#include "vcemu/scenario/text/fault.h"

/*
 * Whether `text`, the beginning of the file at `path`, is XML, as a BOINC client writes its state. Then the fault says
 * what to type to make a state file of it. `name` is the file's in messages.
 */
bool foreign_file_is_xml(const char *path, const char *name, const char *text, struct fault *fault);

#endif
