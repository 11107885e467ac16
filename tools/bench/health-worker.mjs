// A process that appends to a new store or imports into it, with the figures of health gathered or not. Prints JSON:
// `cpuMs` of the work, and `gatheringMs`, what gathering cost of it by its parts (0 where it is off).
import { registerHooks } from 'node:module'
import { join } from 'node:path'

const [folder, gathering, kind, parameter] = process.argv.slice(2)
const OBSERVED = 'database.observer = recorder\n'
/** Times that each part is repeated to be measured. */
const CALLS = 200_000
const STORED = 100

if (gathering === 'off')
  registerHooks({
    /**
     * Loads the store without the lines that gather health, for the measure to compare with; throws if these lines have
     * changed.
     */
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (!url.endsWith('/storage-prisma/src/open-store.ts')) return loaded
      const source = String(loaded.source)
      if (!source.includes(OBSERVED)) throw new Error(`${url} does not gather health as this benchmark knows it`)
      return { ...loaded, source: source.replace(OBSERVED, '\n') }
    },
  })

const { createEngine, createHealthRecorder } = await import('@cairn/core')
const { createFileSystem, createHasher, createIds, createSystemClock } = await import('@cairn/core/node')
const { openStore } = await import('@cairn/storage-prisma')
const { heapFigures } = await import('../../packages/storage-prisma/src/health/heap-figures.ts')

/** CPU time of an action, ms. */
const cpuOf = async (action) => {
  const before = process.cpuUsage()
  await action()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const opened = async (name) => {
  const store = await openStore(`file:${join(folder, name)}`)
  const clock = createSystemClock()
  return createEngine({
    store,
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
}

const works = {
  appends: async ({ sessions }) => {
    const session = { id: 'cairn:one', agent: 'cairn', externalId: 'one', workspace: '/work/one' }
    for (let index = 0; index < Number(parameter); index += 1) {
      const text = `message ${index} says ${`something ${index % 13} `.repeat(index % 40)}`
      const content = [{ type: 'text', text }]
      const entry = { kind: 'message', id: `m${index}`, at: 1_760_000_000_000 + index, role: 'user', content }
      await sessions.append(session, index, [{ entry }])
    }
  },
  import: ({ imports }) =>
    imports.run({
      agent: 'claude-code',
      from: [parameter],
      environment: { home: folder, platform: 'linux', variables: {} },
    }),
}

/** How often the store's programs were measured. */
const countOf = (samples) =>
  samples
    .flatMap(({ writes, batches, failures }) => [writes, batches, failures].flatMap((counts) => Object.values(counts)))
    .reduce((sum, count) => sum + count, 0)

/** What the parts of gathering cost, ms: a measured write, and a sample that is taken and stored. */
const partsOf = async (store, sample) => {
  const { budgetBytes: totalBytes, caches } = sample
  const figures = Object.entries(caches).map(([name, use]) => ({ name, entries: 1, ...use }))
  const recorder = createHealthRecorder(() => ({ totalBytes, usedBytes: 1, caches: figures }), heapFigures)
  const write = await cpuOf(() => {
    for (let call = 0; call < CALLS; call += 1) {
      const start = performance.now()
      recorder.wrote(performance.now() - start + (call % 90), call % 2 === 0)
    }
  })
  const stored = await cpuOf(async () => {
    for (let call = 0; call < STORED; call += 1) {
      recorder.wrote(call, true)
      await store.health.add(recorder.take(Date.now()))
    }
  })
  return { writeMs: write / CALLS, sampleMs: stored / STORED }
}

// The first store of a process compiles what the next ones run.
const first = await opened('first.db')
await first.close()
const engine = await opened('store.db')
const startedAt = performance.now()
let gatheringMs = 0
const workMs = await cpuOf(() => works[kind](engine))
const minutes = Math.floor((performance.now() - startedAt) / 60_000)
const samples = await engine.store.health.since(0)
const closeMs = await cpuOf(() => engine.close())
if (gathering === 'on') {
  const again = await opened('store.db')
  const { writeMs, sampleMs } = await partsOf(again.store, samples.at(-1))
  // A sample is stored each minute, and at the end.
  gatheringMs = countOf(samples) * writeMs + (minutes + 1) * sampleMs
  await again.close()
}
console.log(JSON.stringify({ cpuMs: workMs + closeMs, gatheringMs, measured: countOf(samples) }))
