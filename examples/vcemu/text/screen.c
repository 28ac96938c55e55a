/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "text/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_COLUMNS 80
#define LEAST_COLUMNS 40
#define MOST_COLUMNS 1000

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

static size_t find_columns(void) {
    const char *variable = getenv("COLUMNS");
    long columns = variable == NULL ? 0 : strtol(variable, NULL, 10);
    struct winsize size;
    if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
        columns = size.ws_col;
    }
    if (columns <= 0) {
        return DEFAULT_COLUMNS;
    }
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns > MOST_COLUMNS ? MOST_COLUMNS : (size_t)columns;
}

/* The locale says what the terminal shows. After that, a UTF-8 locale gives the widths of characters. */
static bool terminal_shows_utf8(void) {
    bool shows = setlocale(LC_CTYPE, "") != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    setlocale(LC_CTYPE, "C.UTF-8");
    return shows;
}

struct screen screen_open(bool force_unicode) {
    bool terminal = isatty(STDOUT_FILENO) == 1;
    bool utf8 = terminal_shows_utf8();
    const char *kind = getenv("TERM");
    bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    return (struct screen){
        .out = stdout,
        .columns = find_columns(),
        .unicode = force_unicode || (terminal && utf8),
        .colour = terminal && !dumb && !is_set("NO_COLOR"),
    };
}

const char *screen_ellipsis(const struct screen *screen) {
    return screen->unicode ? "\xe2\x80\xa6" : "..";
}

void screen_print(const struct screen *screen, enum style style, const char *text) {
    static const char *const codes[STYLES] = {
        [STYLE_PLAIN] = "",        [STYLE_HEADING] = "\033[1m",  [STYLE_FAINT] = "\033[2m",
        [STYLE_GOOD] = "\033[32m", [STYLE_WARNING] = "\033[33m", [STYLE_BAD] = "\033[31m",
    };
    bool styled = screen->colour && style != STYLE_PLAIN;
    fprintf(screen->out, "%s%s%s", styled ? codes[style] : "", text, styled ? "\033[0m" : "");
}
