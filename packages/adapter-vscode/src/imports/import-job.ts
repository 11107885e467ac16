/** What the window and the thread that imports say to each other. */
import type { ImportSkip, PriceOverride } from '@cairn/core'
import type { ImportEnvironment, ImportReport } from '@cairn/core/importers'

/** The thread's task; the mark tells it from threads that others start. */
export interface ImportJob {
  readonly kind: 'cairn-import'
  readonly address: string
  readonly prices: Readonly<Record<string, PriceOverride>>
  readonly environment: ImportEnvironment
  /** Absolute paths; none: the usual places of every agent. */
  readonly from: readonly string[]
}

export const isImportJob = (value: unknown): value is ImportJob =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'cairn-import'

export interface ImportProgress {
  readonly file: string
  readonly filesDone: number
  readonly files: number
  /** 0 to 1. */
  readonly share: number
}

export type ImportMessage =
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  | { readonly kind: 'skipped'; readonly skip: ImportSkip }
  | { readonly kind: 'done'; readonly report: ImportReport }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly sentence: string }

/** The one thing that the window says. */
export const STOP = 'stop'
