# SPDX-License-Identifier: MIT
"""A project for the tests of our client: a server that does what a test tells it to, in a thread.

It knows nothing of quorum, credit or trust; it sends each of its tasks once, again if the client has lost it, and notes
what comes back. Everything that can go wrong can be switched on.
"""

import hashlib
import http.server
import random
import re
import threading
import xml.etree.ElementTree as tree
from xml.sax.saxutils import escape

PROGRAM = '''#!/bin/sh
# The program of all tasks: `in` says what it does. It notes its starts in $trace, and waits at $gate if there is one.
steps=1 gate= trace=/dev/null text=done status=0 finish=1
. ./in
n=0
[ ! -e checkpoint ] || n=$(cat checkpoint)
echo "$name from $n" >>"$trace"
while [ "$n" -lt "$steps" ]; do
    while [ -n "$gate" ] && [ "$n" -gt 0 ] && [ ! -e "$gate" ]; do sleep 0.02; done
    n=$((n + 1))
    echo "0.$n" >fraction_done
    echo "$n" >checkpoint.new && mv checkpoint.new checkpoint
done
echo "says $text" >&2
[ -z "$text" ] || echo "$text" >out
[ "$finish" = 0 ] || echo "$status" >boinc_finish_called
exit "$status"
'''


def _is_prime(number):
    if any(number % small == 0 for small in (3, 5, 7, 11, 13)):
        return False
    return all(pow(witness, number - 1, number) == 1 for witness in (2, 3, 5, 7, 11, 13, 17))


class Key:
    """An RSA key of 1024 bits, good enough for a test, and the text of its public half."""

    EXPONENT = 65537

    def __init__(self, seed):
        draw = random.Random(seed)
        first, second = (self._prime(draw) for _ in range(2))
        self.modulus = first * second
        self.secret = pow(self.EXPONENT, -1, (first - 1) * (second - 1))
        self.public = '1024\n' + self._lines(self.modulus) + self._lines(self.EXPONENT) + '.'

    def _prime(self, draw):
        while True:
            number = draw.getrandbits(512) | 3 << 510 | 1
            if _is_prime(number) and number % self.EXPONENT != 1:
                return number

    @staticmethod
    def _lines(number):
        digits = f'{number:0256x}'
        return ''.join(digits[at:at + 64] + '\n' for at in range(0, 256, 64))

    def sign(self, content):
        """The signature of a file."""
        digits = hashlib.md5(content).hexdigest().encode()
        block = b'\0\1' + b'\xff' * (125 - len(digits)) + b'\0' + digits
        return self._lines(pow(int.from_bytes(block, 'big'), self.secret, self.modulus)) + '.'


KEY = Key(1)


