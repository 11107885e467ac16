/** Following transcripts, on any thread: tells how it stands until it is stopped. */
import { createEngine, messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import { findImporter } from '@cairn/core/importers'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { STARTING, watchStatusAfter, watchTranscripts } from '@cairn/core/node/watching'
import type { WatchEvent, WatchStatus } from '@cairn/core/node/watching'
import type { WatchJob, WatchMessage } from './watch-job.ts'

/** A store that can tell whether it still is what was opened. */
export interface CheckedStore extends Store {
  /** Rejects when the store is no longer the one that was opened. */
  check(): Promise<void>
}

/**
 * Returns an event as a sentence for the output: trouble, its end, and that the system watches no more folders;
 * undefined for other events.
 */
const sentenceOf = (event: WatchEvent): string | undefined => {
  if (event.type === 'trouble') return `${messageOf(event.error)} It is tried again.`
  if (event.type === 'recovered') return 'Transcripts are taken in again.'
  if (event.type === 'unwatched')
    return 'The system grants no more notices of changes; folders without them are looked at every few seconds.'
  return undefined
}

/**
 * Follows transcripts until the signal is aborted. Never rejects: what ends it earlier is reported as its status. Each
 * new status is told once.
 */
export const performWatch = async (
  job: WatchJob,
  openStore: (address: string) => Promise<CheckedStore>,
  tell: (message: WatchMessage) => void,
  signal: AbortSignal,
): Promise<void> => {
  const clock = createSystemClock()
  let status: WatchStatus = STARTING
  const listen = (event: WatchEvent): void => {
    const sentence = sentenceOf(event)
    if (sentence !== undefined) tell({ kind: 'log', sentence })
    const next = watchStatusAfter(status, event)
    if (next !== status) tell({ kind: 'status', status: next })
    status = next
  }
  try {
    await watchTranscripts({
      environment: job.environment,
      exclude: job.exclude.map((name) => findImporter(name).agent),
      dataFolder: job.dataFolder,
      store: job.address,
      program: 'VS Code',
      open: async () => {
        const store = await openStore(job.address)
        const engine = createEngine({
          store,
          fileSystem: createFileSystem(),
          hasher: createHasher(),
          clock,
          ids: createIds(clock),
          prices: job.prices,
        })
        return { engine, check: () => store.check() }
      },
      listener: listen,
      signal,
    })
  } catch (error) {
    tell({ kind: 'status', status: { state: 'off', reason: messageOf(error) } })
    tell({ kind: 'log', sentence: messageOf(error) })
  }
}
