// Who changes files in context: how soon it is told while 2,000 files are watched and written to all the time.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { percentile } from './numbers.mjs'
import { scratchFolder } from './paths.mjs'

const worker = fileURLToPath(new URL('tracking-worker.mjs', import.meta.url))
const MOST_OUTPUT = 64 << 20

/**
 * Measures how soon a change of a file is told. No results but on Linux.
 * @param {{ files: number, seconds: number, log: (text: string) => void }} options
 */
export async function tracking({ files, seconds, log }) {
  if (process.platform !== 'linux') return []
  const folder = scratchFolder('tracking')
  log(`tracking: ${files} files, written to for ${seconds} s…`)
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@cairn/source', worker, folder, String(files), String(seconds)],
      { maxBuffer: MOST_OUTPUT },
    )
    const { writes, missed, latencies, eventLatencies, watched, left, readyCpuMs } = JSON.parse(stdout)
    return [
      { name: 'tracking: writes', value: writes, unit: 'count' },
      { name: 'tracking: final contents missed', value: missed, unit: 'count', target: { most: 0 } },
      { name: 'tracking: write to event, p50', value: percentile(eventLatencies, 0.5), unit: 'ms' },
      {
        name: 'tracking: write to event, p95',
        value: percentile(eventLatencies, 0.95),
        unit: 'ms',
        target: { most: 50 },
      },
      { name: 'tracking: write to verdict, p50', value: percentile(latencies, 0.5), unit: 'ms' },
      {
        name: 'tracking: write to verdict, p95',
        value: percentile(latencies, 0.95),
        unit: 'ms',
        target: { most: 150 },
      },
      { name: 'tracking: CPU until all are watched', value: readyCpuMs, unit: 'ms' },
      { name: 'tracking: watches of the system', value: watched, unit: 'count' },
      { name: 'tracking: watches left after the end', value: left, unit: 'count', target: { most: 0 } },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
