/* SPDX-License-Identifier: MIT */
#include "command/completion.h"

#include <string.h>

#include "command/options.h"
#include "command/value_words.h"

static const char *const shell_names[SHELLS] = {"bash", "zsh", "fish"};

/* As they are called in the scripts. */
static const char *const kind_names[VALUE_KINDS] = {
    [VALUE_ANY] = "any",         [VALUE_FILE] = "file",
    [VALUE_PROFILE] = "profile", [VALUE_POLICY] = "policy",
    [VALUE_SETTING] = "setting", [VALUE_COMPARISON] = "comparison",
    [VALUE_AXIS] = "axis",       [VALUE_STATISTICS] = "statistics",
};

enum shell completion_shell(const char *name) {
    enum shell shell = SHELL_BASH;
    while (shell < SHELLS && strcmp(shell_names[shell], name) != 0) {
        shell++;
    }
    return shell;
}

static void print_word(void *out, const char *word) {
    fprintf(out, " %s", word);
}

/* The text in single quotes, its line breaks as blanks, with a backslash before each character of `special`. */
static void print_quoted(const char *text, const char *special, const char *quote, FILE *out) {
    for (; *text != '\0' && strcmp(text, "\n") != 0; text++) {
        if (*text == '\'') {
            fputs(quote, out);
        } else if (*text == '\n') {
            fputc(' ', out);
        } else {
            fprintf(out, "%s%c", strchr(special, *text) == NULL ? "" : "\\", *text);
        }
    }
}

static bool has_files(enum command command) {
    return command_rows[command].name != NULL && command != COMMAND_COMPLETION;
}

static void print_commands(FILE *out) {
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            print_word(out, command_rows[command].name);
        }
    }
}

static void print_shells(FILE *out) {
    for (uint32_t shell = 0; shell < SHELLS; shell++) {
        print_word(out, shell_names[shell]);
    }
}

/* ---- bash ---- */

static void print_options(enum command command, FILE *out) {
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_is_of(&option_rows[i], command)) {
            fprintf(out, " --%s", option_rows[i].name);
        }
    }
}

/* " COMMAND:OPTION COMMAND:OPTION " */
static void print_takers(enum value_kind kind, FILE *out) {
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        for (uint32_t command = 0; row->kind == kind && command < COMMANDS; command++) {
            if (!option_is_of(row, (enum command)command)) {
                continue;
            }
            fprintf(out, " %s:--%s", command_rows[command].name, row->name);
            if (row->letter != '\0') {
                fprintf(out, " %s:-%c", command_rows[command].name, row->letter);
            }
        }
    }
}

static const char bash_function[] =
    "\n"
    "_vcemu() {\n"
    "    local piece glued='' command option='' full value part prefix kind list takes='' commas='' words='' breaks\n"
    "    local -a line=()\n"
    "    # bash takes = and : for words of their own; here they belong to the values around them.\n"
    "    for piece in \"${COMP_WORDS[@]:1:COMP_CWORD}\"; do\n"
    "        if [[ ${#line[@]} -gt 0 && ( -n $glued || $piece == [=:] ) ]]; then\n"
    "            line[${#line[@]}-1]+=$piece\n"
    "        else\n"
    "            line+=(\"$piece\")\n"
    "        fi\n"
    "        [[ $piece == [=:] ]] && glued=yes || glued=''\n"
    "    done\n"
    "    local last=$((${#line[@]} - 1))\n"
    "    command=${line[0]}\n"
    "    full=${line[last]}\n"
    "    value=$full\n"
    "    if [[ $full == --*=* ]]; then\n"
    "        option=${full%%=*}\n"
    "        value=${full#*=}\n"
    "    elif [[ $last -gt 1 ]]; then\n"
    "        option=${line[last-1]}\n"
    "    fi\n"
    "    for kind in $_vcemu_kinds; do\n"
    "        list=_vcemu_takes_$kind\n"
    "        [[ -n $option && ${!list} == *\" $command:$option \"* ]] || continue\n"
    "        takes+=$kind\n"
    "        [[ $kind == comparison || $kind == statistics ]] && commas=yes\n"
    "        if [[ $kind == comparison ]]; then\n"
    "            [[ $value == *,* ]] && kind=setting || kind=profile\n"
    "        fi\n"
    "        list=_vcemu_words_$kind\n"
    "        words+=\" ${!list}\"\n"
    "    done\n"
    "    if [[ -z $takes ]]; then\n"
    "        list=_vcemu_options_$command\n"
    "        if [[ $last -eq 0 ]]; then\n"
    "            words=\"$_vcemu_commands help --help --version\"\n"
    "        elif [[ $command == help ]]; then\n"
    "            [[ $last -eq 1 ]] && words=\"$_vcemu_commands --json\"\n"
    "        elif [[ \" $_vcemu_commands \" != *\" $command \"* ]]; then\n"
    "            words=''\n"
    "        elif [[ $value == -* ]]; then\n"
    "            words=${!list}\n"
    "        elif [[ $command == completion ]]; then\n"
    "            words=$_vcemu_shells\n"
    "        else\n"
    "            takes='file'\n"
    "        fi\n"
    "    fi\n"
    "    part=$value\n"
    "    [[ -n $commas ]] && part=${value##*,}\n"
    "    prefix=${full%\"$part\"}\n"
    "    # shellcheck disable=SC2207\n"
    "    COMPREPLY=($(compgen -W \"$words\" -P \"$prefix\" -- \"$part\"))\n"
    "    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then\n"
    "        [[ $takes == *file* ]] && compopt -o default\n"
    "        return 0\n"
    "    fi\n"
    "    [[ -n $commas || ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
    "    # What stands before the last = or : is not replaced.\n"
    "    breaks=${COMP_WORDBREAKS//[^=:]/}\n"
    "    if [[ -n $breaks && $full == *[\"$breaks\"]* ]]; then\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"${full%\"${full##*[\"$breaks\"]}\"}\"}\")\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "\n"
    "complete -F _vcemu vcemu\n";

static void print_bash(FILE *out) {
    fputs("# Completion of vcemu for bash, written by `vcemu completion bash`.\n\n_vcemu_commands='", out);
    print_commands(out);
    fputs("'\n_vcemu_shells='", out);
    print_shells(out);
    fputs("'\n", out);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            fprintf(out, "_vcemu_options_%s='", command_rows[command].name);
            print_options((enum command)command, out);
            fputs("'\n", out);
        }
    }
    fputs("_vcemu_kinds='", out);
    for (enum value_kind kind = VALUE_NONE + 1; kind < VALUE_KINDS; kind++) {
        print_word(out, kind_names[kind]);
    }
    fputs("'\n", out);
    for (enum value_kind kind = VALUE_NONE + 1; kind < VALUE_KINDS; kind++) {
        fprintf(out, "_vcemu_takes_%s='", kind_names[kind]);
        print_takers(kind, out);
        fprintf(out, " '\n_vcemu_words_%s='", kind_names[kind]);
        value_words(kind, print_word, out);
        fputs("'\n", out);
    }
    fputs(bash_function, out);
}

