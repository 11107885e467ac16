// One process that writes until it is killed, or for some seconds. Arguments: the scene as JSON, its name, a seed, seconds
// (0: until it is killed), names of writers.
//
// It says "ready" when its modules are loaded, begins when it is told to, and acknowledges each write on standard output as
// soon as the write's promise has resolved: what stands there has to be there for ever.
import { writeSync } from 'node:fs'
import { once } from 'node:events'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { openStore } from '@cairn/storage-prisma'
import { randomNumbers } from '../bench/numbers.mjs'
import { engineOver } from './open-engine.mjs'
import { readers } from './readers.mjs'
import { writers } from './writers/index.mjs'

const REOPEN_MS = 100

const [sceneText = '', process_ = '', seed = '', seconds = '', ...kinds] = process.argv.slice(2)
const scene = JSON.parse(sceneText)
const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`)

/** A server that is being restarted is told of at once where a store is opened; its user tries again. */
const opened = async () => {
  for (;;) {
    try {
      return await openStore(scene.address)
    } catch (error) {
      if (error.code !== 'storage-unavailable' || scene.address.startsWith('file:')) throw error
      await setTimeout(REOPEN_MS)
    }
  }
}

say(['ready'])
await once(process.stdin, 'data')
process.stdin.destroy()
const engine = engineOver(await opened(), scene)
const endAt = Number(seconds) === 0 ? Infinity : performance.now() + Number(seconds) * 1_000
const isOver = () => performance.now() > endAt
const writing = kinds.map((kind, index) =>
  writers[kind].write({
    engine,
    scene,
    process: process_,
    random: randomNumbers(Number(seed) + index),
    acknowledge: (record) => {
      say([kind, record])
      // What is written without waiting for anything would leave nobody else a turn.
      return setImmediate()
    },
    isOver,
  }),
)
const reading = endAt === Infinity ? [] : [readers({ engine, isOver, random: randomNumbers(Number(seed)) })]
const [reads] = (await Promise.all([...reading, ...writing])).filter((each) => typeof each === 'number')
if (reads !== undefined) say(['reads', reads])
await engine.close()
