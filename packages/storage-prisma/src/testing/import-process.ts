/**
 * An import as a process of its own, to be killed or run beside another. Arguments: address, folder, and
 * after how many steps of progress it kills itself (at some moment in the milliseconds after it); then, how many threads
 * read ahead. Prints the report.
 */
import type { EngineListener } from '@cairn/core'
import { openEngine } from './process-engine.ts'
import { readingThreads } from './reading-threads.ts'

const [address = '', folder = '', steps = '', threads = '0'] = process.argv.slice(2)
let left = steps === '' ? Number.POSITIVE_INFINITY : Number(steps)
/** Kills this process at a random moment, once enough progress was told. */
const die: EngineListener = (event) => {
  if (event.type !== 'import-progress') return
  left -= 1
  if (left <= 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 20)
}
const engine = await openEngine(address, threads === '0' ? {} : { importThreads: readingThreads(Number(threads)) })
const report = await engine.imports.run(
  { from: [folder], agent: 'claude-code', environment: { home: folder, platform: 'linux', variables: {} } },
  die,
)
await engine.close()
process.stdout.write(JSON.stringify(report))
