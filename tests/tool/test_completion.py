# SPDX-License-Identifier: MIT
"""Real shells complete the command line of vcemu from what `vcemu completion` prints.

What they should offer is read from `vcemu help --json`. The environment variable VCEMU is the path of the program,
VCEMU_COMPLETIONS the folder of the files that are installed.
"""

import contextlib
import json
import os
import pathlib
import re
import selectors
import shutil
import subprocess

import pytest

from vcemu_examples import ROOT, open_terminal, output_of, vcemu

HELP = json.loads(output_of('help', '--json'))
COMMANDS = {command['name']: command for command in HELP['commands']}
ALL_OPTIONS = [(command, option) for command in COMMANDS for option in COMMANDS[command]['options']]
WITH_WORDS = sorted({(option['name'], tuple(option['words'])) for _, option in ALL_OPTIONS if option['words']})

# In each shell the command is replaced by a function that tells what the line has become.
BASH = '''
source completion
PROMPT_COMMAND= PS1=
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
bind '"\\C-xa": insert-completions'
vcemu() { printf '%s\\n' "$@" END >&ANSWERS; }
'''
ZSH = '''
PROMPT= RPROMPT=
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -D
insert_all() { compstate[insert]=all }
all() { comppostfuncs=(insert_all); _main_complete }
zle -C all complete-word all
bindkey '^Xa' all
unsetopt always_last_prompt beep list_beep
vcemu() { printf '%s\\n' "$@" END >&ANSWERS }
'''
SHELLS = {
    'bash': ('completion', ['bash', '--norc', '--noprofile', '-i'], BASH),
    'zsh': ('_vcemu', ['zsh', '-f', '-i'], ZSH),
}


class Shell:
    """A shell on a terminal, which answers what a line has become by completion."""

    def __init__(self, process, terminal, answers):
        self.process, self.terminal, self.answers = process, terminal, answers
        self.selector = selectors.DefaultSelector()
        self.selector.register(terminal, selectors.EVENT_READ)
        self.selector.register(answers, selectors.EVENT_READ)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def become(self, line, key):
        """The arguments after the key has been pressed at the end of this line."""
        self.send(f'vcemu {line}{key}\n')
        answer, shown = b'', b''
        while not answer.endswith(b'END\n'):
            for ready, _ in self.selector.select():
                try:
                    piece = os.read(ready.fd, 65536)
                except OSError:
                    piece = b''
                assert piece, f'the shell has ended: {shown.decode()}'
                if ready.fd == self.terminal:
                    shown += piece
                else:
                    answer += piece
        return answer.decode().splitlines()[:-1]

    def offers(self, line):
        """All that could stand for the last word of this line."""
        return [offer.rstrip('/') for offer in self.become(line, '\x18a')[len(line.split(' ')) - 1:]]


@contextlib.contextmanager
def on_a_terminal(name, folder):
    file, command, setup = SHELLS[name]
    (folder / file).write_text(output_of('completion', name), encoding='utf-8')
    master, slave = open_terminal(4000)
    reader, writer = os.pipe()
    environment = {'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8', 'TERM': 'xterm', 'HOME': str(folder)}
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment,
                          pass_fds=[writer], start_new_session=True) as process:
        os.close(slave)
        os.close(writer)
        shell = Shell(process, master, reader)
        try:
            (folder / 'setup').write_text(setup.replace('ANSWERS', str(writer)), encoding='utf-8')
            shell.send('. ./setup\n')
            yield shell
        finally:
            process.kill()
            shell.selector.close()
            os.close(master)
            os.close(reader)


class Fish:
    """fish tells by itself how it would complete a line."""

    def __init__(self, folder):
        self.folder = folder
        (folder / 'completion.fish').write_text(output_of('completion', 'fish'), encoding='utf-8')

    def offers(self, line):
        result = subprocess.run(['fish', '--no-config', '-c', 'source completion.fish; complete -C "$argv"',
                                 f'vcemu {line}'],
                                cwd=self.folder, env={'PATH': os.environ['PATH'], 'HOME': str(self.folder)},
                                capture_output=True, encoding='utf-8', check=True)
        assert result.stderr == ''
        return [offer.split('\t')[0].rstrip('/') for offer in result.stdout.splitlines()]


@pytest.fixture(name='shell', scope='module', params=['bash', 'zsh', 'fish'])
def _shell(request, tmp_path_factory):
    if shutil.which(request.param) is None:
        pytest.skip(f'{request.param} is not installed')
    folder = tmp_path_factory.mktemp(request.param)
    (folder / 'host.ini').touch()
    (folder / 'holiday').mkdir()
    if request.param == 'fish':
        yield Fish(folder)
        return
    with on_a_terminal(request.param, folder) as shell:
        yield shell


