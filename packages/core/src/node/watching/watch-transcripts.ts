/** Follows agents' transcripts into a store: whoever holds the lease takes them in, others wait until they may. */
import { createHash } from 'node:crypto'
import { join, normalize } from 'node:path'
import type { Engine } from '../../engine.ts'
import type { EngineEvent, ImportSkip } from '../../events.ts'
import {
  LEFT_TO_ANOTHER,
  isSearchedFolder,
  isTranscriptName,
  isUnfinished,
  transcriptRoots,
} from '../../importers/index.ts'
import type { ImportOptions, ImportReport } from '../../importers/index.ts'
import type { NanoUsd } from '../../money.ts'
import { follow } from '../../watching/follow.ts'
import { LEASE_RENEWED_MS } from '../../watching/lease.ts'
import type { LeaseOwner } from '../../watching/lease.ts'
import { createFileSystem } from '../file-system.ts'
import { createAlarm } from './alarm.ts'
import type { Alarm } from './alarm.ts'
import { createLeaseFile } from './lease-file.ts'
import type { LeaseFile } from './lease-file.ts'
import { createNotices } from './notices.ts'

/** What was taken in of one file. */
export interface WatchedImport {
  readonly file: string
  readonly agent: string
  readonly sessions: readonly string[]
  /** Of the last of the sessions; null where it is not known. */
  readonly workspace: string | null
  readonly newSessions: number
  readonly newMessages: number
  readonly newRequests: number
  /** By how much the sessions' cost has grown. */
  readonly costNano: NanoUsd
}

export type WatchEvent =
  /** Another program follows the same; undefined where it can't be told which. */
  | { readonly type: 'standby'; readonly owner: LeaseOwner | undefined }
  /** All that was there has been taken in, and what comes is followed. */
  | { readonly type: 'following'; readonly report: ImportReport; readonly roots: readonly string[] }
  | { readonly type: 'import'; readonly import: WatchedImport }
  /** Left out of a file for good; what is only not finished yet is no event. */
  | { readonly type: 'skip'; readonly skip: ImportSkip }
  /** An import failed; it is tried again. */
  | { readonly type: 'trouble'; readonly error: unknown }
  /** As in EngineEvent. */
  | { readonly type: 'busy'; readonly isBusy: boolean }

export interface WatchOptions extends Pick<ImportOptions, 'from' | 'agent' | 'environment'> {
  /** Where the lease lies, absolute. */
  readonly dataFolder: string
  /** The store's address: the lease is for one store. */
  readonly store: string
  readonly listener: (event: WatchEvent) => void
  readonly signal: AbortSignal
}

/** How often one that waits asks for the lease, ms. */
const STANDBY_MS = 1_000

/**
 * Follows transcripts until the signal is aborted. Each start begins with one import of all that is there, so that nothing
 * is missed that was written while nobody watched. Rejects for an agent that is not supported, and with what the
 * system says where the lease can't be written.
 */
export const watchTranscripts = async (engine: Engine, options: WatchOptions): Promise<void> => {
  const roots = transcriptRoots(options).map((root) => normalize(root))
  const alarm = createAlarm()
  options.signal.addEventListener('abort', () => alarm.wake(), { once: true })
  const lease = createLeaseFile(leasePath(options))
  while (!options.signal.aborted) {
    await takeLease(lease, alarm, options)
    await followAsOwner(engine, lease, alarm, roots, options)
  }
}

/** Watches of the same roots into the same store have the same. */
const leasePath = ({ dataFolder, store, from = [], agent }: WatchOptions): string => {
  const what = JSON.stringify([store, [...from].sort(), agent ?? null])
  return join(dataFolder, 'watch', `${createHash('sha256').update(what).digest('hex').slice(0, 16)}.lock`)
}

const takeLease = async (lease: LeaseFile, alarm: Alarm, { signal, listener }: WatchOptions): Promise<void> => {
  for (let isTold = false; !signal.aborted; isTold = true) {
    const outcome = lease.take()
    if (outcome.isTaken) return
    if (!isTold) listener({ type: 'standby', owner: outcome.owner })
    await alarm.sleep(STANDBY_MS)
  }
}

