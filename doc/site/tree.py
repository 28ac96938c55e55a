# SPDX-License-Identifier: MIT
"""Which page of the site shows a file or a folder of the source tree.

The site has the folders of the source tree, so a path says where a page is. A text of the manual is its own page, a
public header the page of its interface, and any other file the page of its source; a folder has a list of its files.
"""

import pathlib
import posixpath

# The folders whose sources are shown; of others, the files that are named somewhere, and what their folders hold.
SHOWN = ('lib', 'include', 'examples', 'tests/oracle')
# A link to this folder is one to what it makes, where that is in the site.
PLAYGROUND = 'examples/playground'
PLAYGROUND_PAGE = 'playground.html'
TEXTS = ('*.md', 'doc/*.md', 'doc/start/*.md', 'examples/*/README.md', '.github/SECURITY.md')
FRONT = 'index.html'
# What the source text of a page says of a link, so that the link is known to be one within the site.
SCHEME = 'site:'


def is_text(path):
    """Files that are shown as text; pictures are not."""
    return path.suffix not in ('.svg', '.png', '.pyc')


class Tree:
    def __init__(self, root, has_playground=False):
        self.has_playground = has_playground
        self.root = pathlib.Path(root).resolve()
        # Paths of files whose source somebody links to.
        self.sources = {path.relative_to(self.root).as_posix() for folder in SHOWN
                        for path in (self.root / folder).rglob('*') if path.is_file() and is_text(path)
                        and '__pycache__' not in path.parts}
        # Paths of folders that somebody links to.
        self.folders = set()
        # Paths of the texts that are pages of the manual. The first page stands for the README.
        self.texts = sorted(path.relative_to(self.root).as_posix() for pattern in TEXTS
                            for path in self.root.glob(pattern) if path != self.root / 'README.md')

    def page_of(self, path):
        """The page for a path within the tree; None if that does not exist."""
        file = self.root / path
        if path in ('', '.', 'README.md'):
            return FRONT
        if file.is_dir():
            if (file / 'README.md').exists():
                return path + '/README.html'
            self.folders.add(path)
            return path + '/index.html'
        if not file.exists():
            return None
        if path in self.texts:
            return path.removesuffix('.md').removeprefix('.') + '.html'
        if file.suffix == '.h' and path.startswith('include/'):
            return path.removesuffix('.h') + '.html'
        return self.source_page_of(path)

    def source_page_of(self, path):
        self.sources.add(path)
        return path.removeprefix('.') + '.html'

    def link(self, origin, target):
        """The link within the site for one in a file of the tree, `target` being relative to that; None if broken."""
        name, _, anchor = target.partition('#')
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), name)) if name else origin
        if path == PLAYGROUND and self.has_playground:
            return PLAYGROUND_PAGE
        page = self.page_of(path)
        return page and page + ('#' + anchor if anchor else '')


def relative(page, target):
    """A link of the site as it stands in that page."""
    path, mark, anchor = target.partition('#')
    return (posixpath.relpath(path, posixpath.dirname(page) or '.') if path != page or not mark else '') + mark + anchor