def test_commands(shell):
    assert {*COMMANDS, 'help'} <= set(shell.offers(''))
    assert shell.offers('sw') == ['sweep']
    assert set(shell.offers('help ')) >= set(COMMANDS)


@pytest.mark.parametrize('command', COMMANDS)
def test_options(shell, command):
    options = {'--' + option['name'] for option in COMMANDS[command]['options']}
    assert {offer.rstrip('=') for offer in shell.offers(f'{command} --')} == options


def test_words_of_values(shell):
    """Each option whose values can be listed, where the command with most options has it."""
    for name, words in WITH_WORDS:
        command = next(command for command, option in ALL_OPTIONS if option['name'] == name)
        offered = set(shell.offers(f'{command} --{name} ')) - {'holiday', 'host.ini', 'completion.fish'}
        # The first word of a comparison is a profile; fish does not tell it from the others.
        assert {word for word in words if name != 'compare' or '=' not in word} <= offered <= set(words), name


def test_lists(shell):
    assert set(shell.offers('sweep --statistics q5,me')) == {'q5,mean', 'q5,median'}
    assert shell.offers('plan --compare current,keep_running=y')[-1].endswith('yes')


def test_a_choice_after_its_parameter(shell):
    offered = ' '.join(shell.offers('plan host.ini --set use_dcf='))
    assert [name for name in ('no', 'yes', 'mean') if name not in offered] == []
    assert 'discipline' not in offered


def test_values_after_an_equals_sign(shell):
    offered = shell.offers('plan --profile=st')
    assert {word.rpartition('=')[2] for word in offered} == {'steady', 'study2007'}


def test_files(shell):
    for line in ('plan ', 'plan --json ', 'sweep host.ini -o ', 'sweep host.ini --output ', 'run --trace '):
        assert {'holiday', 'host.ini'} == set(shell.offers(line + 'ho')), line
    assert 'host.ini' in shell.offers('run host.ini --policy hos')
    assert 'host.ini' not in ' '.join(shell.offers('run --days ')) + ' '.join(shell.offers('completion '))


@pytest.mark.parametrize('shell', ['bash', 'zsh'], indirect=True)
def test_keys_of_the_terminal(shell):
    """One match is put in, with a blank after it unless a value must follow."""
    line = shell.become('pl\thost\t--prof\tste\t', '--js\t')
    # zsh puts an equals sign between an option and its value.
    assert ' '.join(line).replace('=', ' ') == 'plan host.ini --profile steady --json'
    assert shell.become('plan --set min_bu\t', '60') == ['plan', '--set', 'min_buffer=60']
    assert shell.become('plan --set keep_running=y\t', '--json') == ['plan', '--set', 'keep_running=yes', '--json']


def test_installed_files_are_what_the_tool_prints():
    folder = pathlib.Path(os.environ['VCEMU_COMPLETIONS'])
    for name, shell in (('vcemu.bash', 'bash'), ('_vcemu', 'zsh'), ('vcemu.fish', 'fish')):
        assert (folder / name).read_text(encoding='utf-8') == output_of('completion', shell)


@pytest.mark.parametrize('arguments, message', [
    ([], 'the name of a shell is missing; try: vcemu completion --help'),
    (['tcsh'], '"tcsh" is not a shell known here; use bash, zsh or fish'),
    (['bash', 'zsh'], 'there is more than one shell: bash and zsh'),
    (['bash', '--json'], None),
])
def test_wrong_command_lines(arguments, message):
    result = vcemu('completion', *arguments)
    assert (result.returncode, result.stdout) == (2, '')
    assert message is None or result.stderr == f'vcemu: completion: {message}\n'


# ---- the tables behind it --------------------------------------------------------------------------------------------

def test_help_and_json_tell_the_same():
    for name, command in COMMANDS.items():
        text = output_of('help', name)
        for option in command['options']:
            value = '' if option['value'] is None else ' ' + option['value']
            assert f"--{option['name']}{value}" in text and option['about'].splitlines()[0] in text
        assert command['about'] in text and command['summary'] in output_of('help')
    assert [parameter['name'] for parameter in HELP['parameters']] == \
        re.findall(r'^  (\w+) +\S', output_of('help', 'plan').split('parameters:\n')[1], re.MULTILINE)


def test_each_word_is_understood():
    for option in COMMANDS['admit']['options']:
        for word in option['words']:
            if not word.endswith('='):
                output_of('admit', '-', f"--{option['name']}={word}", stdin='[host]\ncpus = 1\nflops = 1e9\n')


def test_each_option_is_in_the_manual():
    manual = (ROOT / 'doc/vcemu.md').read_text(encoding='utf-8')
    assert [option['name'] for _, option in ALL_OPTIONS if f"--{option['name']}" not in manual] == []
    assert [name for name in COMMANDS if f'vcemu {name}' not in manual] == []