/** Follows until the signal is aborted, or the lease is found to be another's. */
const followAsOwner = async (
  engine: Engine,
  lease: LeaseFile,
  alarm: Alarm,
  roots: readonly string[],
  options: WatchOptions,
): Promise<void> => {
  if (options.signal.aborted) return
  const ended = new AbortController()
  const end = (): void => {
    ended.abort()
    alarm.wake()
  }
  options.signal.addEventListener('abort', end, { once: true })
  const renewal = setInterval(() => {
    if (!isRenewed(lease)) end()
  }, LEASE_RENEWED_MS)
  const imports = createImports(engine, options, ended.signal)
  try {
    await follow(
      { fileSystem: createFileSystem(), notices: createNotices(), now: () => performance.now() + START, ...alarm },
      {
        roots,
        isFollowedFile: isTranscriptName,
        isFollowedFolder: isSearchedFolder,
        takeAll: async () => options.listener({ type: 'following', report: await imports.all(), roots }),
        take: imports.changed,
        onTrouble: (error) => options.listener({ type: 'trouble', error }),
        signal: ended.signal,
      },
    )
  } finally {
    clearInterval(renewal)
    options.signal.removeEventListener('abort', end)
    lease.release()
  }
}

/** Times compare with those of files, and do not jump when the clock is set. */
const START = Date.now() - performance.now()

/** A disk that is full for a moment takes no lease away. */
const isRenewed = (lease: LeaseFile): boolean => {
  try {
    return lease.renew()
  } catch {
    return true
  }
}

const createImports = (engine: Engine, options: WatchOptions, signal: AbortSignal) => {
  const { from, agent, environment, listener } = options
  const request: ImportOptions = {
    environment,
    ...(from === undefined ? {} : { from }),
    ...(agent === undefined ? {} : { agent }),
  }
  const costs = createSessionCosts(engine)
  const told = (event: EngineEvent): void => {
    if (event.type === 'import-busy') listener({ type: 'busy', isBusy: event.isBusy })
  }
  return {
    all: async (): Promise<ImportReport> => {
      const report = await engine.imports.run(request, told, signal)
      await costs.load()
      return report
    },
    /** Files that another import is reading are given back. */
    changed: async (changed: readonly string[]): Promise<readonly string[]> => {
      const files: Extract<EngineEvent, { type: 'import-file' }>[] = []
      const listen = (event: EngineEvent): void => {
        told(event)
        if (event.type === 'import-file') files.push(event)
      }
      const { skipped } = await engine.imports.run({ ...request, changed }, listen, signal)
      for (const { type: _, ...file } of files) {
        const { workspace, costNano } = await costs.grown(file.sessions)
        const isNew = file.newSessions + file.newMessages + file.newRequests > 0 || costNano !== 0n
        if (isNew) listener({ type: 'import', import: { ...file, workspace, costNano } })
      }
      for (const skip of skipped) if (!isUnfinished(skip.reason)) listener({ type: 'skip', skip })
      return skipped.filter(({ reason }) => reason === LEFT_TO_ANOTHER).map(({ file }) => file)
    },
  }
}

const PAGE = 500

/** What sessions have cost so far, so that their growth can be told. */
const createSessionCosts = (engine: Engine) => {
  const known = new Map<string, NanoUsd>()
  return {
    load: async (): Promise<void> => {
      for (let offset = 0; ; offset += PAGE) {
        const { sessions } = await engine.store.sessions.list({ limit: PAGE, offset, sort: 'started' })
        for (const { id, costNano } of sessions) known.set(id, costNano)
        if (sessions.length < PAGE) return
      }
    },
    grown: async (ids: readonly string[]): Promise<Pick<WatchedImport, 'workspace' | 'costNano'>> => {
      let costNano = 0n
      let workspace: string | null = null
      for (const id of ids) {
        const session = await engine.store.sessions.get(id)
        if (session === undefined) continue
        costNano += session.costNano - (known.get(id) ?? 0n)
        known.set(id, session.costNano)
        workspace = session.workspace
      }
      return { workspace, costNano }
    },
  }
}