/* ---- zsh ---- */

static const char zsh_quote[] = "'\\''";

/* A function for each kind of value. Words that end in = get no blank. */
static void print_zsh_values(FILE *out) {
    fputs("_vcemu_words() {\n"
          "  local -a whole=(${@:#*=}) begun=(${(M)@:#*=})\n"
          "  compadd -a whole\n"
          "  compadd -S '' -a begun\n"
          "}\n\n"
          "_vcemu_any() {\n"
          "  _message -e values value\n"
          "}\n\n"
          "_vcemu_file() {\n"
          "  _files\n"
          "}\n\n",
          out);
    for (enum value_kind kind = VALUE_PROFILE; kind < VALUE_KINDS; kind++) {
        fprintf(out, "_vcemu_%s() {\n  ", kind_names[kind]);
        if (kind == VALUE_COMPARISON) {
            fputs("if compset -P '*,'; then _vcemu_setting; else _vcemu_profile; fi", out);
        } else {
            fprintf(out, "%s_vcemu_words", kind == VALUE_STATISTICS ? "compset -P '*,'\n  " : "");
            value_words(kind, print_word, out);
        }
        fputs("\n}\n\n", out);
    }
}

static bool may_be_repeated(const struct option_row *row) {
    switch (row->code) {
    case OPTION_VARY:
    case OPTION_WITH:
    case OPTION_POINTS:
    case OPTION_HOSTS:
    case OPTION_HISTOGRAM:
    case OPTION_SET:
        return true;
    default:
        return false;
    }
}

/* Another row for the same option of the command; NULL if there is none from `first` on. */
static const struct option_row *find_twin(size_t first, const char *name, enum command command) {
    for (size_t i = first; i < option_row_count; i++) {
        if (option_is_of(&option_rows[i], command) && strcmp(option_rows[i].name, name) == 0) {
            return &option_rows[i];
        }
    }
    return NULL;
}

static void print_zsh_option(size_t index, enum command command, FILE *out) {
    const struct option_row *row = &option_rows[index];
    const struct option_row *twin = find_twin(index + 1, row->name, command);
    const char *equals = row->value == NULL ? "" : "=";
    fputs(" \\\n      ", out);
    if (row->letter != '\0') {
        fprintf(out, "'(-%c --%s)'{-%c,--%s%s}'", row->letter, row->name, row->letter, row->name, equals);
    } else {
        fprintf(out, "'%s--%s%s", may_be_repeated(row) ? "*" : "", row->name, equals);
    }
    fputc('[', out);
    print_quoted(row->about, "[]:\\", zsh_quote, out);
    fputc(']', out);
    if (row->value != NULL && twin != NULL) {
        fprintf(out, ":%s:{_vcemu_%s; _vcemu_%s}", row->value, kind_names[row->kind], kind_names[twin->kind]);
    } else if (row->value != NULL) {
        fprintf(out, ":%s:_vcemu_%s", row->value, kind_names[row->kind]);
    }
    fputc('\'', out);
}

