# SPDX-License-Identifier: MIT
"""The program that renders a tile: the same bytes everywhere, from whatever point it goes on, and clear about faults.

The environment variable GRID_WORKER is its path.
"""

import hashlib
import math
import os
import re
import subprocess
import time

import pytest

from slot import ENDLESS, TILE, kill, prepare, program, render, run, start, text_of

# Of the tile above. Every compiler and processor must find it: results of volunteers are compared byte for byte.
DIGEST = "bad46094fa317cd6545baacf9d77cf514a63f6e3ef75924d98928aa68d36a6ba"

STOPS = [(10, 10, 36), (18, 58, 128), (52, 142, 186), (226, 242, 238), (248, 196, 84), (206, 92, 36), (88, 22, 44),
         (28, 8, 40)]
UNIT = 2.0 ** 55


def colour(tile, re_part, im_part):
    """The colour of a point, in the plainest way, by floating-point numbers."""
    c = complex(re_part / UNIT, im_part / UNIT)
    z = c
    for n in range(1, tile["iterations"] + 1):
        if abs(z) > 8:
            count = n + 1 - math.log2(math.log2(abs(z) ** 2) / 6)
            turn = (math.log2(count) + 16) * tile["turns"] / 256 + tile["phase"] / 65536
            place = turn % 1 * len(STOPS)
            part = place % 1
            part = 3 * part ** 2 - 2 * part ** 3
            stop, following = STOPS[int(place)], STOPS[(int(place) + 1) % len(STOPS)]
            return tuple(a + (b - a) * part for a, b in zip(stop, following))
        z = z * z + c
    return (4, 4, 12)


def pixel(tile, column, row):
    samples = tile["samples"]
    light = [0.0, 0.0, 0.0]
    for j in range(samples):
        for i in range(samples):
            found = colour(tile, tile["left"] + (column * samples + i) * tile["step"],
                           tile["top"] - (row * samples + j) * tile["step"])
            light = [old + new ** 2 / samples ** 2 for old, new in zip(light, found)]
    return [math.sqrt(value) for value in light]


def test_the_bytes_of_a_tile_are_what_they_always_were(tmp_path):
    assert hashlib.sha256(render(tmp_path / "a", TILE)).hexdigest() == DIGEST


def test_a_compiler_without_numbers_of_128_bits_finds_the_same(tmp_path):
    assert render(tmp_path / "a", TILE) == render(tmp_path / "b", TILE, "portable")


@pytest.mark.parametrize("tile", [
    {**TILE, "left": int(-2.2 * UNIT), "top": int(1.2 * UNIT), "step": int(0.06 * UNIT), "iterations": 30},
    {**TILE, "left": int(-0.7441 * UNIT), "top": int(0.1313 * UNIT), "step": int(0.00001 * UNIT), "samples": 3,
     "iterations": 200, "turns": 100, "phase": 0},
], ids=["whole", "seahorse"])
def test_the_colours_are_those_of_plain_arithmetic(tmp_path, tile):
    found = render(tmp_path / "a", tile)
    worst = 0.0
    for row in range(tile["height"]):
        for column in range(tile["width"]):
            at = (row * tile["width"] + column) * 3
            expected = pixel(tile, column, row)
            worst = max(worst, *[abs(value - other) for value, other in zip(found[at:at + 3], expected)])
    # Each step rounds down: the logarithms, the mix of two colours, the root of the light.
    assert worst < 2
    assert len(set(found)) > 50


def test_all_points_of_the_set_are_dark(tmp_path):
    tile = {**TILE, "left": 0, "top": 0, "step": 1000}
    assert render(tmp_path / "a", tile) == bytes([4, 4, 12]) * (TILE["width"] * TILE["height"])


def test_at_the_end_it_says_so(tmp_path):
    render(tmp_path / "a", TILE)
    assert (tmp_path / "a" / "boinc_finish_called").read_text(encoding="ascii") == "0\n"
    assert float((tmp_path / "a" / "fraction_done").read_text(encoding="ascii")) == 1
    assert not list((tmp_path / "a").glob("*.new"))


