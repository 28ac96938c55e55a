# SPDX-License-Identifier: MIT
"""The picture as work: tiles that fit together, a canvas on disk that nothing spoils, and what a server asks of it.

The environment variable GRID_WORKER is the path of the program that renders.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from pathlib import Path

import pytest

import running

# The server's package needs the library's.
os.sys.path.insert(0, str(running.package()))

from picture.canvas import DONE, FAILED, MISSING, Canvas
from picture.place import PLACES
from picture.png import png
from picture.tiles import Picture
from picture.work import PictureWork
from server.work import MISSING as NOT_READABLE
from server.work import WRONG, Output
from slot import prepare, render, run

SMALL = {"place": "seahorse", "width": 50, "height": 34, "tile": 16, "samples": 2, "iterations": 300}


def decode(content):
    """Width, height and pixels of a PNG file, in the plainest way."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(content):
        length, = struct.unpack(">I", content[at:at + 4])
        kind, held = content[at + 4:at + 8], content[at + 8:at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + held)
        chunks.append((kind, held))
        at += 12 + length
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 2, 0, 0, 0]
    lines = zlib.decompress(chunks[1][1])
    assert len(lines) == height * (width * 3 + 1)
    rows = [lines[y * (width * 3 + 1):(y + 1) * (width * 3 + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    return width, height, b"".join(row[1:] for row in rows)


@pytest.fixture(name="tiles", scope="module")
def rendered_tiles(tmp_path_factory):
    """The right result of each tile."""
    picture = Picture(**SMALL)
    folder = tmp_path_factory.mktemp("tiles")
    return [render(folder / str(number), picture.input(number)) for number in range(picture.count)]


def test_a_file_of_pixels_is_read_as_it_was_written():
    pixels = bytes(range(3 * 5 * 4))
    assert decode(png(5, 4, pixels)) == (5, 4, pixels)
    with pytest.raises(ValueError, match="59 bytes are not 5 . 4 pixels"):
        png(5, 4, pixels[:-1])


def test_the_tiles_cover_the_picture_once():
    picture = Picture(**SMALL)
    assert (picture.columns, picture.rows, picture.count) == (4, 3, 12)
    seen = [(x, y) for number in range(picture.count) for left, top, width, height in [picture.box(number)]
            for x in range(left, left + width) for y in range(top, top + height)]
    assert len(seen) == len(set(seen)) == 50 * 34 and max(seen) == (49, 33)
    with pytest.raises(IndexError):
        picture.box(12)


def test_the_tiles_together_are_the_picture_as_a_whole(tmp_path, tiles):
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    for number, tile in enumerate(tiles):
        canvas.put(number, tile)
    whole = Picture(**{**SMALL, "tile": 64})
    assert whole.count == 1
    assert decode(canvas.png()) == (50, 34, render(tmp_path / "whole", whole.input(0)))
    assert decode((tmp_path / "picture.png").read_bytes()) == decode(canvas.png())


@pytest.mark.parametrize("place", PLACES)
def test_every_place_can_be_rendered_and_shows_something(tmp_path, place):
    picture = Picture(place=place, width=24, height=16, tile=24, samples=1)
    found = render(tmp_path / "a", picture.input(0))
    assert len({found[at:at + 3] for at in range(0, len(found), 3)}) > 100
    assert 0 < picture.flops(0) <= picture.greatest_flops(0)


def test_a_tile_within_the_set_is_the_most_work():
    picture = Picture(place="whole", width=60, height=40, tile=4)
    flops = [picture.flops(number) for number in range(picture.count)]
    inside = max(range(picture.count), key=flops.__getitem__)
    assert flops[inside] == picture.greatest_flops(inside)
    assert min(flops) < flops[inside] / 100


def test_twice_the_points_across_are_four_times_the_work():
    once, twice = (Picture(place="whole", width=60, height=40, tile=6, samples=samples) for samples in (2, 4))
    assert twice.flops(0) == pytest.approx(4 * once.flops(0), rel=0.1)


@pytest.mark.parametrize("wrong, fault", [
    ({"place": "nowhere"}, "no place is called 'nowhere'"),
    ({"width": 0}, "width must be a whole number between 1 and 65536"),
    ({"samples": 17}, "samples must be"),
    ({"tile": 2.0}, "tile must be"),
    ({"iterations": True}, "iterations must be"),
    ({"width": 65536, "height": 65536}, "more than 16777216 pixels"),
])
def test_a_picture_that_cannot_be_is_refused(wrong, fault):
    with pytest.raises(ValueError, match=fault):
        Picture(**wrong)


def test_one_sees_what_is_missing_and_what_never_comes(tmp_path, tiles):
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    canvas.put(0, tiles[0])
    canvas.give_up(5)
    assert list(canvas.tiles()) == [DONE] + [MISSING] * 4 + [FAILED] + [MISSING] * 6
    _, _, pixels = decode(canvas.png())

    def colours(left, top):
        return {pixels[(y * 50 + x) * 3:(y * 50 + x) * 3 + 3] for x in range(left, left + 16)
                for y in range(top, top + 16)}

    missing, failed = colours(16, 0), colours(16, 16)
    assert len(missing) == len(failed) == 2 and not missing & failed
    assert all(max(colour) - min(colour) < 16 for colour in missing) and all(colour[0] > 100 for colour in failed)
    assert b"".join(pixels[y * 150:y * 150 + 48] for y in range(16)) == tiles[0]
    assert not (tmp_path / "picture.png").exists()


def test_a_tile_that_is_written_again_changes_nothing(tmp_path, tiles):
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    for number in (3, 7, 3, 11, 7):
        canvas.put(number, tiles[number])
    before = [(tmp_path / name).read_bytes() for name in ("picture.rgb", "picture.tiles")]
    again = Canvas(str(tmp_path), Picture(**SMALL))
    again.put(3, tiles[3])
    assert [(tmp_path / name).read_bytes() for name in ("picture.rgb", "picture.tiles")] == before


@pytest.mark.parametrize("write", range(17))
def test_a_process_that_ends_in_the_middle_of_a_tile_leaves_it_missing(tmp_path, tiles, monkeypatch, write):
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    canvas.put(0, tiles[0])
    real, left = os.pwrite, [write]

    def pwrite(handle, held, at):
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return real(handle, held, at)

    monkeypatch.setattr(os, "pwrite", pwrite)
    with pytest.raises(KeyboardInterrupt):
        canvas.put(1, tiles[1])
    monkeypatch.undo()
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    assert list(canvas.tiles()) == [DONE] + [MISSING] * 11
    canvas.put(1, tiles[1])
    other = tmp_path / "other"
    other.mkdir()
    expected = Canvas(str(other), Picture(**SMALL))
    expected.put(1, tiles[1])
    expected.put(0, tiles[0])
    assert canvas.png() == expected.png()


def test_a_folder_holds_one_picture(tmp_path):
    Canvas(str(tmp_path), Picture(**SMALL))
    with pytest.raises(ValueError, match="another picture has been begun in this folder"):
        Canvas(str(tmp_path), Picture(**{**SMALL, "samples": 3}))


def test_no_tile_of_another_size_is_taken(tmp_path, tiles):
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    for number, held in ((0, tiles[0][:-1]), (3, tiles[0]), (0, b"")):
        with pytest.raises(ValueError, match="bytes are not"):
            canvas.put(number, held)
    with pytest.raises(IndexError):
        canvas.give_up(12)
    assert list(canvas.tiles()) == [MISSING] * 12


@pytest.mark.parametrize("most, scale", [(50 * 34, 1), (25 * 17, 2), (210, 3), (100, 5)])
def test_a_large_picture_is_shown_from_afar(tmp_path, tiles, monkeypatch, most, scale):
    monkeypatch.setattr("picture.canvas.MOST_SHOWN", most)
    canvas = Canvas(str(tmp_path), Picture(**SMALL))
    assert canvas.scale == scale
    for number, tile in enumerate(tiles):
        if number != 6:
            canvas.put(number, tile)
    width, height, pixels = decode(canvas.png())
    assert (width, height) == (-(-50 // scale), -(-34 // scale))
    # A tile, shown alone, is what the whole shows in its place.
    for number in set(range(12)) - {6}:
        left, top, wide, high = canvas.picture.box(number)
        first, row = -(-left // scale), -(-top // scale)
        last, end = -(-(left + wide) // scale), -(-(top + high) // scale)
        if last == first or end == row:
            assert canvas.tile_png(number) == b""
            continue
        assert decode(canvas.tile_png(number)) == (last - first, end - row, b"".join(
            pixels[(y * width + first) * 3:(y * width + last) * 3] for y in range(row, end)))


@pytest.fixture(name="work")
def picture_work(tmp_path):
    return PictureWork(str(tmp_path / "picture"), "worker", **SMALL)


def output(folder, number, *held):
    """The results of a unit, as a server has them; None for a file that is gone."""
    found = []
    for index, content in enumerate(held):
        path = Path(folder) / f"{number}_{index}"
        if content is not None:
            path.write_bytes(content)
        found.append(Output(index + 1, [path]))
    return found


def test_a_unit_is_a_tile_and_the_same_when_it_is_asked_for_again(tmp_path, work):
    units = work.generate(1, 5) + work.generate(6, 100)
    assert len(units) == 12 and work.generate(13, 5) == []
    assert work.generate(4, 2) == units[3:5]
    for number, unit in enumerate(units, 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert list(unit.inputs) == ["in"] and list(unit.outputs) == ["out"]
        assert run(prepare(folder, unit.inputs["in"].decode())).returncode == 0
        assert (folder / "out").stat().st_size == unit.output_bytes
        assert 0 < unit.flops <= unit.flops_bound
    assert units[0].terms["min_quorum"] == units[0].terms["target_nresults"] == 2
    assert [application.name for application in work.applications()] == [units[0].application]


def test_results_are_equal_byte_for_byte(tmp_path, tiles, work):
    lie = bytes([tiles[4][0] ^ 1]) + tiles[4][1:]
    classes = work.classify(5, output(tmp_path, 5, tiles[4], lie, tiles[4], tiles[4][:-1], None, tiles[4] + b"\0"))
    assert classes[0] == classes[2] and classes[1] not in (classes[0], WRONG, NOT_READABLE)
    assert classes[3:] == [WRONG, NOT_READABLE, WRONG]


def test_what_is_accepted_comes_into_the_picture(tmp_path, tiles, work):
    for number, held in enumerate(tiles, 1):
        work.assimilate(number, output(tmp_path, number, held)[0] if number != 9 else None, None)
    assert list(work.canvas.tiles()) == [DONE] * 8 + [FAILED] + [DONE] * 3
    assert decode(work.canvas.tile_png(4)) == (16, 16, tiles[4])
    assert json.loads((tmp_path / "picture" / "picture.json").read_text())["place"] == "seahorse"
    assert (tmp_path / "picture" / "picture.png").exists()
