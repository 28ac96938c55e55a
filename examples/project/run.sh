#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A grid on this computer, in one command: two projects, each of which has a picture rendered by volunteers, and two
# volunteers, which are attached to both: the client that is deployed, and ours. Each tile is accepted when two hosts
# have returned the same bytes. Watch the pictures grow in a browser; Ctrl-C ends everything.
#
#     sh examples/project/run.sh [-y] [--folder FOLDER] [--port N] [--tiles N] [--samples N] [--build FOLDER] [--once]
#
#     -y               install without asking
#     --folder FOLDER  where everything is, by default build/USER/grid; what an earlier run has left there is removed
#     --port N         first of three ports, by default 8080
#     --tiles N        about so many tiles of each picture, by default 24: they are squares
#     --samples N      each pixel is the mean of N * N points, by default 4; the work grows with it
#     --build FOLDER   a build of this tree, which is then not made
#     --once           end when both pictures are complete
#     --help           show this, and do nothing
#
# On Debian and Ubuntu it installs what is missing; at a terminal it asks first, unless -y is given. Without the
# deployed client (Debian: boinc-client) ours takes its place, in a second copy.

set -eu

grid=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$grid/../.." && pwd)
# One per user, so that a run with sudo is not in the way of a later one without.
build="$root/build/$(id -un)/grid-build"
folder="$root/build/$(id -un)/grid"
port=8080
tiles=24
samples=4
once=no
ask=yes
is_built=no

PACKAGES="gcc libc6-dev meson ninja-build pkg-config python3 python3-dev python3-cffi libcurl4-openssl-dev
    libexpat1-dev libssl-dev boinc-client"
# A picture of the right shape has half as many rows again as columns; its tiles are squares.
WIDTH=960
HEIGHT=640

step() {
    printf '\n== %s\n' "$*"
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

# The head of this script.
show_help() {
    sed -n '4,/^$/s/^# \{0,1\}//p' "$0"
}

is_there() {
    command -v "$1" >/dev/null 2>&1
}

# ---------------------------------------------------------------------------------------------------------------------
# What is needed

find_python() {
    for candidate in /usr/bin/python3 python3; do
        if is_there "$candidate" && "$candidate" -c 'import sys, cffi; sys.exit(sys.version_info < (3, 9))' 2>/dev/null
        then
            echo "$candidate"
            return
        fi
    done
}

has_library() {
    pkg-config --exists "$1" 2>/dev/null
}

# What cannot be done without, in words; empty if nothing is missing.
what_is_missing() {
    is_there cc || is_there gcc || is_there clang || echo "a C compiler"
    is_there meson || echo "Meson"
    is_there ninja || echo "Ninja"
    has_library libcurl || echo "libcurl"
    has_library expat || echo "expat"
    has_library libcrypto || echo "libcrypto"
    [ -n "$(find_python)" ] || echo "Python 3.9 with cffi"
}

may_install() {
    [ "$ask" = yes ] && [ -t 0 ] || return 0
    # shellcheck disable=SC2086
    echo "Needed are:" $PACKAGES
    echo "(boinc-client starts a service of its own, which is attached to no project until you attach it.)"
    printf 'Install with apt-get what is missing? [Y/n] '
    read -r answer
    case $answer in
    '' | [Yy]*) return 0 ;;
    *) return 1 ;;
    esac
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif is_there sudo; then
        sudo "$@"
    else
        # shellcheck disable=SC2086,SC2116
        die "installing needs root; as root: apt-get install $(echo $PACKAGES)"
    fi
}

install_missing() {
    missing=$(what_is_missing)
    if [ -z "$missing" ] && is_there boinc; then
        return 0
    fi
    if is_there apt-get && may_install; then
        as_root apt-get -q update
        # shellcheck disable=SC2086
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $PACKAGES
    fi
    missing=$(what_is_missing | tr '\n' ' ')
    [ -z "$missing" ] || die "missing: $missing"
    is_there boinc || echo "The deployed client is not installed, so ours runs twice."
}

build_all() {
    if [ "$is_built" = yes ]; then
        return
    fi
    if [ ! -f "$build/build.ninja" ]; then
        rm -rf "$build"
        meson setup -Dtests=disabled -Dexamples=enabled -Dlua=disabled -Djs=disabled -Drust=disabled "$build" "$root"
    fi
    meson compile -C "$build"
}

# ---------------------------------------------------------------------------------------------------------------------
# What runs, and how it ends

# Process ids, the youngest first.
running=""

# in_background LOG COMMAND...: its output goes to the log
in_background() {
    log=$1
    shift
    "$@" >>"$log" 2>&1 </dev/null &
    running="$! $running"
    eval "log_of_$!=\$log"
}

