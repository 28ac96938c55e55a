#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs files, and folders with what is in them, so that the same files give the same bytes.

    zip.py ARCHIVE PATH...

In order, and with the time SOURCE_DATE_EPOCH.
"""

import os
import pathlib
import sys
import time
import zipfile


def main():
    archive, *paths = map(pathlib.Path, sys.argv[1:])
    when = time.gmtime(int(os.environ['SOURCE_DATE_EPOCH']))[:6]
    files = sorted(file for path in paths for file in [path, *path.rglob('*')] if file.is_file())
    with zipfile.ZipFile(archive, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for file in files:
            made.writestr(zipfile.ZipInfo(str(file), when), file.read_bytes(), zipfile.ZIP_DEFLATED)


main()