def rows_kept(folder):
    """How many rows the checkpoint has."""
    try:
        return int.from_bytes((folder / "checkpoint").read_bytes()[80:88], os.sys.byteorder)
    except FileNotFoundError:
        return 0


def test_killed_after_each_row_it_ends_with_the_same_bytes(tmp_path):
    whole = render(tmp_path / "whole", TILE)
    folder = prepare(tmp_path / "killed", TILE)
    # Nobody reads this pipe, so that the worker stands still when it has written a checkpoint.
    os.mkfifo(folder / "fraction_done.new")
    for row in range(1, TILE["height"] + 1):
        process = start(folder)
        while rows_kept(folder) < row:
            assert process.poll() is None
            time.sleep(0.002)
        kill(process)
        assert rows_kept(folder) == row
    (folder / "fraction_done.new").unlink()
    assert render(folder, TILE) == whole


def checkpoint_sum(content):
    """The sum that stands after the tile and the number of rows, over all but itself."""
    found = 14695981039346656037
    for byte in content[:88] + bytes(8) + content[96:]:
        found = (found ^ byte) * 1099511628211 % 2 ** 64
    return found.to_bytes(8, "little")


def partly(folder, rows):
    """A folder with a checkpoint of so many rows, in which each pixel is (1, 2, 3)."""
    prepare(folder, TILE)
    held = b"".join(value.to_bytes(8, "little", signed=True) for value in TILE.values())
    content = held + rows.to_bytes(8, "little") + bytes(8) + bytes([1, 2, 3]) * (TILE["width"] * rows)
    return content[:88] + checkpoint_sum(content) + content[96:]


little_endian = pytest.mark.skipif(os.sys.byteorder != "little", reason="a checkpoint is in the processor's own order")


@little_endian
def test_it_goes_on_from_its_checkpoint(tmp_path):
    whole = render(tmp_path / "whole", TILE)
    content = partly(tmp_path / "a", 5)
    (tmp_path / "a" / "checkpoint").write_bytes(content)
    kept = TILE["width"] * 3 * 5
    assert render(tmp_path / "a", TILE) == bytes([1, 2, 3]) * (TILE["width"] * 5) + whole[kept:]


@little_endian
@pytest.mark.parametrize("spoil", [
    lambda content: content[:-1],
    lambda content: content + b"\0",
    lambda content: content[:-1] + b"\0",
    lambda content: content[:40] + b"\1" + content[41:],
    lambda content: content[:40],
    lambda content: b"",
    lambda content: bytes(len(content)),
    lambda content: content[:80] + (17).to_bytes(8, "little") + content[88:],
    lambda content: content[:80] + (2 ** 63).to_bytes(8, "little") + content[88:],
], ids=["shorter", "longer", "one byte", "another tile", "half a head", "empty", "zeros", "too many rows", "negative"])
def test_a_spoilt_checkpoint_is_no_checkpoint(tmp_path, spoil):
    whole = render(tmp_path / "whole", TILE)
    content = spoil(partly(tmp_path / "a", 5))
    if len(content) > 96 and content[80:88] != (5).to_bytes(8, "little"):
        content = content[:88] + checkpoint_sum(content) + content[96:]
    (tmp_path / "a" / "checkpoint").write_bytes(content)
    assert render(tmp_path / "a", TILE) == whole


def changed(**fields):
    return text_of({**TILE, **fields})


