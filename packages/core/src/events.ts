/** What the engine tells whoever listens: adapters show it, tests count it. */

/** Input that was left out, and why. `count` > 1 when further ones of the same file are folded in. */
export interface ImportSkip {
  readonly file: string
  /** 1-based line (for JSON documents: the element's place) where it stood. */
  readonly line?: number
  readonly reason: string
  readonly count: number
}

/** What the engine reports while it works. */
export type EngineEvent =
  | { readonly type: 'import-started'; readonly files: number; readonly bytes: number }
  | {
      readonly type: 'import-progress'
      readonly file: string
      readonly filesDone: number
      readonly files: number
      readonly bytesDone: number
      readonly bytes: number
    }
  /** From a long line on until its file's end, signals and timers may have to wait for seconds. */
  | { readonly type: 'import-busy'; readonly isBusy: boolean }
  /** A file's new content is in the store; the sessions are those that its new lines belong to. */
  | {
      readonly type: 'import-file'
      readonly file: string
      readonly agent: string
      readonly sessions: readonly string[]
      readonly newSessions: number
      readonly newMessages: number
      readonly newRequests: number
    }
  | { readonly type: 'import-skipped'; readonly skip: ImportSkip }
  /** A file could not be read, or not to its end; a skip says why. */
  | { readonly type: 'import-unread'; readonly file: string }
  /** A file was written to just before it was read: what came last may not have been seen, so it is to be read again. */
  | { readonly type: 'import-unsettled'; readonly file: string }
  | { readonly type: 'store-changed' }

/** Receives events; must not throw. */
export type EngineListener = (event: EngineEvent) => void
