#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The inputs from which fuzzing begins: kept as text, one JSON list for each target.

    corpus.py unpack FOLDER                    writes corpus/TARGET.json into FOLDER/TARGET/, one file for each input
    corpus.py zip FOLDER                       writes FOLDER/TARGET_seed_corpus.zip, as OSS-Fuzz has them
    corpus.py pack FOLDER/TARGET... [--most BYTES]
                                               writes corpus/TARGET.json from the files of the folder

An input that is text stands there as it is; any other one as "0x" and its bytes.
"""

import hashlib
import json
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent / 'corpus'


def as_text(data):
    text = data.decode('latin-1')
    is_text = text.isascii() and all(char.isprintable() or char == '\n' for char in text)
    return text if is_text and not text.startswith('0x') else '0x' + data.hex()


def as_bytes(text):
    return bytes.fromhex(text[2:]) if text.startswith('0x') else text.encode('ascii')


def inputs_of(listing):
    """The name and the bytes of each input."""
    for text in json.loads(listing.read_text(encoding='ascii')):
        data = as_bytes(text)
        yield hashlib.sha1(data).hexdigest(), data


def unpack(folder):
    for listing in sorted(HERE.glob('*.json')):
        target = pathlib.Path(folder) / listing.stem
        target.mkdir(parents=True, exist_ok=True)
        for name, data in inputs_of(listing):
            (target / name).write_bytes(data)


def zip_all(folder):
    for listing in sorted(HERE.glob('*.json')):
        with zipfile.ZipFile(pathlib.Path(folder) / f'{listing.stem}_seed_corpus.zip', 'w') as archive:
            for name, data in inputs_of(listing):
                archive.writestr(name, data)


def pack(folders, most):
    for folder in map(pathlib.Path, folders):
        inputs = sorted({path.read_bytes() for path in folder.iterdir()}, key=lambda data: (len(data), data))
        lines, size = [], 0
        for data in inputs:
            line = json.dumps(as_text(data))
            size += len(line)
            if size > most:
                break
            lines.append(line)
        (HERE / f'{folder.name}.json').write_text('[\n' + ',\n'.join(lines) + '\n]\n', encoding='ascii')


def main():
    arguments = sys.argv[1:]
    most = 10**9
    if '--most' in arguments:
        place = arguments.index('--most')
        most = int(arguments[place + 1])
        del arguments[place:place + 2]
    if len(arguments) == 2 and arguments[0] == 'unpack':
        unpack(arguments[1])
    elif len(arguments) == 2 and arguments[0] == 'zip':
        zip_all(arguments[1])
    elif len(arguments) > 1 and arguments[0] == 'pack':
        pack(arguments[1:], most)
    else:
        raise SystemExit(__doc__)


main()
