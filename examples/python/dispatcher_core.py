# SPDX-License-Identifier: MIT
"""The records of a dispatcher, and what happens to them: the core of dispatcher.py.

It knows no clock, no files and no connections, so it runs as well in virtual time.
"""

import secrets
from collections import Counter

import vcsched as v

METHODS = {"none": v.VERIFY_NONE, "direct": v.VERIFY_DIRECT, "inverse": v.VERIFY_INVERSE,
           "vote": v.VERIFY_RECOMPUTATION}
ORDERS = {"drain-then-dead": v.DRAIN_THEN_DEAD, "drain-then-oldest": v.DRAIN_THEN_OLDEST,
          "overdue-first": v.OVERDUE_FIRST}
HELD = (v.JOB_IN_PROGRESS, v.JOB_SUPERSEDED)


class Portion:
    """What the application wants to know, until it is told."""

    def __init__(self, number, values, copies, drawn):
        self.number, self.values, self.copies, self.drawn = number, values, copies, drawn
        self.records = []
        """Its jobs, by index: the original, copies of it, and checks."""
        self.answers = {}
        """What came back, by the index of the job."""


class Dispatcher:
    """All records, and what happens to them.

    Each event is one method, and one line of the journal: the same events give the same records. Whoever calls
    `request`, `reply`, `sign_of_life` or `survey` finds in `events` what happened.
    """

    def __init__(self, application, settings):
        self.application = application
        self.method, self.factor = METHODS[settings["method"]], settings["factor"]
        self.rules = v.DispatchRules(order=ORDERS[settings["order"]], wait_factor=settings["wait"],
                                     dead_factor=settings["dead"], first_speed=settings["first_speed"],
                                     max_per_client=settings["jobs_per_client"])
        self.pool = v.Pace()
        self.clients, self.trust, self.numbers = [], [], {}
        """`numbers` has the index of each client, by its key."""
        self.jobs, self.tasks, self.unused, self.by_id = [], [], [], {}
        """Of each job its record, and its portion and what is asked for. `unused`: records to be used again."""
        self.held, self.missed = [], []
        """The jobs that each client has; and, by id, the last ones that it had until others had answered them."""
        self.open, self.finished, self.drawn, self.delivered, self.last_id = {}, {}, 0, 0, 0
        """Portions that are not finished; answers that wait for an earlier one; how many were drawn and delivered."""
        self.events, self.output, self.suspects = [], [], []
        self.counts, self.waited, self.most_open = Counter(), 0.0, 0
        self.build(16, 64)

    def build(self, most_clients, most_jobs):
        self.most_clients, self.most_jobs = most_clients, most_jobs
        self.index = v.DispatchIndex(self.clients, self.jobs, self.rules, max_clients=most_clients,
                                     max_jobs=most_jobs)

    # ---- Records ----

    def set_client(self, client):
        if client >= self.most_clients:
            self.build(2 * self.most_clients, self.most_jobs)
        self.index.set_client(client, self.clients[client])

    def set_job(self, number):
        if number >= self.most_jobs:
            self.build(self.most_clients, 2 * self.most_jobs)
        self.index.set_job(number, self.jobs[number])

    def add_job(self, portion, asked, now, flags=0):
        """A fresh job of a portion: its first is the original, all others are copies or checks of that."""
        self.last_id += 1
        record = v.DispatchJob(id=self.last_id, size=float(len(self.text(portion, asked, None))), queued=now,
                               complexity=self.application.complexity(asked, portion.values), flags=flags,
                               copy_of=portion.records[0] if portion.records else v.NONE)
        number = self.unused.pop() if self.unused else len(self.jobs)
        self.jobs[number:number + 1], self.tasks[number:number + 1] = [record], [(portion, asked)]
        self.by_id[record.id] = number
        portion.records.append(number)
        self.set_job(number)
        return number

    def change(self, number, state):
        job = self.jobs[number]
        if job.state in HELD and state not in HELD:
            self.held[job.client].discard(number)
        job.state = state
        if state in (v.JOB_FRESH, v.JOB_OVER):
            job.client = v.NONE
        self.set_job(number)

    def end(self, number):
        """A job is over. Its client's answer will come in vain, but will still tell how fast the client is."""
        job = self.jobs[number]
        if job.state in HELD:
            missed = self.missed[job.client]
            missed[job.id] = job.sent, job.size, job.complexity
            if len(missed) > self.rules.max_per_client:
                del missed[min(missed)]
        self.change(number, v.JOB_OVER)

    def drop(self, portion, kept):
        """The jobs of a portion, without the first `kept`, are over: late answers to them are not known any more."""
        for number in reversed(portion.records[kept:]):  # copies before the original that they refer to
            self.jobs[number].copy_of = v.NONE
            self.end(number)
            del self.by_id[self.jobs[number].id]
            self.unused.append(number)
        del portion.records[kept:]

    def text(self, portion, asked, doubted):
        values = portion.values if doubted is None else portion.answers[doubted]
        return f"{asked} {' '.join(map(str, values))}"

    def wording(self, number):
        """A job as its worker reads it. The job of a check is to invert the one answer that there is."""
        portion, asked = self.tasks[number]
        doubted = next(iter(portion.answers)) if asked == self.application.INVERT else None
        return f"job {self.jobs[number].id} {self.text(portion, asked, doubted)}"

    # ---- Events, which are also read from the journal ----

    def join(self, key, now):
        """A client that was never seen before gets its first job."""
        self.numbers[key] = len(self.clients)
        self.clients.append(v.Client(id=len(self.clients) + 1, last_heard=now))
        self.trust.append(v.Trust(id=len(self.clients)))
        self.held.append(set())
        self.missed.append({})
        self.set_client(len(self.clients) - 1)
        self.note(now, "client", key)

    def draw(self, copies, now):
        """The application gives its next portion."""
        portion = Portion(self.drawn, self.application.portion(self.drawn), copies, now)
        self.open[self.drawn] = portion
        self.drawn += 1
        self.most_open = max(self.most_open, self.drawn - self.delivered)
        for _ in range(copies):
            self.add_job(portion, self.application.COMPUTE, now)
        self.note(now, "portion", copies)

    def send(self, client, number, now):
        """A client gets a job, or a copy of it if another client already has it. Returns the number of its job."""
        self.note(now, "sent", client, self.jobs[number].id)
        if self.jobs[number].state == v.JOB_IN_PROGRESS:
            self.change(number, v.JOB_SUPERSEDED)
            self.counts["copies"] += 1
            number = self.add_job(*self.tasks[number], now)
        v.job_send(self.jobs[number], client, self.clients[client], self.pool, self.rules, now)
        self.held[client].add(number)
        self.set_job(number)
        self.counts["sent"] += 1
        return number

    def take(self, client, number, seconds, values, now):
        """The answer to a job that a client has."""
        self.note(now, "answer", client, self.jobs[number].id, f"{seconds:.6f}", *values)
        job, (portion, asked) = self.jobs[number], self.tasks[number]
        self.learn(client, job.sent, job.size, job.complexity, seconds, now)
        self.change(number, v.JOB_REPLIED)
        self.counts["answers"] += 1
        if asked == self.application.INVERT:
            [doubted] = portion.answers
            self.judge(portion, doubted, now, v.CHECK_PASSED if values == portion.values else v.CHECK_FAILED, client)
        else:
            portion.answers[number] = values
            self.judge(portion, number, now)
        self.withdraw(now)

    def learn(self, client, sent, size, complexity, seconds, now):
        """What an answer says of its client's speed. What the client says is believed as far as the clock allows."""
        total = max(now - sent, 0.0)
        computed = min(seconds, total)
        self.clients[client].reply(self.pool, v.ReplyTimes(bytes=size, transfer_seconds=total - computed,
                                                           complexity=complexity, compute_seconds=computed),
                                   self.rules, now)
        self.set_client(client)

    def miss(self, client, job_id, seconds, now):
        """The answer to a job that is over. Without it, a slow client would be taken for a fast one for ever."""
        self.note(now, "late", client, job_id, f"{seconds:.6f}")
        self.learn(client, *self.missed[client].pop(job_id), seconds, now)
        self.counts["late"] += 1

    def hear(self, client, now):
        """A dead client is alive after all."""
        self.note(now, "alive", client)
        self.clients[client].reply(self.pool, v.ReplyTimes(), self.rules, now)
        self.set_client(client)

    def bury(self, client, now):
        self.note(now, "dead", client)
        self.clients[client].flags |= v.CLIENT_DEAD
        self.set_client(client)

    def note(self, now, *words):
        self.events.append(f"{now:.6f} {' '.join(map(str, words))}\n")

    def replay(self, line):
        """Does again what a line of the journal says."""
        time_of, verb, *words = line.split()
        now = float(time_of)
        if verb == "client":
            self.join(*words, now)
        elif verb == "portion":
            self.draw(int(words[0]), now)
        elif verb == "sent":
            self.send(int(words[0]), self.by_id[int(words[1])], now)
        elif verb == "answer":
            client, number, values = int(words[0]), self.by_id[int(words[1])], tuple(map(int, words[3:]))
            if number not in self.held[client] or len(values) != len(self.tasks[number][0].values):
                raise ValueError("not an answer to a job of this client")
            self.take(client, number, float(words[2]), values, now)
        elif verb == "late":
            self.miss(int(words[0]), int(words[1]), float(words[2]), now)
        else:
            {"alive": self.hear, "dead": self.bury}[verb](int(words[0]), now)
        return now

    # ---- What becomes of an answer ----

    def judge(self, portion, number, now, outcome=v.CHECK_NOT_MADE, checker=None):
        client = self.jobs[number].client
        verdict = v.verify(v.Check(flags=self.clients[client].flags & v.BLACKLISTED, method=self.method,
                                   outcome=outcome))
        if verdict.flags & v.BLACKLIST_CLIENT:
            self.distrust(client, verdict.reason)
        if verdict.flags & v.BLACKLIST_CHECKER:
            self.distrust(checker, verdict.reason)
        if verdict.action == v.ACTION_EXAMINE:
            is_right = self.application.is_right(portion.values, portion.answers[number])
            self.judge(portion, number, now, v.CHECK_PASSED if is_right else v.CHECK_FAILED)
        elif verdict.action == v.ACTION_SEND_CHECK:
            self.send_check(portion, number, now, verdict)
        elif verdict.action == v.ACTION_VOTE:
            self.hold_vote(portion, now)
        elif verdict.action == v.ACTION_DISCARD:
            self.lose(portion, verdict)
        else:
            if outcome == v.CHECK_PASSED:
                self.trust[client].update(v.TRUST_PASSED, 0)
            self.accept(portion, portion.answers[number], now)

    def send_check(self, portion, answered, now, verdict):
        """The other copies are over; the inverse job waits for another client."""
        for number in portion.records:
            if number != answered:
                self.end(number)
        self.add_job(portion, self.application.INVERT, now,
                     v.JOB_AT_HEAD if verdict.flags & v.QUEUE_HEAD else 0)
        self.counts["checks"] += 1

    def lose(self, portion, verdict):
        """As if the answer had never come: the original is fresh again."""
        self.drop(portion, 1)
        portion.answers.clear()
        [number] = portion.records
        self.jobs[number].flags = v.JOB_AT_HEAD if verdict.flags & v.QUEUE_HEAD else 0
        self.change(number, v.JOB_FRESH)
        self.counts["lost"] += 1

    def hold_vote(self, portion, now):
        classes = {answer: number for number, answer in enumerate(dict.fromkeys(portion.answers.values()))}
        voters = [self.jobs[number].client for number in portion.answers]
        ballots = [v.Ballot(id=self.jobs[number].id, result_class=classes[answer],
                            flags=self.clients[voter].flags & v.BLACKLISTED)
                   for voter, (number, answer) in zip(voters, portion.answers.items())]
        outcome = v.vote(ballots, v.VoteTerms(copies=portion.copies))
        for voter, verdict in zip(voters, outcome.verdicts):
            if verdict.verdict == v.BALLOT_WRONG:
                self.distrust(voter, verdict.reason)
            elif verdict.verdict == v.BALLOT_VALID:
                self.trust[voter].update(v.TRUST_VALID, 0)
        if outcome.summary.flags & v.VOTE_WON:
            self.accept(portion, list(classes)[outcome.summary.winner], now)
            return
        expected = sum(self.jobs[number].state in (v.JOB_FRESH, v.JOB_IN_PROGRESS) for number in portion.records)
        for _ in range(outcome.summary.further - expected):
            self.add_job(portion, self.application.COMPUTE, now, v.JOB_AT_HEAD)

    def distrust(self, client, reason):
        self.trust[client].update(v.TRUST_WRONG, reason)
        self.clients[client].flags |= self.trust[client].flags & v.BLACKLISTED
        self.set_client(client)
        self.suspects.append(client)

    def withdraw(self, now):
        """Answers of clients that have just come on the blacklist, and on which nothing is decided yet, are lost."""
        while self.suspects:
            suspect = self.suspects.pop()
            for portion in list(self.open.values()):
                number = next((n for n in portion.answers if self.jobs[n].client == suspect), None)
                if number is not None:
                    self.judge(portion, number, now) if self.method != v.VERIFY_RECOMPUTATION \
                        else self.hold_vote(portion, now)

    def accept(self, portion, answer, now):
        """The portion is finished. The application gets its answers in order."""
        self.drop(portion, 0)
        del self.open[portion.number]
        self.finished[portion.number] = portion, answer
        while self.delivered in self.finished:
            first, answer = self.finished.pop(self.delivered)
            self.output.append((first.number, answer))
            self.waited += now - first.drawn
            self.delivered += 1

    # ---- What clients want, and what time brings ----

    def is_complete(self):
        return self.application.portion(self.delivered) is None

    def choose(self, client, now):
        """The application is asked for a portion only if the library has no better job for this client."""
        decision = self.index.next(client, now)
        wants_fresh = decision.reason in (v.REASON_NO_JOB, v.REASON_CLIENT_DEAD, v.REASON_OLDEST)
        if wants_fresh and self.application.portion(self.drawn) is not None:
            u = secrets.randbelow(2 ** 53) / 2 ** 53
            self.draw(v.copies(self.factor, u) if self.method == v.VERIFY_RECOMPUTATION else 1, now)
            decision = self.index.next(client, now)
        return decision

    def request(self, key, known, now):
        """What a client gets that asks for work: a job's wording, or a word. It knows of its jobs `known`, a set of
        ids, which loses those that are over."""
        if self.is_complete():
            return "done"
        client = self.numbers.get(key)
        if client is None:
            self.join(key, now)
            client = self.numbers[key]
        self.live(client, now)
        has = {self.jobs[number].id for number in self.held[client]}
        known &= has
        if has - known and not self.clients[client].flags & v.BLACKLISTED:
            return self.wording(self.by_id[min(has - known)])  # it was started again, or the connection broke
        decision = self.choose(client, now)
        if decision.job != v.NONE:
            return self.wording(self.send(client, decision.job, now))
        if decision.reason == v.REASON_BLACKLISTED:
            return "refused blacklisted"
        return f"wait {min(max(decision.next_check, 0.05), 1.0):.3f} {v.reason_name(decision.reason)}"

    def reply(self, key, job_id, seconds, values, now):
        """The word that a client gets for an answer."""
        client, number = self.numbers.get(key), self.by_id.get(job_id)
        if client is None:
            return "late"
        if self.clients[client].flags & v.BLACKLISTED:
            return "refused blacklisted"
        if job_id in self.missed[client]:
            self.miss(client, job_id, seconds, now)
        if number not in self.held[client]:
            return "late"  # or never its job
        if len(values) != len(self.tasks[number][0].values):
            return "refused malformed"
        self.take(client, number, seconds, values, now)
        return "thanks"

    def live(self, client, now):
        """A sign of life. It is an event only if the client was given up."""
        if self.clients[client].flags & v.CLIENT_DEAD:
            self.hear(client, now)
        self.clients[client].last_heard = max(now, self.clients[client].last_heard)

    def survey(self, now):
        """The liveness pass."""
        for client, row in enumerate(v.pool_survey(self.clients, self.jobs, self.pool, self.rules, now)):
            if row.has_died:
                self.bury(client, now)

    def status(self, now):
        rows = v.pool_survey(self.clients, self.jobs, self.pool, self.rules, now)
        pool = v.pool_sum(self.clients, self.jobs, rows).summary
        liveness = {v.LIVENESS_ACTIVE: "active", v.LIVENESS_DEAD: "dead", v.LIVENESS_SILENT: "silent",
                    v.LIVENESS_BLACKLISTED: "blacklisted"}
        table = [{"client": number + 1, "state": liveness[row.liveness], "silent": round(row.silent, 1),
                  "jobs": row.jobs, "replies": client.pace.replies, "speed": round(row.speed, 3),
                  "connected": bool(client.flags & v.CLIENT_TALKING),
                  "why": v.reason_sentence(trust.reason) if trust.reason else ""}
                 for number, (client, row, trust) in enumerate(zip(self.clients, rows, self.trust))]
        return {"time": round(now, 3), "wait_factor": self.rules.wait_factor, "portions_drawn": self.drawn,
                "portions_delivered": self.delivered, "complete": self.is_complete(), "active": pool.active,
                "connected": pool.talking, "dead": pool.dead, "silent": pool.silent,
                "blacklisted": pool.blacklisted, "power": round(pool.power, 3), "window": pool.window,
                "window_bytes": pool.window_bytes, "window_span": round(pool.window_span, 3),
                "duplicates": pool.duplicates, "most_open": self.most_open,
                "mean_wait": round(self.waited / self.delivered, 3) if self.delivered else 0.0,
                "sent": self.counts["sent"], "copies": self.counts["copies"], "answers": self.counts["answers"],
                "late": self.counts["late"], "checks": self.counts["checks"],
                "lost": self.counts["lost"], "clients": table}
