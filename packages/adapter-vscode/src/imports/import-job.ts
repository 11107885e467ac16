/** The messages between the window and the thread that imports. */
import type { ImportSkip, PriceOverride } from '@cairn/core'
import type { ImportEnvironment, ImportReport } from '@cairn/core/importers'

/** The thread's task. `kind` tells it from the data of other threads. */
export interface ImportJob {
  readonly kind: 'cairn-import'
  readonly address: string
  readonly prices: Readonly<Record<string, PriceOverride>>
  readonly environment: ImportEnvironment
  /** Absolute paths; none: the usual folders of every agent. */
  readonly from: readonly string[]
}

/** Whether the data that a thread was started with is an import job, by its `kind`. */
export const isImportJob = (value: unknown): value is ImportJob =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'cairn-import'

/** How far an import is. */
export interface ImportProgress {
  readonly file: string
  readonly filesDone: number
  readonly files: number
  /** 0 to 1. */
  readonly share: number
}

/** A message from the thread to the window. */
export type ImportMessage =
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  | { readonly kind: 'skipped'; readonly skip: ImportSkip }
  | { readonly kind: 'done'; readonly report: ImportReport }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly sentence: string }

/** The one message that the window sends. */
export const STOP = 'stop'
