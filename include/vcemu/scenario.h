/*
 * Files that describe a host, a host with its servers, or a grid, as the records of the library.
 *
 * doc/state_format.md describes the files; examples/c/fetch_study.c and examples/c/grid_policy.c read them. The
 * conventions of vcsched.h apply, except that these functions read files, allocate memory, and return pointers into the
 * vcs_file, which are valid until vcs_file_free(). Where they return no error code, NULL for a pointer that must not be
 * NULL is undefined behaviour.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_SCENARIO_H
#define VCEMU_SCENARIO_H

#include <vcemu/emulator.h>
#include <vcemu/grid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that hold any message, with its final NUL. A shorter buffer gets the beginning. */
#define VCS_MESSAGE_SIZE 2048u

/* What a file is read as */
#define VCS_FILE_STATE 0u    /* a host at one moment, with candidates: for vcs_state_prepare() */
#define VCS_FILE_SCENARIO 1u /* a host and its servers: for vcs_emulate() */
#define VCS_FILE_GRID 2u     /* projects and populations of hosts: for vcs_emulate_grid() */

/* vcs_file_options.flags */
#define VCS_FILE_SEED 0x1u /* `seed` replaces the seed of the file */

/*
 * Changes to what a file says, as the options of `vcemu run` make them. All zero but for struct_size: no changes.
 * Since 1.0.
 */
typedef struct vcs_file_options {
    uint32_t struct_size;        /* bytes; set by the caller */
    uint32_t flags;              /* VCS_FILE_SEED or 0 */
    const char *profile;         /* replaces the profile of the file, as --profile; NULL = the file's */
    const char *const *settings; /* each "parameter=value", "KIND.KEY=value" or "KIND.NAME.KEY=value", as --set; may
                                    be NULL if setting_count is 0 */
    uint32_t setting_count;      /* number of settings */
    uint32_t seed;               /* with VCS_FILE_SEED: the seed */
    double days;                 /* how long to emulate, days; 0 = as long as the file says */
} vcs_file_options;

/* A file that has been read. Opaque: vcs_file_read() makes it. Belongs to one thread at a time while it is changed. */
typedef struct vcs_file vcs_file;

/*
 * Reads a file, and the tables and traces that it names.
 *
 * path           the file; "-" = standard input
 * kind           VCS_FILE_STATE, VCS_FILE_SCENARIO or VCS_FILE_GRID
 * options        changes; NULL = none
 * message        what is wrong, as one line, "FILE:LINE: [section] key: ..."; or, if the file was read, what was taken
 *                for granted or is now called otherwise, "" if nothing. May be NULL if message_size is 0
 * message_size   bytes of `message`
 *
 * A scenario must have something to emulate, and its records must be such that vcs_state_prepare() accepts them; a grid
 * must be one that vcs_emulate_grid() accepts. A state is not checked further.
 *
 * Returns the file, which vcs_file_free() releases, or NULL if something is wrong. Thread-safe. Linear in the size of
 * the file.
 */
VCS_API vcs_file *vcs_file_read(const char *path, uint32_t kind, const vcs_file_options *options, char *message,
                                uint32_t message_size);

/*
 * Reads the text of a file from memory; otherwise as vcs_file_read().
 *
 * text        the text; it need not end with a NUL, and is copied. May be NULL if text_size is 0
 * text_size   bytes of the text
 * name        how messages call the file; files that the text names are looked for beside it
 *
 * Returns as vcs_file_read() does. Thread-safe.
 */
VCS_API vcs_file *vcs_file_parse(const char *text, size_t text_size, const char *name, uint32_t kind,
                                 const vcs_file_options *options, char *message, uint32_t message_size);

/*
 * Releases a file and everything that the functions below returned for it. NULL is ignored. Thread-safe. O(records).
 */
VCS_API void vcs_file_free(vcs_file *file);

/*
 * The records of a state or a scenario; NULL for a grid. Of a state, emulation.start is the moment that the file
 * describes. The library may be newer than the caller: then a record is element_size bytes long, and the fields behind
 * the snapshot begin snapshot.struct_size bytes after the start of the snapshot. Thread-safe. O(1).
 */
VCS_API const vcs_scenario *vcs_file_scenario(const vcs_file *file);

/*
 * The policy of the file, and how it is emulated, with duration and seed. The caller may change both. Never NULL, but
 * vcs_file_grid() does not refer to them: a grid has vcs_file_grid_terms(), and each of its classes of hosts has
 * parameters of its own. Thread-safe. O(1).
 */
VCS_API vcs_parameters *vcs_file_parameters(vcs_file *file);
VCS_API vcs_emulation *vcs_file_emulation(vcs_file *file);

/* The grid; NULL for a state or a scenario. Thread-safe. O(1). */
VCS_API const vcs_grid *vcs_file_grid(const vcs_file *file);

/*
 * Parts of the grid that the caller may change: its terms, with duration, seed and the time between samples (at first
 * 0, no samples), and the class of hosts of a [population]. Of a class only `hooks` may be changed; they must live as
 * long as the grid is emulated. NULL if there is no grid, or no population of this index. Thread-safe. O(1).
 */
VCS_API vcs_grid_terms *vcs_file_grid_terms(vcs_file *file);
VCS_API vcs_host_class *vcs_file_host_class(vcs_file *file, uint32_t population);

/*
 * For how many hosts vcs_grid_results.hosts should have room. Hosts that replace others are drawn at random, so this is
 * an estimate far above their mean. 0 without a grid. Thread-safe. O(populations).
 */
VCS_API uint64_t vcs_file_most_hosts(const vcs_file *file);

/*
 * The name of a record.
 *
 * type    VCS_TYPE_PROJECT, VCS_TYPE_RESOURCE ("CPU" for the CPUs), VCS_TYPE_APP (PROJECT/NAME), VCS_TYPE_TASK,
 *         VCS_TYPE_CANDIDATE, or VCS_TYPE_HOST_MODEL for a population
 * index   index of the record in the file. Within a class of hosts, `id` of a resource is this index
 *
 * An application that was made from tasks of the file is called PROJECT/TASK, after the first of them. "" if there is
 * no such record. The text lives as long as the file. Thread-safe. O(1).
 */
VCS_API const char *vcs_file_name(const vcs_file *file, uint32_t type, uint32_t index);

/*
 * Whether the file itself sets a parameter, so that another profile leaves it alone: 1 or 0.
 *
 * population   index of the [population] whose hosts are meant; VCS_NONE = what holds for all hosts
 * parameter    name of the parameter
 *
 * Thread-safe. Linear in the size of the sections.
 */
VCS_API uint32_t vcs_file_sets(const vcs_file *file, uint32_t population, const char *parameter);

/*
 * Describes by file, line and key what vcs_emulate() or vcs_emulate_grid() refused.
 *
 * error          what was refused
 * message        one line, as vcs_file_read() writes it; may be NULL if message_size is 0
 * message_size   bytes of `message`
 *
 * Thread-safe. Linear in the size of the file.
 */
VCS_API void vcs_file_explain(const vcs_file *file, const vcs_error *error, char *message, uint32_t message_size);

#ifdef __cplusplus
}
#endif

#endif
