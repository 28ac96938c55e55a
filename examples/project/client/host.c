/*
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "host.h"
#include "xml.h"

/* The system's own name for it, in small letters. */
void host_platform(struct text *text) {
    struct utsname names;
    if (uname(&names) != 0) {
        return;
    }
    const char *vendor = strcmp(names.sysname, "Linux") == 0 && strcmp(names.machine, "x86_64") == 0 ? "pc" : "unknown";
    if (strcmp(names.sysname, "Linux") == 0) {
        text_printf(text, "%s-%s-linux-gnu", names.machine, vendor);
    } else if (strcmp(names.sysname, "Darwin") == 0) {
        text_printf(text, "%s-apple-darwin", names.machine);
    } else {
        text_printf(text, "%s-%s-%s", names.machine, vendor, names.sysname);
    }
}

uint32_t host_cpus(void) {
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return cpus < 1 ? 1 : cpus > (long)VCS_MAX_INSTANCES ? VCS_MAX_INSTANCES : (uint32_t)cpus;
}

double host_ram(void) {
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (double)pages * (double)bytes : 0;
}

static double cpu_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used); /* of this process alone, so others do not disturb */
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double host_measure_flops(void) {
    enum { VALUES = 8, ROUNDS = 100000 };
    volatile double kept;
    double value[VALUES] = {1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8}, operations = 0;
    const double begin = cpu_seconds();
    double seconds = 0;
    while (seconds < 0.25) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < VALUES; i++) {
                value[i] = value[i] * 0.999 + 0.001;
            }
        }
        operations += 2.0 * VALUES * ROUNDS;
        seconds = cpu_seconds() - begin;
        kept = value[0];
    }
    (void)kept;
    return operations / seconds;
}

/* The value of a line "key : value" of a small text file; empty if there is none. */
static void look_up(const char *path, const char *key, struct text *value) {
    struct text content = {0};
    file_read(path, 1 << 16, false, &content);
    const char *line = content.bytes == NULL ? NULL : strstr(content.bytes, key);
    const char *begin = line == NULL ? NULL : strchr(line, ':');
    if (begin != NULL) {
        begin += strspn(begin, ": ");
        text_add(value, begin, strcspn(begin, "\n"));
    }
    text_add(value, "", 0);
    text_free(&content);
}

void host_put_info(struct text *text, uint32_t cpus, double flops, const char *key) {
    struct utsname names = {0};
    struct statvfs disk = {0};
    struct text model = {0}, vendor = {0};
    time_t now = time(NULL);
    struct tm local = {0};
    uname(&names);
    statvfs(".", &disk);
    localtime_r(&now, &local);
    look_up("/proc/cpuinfo", "model name", &model);
    look_up("/proc/cpuinfo", "vendor_id", &vendor);
    const double total = (double)disk.f_blocks * (double)disk.f_frsize;
    const double available = (double)disk.f_bavail * (double)disk.f_frsize;
    text_printf(text, "<host_info>\n");
    xml_put(text, "timezone", "%ld", (long)local.tm_gmtoff);
    xml_put(text, "domain_name", "%s", names.nodename);
    xml_put(text, "host_cpid", "%s", key);
    xml_put(text, "p_ncpus", "%u", cpus);
    xml_put(text, "p_vendor", "%s", vendor.bytes);
    xml_put(text, "p_model", "%s", model.bytes);
    xml_put(text, "p_fpops", "%f", flops);
    xml_put(text, "p_iops", "%f", flops);
    xml_put(text, "p_membw", "%f", 1e9);
    xml_put(text, "m_nbytes", "%f", host_ram());
    xml_put(text, "d_total", "%f", total);
    xml_put(text, "d_free", "%f", available);
    xml_put(text, "os_name", "%s", names.sysname);
    xml_put(text, "os_version", "%s", names.release);
    text_printf(text, "</host_info>\n<disk_usage>\n");
    xml_put(text, "d_boinc_used_total", "%f", 0.0);
    xml_put(text, "d_boinc_used_project", "%f", 0.0);
    xml_put(text, "d_project_share", "%f", available);
    text_printf(text, "</disk_usage>\n");
    text_free(&model);
    text_free(&vendor);
}
