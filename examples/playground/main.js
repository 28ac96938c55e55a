// SPDX-License-Identifier: MIT
//
// The playground: one program, which is the page's and, where there is no page, that of its worker.

import { start } from './page/start.js';
import { serve } from './work/serve.js';

if (typeof document === 'undefined') {
  serve(self);
} else {
  start();
}
