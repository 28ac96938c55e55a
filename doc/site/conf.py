# SPDX-License-Identifier: MIT
"""How Sphinx makes the site from the pages that make_site.py writes."""

import os
import sys

sys.path.insert(0, os.environ['SITE_SOURCE'])
from contents import places  # noqa: E402

project = 'libvcsched'
author = 'the authors of libvcsched'
version = release = os.environ['SITE_VERSION']
extensions = ['myst_parser', 'site_links']
root_doc = 'doc/README'
language = 'en'
highlight_language = 'none'
myst_url_schemes = ('http', 'https', 'mailto', 'site')

html_theme = 'theme'
html_theme_path = [os.environ['SITE_SOURCE']]
html_title = 'libvcsched'
html_context = {'places': places(os.environ['SITE_PLAYGROUND'] != '')}
html_copy_source = False
html_domain_indices = False
html_search_scorer = os.path.join(os.environ['SITE_SOURCE'], 'scorer.js')
# A page that is opened from disk may not read others.
html_show_search_summary = False
