// SPDX-License-Identifier: MIT
//
// The hosts to begin with, each with what is to be seen there.

import client from '../../scenarios/client_state.xml';
import small from '../../scenarios/small_state.ini';
import shortfall from '../../scenarios/shortfall.ini';
import unreliable from '../../scenarios/unreliable.ini';
import cpus from '../../scenarios/states/all_cpus_beside_a_gpu.ini';
import fifth from '../../scenarios/states/gpu_with_a_fifth_of_a_cpu.ini';
import limited from '../../scenarios/states/limited_project.ini';
import siblings from '../../scenarios/states/three_siblings.ini';
import gpus from '../../scenarios/states/two_and_a_half_gpus.ini';
import tight from '../../study/tight_and_loose.ini';

/** `b` is a profile to compare with, where that shows it best. */
export const EXAMPLES = [
  { name: 'Eight tasks, two of them in danger', text: small,
    about: 'Two CPUs and a GPU. impact_77 must go first to be done in time. Why does skymap_2031_a wait although it '
      + 'has run before? Click it.' },
  { name: 'A real client_state.xml', text: client,
    about: 'Eight CPUs and two GPUs, 53 tasks, six projects, as the BOINC client wrote it down. Which projects are '
      + 'not asked for work, and why?' },
  { name: 'A tight deadline beside a loose one', text: tight, b: 'steady',
    about: 'By turns, one project computes what comes too late. Compare what each policy runs, then emulate the next '
      + 'days.' },
  { name: 'Servers that come and go', text: unreliable, b: 'steady',
    about: 'Off at night, one server down now and then, another moves. It has no task yet: emulate the next days.' },
  { name: 'Eight CPUs for one task', text: cpus,
    about: 'A GPU task takes one of eight CPUs, and other tasks need all eight. They run all the same.' },
  { name: 'A GPU task with a fifth of a CPU', text: fifth,
    about: 'Four tasks run on 3.8 free CPUs: none idles for the fraction that a GPU task needs.' },
  { name: 'A project that may run one task', text: limited,
    about: 'Its queue is long, seven CPUs idle: work of others is still wanted.' },
  { name: 'Three tasks of one project', text: siblings,
    about: 'No task gives way to a sibling that is not due earlier.' },
  { name: 'Work for two and a half GPUs', text: gpus,
    about: 'The host has two. One task uses half of a GPU; a task that needs a whole one does not fit beside it.' },
  { name: 'How much work is missing', text: shortfall,
    about: 'Five tasks of some seconds and a buffer of ten: when the CPUs run dry, and how much work is missing.' },
];