static void print_zsh_command(enum command command, FILE *out) {
    fprintf(out, "    %s)\n      _arguments", command_rows[command].name);
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (option_is_of(row, command) && find_twin(0, row->name, command) == row) {
            print_zsh_option(i, command, out);
        }
    }
    if (has_files(command)) {
        fputs(" \\\n      '*:state file:_files'\n      ;;\n", out);
    } else {
        fputs(" \\\n      '1:shell:(", out);
        print_shells(out);
        fputs(")'\n      ;;\n", out);
    }
}

static void print_zsh(FILE *out) {
    fputs("#compdef vcemu\n# Completion of vcemu for zsh, written by `vcemu completion zsh`.\n\n", out);
    print_zsh_values(out);
    fputs("_vcemu() {\n"
          "  local context state line curcontext=$curcontext\n"
          "  local -a commands=(\n",
          out);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            fprintf(out, "    '%s:", command_rows[command].name);
            print_quoted(command_rows[command].summary, ":\\", zsh_quote, out);
            fputs("'\n", out);
        }
    }
    fputs("  )\n"
          "  _arguments -C '(- *)--help[explain the command]' '(- *)--version[version of the library]' \\\n"
          "    '1:command:->command' '*::argument:->argument' && return\n"
          "  case $state in\n"
          "  command)\n"
          "    commands+=('help:explain a command')\n"
          "    _describe command commands\n"
          "    ;;\n"
          "  argument)\n"
          "    curcontext=${curcontext%:*:*}:vcemu-$words[1]:\n"
          "    case $words[1] in\n"
          "    help)\n"
          "      _arguments '(1)--json[all commands and options as JSON]' '(--json)1:command:{_describe command "
          "commands}'\n"
          "      ;;\n",
          out);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            print_zsh_command((enum command)command, out);
        }
    }
    fputs("    esac\n"
          "    ;;\n"
          "  esac\n"
          "}\n\n"
          "# As a file of fpath it is this function's body; read by `source` it is not.\n"
          "if [[ $funcstack[1] == _vcemu ]]; then\n"
          "  _vcemu \"$@\"\n"
          "else\n"
          "  compdef _vcemu vcemu\n"
          "fi\n",
          out);
}

/* ---- fish ---- */

static const char fish_quote[] = "\\'";

static void print_fish_option(const struct option_row *row, FILE *out) {
    fputs("complete -c vcemu -n '__fish_seen_subcommand_from", out);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (option_is_of(row, (enum command)command)) {
            print_word(out, command_rows[command].name);
        }
    }
    fprintf(out, "' -l %s", row->name);
    if (row->letter != '\0') {
        fprintf(out, " -s %c", row->letter);
    }
    if (row->kind == VALUE_FILE) {
        fputs(" -r -F", out);
    } else if (row->kind == VALUE_STATISTICS || row->kind == VALUE_COMPARISON) {
        fputs(" -x -a \"(__fish_complete_list , 'printf %s\\\\n", out);
        value_words(row->kind, print_word, out);
        fputs("')\"", out);
    } else if (row->kind != VALUE_NONE) {
        fputs(" -x -a '", out);
        value_words(row->kind, print_word, out);
        fputc('\'', out);
    }
    fputs(" -d '", out);
    print_quoted(row->about, "\\", fish_quote, out);
    fputs("'\n", out);
}

static void print_fish(FILE *out) {
    fputs("# Completion of vcemu for fish, written by `vcemu completion fish`.\n\n"
          "complete -c vcemu -f\n"
          "complete -c vcemu -n __fish_use_subcommand -l help -d 'explain the command'\n"
          "complete -c vcemu -n __fish_use_subcommand -l version -d 'version of the library'\n"
          "complete -c vcemu -n __fish_use_subcommand -a help -d 'explain a command'\n",
          out);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (command_rows[command].name != NULL) {
            fprintf(out, "complete -c vcemu -n __fish_use_subcommand -a %s -d '", command_rows[command].name);
            print_quoted(command_rows[command].summary, "\\", fish_quote, out);
            fputs("'\n", out);
        }
    }
    fputs("complete -c vcemu -n '__fish_seen_subcommand_from help' -a '", out);
    print_commands(out);
    fputs("'\ncomplete -c vcemu -n '__fish_seen_subcommand_from help' -l json -d 'all commands and options as JSON'\n"
          "complete -c vcemu -n '__fish_seen_subcommand_from completion' -a '",
          out);
    print_shells(out);
    fputs("'\ncomplete -c vcemu -n '__fish_seen_subcommand_from", out);
    for (uint32_t command = 0; command < COMMANDS; command++) {
        if (has_files((enum command)command)) {
            print_word(out, command_rows[command].name);
        }
    }
    fputs("' -F\n", out);
    for (size_t i = 0; i < option_row_count; i++) {
        print_fish_option(&option_rows[i], out);
    }
}

void completion_print(enum shell shell, FILE *out) {
    if (shell == SHELL_BASH) {
        print_bash(out);
    } else if (shell == SHELL_ZSH) {
        print_zsh(out);
    } else {
        print_fish(out);
    }
}
