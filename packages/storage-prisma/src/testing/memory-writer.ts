/**
 * One of several processes that add entries to the memory of one workspace; started by `remember-together.ts`. It notes
 * every entry in a file as soon as it has been acknowledged, so that the file outlives a kill.
 *
 * Arguments: address, number of the writer, entries to add, how many at a time, file.
 */
import { appendFileSync } from 'node:fs'
import { openEngine } from './process-engine.ts'
import { SHARED_WORKSPACE, rememberedText } from './remembered.ts'
import type { Remembered } from './remembered.ts'

const [address = '', writer = '', count = '', lanes = '', file = ''] = process.argv.slice(2)
const engine = await openEngine(address)
let next = 0
let isFirst = true
// Loads what an entry needs, too: the time of the writers is measured from here on.
await engine.memory.stats(SHARED_WORKSPACE)
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

/**
 * Adds numbered facts to the memory, one after the other, and notes each in the file when it is acknowledged; lanes
 * share the numbers.
 */
const lane = async (): Promise<void> => {
  for (let number = (next += 1); number <= Number(count); number = next += 1) {
    const text = rememberedText(writer, number)
    const startedAt = performance.now()
    const { entry } = await engine.memory.add({
      workspace: SHARED_WORKSPACE,
      kind: 'discovery',
      text,
      examples: [`src/${writer}.ts:${number}`],
      source: `writer-${writer}`,
    })
    const noted: Remembered = [entry.id, writer, number, performance.now() - startedAt]
    appendFileSync(file, `${JSON.stringify(noted)}\n`)
    if (isFirst) process.stdout.write('first\n')
    isFirst = false
  }
}

await Promise.all(Array.from({ length: Number(lanes) }, lane))
await engine.close()
process.exit()
