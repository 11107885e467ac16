// A process that writes under a key of its own each time, a commit each, and prints when each was acknowledged, ms. Address,
// number and pause (ms) are its arguments.
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '@cairn/storage-prisma'
import { CHANGED } from './state-shared.mjs'

const [address, changes, pause] = process.argv.slice(2)
const store = await openStore(address)
// The first write loads the client.
await store.state.set({ tier: 'global' }, new Map([['first', 1]]))
const acknowledged = []
for (let index = 0; index < Number(changes); index += 1) {
  await store.state.set(CHANGED, new Map([[`k${index}`, index]]))
  acknowledged.push(performance.timeOrigin + performance.now())
  await wait(Number(pause))
}
await store.close()
console.log(JSON.stringify(acknowledged))
