// One process that writes until it is killed. Arguments: the scene as JSON, its name, a seed, names of writers.
//
// It says "ready" when its modules are loaded, begins when it is told to, and acknowledges each write on standard output as
// soon as the write's promise has resolved: what stands there has to be there for ever.
import { writeSync } from 'node:fs'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { openStore } from '@cairn/storage-prisma'
import { randomNumbers } from '../bench/numbers.mjs'
import { engineOver } from './open-engine.mjs'
import { writers } from './writers/index.mjs'

const [sceneText = '', process_ = '', seed = '', ...kinds] = process.argv.slice(2)
const scene = JSON.parse(sceneText)
const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`)

say(['ready'])
await once(process.stdin, 'data')
const engine = engineOver(await openStore(scene.address), scene)
await Promise.all(
  kinds.map((kind, index) =>
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
      isOver: () => false,
    }),
  ),
)
