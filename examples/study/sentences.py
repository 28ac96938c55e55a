#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the study says in words, sentence by sentence, beside the figures of a run and those of its own program.

Each sentence has a measure: a function of the rows of either that returns what is shown, and whether the sentence is
true of it. *Often* is at a third of the points or more, *usually* at more than half, *about the same* is within 0.03.
"""

FLAT = 0.03


def curve(rows, figure, policy, x2=''):
    """The points of a curve, by x."""
    return {key[3]: row for key, row in rows.items() if key[:3] == (figure, policy, x2)}


def values(rows, merit, *place):
    return {x: float(row[merit]) for x, row in sorted(curve(rows, *place).items())}


def scheduling(rows, merit):
    """The values of CS1 and CS2 by number of projects."""
    return [values(rows, merit, '1', f'CS{i}_WF2_WS2_JC2', '5') for i in (1, 2)]


def fetching(rows, merit):
    return [values(rows, merit, '4', f'CS2_WF{i}_WS2_JC2', '5') for i in (1, 2)]


def sending(rows, merit):
    return [values(rows, merit, '5', f'CS2_WF2_WS{i}_JC2') for i in (1, 2)]


def completion(rows, slack):
    return [values(rows, 'waste', '6', f'CS2_WF2_WS2_JC{i}', slack) for i in (1, 2)]


def slack(rows, merit='waste'):
    return values(rows, merit, '2', 'CS2_WF2_WS2_JC2')


def buffers(rows, of_slack):
    return values(rows, 'waste', '3', 'CS2_WF2_WS2_JC2', of_slack)


def farthest(pair):
    """The greatest distance of two curves, and where it is."""
    first, second = pair
    return max((abs(first[x] - second[x]), x) for x in first)


def count(flags):
    flags = list(flags)
    return f'{sum(flags)} of {len(flags)}', sum(flags) / len(flags)


# ---- The measures ----


def edf_saves(rows):
    first, second = scheduling(rows, 'waste')
    text, fraction = count(first[x] - second[x] > 0.1 for x in first if x > 3)
    return f'{text} mixes', fraction >= 1 / 3


def alike(of, merit):
    def measure(rows):
        distance, at = farthest(of(rows, merit))
        return f'at most {distance:.3f} apart' + (f', at {at:g}' if distance > FLAT else ''), distance <= FLAT
    return measure


def shares_are_kept(rows):
    text, fraction = count(value < 0.1 for curve_ in scheduling(rows, 'share_violation') for value in curve_.values())
    return text, fraction > 0.5


def shares_hardly_rise(rows):
    _, second = scheduling(rows, 'share_violation')
    few, many = (sum(second[x] for x in xs) / 5 for xs in (range(2, 7), range(16, 21)))
    return f'CS2: {few:.3f} with 2 to 6, {many:.3f} with 16 to 20', many - few <= FLAT


def never_idle(rows):
    most = max(value for curve_ in scheduling(rows, 'idleness') for value in curve_.values())
    return f'at most {most:.3f}', most <= FLAT


def monotony_rises(rows):
    _, second = scheduling(rows, 'monotony')
    return ', '.join(f'{second[x]:.3f}' for x in (2, 5, 10, 20)), second[2] < second[5] < second[10] < second[20]


def nothing_else_rises(rows):
    merits = 'waste', 'idleness', 'share_violation'
    curves = [scheduling(rows, merit)[1].values() for merit in merits]
    ranges = [max(curve_) - min(curve_) for curve_ in curves]
    return 'CS2 varies by ' + ', '.join(f'{value:.3f}' for value in ranges), max(ranges) <= 0.08


def zero_alone(rows):
    most = max(value for merit in ('share_violation', 'monotony') for value in slack(rows, merit).values())
    return f'{most:.3f}', most == 0


def busy_alone(rows):
    most = max(slack(rows, 'idleness').values())
    return f'{most:.3f}', most <= 0.005


def waste_by_slack(rows):
    found = [slack(rows)[x] for x in (1, 2, 3, 4, 5)]
    return ', '.join(f'{value:.3f}' for value in found), \
        all(abs(value - said) <= FLAT for value, said in zip(found, (1, 0.75, 0.24, 0.02, 0)))


def no_waste_beyond(rows):
    most = max(value for x, value in slack(rows).items() if x >= 5)
    return f'at most {most:.3f}', most <= 0.005


def same_as_figure_2(rows):
    most = max(abs(slack(rows)[x] - buffers(rows, f'{x:g}')[8.4]) for x in (1, 2, 3, 4, 5))
    return f'at most {most:.3f} apart', most <= 0.005


def less_with_a_small_buffer(rows):
    pairs = [(buffers(rows, of_slack)[8.4], buffers(rows, of_slack)[1]) for of_slack in '234']
    return '; '.join(f'{full:.3f} → {small:.3f}' for full, small in pairs), \
        all(small <= full / 10 for full, small in pairs)


def flat_from_5_to_7(rows):
    found = [buffers(rows, '2')[x] for x in (5, 6, 7)]
    return ', '.join(f'{value:.3f}' for value in found), max(found) - min(found) <= 0.005


def all_waste_at_slack_1(rows):
    least = min(buffers(rows, '1').values())
    return f'at least {least:.3f}', least >= 0.995


def wf1_wastes(rows):
    first = fetching(rows, 'waste')[0]
    return ', '.join(f'{first[x]:.3f}' for x in (3, 5, 8, 12)), first[3] < first[5] < first[8] < first[12]


def wf2_lowers(merit, said):
    """By almost so much: at some mix within 0.1 of it, or more."""
    def measure(rows):
        first, second = fetching(rows, merit)
        most, at = max((first[x] - second[x], x) for x in first)
        return f'by up to {most:.3f}, at {at:g}; ' \
               f'by {100 * (1 - sum(second.values()) / sum(first.values())):.0f} % of all', most >= said - 0.1
    return measure


def ws2(merit, sign):
    def measure(rows):
        first, second = sending(rows, merit)
        text, fraction = count(sign * (second[x] - first[x]) >= 0.2 for x in first)
        return f'{text} deviations', fraction >= 1 / 3
    return measure


def ws2_matters_beyond_10(rows):
    first, second = sending(rows, 'waste')
    less = {x: first[x] - second[x] for x in first}
    small, large = max(less[x] for x in less if x <= 10), min(less[x] for x in less if x > 10)
    return f'up to 10 at most {small:.3f} less waste, beyond at least {large:.3f}', small <= FLAT and large > 0.1


def same_without_errors(rows):
    most = max(abs(first[1] - second[1]) for first, second in (completion(rows, x2) for x2 in ('8', '10')))
    return f'{most:.3f} apart', most <= 0.005


def waste_at_4(rows):
    found = [completion(rows, x2)[0][4] for x2 in ('10', '8')]
    return f'{found[0]:.3f} at slack 10, {found[1]:.3f} at 8', min(found) >= 0.9


def constant_with_dcf(rows):
    """Up to which error waste stays near 0, with a slack of 10 and of 8."""
    found = []
    for x2 in ('10', '8'):
        second = completion(rows, x2)[1]
        high = [x for x in second if second[x] > FLAT]
        found.append(max(x for x in second if not high or x < high[0]))
    return f'within 0.03 up to f = {found[0]:g} at slack 10, {found[1]:g} at 8', min(found) >= 8


def nothing_but_waste(rows):
    most = max(float(row[merit]) for key, row in rows.items() if key[0] == '6'
               for merit in ('idleness', 'share_violation', 'monotony'))
    return f'at most {most:.3f}', most <= 0.005


def needed_from_2(rows):
    text = ', '.join(f'{completion(rows, "8")[0][x]:.3f}' for x in (2, 2.5, 3, 4))
    return text, completion(rows, '8')[0][2] > 0.1


SENTENCES = [
    ('5.1', 'CS2 often beats CS1 by more than 10 % of waste when the mix is greater than 3', edf_saves),
    ('5.1', 'in idleness the two are about the same', alike(scheduling, 'idleness')),
    ('5.1', 'in share violation too', alike(scheduling, 'share_violation')),
    ('5.1', 'in monotony too', alike(scheduling, 'monotony')),
    ('5.1', 'share violation is usually below 0.10', shares_are_kept),
    ('5.1', 'it rises only slightly with the number of projects', shares_hardly_rise),
    ('5.1', 'idleness is near zero for any number of projects', never_idle),
    ('5.1', 'monotony rises considerably with the mix (CS2: 2, 5, 10, 20 projects)', monotony_rises),
    ('5.1', 'waste, idleness and share violation stay relatively constant from 1 to 20', nothing_else_rises),
    ('5.1.1', 'with one project share violation and monotony are 0', zero_alone),
    ('5.1.1', 'idleness is 0', busy_alone),
    ('5.1.1', 'at slack 1 to 5 waste is 1, .75, .24, .02 and 0', waste_by_slack),
    ('5.1.1', 'from slack 5 on it stays at 0', no_waste_beyond),
    ('5.1.2', 'with the largest buffer waste by slack is that of figure 2', same_as_figure_2),
    ('5.1.2', 'with a smaller buffer it falls dramatically (8.4 h → 1 h, slack 2; 3; 4)', less_with_a_small_buffer),
    ('5.1.2', 'at slack 2 it is constant between 5 and 7 h (5, 6, 7 h)', flat_from_5_to_7),
    ('5.1.2', 'at slack 1 it is 1, whatever the buffer', all_waste_at_slack_1),
    ('5.2', 'the waste of WF1 rises dramatically with the mix (3, 5, 8, 12 projects)', wf1_wastes),
    ('5.2', 'WF2 improves waste by almost 90 %', wf2_lowers('waste', 0.9)),
    ('5.2', 'WF2 improves share violation by almost 50 %', wf2_lowers('share_violation', 0.5)),
    ('5.2', 'in idleness the two are almost identical', alike(fetching, 'idleness')),
    ('5.2', 'in monotony too', alike(fetching, 'monotony')),
    ('5.3', 'WS2 often wastes less than WS1 by 20 % or more', ws2('waste', -1)),
    ('5.3', 'at the cost of idleness that is often higher by 20 % or more', ws2('idleness', 1)),
    ('5.4', 'at f = 1 waste with and without the correction is identical', same_without_errors),
    ('5.4', 'without it waste is almost 1 at f = 4', waste_at_4),
    ('5.4', 'with it waste is remarkably constant, whatever the error', constant_with_dcf),
    ('5.4', 'idleness, share violation and monotony are 0', nothing_but_waste),
    ('8', 'WS2 matters when the deviation is more than 10 times the mean', ws2_matters_beyond_10),
    ('8', 'from f = 2 on the correction is essential (without, slack 8: f = 2, 2.5, 3, 4)', needed_from_2),
]


def compare(study, golden):
    """Rows of section, sentence, what it is here and in the study's program, and of which of them it is true."""
    ours = {key: row for key, row in study.items() if key in golden}
    for section, sentence, measure in SENTENCES:
        (here, is_here), (there, is_there) = measure(ours), measure(golden)
        yield [section, sentence, here, there,
               'yes' if is_here and is_there else 'here' if is_here else 'program' if is_there else 'no']