class Project:
    """All that a test sets and reads; the server's threads hold `changed` while they touch it."""

    def __init__(self, name='Alpha'):
        self.name = name
        self.account = f'account_of_{name}'
        self.changed = threading.Condition()
        self.tasks = {}         # name: what `in` says
        self.sent = []          # names, in the order in which they were sent
        self.reports = {}       # name: the element <result> of the report
        self.report_count = {}  # name: how often it was reported
        self.uploads = {}       # file: its bytes
        self.requests = []      # roots of all requests
        self.downloads = []     # (file, Range) as they were asked for
        self.aborts = []        # names, told with the next reply
        self.aborts_unstarted = []
        self.files = {'program_1': PROGRAM.encode()}
        self.key = KEY
        self.announced_key = KEY.public
        self.signature = None   # of the program; None = the right one
        self.md5 = {}           # file: what is announced, if not the right one
        self.most_bytes = 1000  # of an output
        self.deadline = 4e9
        self.est_flops = 1e9
        self.share = None
        self.most_tasks = 100   # in a reply
        self.delay = 0
        self.down = set()       # of 'page', 'scheduler', 'download', 'upload': these say 503
        self.down_hosts = set() # by these names it says 503, too
        self.upload_hosts = {}  # task: the name of the host that its output goes to
        self.cut_replies = 0    # so many replies are cut in half
        self.cut_downloads = 0  # so many downloads end early
        self.held = None        # of this file half is sent, and no more while it is held
        self.cut_uploads = 0    # so many uploads are taken in half, and not answered
        self.raw_reply = None   # sent instead of any
        self.extra = ''         # added to each reply
        self.hidden_acks = 0    # so many reports are taken without an answer
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Each request of a client."""
            protocol_version = 'HTTP/1.1'

            def do_GET(self):  # pylint: disable=invalid-name
                outer._get(self)

            def do_POST(self):  # pylint: disable=invalid-name
                outer._post(self)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        self.url = f'http://127.0.0.1:{self.server.server_address[1]}/'
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def close(self):
        with self.changed:
            self.held = None
            self.changed.notify_all()
        self.server.shutdown()
        self.server.server_close()

    def add(self, name, **settings):
        """One more task; its program sources these settings."""
        with self.changed:
            self.tasks[name] = settings
            lines = ''.join(f"{key}='{value}'\n" for key, value in {'name': name, **settings}.items())
            self.files[f'in_{name}'] = lines.encode()

    # What tests ask

    def status_of(self, name):
        return int(self.reports[name].findtext('exit_status'))

    def output_of(self, name):
        return self.uploads[f'out_{name}'].decode()

    # What the server says

    @staticmethod
    def _answer(handler, content, status=200, headers=(), cut=False):
        handler.send_response(status)
        handler.send_header('Content-Length', str(len(content)))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content[:len(content) // 2] if cut else content)
        if cut:
            handler.close_connection = True

    def _get(self, handler):
        with self.changed:
            path = handler.path.lstrip('/')
            what = 'download' if path else 'page'
            if what in self.down:
                return self._answer(handler, b'down', 503)
            if not path:
                page = f'<html><body><!-- <scheduler>{self.url}scheduler</scheduler> --></body></html>'
                return self._answer(handler, page.encode())
            part = handler.headers.get('Range')
            self.downloads.append((path, part))
            self.changed.notify_all()
            if path not in self.files:
                return self._answer(handler, b'no such file', 404)
            content = self.files[path]
            cut = self.cut_downloads > 0 and path != 'program_1'
            self.cut_downloads -= cut
            if path == self.held:
                return self._hold(handler, content)
            if part is None:
                return self._answer(handler, content, cut=cut)
            begin = int(re.fullmatch(r'bytes=(\d+)-', part).group(1))
            where = f'bytes {begin}-{len(content) - 1}/{len(content)}'
            return self._answer(handler, content[begin:], 206, [('Content-Range', where)])

    def _hold(self, handler, content):
        """Until the project is closed."""
        self._answer(handler, content, cut=True)
        handler.wfile.flush()
        self.changed.wait_for(lambda: self.held is None)

    def _post(self, handler):
        content = handler.rfile.read(int(handler.headers['Content-Length']))
        with self.changed:
            what = handler.path.lstrip('/')
            if what in self.down or handler.headers['Host'].split(':')[0] in self.down_hosts:
                return self._answer(handler, b'down', 503)
            if what == 'upload':
                return self._upload(handler, content)
            reply = self._reply(tree.fromstring(content)) if self.raw_reply is None else self.raw_reply
            self.changed.notify_all()
            if reply is None:
                handler.close_connection = True
                return None
            cut = self.cut_replies > 0
            self.cut_replies -= cut
            # In half, but as a whole answer of HTTP: only its content tells.
            return self._answer(handler, reply[:len(reply) // 2] if cut else reply)

    def _upload_url(self, name):
        return self.url.replace('127.0.0.1', self.upload_hosts.get(name, '127.0.0.1')) + 'upload'

    def _upload(self, handler, content):
        head, data, rest = content.partition(b'<data>\n')
        asked = re.search(rb'<get_file_size>([^<]*)</get_file_size>', head)
        if asked:
            size = len(self.uploads.get(asked.group(1).decode(), b''))
            return self._answer(handler, f'<data_server_reply><status>0</status><file_size>{size}</file_size>'
                                         '</data_server_reply>'.encode())
        assert data
        name, ticket = re.search(rb'<file_info>\s*<name>([^<]*)</name>.*<xml_signature>\s*(\S+)', head,
                                 re.DOTALL).groups()
        assert ticket == b'ticket_of_' + name
        offset = int(re.search(rb'<offset>(\d+)</offset>', head).group(1))
        cut = self.cut_uploads > 0
        self.cut_uploads -= cut
        rest = rest[:len(rest) // 2] if cut else rest
        name = name.decode()
        self.uploads[name] = self.uploads.get(name, b'')[:offset] + rest
        self.changed.notify_all()
        if cut:
            handler.close_connection = True
            return None
        return self._answer(handler, b'<data_server_reply><status>0</status></data_server_reply>')

    def _reply(self, request):
        assert request.findtext('authenticator') == self.account
        if self.requests and request.findtext('hostid') != '0':
            assert int(request.findtext('rpc_seqno')) > int(self.requests[-1].findtext('rpc_seqno'))
        self.requests.append(request)
        held = {found.findtext('name') for found in request.iterfind('other_results/other_result')}
        for result in request.iterfind('result'):
            name = result.findtext('name')
            self.reports[name] = result
            self.report_count[name] = self.report_count.get(name, 0) + 1
        if self.hidden_acks > 0 and request.find('result') is not None:
            self.hidden_acks -= 1
            return None
        lost = [name for name in self.sent if name not in held and name not in self.reports]
        fresh = [name for name in self.tasks if name not in self.sent] \
            if float(request.findtext('work_req_seconds')) > 0 else []
        sending = (lost + fresh)[:self.most_tasks]
        self.sent += [name for name in sending if name not in self.sent]
        parts = ['<scheduler_reply>', f'<project_name>{self.name}</project_name>', '<hostid>7</hostid>',
                 f'<request_delay>{self.delay}</request_delay>',
                 f'<code_sign_key>\n{self.announced_key}\n</code_sign_key>', self.extra]
        if self.share is not None:
            parts.append(f'<project_preferences><resource_share>{self.share}</resource_share></project_preferences>')
        parts += [f'<result_ack><name>{found.findtext("name")}</name></result_ack>'
                  for found in request.iterfind('result')]
        parts += [f'<result_abort><name>{name}</name></result_abort>' for name in self.aborts]
        parts += [f'<result_abort_if_not_started><name>{name}</name></result_abort_if_not_started>'
                  for name in self.aborts_unstarted]
        if sending:
            parts += self._work(sending)
        return '\n'.join(parts + ['</scheduler_reply>\n']).encode()

    def _file(self, name, more=''):
        md5 = self.md5.get(name, hashlib.md5(self.files[name]).hexdigest())
        return (f'<file_info><name>{name}</name><url>{self.url}{name}</url><md5_cksum>{md5}</md5_cksum>'
                f'<nbytes>{len(self.files[name])}</nbytes>{more}</file_info>')

    def _work(self, names):
        signature = self.key.sign(self.files['program_1']) if self.signature is None else self.signature
        yield '<app><name>app</name></app>'
        yield self._file('program_1', f'<executable/><file_signature>\n{signature}\n</file_signature>')
        yield ('<app_version><app_name>app</app_name><version_num>1</version_num><flops>1e9</flops>'
               '<file_ref><file_name>program_1</file_name><main_program/></file_ref></app_version>')
        for name in names:
            yield self._file(f'in_{name}')
            yield (f'<workunit><name>unit_{name}</name><app_name>app</app_name>'
                   f'<rsc_fpops_est>{self.est_flops}</rsc_fpops_est><rsc_fpops_bound>1e15</rsc_fpops_bound>'
                   f'<file_ref><file_name>in_{name}</file_name><open_name>in</open_name></file_ref></workunit>')
            yield (f'<file_info>\n    <name>out_{name}</name>\n<generated_locally/>\n<upload_when_present/>\n'
                   f'<max_nbytes>{self.most_bytes}</max_nbytes>\n<url>{self._upload_url(name)}</url>\n'
                   f'<xml_signature>\nticket_of_out_{name}\n</xml_signature>\n</file_info>')
            yield (f'<result><name>{escape(name)}</name><wu_name>unit_{name}</wu_name><version_num>1</version_num>'
                   f'<report_deadline>{self.deadline}</report_deadline><file_ref><file_name>out_{name}</file_name>'
                   '<open_name>out</open_name></file_ref></result>')
