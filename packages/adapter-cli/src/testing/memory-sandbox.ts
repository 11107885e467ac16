/** A sandbox with one imported session, and `cairn memory` called in it. */
import { createSandbox } from './run-cli.ts'
import { claudeSession } from './transcripts.ts'

export interface Entry {
  readonly id: string
  readonly kind: string
  readonly text: string
  readonly confidence: number
  readonly workspace: string
  readonly examples: readonly string[]
  readonly sessionId: string | null
  readonly applications: number
}

const STORE = ['--store', 'file:s.db']

/**
 * A sandbox with functions for `cairn memory`, which reject where their output is no JSON. All calls use the same
 * store; `importSession` must run first.
 */
export const createMemorySandbox = () => {
  const box = createSandbox()
  const memory = (...args: readonly string[]) => box.cairn('memory', ...args, ...STORE)
  const json = (...args: readonly string[]): Promise<unknown> => box.json('memory', ...args, ...STORE)
  return {
    box,
    memory,
    json,
    add: async (kind: string, text: string, ...args: readonly string[]): Promise<Entry> =>
      ((await json('add', kind, text, ...args)) as { readonly entry: Entry }).entry,
    list: async (...args: readonly string[]): Promise<readonly Entry[]> =>
      ((await json('list', ...args)) as { readonly entries: readonly Entry[] }).entries,
    importSession: async (): Promise<void> => {
      box.file('logs/a.jsonl', claudeSession('alpha-1'))
      await box.cairn('import', '--from', 'logs', ...STORE)
    },
  }
}
