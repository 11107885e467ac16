/**
 * Clean-ups as a process of its own. Arguments: address, and `forever` for one after the other until it is killed. Prints a
 * line when it begins.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { openEngine } from './process-engine.ts'

const [address = '', forever] = process.argv.slice(2)
const engine = await openEngine(address)
process.stdout.write('begun\n')
do {
  await engine.cleanUp.run()
  // Lets the line out.
  await turn()
} while (forever !== undefined)
await engine.close()
