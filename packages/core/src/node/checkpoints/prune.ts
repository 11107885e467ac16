/** Removes snapshots and what killed processes left, and frees their space. */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fittingCount, keptByAgeAndCount } from '../../checkpoints/pruning.ts'
import { CURRENT_PATHS_REF, CURRENT_REF } from '../../checkpoints/snapshot-message.ts'
import type { PruneOutcome, SnapshotLimits } from '../../ports/snapshot-repository.ts'
import { gitOutput, runGit } from './git-process.ts'
import { runGuarded } from './guarded-git.ts'
import { listSnapshots } from './read-snapshots.ts'
import type { StoredSnapshot } from './read-snapshots.ts'
import { readStatCache, removeStatCache } from './stat-cache.ts'

/** A file of a process that may still be at work is younger than this, ms. */
const LEFTOVER_AGE_MS = 3_600_000
/** Names of what git and this program write before it is complete. */
const LEFTOVERS = [/^tmp_/, /^\.tmp-/, /^fast_import_crash_/, /^cairn.*\.\d+\.tmp$/, /\.lock$/]
/** More packs make fast-import slow. */
const MOST_PACKS = 50

/** Bytes of all files in a folder and below it, without links. @throws what the system says for a missing folder */
export const folderBytes = (folder: string): number => {
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const facts = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (facts?.isFile() === true) bytes += facts.size
  }
  return bytes
}

/**
 * Removes what git and this program write before it is complete (temporary files, git's locks), if it is older than an
 * hour, so that its process is gone; returns how many. `now`: ms.
 */
export const removeLeftovers = (gitFolder: string, now: number): number => {
  let removed = 0
  for (const name of readdirSync(gitFolder, { recursive: true, encoding: 'utf8' })) {
    const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    // The lock of this program is a lease, which knows by itself whether its owner is gone.
    if (last === 'cairn.lock' || !LEFTOVERS.some((pattern) => pattern.test(last))) continue
    const path = join(gitFolder, name)
    const facts = lstatSync(path, { throwIfNoEntry: false })
    if (facts === undefined || now - facts.mtimeMs < LEFTOVER_AGE_MS) continue
    rmSync(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

/** What git leaves of an import that failed, which may be why the disk is full. */
const FAILED_IMPORT = /^(?:tmp_|fast_import_crash_)/

/** Removes what an import that has just failed left. The caller holds the repository's lock, so no other git writes. */
export const removeFailedImport = (gitFolder: string): void => {
  for (const folder of [gitFolder, join(gitFolder, 'objects', 'pack')])
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (FAILED_IMPORT.test(name)) rmSync(join(folder, name), { force: true })
}

/**
 * Removes snapshots that are too old or too many, then the oldest until the rest fits into `maximumBytes`, but never
 * the newest; and leftovers. A repository larger than that is repacked even where none goes. A dry run only tells,
 * counts no leftovers, and has `bytesAfter` as `bytesBefore`. `removed`: the snapshots, newest first; `kept`: a number;
 * bytes: of the repository's folder; `now`: ms. The caller holds the repository's lock. Rejects with `storage-failed`
 * where git fails.
 */
export const pruneRepository = async (
  gitFolder: string,
  limits: SnapshotLimits,
  now: number,
  isDryRun: boolean,
): Promise<PruneOutcome & { readonly removed: readonly StoredSnapshot[] }> => {
  const bytesBefore = folderBytes(gitFolder)
  const leftovers = isDryRun ? 0 : removeLeftovers(gitFolder, now)
  const all = await listSnapshots(gitFolder)
  const allowed = keptByAgeAndCount(all, limits, now)
  const fits = await fittingCount(allowed.length, limits.maximumBytes, (newest) =>
    diskUsage(gitFolder, allowed.slice(0, newest)),
  )
  const kept = new Set(allowed.slice(0, fits))
  const removed = all.filter((snapshot) => !kept.has(snapshot))
  if (!isDryRun) await removeSnapshots(gitFolder, removed, bytesBefore > limits.maximumBytes)
  const bytesAfter = isDryRun ? bytesBefore : folderBytes(gitFolder)
  return { removed, kept: kept.size, bytesBefore, bytesAfter, leftovers }
}

/**
 * What the objects of some snapshots take on disk, bytes. Shared objects count once; 0 without snapshots. Rejects as
 * git does.
 */
const diskUsage = async (gitFolder: string, snapshots: readonly StoredSnapshot[]): Promise<number> => {
  if (snapshots.length === 0) return 0
  const commits = snapshots.map(({ commit }) => `${commit}\n`).join('')
  return Number((await gitOutput(gitFolder, ['rev-list', '--disk-usage', '--objects', '--stdin'], commits)).trim())
}

/**
 * Removes the refs of snapshots and repacks, which frees the space of what nothing else holds; also forgets the stat
 * cache where its commit goes, and refs of current files that nothing stands on. Without any snapshot it does nothing,
 * unless `always`. Rejects with `storage-failed`; the caller holds the repository's lock.
 */
export const removeSnapshots = async (
  gitFolder: string,
  snapshots: readonly StoredSnapshot[],
  always = false,
): Promise<void> => {
  if (snapshots.length === 0 && !always) return
  const gone = new Set(snapshots.map(({ ref }) => ref))
  const kept = (await listSnapshots(gitFolder)).filter(({ ref }) => !gone.has(ref))
  const { code, output } = await runGit(gitFolder, ['rev-parse', '--verify', '--quiet', CURRENT_REF])
  const base = readStatCache(gitFolder)?.commit
  const isKept = kept.some(({ commit }) => commit === base)
  const isCurrent = code === 0 && output.trim() === base
  // Before anything goes: what is written next must not stand on a tree that is about to be removed.
  if (!isKept && !isCurrent) removeStatCache(gitFolder)
  const hasPaths = (await runGit(gitFolder, ['rev-parse', '--verify', '--quiet', CURRENT_PATHS_REF])).code === 0
  const commands = snapshots.map(({ ref, commit }) => `delete ${ref} ${commit}\n`)
  if (code === 0 && (isKept || !isCurrent)) commands.push(`delete ${CURRENT_REF}\n`)
  if (hasPaths) commands.push(`delete ${CURRENT_PATHS_REF}\n`)
  await gitOutput(gitFolder, ['update-ref', '--stdin'], commands.join(''))
  await runGuarded(gitFolder, ['repack', '-a', '-d', '-q', '--window=0'])
  await runGuarded(gitFolder, ['prune', '--expire=now'])
}

/** Joins packs when there are more than `MOST_PACKS`; else nothing. Rejects with `storage-failed`. */
export const joinPacks = async (gitFolder: string): Promise<void> => {
  const folder = join(gitFolder, 'objects', 'pack')
  if (!existsSync(folder)) return
  const packs = readdirSync(folder).filter((name) => name.endsWith('.pack')).length
  if (packs > MOST_PACKS) await runGuarded(gitFolder, ['repack', '--geometric=2', '-d', '-q', '--write-midx'])
}