@pytest.mark.parametrize("text, fault", [
    ("", "left is missing"),
    (changed().replace("samples 2\n", ""), "samples is missing"),
    (changed() + "samples 2\n", "line 11: samples again"),
    (changed() + "colour 2\n", "line 11: colour is unknown"),
    (changed() + "samples\n", "line 11 is not a name and a number"),
    (changed() + "samples 2 3\n", "line 11 is not a name and a number"),
    (changed() + "\n", "line 11 is not a name and a number"),
    (changed() + "x" * 80 + " 1\n", "line 11 is too long"),
    (changed() + " " * 2000, "this is not the text of a tile"),
    (changed() + "\0", "this is not the text of a tile"),
    (changed(width=0), "width must be a number between 1 and 4096"),
    (changed(height=4097), "height must be a number between 1 and 4096"),
    (changed(samples=17), "samples must be a number between 1 and 16"),
    (changed(iterations="1e6"), "iterations must be a number between 1 and 1000000000"),
    (changed(phase=65536), "phase must be a number between 0 and 65535"),
    (changed(turns="99999999999999999999"), "turns must be a number between 1 and 65536"),
    (changed(left=2 ** 57 + 1), "left must be a number between"),
    (changed(left=2 ** 57 - 40, step=1), "the tile reaches beyond +-4"),
    (changed(top=-2 ** 57 + 30, step=1), "the tile reaches beyond +-4"),
    (changed(step=2 ** 57), "the tile reaches beyond +-4"),
])
def test_it_says_what_is_wrong_with_a_tile(tmp_path, text, fault):
    done = run(prepare(tmp_path / "a", text))
    assert done.returncode == 1
    assert re.fullmatch(f"worker: in: (line \\d+: )?{re.escape(fault)}.*\n", done.stderr)
    assert os.listdir(tmp_path / "a") == ["in"]


def test_it_says_so_without_a_tile(tmp_path):
    done = run(tmp_path)
    assert (done.returncode, done.stderr) == (1, "worker: in: No such file or directory\n")


def test_the_outermost_tile_is_rendered(tmp_path):
    tile = {**TILE, "left": -2 ** 57, "top": 2 ** 57, "step": 2 ** 57 // 24}
    assert len(render(tmp_path / "a", tile)) == TILE["width"] * TILE["height"] * 3


@pytest.mark.parametrize("name", ["out", "checkpoint", "fraction_done"])
def test_a_file_that_cannot_be_written_is_a_fault(tmp_path, name):
    folder = prepare(tmp_path / "a", TILE)
    (folder / f"{name}.new").mkdir()
    done = run(folder)
    assert (done.returncode, done.stderr) == (1, f"worker: {name}: Is a directory\n")
    assert not (folder / "boinc_finish_called").exists()


def test_a_saboteur_is_wrong_in_one_digit_and_each_in_another(tmp_path):
    right = render(tmp_path / "right", TILE)
    wrong = [render(tmp_path / f"wrong{build}", TILE, f"saboteur_{build}") for build in (1, 2)]
    for found in wrong:
        assert [a ^ b for a, b in zip(right, found) if a != b] == [1]
    assert wrong[0] != wrong[1]
    assert wrong[0] == render(tmp_path / "again", TILE, "saboteur_1")


def test_the_failing_build_fails(tmp_path):
    done = run(prepare(tmp_path / "a", TILE), "failing")
    assert (done.returncode, done.stderr) == (1, "worker: this build always fails\n")
    assert os.listdir(tmp_path / "a") == ["in"]


def is_running(number):
    try:
        with open(f"/proc/{number}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc to look at other processes")
def test_it_does_not_outlive_its_client(tmp_path):
    tile = {**ENDLESS, "iterations": 20000, "checkpoint": 1}
    client = subprocess.Popen(["sh", "-c", '"$0" & echo $!; wait', program()], cwd=prepare(tmp_path / "a", tile),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    worker = int(client.stdout.readline())
    while not (tmp_path / "a" / "fraction_done").exists():  # until then it may not know yet who its client is
        assert is_running(worker)
        time.sleep(0.02)
    client.kill()
    client.wait()
    client.stdout.close()
    while is_running(worker):
        time.sleep(0.02)
    assert not (tmp_path / "a" / "boinc_finish_called").exists()
