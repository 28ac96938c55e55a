# SPDX-License-Identifier: MIT
"""vcemu run and sweep with policies in C from shared libraries: examples/c/lottery_policy.c and
tests/tool/odd_policy.c.

The environment variables VCEMU, LOTTERY_POLICY and ODD_POLICIES are the path of the program, of that policy, and of the
odd ones, without the digit of each and the .so.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from test_vcemu_sweep import SHORT, refused, sweep, table_of
from vcemu_examples import ROOT, output_of, vcemu

LOTTERY = os.path.abspath(os.environ['LOTTERY_POLICY'])
ODD = [f"{os.path.abspath(os.environ['ODD_POLICIES'])}{number}.so" for number in range(7)]
FAIR = ROOT / 'examples' / 'study' / 'job_mix_of_20.ini'


@pytest.fixture(name='short')
def fixture_short(tmp_path):
    path = tmp_path / 'short.ini'
    path.write_text(SHORT, encoding='utf-8')
    return path


def run(*arguments):
    """What came of it, and what the policy said at its end."""
    result = vcemu('run', '--json', *arguments)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), result.stderr


def plain(outcome):
    return {name: value for name, value in outcome.items() if name not in ('resources', 'projects')}


# ---- the example -----------------------------------------------------------------------------------------------------

def test_the_lottery_decides(short):
    """Other tasks run than by the built-in choice; the same for the same seed, others for another."""
    built_in, first, again, other = (run(FAIR, '--days', 5, *options)[0] for options in (
        [], ['--policy', LOTTERY], ['--policy', LOTTERY], ['--policy', LOTTERY, '--seed', 2]))
    assert first == again
    assert first['share_violation'] not in (built_in['share_violation'], other['share_violation'])
    assert first['flops_used'] > 0
    assert run(short, '--policy', 'none') == run(short)


def test_a_sweep_is_the_same_whoever_does_it(tmp_path):
    """One object per run: its draws do not depend on earlier runs of the thread."""
    options = [FAIR, '--days', 2, '--vary', 'min_buffer=0,9000', '--seeds', 5, '--policy', LOTTERY,
               '--figures', 'share_violation,starts']
    whole = sweep(*options, '-j', 1)
    assert {sweep(*options, '-j', workers) for workers in (2, 3, 8)} == {whole}
    assert sweep(*options, '--shard', '1/2') + sweep(*options, '--shard', '2/2') == whole
    path = tmp_path / 'table.csv'
    path.write_text(whole[:-20], encoding='utf-8')
    sweep(*options, '-o', path)
    assert path.read_text(encoding='utf-8') == whole
    seed = table_of(sweep(*options, '--each-seed'))[8]
    single, _ = run(FAIR, '--days', 2, '--set', f"min_buffer={seed['min_buffer']}", '--seed', seed['seed'], '--policy',
                    LOTTERY)
    assert float(seed['share_violation']) == single['share_violation']


def test_policies_can_be_varied():
    rows = table_of(sweep(FAIR, '--days', 2, '--vary', f'policy=none,{LOTTERY}', '--vary', 'min_buffer=0,9000',
                          '--figures', 'starts'))
    assert [row['policy'] for row in rows] == ['none', 'none', LOTTERY, LOTTERY]
    assert [row['starts'] for row in rows[2:]] != [row['starts'] for row in rows[:2]]
    assert [row['starts'] for row in rows[:2]] \
        == [row['starts'] for row in table_of(sweep(FAIR, '--days', 2, '--vary', 'min_buffer=0,9000', '--figures',
                                                    'starts'))]


def test_another_policy_of_the_same_name_is_another_sweep(short, tmp_path):
    path, table = tmp_path / 'mine.so', tmp_path / 'table.csv'
    options = [short, '--policy', path, '--policy-argument', 'x', '--figures', 'calls', '-o', table]
    shutil.copy(LOTTERY, path)
    sweep(*options)
    sweep(*options)
    path.write_bytes(pathlib.Path(LOTTERY).read_bytes() + b'\0')
    assert 'the row comes from another scenario' in refused(*options)
    shutil.copy(LOTTERY, path)
    sweep(*options)
    assert 'the row comes from another scenario' in refused(*options, '--policy-argument', 'y')


# ---- the calls -------------------------------------------------------------------------------------------------------

def test_what_a_policy_is_told(short):
    _, said = run(short, '--seed', 77, '--policy', ODD[0], '--policy-argument', 'a b')
    assert said == 'seed 77, argument a b, memory 0, fetch 0, send 0, estimate 0, observe 0\n'
    _, said = run(short, '--policy', ODD[0])
    assert said.startswith('seed 1, argument , ')


@pytest.mark.parametrize('argument', ['', 'memory', 'estimate', 'observe'])
def test_functions_that_do_as_the_default_change_nothing(argument, short, tmp_path):
    trace = tmp_path / 'trace.csv'
    outcome, said = run(short, '--policy', ODD[0], '--policy-argument', argument, '--trace', trace)
    expected, _ = run(short, '--trace', tmp_path / 'expected.csv')
    assert outcome == expected
    assert trace.read_bytes() == (tmp_path / 'expected.csv').read_bytes()
    counts = {name: int(count) for name, count in re.findall(r'(\w+) (\d+)', said.split(', ', 2)[2])}
    assert counts.pop('memory') == 0
    assert {name for name, count in counts.items() if count > 0} == ({argument} & {'estimate', 'observe'})
    if argument == 'observe':
        assert counts['observe'] == trace.read_bytes().count(b'\n') - 1


@pytest.mark.parametrize('argument', ['fetch', 'send'])
def test_functions_that_decide(argument, short):
    outcome, said = run(short, '--policy', ODD[0], '--policy-argument', argument)
    assert outcome['received'] == 0 and run(short)[0]['received'] > 0
    assert int(re.search(rf'{argument} (\d+)', said.split(', ', 2)[2])[1]) > 0


def test_each_run_has_an_object_of_its_own(short):
    """One for each seed and point, each ended, and one for each point that is looked at before."""
    result = vcemu('sweep', short, '--vary', 'policy_argument=a,b', '--policy', ODD[0], '--seeds', 3, '-j', 2,
                   '--figures', 'calls')
    assert result.returncode == 0
    told = sorted(re.findall(r'seed (\d+), argument (\w+)', result.stderr))
    assert told == sorted([*((seed, name) for name in 'ab' for seed in '123'), ('1', 'a'), ('1', 'a'), ('1', 'b')])


# ---- errors ----------------------------------------------------------------------------------------------------------

WRONG = [
    (['none.so'], '--policy none.so: cannot be loaded: ./none.so: cannot open shared object file: *'),
    ([str(ROOT / 'README.md')], '--policy *README.md: cannot be loaded: *'),
    ([ODD[1]], '--policy *: it does not export vcemu_policy; see vcemu/policy.h'),
    ([ODD[2]], '--policy *: it is of version 2, and this vcemu takes version 1: compile it again'),
    ([ODD[3]],
     '--policy *: it was compiled with a vcs_policy of * bytes, and this vcemu has *: compile it again'),
    ([ODD[4]], '--policy *: it was compiled with a vcs_hooks of * bytes, and this vcemu has *: compile it again'),
    ([ODD[5]], '--policy *: it was compiled with a vcs_situation of 8 bytes, and this vcemu has *: compile it again'),
    ([ODD[6]], '--policy *: begin is NULL'),
    ([ODD[0], '--policy-argument', 'refuse'], 'the policy could not begin: it returned -7'),
]


@pytest.mark.parametrize('command', ['run', 'sweep'])
@pytest.mark.parametrize('options, message', WRONG)
def test_policies_that_are_refused(command, options, message, short, tmp_path):
    table = ['-o', tmp_path / 'table.csv'] if command == 'sweep' else []
    result = vcemu(command, short, *table, '--policy', *options)
    assert (result.returncode, result.stdout) == (2 if message.startswith('--') else 1, '')
    assert re.fullmatch('vcemu: ' + re.escape(message).replace(r'\*', '.*') + '\n', result.stderr), result.stderr
    assert not (tmp_path / 'table.csv').exists()


def test_a_policy_that_is_refused_among_others(short):
    assert refused(short, '--vary', f'policy=none,{ODD[6]}').startswith(f'policy={ODD[6][:20]}')
    assert refused(short, '--policy', LOTTERY, '--vary', 'policy=none', status=2) \
        == '--vary policy: --policy sets it to one value'
    assert refused(short, '--policy-argument', 'x', '--vary', 'policy_argument=y', status=2) \
        == '--vary policy_argument: --policy-argument sets it to one value'


@pytest.mark.parametrize('command', ['run', 'sweep'])
def test_a_policy_ends_the_emulation(command, short):
    result = vcemu(command, short, '--policy', ODD[0], '--policy-argument', 'stop')
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == \
        f'vcemu: {short}: the policy ended the emulation: schedule returned an error, -4711'
    assert result.stderr.startswith('seed 1, argument stop, ')


def test_the_manual_shows_the_policy():
    text = (ROOT / 'doc' / 'vcemu.md').read_text(encoding='utf-8')
    assert 'examples/c/lottery_policy.c' in text and 'vcemu/policy.h' in text
    assert output_of('help', 'run').count('--policy') == output_of('help', 'sweep').count('--policy') == 3


# ---- policies of the study by name -----------------------------------------------------------------------------------

# Jobs take twice as long as estimated, and some cannot be in time: each of the four choices matters.
STUDY = """[host]
cpus = 2
flops = 1e9
[client]
profile = study2007
additional_buffer = 60000
[project P]
[app P/A]
est_flops = 5e12
mean_flops = 1e13
sd_flops = 5e12
latency_bound = 5e4
[project Q]
[app Q/B]
est_flops = 2e13
mean_flops = 4e13
sd_flops = 1e13
latency_bound = 2e5
[emulation]
duration = 864000
cpu_scheduling = CS2
work_fetch = WF2
work_send = WS2
completion = JC2
"""


@pytest.fixture(name='study')
def fixture_study(tmp_path):
    path = tmp_path / 'study.ini'
    path.write_text(STUDY, encoding='utf-8')
    return path


@pytest.mark.parametrize('name', ['CS1_WF2_WS2_JC2', 'CS2_WF1_WS2_JC2', 'CS2_WF2_WS1_JC2', 'CS2_WF2_WS2_JC1',
                                  'CS1_WF1_WS1_JC1'])
def test_a_name_sets_the_four_choices(study, name):
    """As if the parameters were set, although the file says CS2, WF2, WS2 and JC2; a setting goes before the name."""
    kinds = [int(part[2]) for part in name.split('_')]
    settings = [f'--set=scheduling={["round_robin", "deadline"][kinds[0] - 1]}', f'--set=work_fetch=wf{kinds[1]}',
                f'--set=work_send=ws{kinds[2]}', f'--set=use_dcf={kinds[3] - 1}']
    named, by_settings, as_it_is = (run(study, *options)[0] for options in (
        ['--policy', name], settings, []))
    assert named == by_settings != as_it_is
    both, one = ['--policy', name, *settings[:1]], ['--policy', 'CS2' + name[3:], *settings[:1]]
    assert run(study, *both) == run(study, *one)


def test_names_are_an_axis_of_a_sweep(tmp_path, study):
    names = ['CS1_WF2_WS2_JC2', 'CS2_WF1_WS2_JC2', 'CS2_WF2_WS2_JC2']
    rows = table_of(sweep(study, '--vary', f"policy={','.join(names)}", '--figures', 'waste'))
    assert [row['policy'] for row in rows] == names
    single = [json.loads(output_of('run', study, '--json', '--policy', name))['waste']
              for name in names]
    assert [float(row['waste']) for row in rows] == pytest.approx(single, abs=1e-9)
    assert single[0] != single[2] and single[1] != single[2]
    # A table of another name is not continued.
    table = tmp_path / 'table.csv'
    sweep(study, '--policy', names[0], '--vary', 'min_buffer=0,900', '-o', table)
    assert refused(study, '--policy', names[1], '--vary', 'min_buffer=0,900', '-o', table)


def test_names_are_known_to_all_commands():
    state = ROOT / 'examples' / 'scenarios' / 'small_state.ini'
    grid = ROOT / 'examples' / 'scenarios' / 'grids' / 'batch.ini'
    plan = json.loads(output_of('plan', state, '--json', '--policy', 'CS1_WF2_WS2_JC2'))
    assert plan == json.loads(output_of('plan', state, '--json', '--set=scheduling=round_robin', '--set=work_fetch=wf2',
                                        '--set=work_send=ws2', '--set=use_dcf=yes'))
    assert plan != json.loads(output_of('plan', state, '--json'))
    assert grid.exists() and output_of('grid', grid, '--days', 1, '--policy', 'CS2_WF1_WS1_JC2') != \
        output_of('grid', grid, '--days', 1)


@pytest.mark.parametrize('name', ['CS2', 'CS2_WF1_WS1', 'CS3_WF1_WS1_JC2', 'CS2_WF1_WS1_JC2_', 'CS2-WF1-WS1-JC2'])
def test_other_names_are_refused(study, name):
    for command in 'run', 'plan', 'sweep':
        result = vcemu(command, study, '--policy', name)
        assert result.returncode != 0 and result.stdout == '' and 'CS2_WF1_WS1_JC2' in result.stderr
    result = vcemu('plan', study, '--policy', LOTTERY)
    assert result.returncode != 0 and 'plan takes a policy of the study by its name' in result.stderr


def test_the_name_of_a_profile_is_taken_for_one(study):
    for command in 'run', 'plan', 'sweep':
        result = vcemu(command, study, '--policy', 'steady')
        assert (result.returncode, result.stdout) == (2, '')
        assert result.stderr == ('vcemu: --policy steady: this is the name of a profile; did you mean --profile '
                                 'steady?\n')


def test_a_policy_may_have_the_name_of_a_profile(study, tmp_path):
    (tmp_path / 'steady').write_bytes(b'')
    result = subprocess.run([os.path.abspath(os.environ['VCEMU']), 'run', study, '--policy', 'steady'], check=False,
                            cwd=tmp_path, capture_output=True, encoding='utf-8')
    assert result.returncode != 0 and '--policy steady: cannot be loaded' in result.stderr
