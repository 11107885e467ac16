// What has to hold after processes were killed: everything acknowledged is there, the store is sound, nothing is left over.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { openStore } from '@cairn/storage-prisma'
import { engineOver } from './open-engine.mjs'
import { writers } from './writers/index.mjs'

/** A store that a killed process had open is open again after this, on a busy machine as well. */
const LONGEST_OPEN_MS = 15_000
/** After so long, checkpoints remove what a killed git had not finished. */
const LATER_MS = 2 * 3_600_000
const KEPT = { maximumAgeDays: 30, maximumCount: 100_000, maximumBytes: 1e12 }
/** What programs write before it has its name. */
const UNFINISHED =
  /(?:^|\/)(?:tmp_|\.tmp-|fast_import_crash_|[^/]*\.(?:tmp|stale|lock)$|[^/]*\.lock\.\d+|[^/]*-journal$|[^/]*-wal$|[^/]*-shm$)/

/**
 * Compares a store with what was acknowledged; asks its own checks, and prunes checkpoints. Rejects where the store
 * can't be opened.
 * @param {import('./open-engine.mjs').Scene} scene
 * @param {Readonly<Record<string, ReadonlyMap<string, readonly any[]>>>} acknowledged by kind and process
 * @param {ReadonlySet<string>} fresh processes that were killed since the last check
 * @returns {Promise<{ faults: readonly string[], openMs: number }>} `faults`: a sentence each
 */
export async function checkScene(scene, acknowledged, fresh) {
  const startedAt = performance.now()
  const store = await openStore(scene.address)
  const openMs = performance.now() - startedAt
  const faults = openMs > LONGEST_OPEN_MS ? [`the store was open after ${(openMs / 1_000).toFixed(1)} s only`] : []
  const engine = engineOver(store, scene)
  try {
    for (const [kind, byProcess] of Object.entries(acknowledged)) {
      const found = await writers[kind].check({ engine, scene, acknowledged: byProcess, fresh })
      faults.push(...found.map((fault) => `${kind}: ${fault}`))
    }
    faults.push(...(await store.verify()).map(({ check, detail }) => `the store finds a fault: ${check}: ${detail}`))
    faults.push(...(await unequalTotals(store)))
    const later = engineOver(store, scene, LATER_MS)
    for (const root of projectsOf(scene, fresh)) await later.checkpoints.prune(root, { limits: KEPT })
  } finally {
    await engine.close()
  }
  return { faults: [...faults, ...leftOver(scene)], openMs }
}

/** The folders of these processes with files for checkpoints; a process's name is the last part of theirs. */
function projectsOf({ folder }, processes) {
  const projects = join(folder, 'projects')
  const names = existsSync(projects) ? readdirSync(projects) : []
  return names
    .filter((name) => processes.has(name.slice(name.lastIndexOf('-') + 1)))
    .map((name) => join(projects, name))
}

/** All views sum the same requests. */
async function unequalTotals({ usage }) {
  const totals = []
  for (const by of ['session', 'day', 'model', 'workspace']) {
    const { total } = await usage.report({ by })
    totals.push(JSON.stringify(total, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
  }
  return new Set(totals).size === 1 ? [] : [`usage has different totals: ${totals.join(' ')}`]
}

/** Files that no program would ever remove or read again. */
function leftOver({ folder, address }) {
  const store = address.startsWith('file:') ? dirname(address.slice('file:'.length)) : undefined
  return [store, join(folder, 'home'), join(folder, 'data'), join(folder, 'projects')]
    .filter((each) => each !== undefined && existsSync(each))
    .flatMap((each) => readdirSync(each, { recursive: true, encoding: 'utf8' }).map((name) => join(each, name)))
    .map((path) => relative(folder, path))
    .filter((path) => UNFINISHED.test(path))
    .map((path) => `left over: ${path}`)
}
