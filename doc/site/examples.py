# SPDX-License-Identifier: MIT
"""The example programs: which there are, and the command that runs each. What they do is in their own first comment."""

EMBED = 'cc -ffp-contract=off -Iinclude examples/c/embed/main.c build/lib/libvcsched.a'
PYTHON = 'python3 examples/python/'
LUA = "LUA_CPATH='build/bindings/lua/5.4/?.so' lua5.4 examples/lua/"
LUAJIT = "LUA_PATH='build/bindings/lua/?.lua;bindings/lua/?.lua;;' LD_LIBRARY_PATH=build/lib luajit examples/lua/"

# Title of a group, and its programs: path, commands.
EXAMPLES = (
    ('Clients', (
        ('examples/c/embed/main.c', [EMBED + ' -o build/embed', 'build/embed']),
        ('examples/c/client_loop.c', ['build/examples/client_loop']),
        ('examples/c/sessions.c', ['build/examples/sessions']),
        ('examples/c/uploads.c', ['build/examples/uploads']),
        ('examples/lua/tiny_client.lua', [LUA + 'tiny_client.lua']),
        ('bindings/rust/examples/plan.rs', ['build/bindings/rust/rust_plan']),
        ('examples/python/why_idle.py', [PYTHON + 'why_idle.py examples/scenarios/client_state.xml']))),
    ('Servers', (
        ('examples/c/work_unit_day.c', ['build/examples/work_unit_day']),
        ('examples/python/tiny_server.py', [PYTHON + 'tiny_server.py']),
        ('examples/python/dispatcher.py', [PYTHON + 'dispatcher.py --help', PYTHON + 'dispatch_worker.py --help']),
        ('examples/c/dispatcher/main.c', ['build/examples/dispatcher --help']))),
    ('Policies', (
        ('examples/c/custom_policy.c', ['build/examples/custom_policy']),
        ('examples/c/lottery_policy.c',
         ['build/examples/vcemu run examples/scenarios/unreliable.ini --policy build/examples/lottery_policy.so']),
        ('examples/c/fetch_study.c', ['build/examples/fetch_study examples/study/tight_and_loose.ini']),
        ('examples/c/grid_policy.c', ['build/examples/grid_policy examples/scenarios/grids/two_projects.ini 0.1']),
        ('examples/python/custom_fetch.py', [PYTHON + 'custom_fetch.py']),
        ('examples/python/fairness.py', [PYTHON + 'fairness.py']),
        ('examples/python/replication.py', [PYTHON + 'replication.py']),
        ('examples/lua/custom_fetch.lua', [LUA + 'custom_fetch.lua']),
        ('examples/lua/grid.lua', [LUAJIT + 'grid.lua']))),
    ('Sweeps on a cluster', (
        ('examples/cluster/mpi_sweep.py', []),
        ('examples/cluster/dask_sweep.py', []))),
)


def page_of(path):
    """The page of an example; None for another file."""
    if not any(path == example for _, programs in EXAMPLES for example, _ in programs):
        return None
    parts = path.removeprefix('bindings/').removeprefix('examples/').split('/')
    name = '_'.join(part for part in parts if part not in ('examples', 'main.c'))
    return f"doc/examples/{name.rpartition('.')[0] or name}.html"
