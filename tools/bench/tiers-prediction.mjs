// What loading packs ahead would have had ready, by simple predictions, and what it would cost. The reads are those of a replay; the cache is the real one, of which only sizes matter here.
import { DatabaseSync } from 'node:sqlite'
import { MemoryBudget, SizedCache } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import { packCacheSizes } from '../../packages/storage-prisma/src/packs/pack-cache-sizes.ts'
import { perform } from './tiers-reads.mjs'

const MEGABYTE = 1024 * 1024
/** The number of the kind `message` in the table of entries. */
const MESSAGE = 1
/** Entries around what recall found. */
const AROUND = 20
const HITS = 3
const PACKS_OF_FILE = 2

/** The packs that a read needs for the entries themselves. */
function packsOfReads(database) {
  const bySeq = database.prepare(
    'SELECT pack_id AS pack, seq FROM entry WHERE session_id = (SELECT id FROM session WHERE "key" = ?) AND seq >= ? AND pack_id IS NOT NULL AND (? = 0 OR kind = ?) ORDER BY seq LIMIT ?',
  )
  return (session, { fromSeq = 0, limit = 1e9, kinds } = {}) => {
    const isMessages = kinds?.length === 1 && kinds[0] === 'message'
    return bySeq.all(session, fromSeq, isMessages ? 1 : 0, MESSAGE, limit)
  }
}

/** Performs the operations once, and notes which packs each one needs, and what can be known after it. */
async function traced(address, database, operations) {
  const store = await openStore(address)
  const packsOf = packsOfReads(database)
  const read = store.sessions.read.bind(store.sessions)
  let needed = []
  store.sessions.read = (session, range) => {
    needed.push(...packsOf(session, range).map((row) => ({ ...row, session })))
    return read(session, range)
  }
  const steps = []
  for (const operation of operations) {
    needed = []
    const hits = await perform(store, operation)
    steps.push({ operation, needed, hits, packs: new Set(needed.map(({ pack }) => pack)) })
  }
  const files = await packsByFile(
    read,
    packsOf,
    new Set(steps.flatMap(({ needed: rows }) => rows.map(({ session }) => session))),
  )
  await store.close()
  return { steps, packsOf, files }
}

/** The file that a tool call names; undefined where it names none. */
const fileOf = (block) => {
  const input = block.type === 'tool_call' ? block.input : undefined
  const path = input?.file_path ?? input?.path ?? input?.filePath
  return typeof path === 'string' ? path : undefined
}

/** Which packs hold calls for a file, and which files the calls of a pack name. */
async function packsByFile(read, packsOf, sessions) {
  const [packs, files] = [new Map(), new Map()]
  for (const session of sessions) {
    const packOfSeq = new Map(packsOf(session).map(({ seq, pack }) => [seq, pack]))
    for (const { seq, content } of await read(session, { kinds: ['message'] }))
      for (const file of content.map(fileOf)) {
        const pack = packOfSeq.get(seq)
        if (file === undefined || pack === undefined) continue
        packs.set(file, (packs.get(file) ?? new Set()).add(pack))
        files.set(pack, (files.get(pack) ?? new Set()).add(file))
      }
  }
  return { packs, files }
}

/** The predictions: which packs may be needed after a step. */
function predictorsOf({ packsOf, files }) {
  const order = new Map()
  const packsInOrder = (session) => {
    if (!order.has(session)) order.set(session, [...new Set(packsOf(session).map(({ pack }) => pack))])
    return order.get(session)
  }
  const nextPart = ({ operation, needed }) => {
    if (operation.kind === 'recall' || needed.length === 0) return []
    const { session, pack } = needed.at(-1)
    const all = packsInOrder(session)
    return all.slice(all.indexOf(pack) + 1, all.indexOf(pack) + 2)
  }
  const recalled = ({ hits }) =>
    hits
      .slice(0, HITS)
      .flatMap(({ sessionId, seq }) =>
        packsOf(sessionId, { fromSeq: Math.max(0, seq - AROUND), limit: 2 * AROUND }).map(({ pack }) => pack),
      )
  const sameFiles = ({ operation, packs }) => {
    if (operation.kind !== 'message' && operation.kind !== 'page') return []
    const named = new Set([...packs].flatMap((pack) => [...(files.files.get(pack) ?? [])]))
    return [...named].flatMap((file) => [...(files.packs.get(file) ?? [])].slice(-PACKS_OF_FILE))
  }
  return {
    'next part of the session': nextPart,
    'around what recall found': recalled,
    'same files': sameFiles,
    'all three': (step) => [...nextPart(step), ...recalled(step), ...sameFiles(step)],
  }
}

/** Goes through the steps with a cache, and loads ahead what a prediction says. */
function simulated(steps, sizes, budgetBytes, predict) {
  const budget = new MemoryBudget(budgetBytes)
  const held = new Set()
  const ahead = new Set()
  const cache = new SizedCache({
    name: 'packs',
    budget,
    ...packCacheSizes(budget),
    sizeOf: (pack) => sizes.get(pack),
    onRemove: (pack) => {
      held.delete(pack)
      ahead.delete(pack)
    },
  })
  const keep = (pack) => cache.set(pack, pack) && held.add(pack)
  const counts = { misses: 0, ready: 0, loads: 0, bytes: 0 }
  for (const step of steps) {
    for (const pack of step.packs)
      if (cache.get(pack) === undefined) {
        counts.misses += 1
        keep(pack)
      } else if (ahead.delete(pack)) counts.ready += 1
    for (const pack of new Set(predict(step))) {
      if (held.has(pack)) continue
      counts.loads += 1
      counts.bytes += sizes.get(pack)
      if (keep(pack)) ahead.add(pack)
    }
  }
  return counts
}

/**
 * The share of what was needed and not in memory that each prediction would have had ready, and its price.
 * @param {{ address: string, path: string, operations: readonly import('./tiers-reads.mjs').Operation[], perPackMs: number, megabytes: number }} options
 *   `perPackMs`: CPU for reading a pack; `megabytes`: the budget
 * @returns {Promise<{ lines: string[], results: import('./result.mjs').Result[] }>}
 */
export async function predictions({ address, path, operations, perPackMs, megabytes }) {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const known = await traced(address, database, operations)
    const sizes = new Map(
      database
        .prepare('SELECT id, raw_size AS size FROM pack')
        .all()
        .map(({ id, size }) => [id, size]),
    )
    const budgetBytes = megabytes * MEGABYTE
    const none = simulated(known.steps, sizes, budgetBytes, () => [])
    const lines = [
      `Loading ahead, ${megabytes} MB: ${none.misses} reads of packs without it; a read costs ${perPackMs.toFixed(2)} ms of CPU`,
    ]
    const results = []
    for (const [name, predict] of Object.entries(predictorsOf(known))) {
      const { misses, ready, loads, bytes } = simulated(known.steps, sizes, budgetBytes, predict)
      const share = ready / (ready + misses)
      const perSpared = ready === 0 ? 'none spared' : `${(loads / ready).toFixed(1)} for each that was needed`
      lines.push(
        `  ${name.padEnd(26)} ready ${(100 * share).toFixed(1).padStart(5)} %, ${String(loads).padStart(6)} loads (${perSpared}), ${(bytes / MEGABYTE).toFixed(0)} MB, ${(loads * perPackMs).toFixed(0)} ms of CPU; reads in all ${((misses + loads) / none.misses).toFixed(2)} times`,
      )
      results.push({ name: `ready ahead: ${name}`, value: share, unit: 'ratio' })
    }
    return { lines, results }
  } finally {
    database.close()
  }
}
