// The import graph beside oxc-parser in the same process, and the project map: CPU time, for 1,000 files of TypeScript and JavaScript.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './numbers.mjs'

const worker = fileURLToPath(new URL('imports-worker.mjs', import.meta.url))

/**
 * Measures finding and resolving imports in this repository, against oxc-parser.
 * @param {{ rounds: number, log: (text: string) => void }} options
 * @returns {Promise<import('./result.mjs').Result[]>}
 */
export async function imports({ rounds, log }) {
  const answer = execFileSync(process.execPath, ['--conditions=@cairn/source', worker, String(rounds)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const { files, bytes, mapFiles, search, parser, graph, cycles, map } = JSON.parse(answer)
  log(`imports: ${files} files, ${(bytes / 1e6).toFixed(1)} MB; a map of ${mapFiles} files`)
  const perThousand = (times) => (median(times) * 1000) / files
  return [
    { name: 'imports of 1,000 files, CPU', value: perThousand(search), unit: 'ms' },
    { name: 'the same by oxc-parser, CPU', value: perThousand(parser), unit: 'ms' },
    {
      name: 'imports / oxc-parser, CPU',
      value: median(search) / median(parser),
      unit: 'ratio',
      target: { most: 0.25 },
    },
    { name: 'resolving imports of 1,000 files, CPU', value: perThousand(graph), unit: 'ms' },
    { name: 'import cycles of 1,000 files, CPU', value: perThousand(cycles), unit: 'ms' },
    { name: 'project map of this repository, CPU', value: median(map), unit: 'ms', target: { most: 100 } },
  ]
}
