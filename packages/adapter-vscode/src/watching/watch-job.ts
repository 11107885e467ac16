/** The messages between the window and the thread that follows transcripts. */
import type { PriceOverride } from '@cairn/core'
import type { ImportEnvironment } from '@cairn/core/importers'
import type { WatchStatus } from '@cairn/core/node/watching'

/** The thread's task. `kind` tells it from the data of other threads. */
export interface WatchJob {
  readonly kind: 'cairn-watch'
  readonly address: string
  readonly prices: Readonly<Record<string, PriceOverride>>
  readonly environment: ImportEnvironment
  /** Where the lease lies, absolute. */
  readonly dataFolder: string
  /** Agents whose transcripts are not followed. */
  readonly exclude: readonly string[]
}

/** Whether the data that a thread was started with is a watch job, by its `kind`. */
export const isWatchJob = (value: unknown): value is WatchJob =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'cairn-watch'

/** A message from the thread to the window. */
export type WatchMessage =
  | { readonly kind: 'status'; readonly status: WatchStatus }
  /** A sentence for the output. */
  | { readonly kind: 'log'; readonly sentence: string }
