/*
 * The state file: everything in client.h that outlasts the client, as XML.
 *
 * It is written to another name, synced, and renamed. So the client can be killed at any moment: what it finds when it
 * is started again is the state before a change or after it. Anything that others see of a change, such as the
 * acknowledgement of a reply, comes after the save.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_STATE_FILE_H
#define GRID_CLIENT_STATE_FILE_H

#include "client.h"

/*
 * A client without projects if there is no file. A file that is damaged is refused and left as it is. With `to_show`
 * everything is as it was saved; else the client goes on from it, without processes and with the files now on the disk.
 */
bool state_file_read(struct client *client, bool to_show, struct fault *fault);
bool state_file_write(struct client *client, struct fault *fault);

/* How many bytes of it a project takes. */
size_t state_file_share(const struct project *project);

#endif
