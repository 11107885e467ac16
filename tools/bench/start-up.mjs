// What it costs to start the command, warm: wall time and, as machines are shared, CPU time.
import { join } from 'node:path'
import { cairnCommand, cairnEnvironment, cairnJson } from './cairn.mjs'
import { removeStore } from './import-speed.mjs'
import { median } from './numbers.mjs'
import { cacheFolder } from './paths.mjs'
import { runWell } from './processes.mjs'
import { transcripts } from './transcripts.mjs'

/**
 * Measures how long the command takes to start, beside a Node that does nothing.
 * @param {{ runs: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function startUp({ runs, log }) {
  const store = join(cacheFolder('stores'), 'small.db')
  removeStore(store)
  const input = transcripts(3, { log })
  if (input !== undefined)
    await cairnJson(['import', '--agent', 'claude-code', '--from', input.folder, '--store', `file:${store}`])
  return [
    ...(await measure('start-up: node -e 0', [process.execPath, '-e', '0'], runs)),
    ...(await measure('start-up: --version', cairnCommand(['--version']), runs, 120)),
    ...(await measure(
      'start-up: usage --json',
      cairnCommand(['usage', '--json', '--store', `file:${store}`]),
      runs,
      120,
    )),
  ]
}

/** Measures a command: the medians of wall and CPU time over `runs`, in ms, the first two runs not counted. */
async function measure(name, command, runs, mostCpuMs) {
  const counted = []
  for (let index = -2; index < runs; index += 1) {
    const { wallMs, cpuMs } = await runWell(command, { env: cairnEnvironment })
    if (index >= 0) counted.push({ wallMs, cpuMs })
  }
  return [
    { name: `${name}, wall`, value: median(counted.map((run) => run.wallMs)), unit: 'ms' },
    {
      name: `${name}, CPU`,
      value: median(counted.map((run) => run.cpuMs)),
      unit: 'ms',
      ...(mostCpuMs === undefined ? {} : { target: { most: mostCpuMs } }),
    },
  ]
}