# Whether a process has not ended yet; one that nobody has waited for has.
is_running() {
    line=""
    [ -d /proc/self ] || { kill -0 "$1" 2>/dev/null; return; }
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    case ${line##*) } in
    Z*) return 1 ;;
    esac
}

# Ends the script if a process has ended. The last line of its log mostly says why.
check_running() {
    for process in $running; do
        is_running "$process" && continue
        eval "log=\$log_of_$process"
        die "$(basename "$log" .log) has ended by itself: $(tail -n 1 "$log") (the logs are in $folder)"
    done
}

# What a client has left running that had to be killed.
end_tasks() {
    for process in /proc/[0-9]*; do
        case $(readlink "$process/cwd" 2>/dev/null) in
        "$folder"/*/slots/*) kill -KILL "${process#/proc/}" 2>/dev/null || true ;;
        esac
    done
}

end_all() {
    trap '' INT TERM HUP
    trap - EXIT
    for process in $running; do
        kill -TERM "$process" 2>/dev/null || true
    done
    patience=100
    for process in $running; do
        while is_running "$process" && [ "$patience" -gt 0 ]; do
            sleep 0.1
            patience=$((patience - 1))
        done
        kill -KILL "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    end_tasks
    echo "Everything has ended. The logs and the pictures are in $folder."
}

# ---------------------------------------------------------------------------------------------------------------------
# The projects

server() {
    "$python" -m server "$@"
}

# Only what this script has made is removed.
clear_folder() {
    if [ -e "$folder/made-by-run.sh" ]; then
        rm -rf "$folder"
    elif [ -e "$folder" ] && [ -n "$(ls -A "$folder")" ]; then
        die "$folder is there, and was not made by this script"
    fi
    mkdir -p "$folder"
    : >"$folder/made-by-run.sh"
}

# side_of_tile: the side of square tiles, so that there are about as many as were asked for
side_of_tile() {
    "$python" -c "import sys; w, h, n = map(int, sys.argv[1:]); print(max(8, round((w * h / n) ** 0.5)))" \
        "$WIDTH" "$HEIGHT" "$tiles"
}

# make_project NAME PORT PLACE
make_project() {
    mkdir "$folder/$1.picture"
    options=$(printf '{"folder": "%s", "worker": "%s", "place": "%s", "width": %d, "height": %d, "tile": %d' \
        "$folder/$1.picture" "$build/examples/project/worker" "$3" "$WIDTH" "$HEIGHT" "$(side_of_tile)")
    options="$options, \"samples\": $samples, \"checkpoint\": 1, \"delay_bound\": 600}"
    # A project of two minutes cannot let its hosts wait for ten when it has no work.
    server init "$folder/$1" --name "$1" --work picture.work:PictureWork --listen "127.0.0.1:$2" \
        --set "options=$options" --set 'pages=["status.pages:pages"]' --set tasks_per_cpu=6 \
        --set request_delay=1 --set no_work_delay=2 --set deadline_delay=2 >/dev/null
    server add-user "$folder/$1" deployed@example.org --password tile >"$folder/$1.deployed"
    server add-user "$folder/$1" ours@example.org --password tile >"$folder/$1.ours"
    in_background "$folder/$1.log" "$python" -m server serve "$folder/$1"
}

# Nobody else may be there: the system would even let two servers of one user share a port.
check_ports() {
    "$python" - "$port" <<'END' || die "choose other ports with --port"
import socket
import sys

first = sys.argv[1]
if not first.isdecimal() or not 0 < int(first) < 65534:
    sys.exit(f"run.sh: --port {first}: it must be a number between 1 and 65533")
for port in range(int(first), int(first) + 3):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as reason:
            sys.exit(f"run.sh: port {port}: {reason.strerror}")
END
}

# wait_for_server PROJECT: what answers at its port may be another's, so its own word counts
wait_for_server() {
    for _ in $(seq 300); do
        check_running
        grep -qF "$1 is at $(url_of "$1")" "$folder/$1.log" && return 0
        sleep 0.1
    done
    die "$1 does not listen at $(url_of "$1"); the logs are in $folder"
}

# ---------------------------------------------------------------------------------------------------------------------
# The volunteers

# A client keeps little work, so that it is shared: the pictures are small and the hosts are two.
start_ours() {
    for project in Alpha Beta; do
        "$build/examples/project/client/gridclient" --dir "$folder/$1" attach "$(url_of $project)" \
            "$(cat "$folder/$project.$2")"
    done
    in_background "$folder/$1.log" "$build/examples/project/client/gridclient" --dir "$folder/$1" run --cpus 1 \
        --set min_buffer=10 --set additional_buffer=5 --set report_delay=0 --set resource_backoff_min=2 \
        --set resource_backoff_max=5
}

# An instance of its own, in a folder of its own: the system's service is not touched.
start_deployed() {
    mkdir -p "$folder/deployed"
    cat >"$folder/deployed/cc_config.xml" <<END
<cc_config><log_flags><sched_op_debug>1</sched_op_debug></log_flags><options>
<allow_multiple_clients>1</allow_multiple_clients><skip_cpu_benchmarks>1</skip_cpu_benchmarks>
<dont_contact_ref_site>1</dont_contact_ref_site><no_info_fetch>1</no_info_fetch><no_gpus>1</no_gpus>
<report_results_immediately>1</report_results_immediately><ncpus>1</ncpus></options></cc_config>
END
    cat >"$folder/deployed/global_prefs_override.xml" <<END
<global_preferences><run_if_user_active>1</run_if_user_active><run_on_batteries>1</run_on_batteries>
<suspend_cpu_usage>0</suspend_cpu_usage><niu_suspend_cpu_usage>0</niu_suspend_cpu_usage>
<work_buf_min_days>0.0001</work_buf_min_days><work_buf_additional_days>0.0001</work_buf_additional_days>
<disk_max_used_pct>100</disk_max_used_pct><disk_min_free_gb>0</disk_min_free_gb></global_preferences>
END
    cat >"$folder/deployed/client_state.xml" <<END
<client_state><user_run_request>1</user_run_request><user_network_request>1</user_network_request></client_state>
END
    for project in Alpha Beta; do
        cat >"$folder/deployed/account_127.0.0.1_$(port_of $project).xml" <<END
<account><master_url>$(url_of $project)</master_url><authenticator>$(cat "$folder/$project.deployed")</authenticator>
</account>
END
    done
    in_background "$folder/deployed.log" boinc --dir "$folder/deployed" --gui_rpc_port $((port + 2))
}

# ---------------------------------------------------------------------------------------------------------------------

port_of() {
    case $1 in
    Alpha) echo "$port" ;;
    Beta) echo $((port + 1)) ;;
    esac
}

url_of() {
    echo "http://127.0.0.1:$(port_of "$1")/"
}

# accepted PROJECT: how many of its tiles are in the picture
accepted() {
    "$python" - "$folder/$1/database" <<'END'
import sqlite3
import sys
with sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True, timeout=30) as database:
    print(*database.execute("select accepted, units from project").fetchone())
END
}

watch() {
    begin=$(date +%s)
    complete=no
    while [ "$complete" = no ] || [ "$once" = no ]; do
        check_running
        if [ "$complete" = no ]; then
            complete=yes
            line=""
            for project in Alpha Beta; do
                # shellcheck disable=SC2046
                set -- $(accepted $project)
                line="$line  $project $1 of $2"
                [ "$1" -gt 0 ] && [ "$1" -eq "$2" ] || complete=no
            done
            printf '%4d s: tiles %s\n' $(($(date +%s) - begin)) "$line"
            [ "$complete" = no ] || echo "Both pictures are complete."
        fi
        if [ "$complete" = no ] || [ "$once" = no ]; then
            sleep 5
        fi
    done
}

while [ $# -gt 0 ]; do
    case $1 in
    -y) ask=no ;;
    --once) once=yes ;;
    -h | --help)
        show_help
        exit
        ;;
    --folder | --port | --tiles | --samples | --build)
        [ $# -gt 1 ] || die "$1 needs a value"
        case $1 in
        --folder) folder=$2 ;;
        --port) port=$2 ;;
        --tiles) tiles=$2 ;;
        --samples) samples=$2 ;;
        --build) build=$(cd "$2" && pwd) is_built=yes ;;
        esac
        shift
        ;;
    *) die "$1: there is no such option; --help shows all of them" ;;
    esac
    shift
done

step "Looking for what is needed"
install_missing
python=$(find_python)
check_ports
step "Building"
build_all
step "Two projects"
clear_folder
folder=$(cd "$folder" && pwd)
PYTHONDONTWRITEBYTECODE=1
meson install -C "$build" --no-rebuild --quiet --tags python-runtime --destdir "$folder/package"
PYTHONPATH=$(dirname "$(dirname "$(find "$folder/package" -path '*/vcsched/__init__.py')")"):$grid
export PYTHONDONTWRITEBYTECODE PYTHONPATH
trap end_all EXIT
trap 'exit 130' INT TERM HUP
make_project Alpha "$(port_of Alpha)" spiral
make_project Beta "$(port_of Beta)" seahorse
wait_for_server Alpha
wait_for_server Beta
step "Two volunteers"
start_ours ours ours
if is_there boinc; then
    start_deployed
else
    start_ours deployed deployed
fi
cat <<END
Look at the pictures:
    $(url_of Alpha)status/
    $(url_of Beta)status/
The logs, with reasons: $folder/*.log
What our client does:   $build/examples/project/client/gridclient --dir $folder/ours status
END
step "Rendering; Ctrl-C ends everything"
watch
