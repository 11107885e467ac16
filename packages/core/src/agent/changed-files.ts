/** Tells the model, briefly and once per change, which of the files it read others have changed since. */
import { CairnError } from '../errors.ts'
import { isListOfTexts } from '../input.ts'
import { escapedLine } from '../memory/section-text.ts'
import type { StateScope } from '../ports/state-storage.ts'
import { wrapInTag } from '../summary/markup.ts'
import type { AgentEngine } from './agent-options.ts'

/** The key in a session's state for what was reported. */
const KEY = 'agent.told-changes'
const MOST_KEPT = 500
const MOST_NAMED = 10
const NAME_CHARACTERS = 200

export interface FileChangeText {
  /** For the model. */
  readonly text: string
  /** For observers, one sentence. */
  readonly notice: string
  /** Call this once the message with the text is in the log. */
  readonly told: () => Promise<void>
}

/**
 * What to tell the model about files that others changed or removed since it read them: one sentence in a tag that
 * names up to `MOST_NAMED`. Undefined if there is nothing new, or nothing can be compared. Counts as reported only
 * after calling `told` of the result. Rejects if the store fails, and for errors that are no CairnError.
 */
export const changedFiles = async (
  { files, store }: Pick<AgentEngine, 'files' | 'store'>,
  sessionId: string,
): Promise<FileChangeText | undefined> => {
  const scope: StateScope = { tier: 'session', sessionId }
  const stale = await files.inContext(sessionId, { states: ['stale'], limit: 200 }).catch((error: unknown) => {
    if (CairnError.is(error) && !error.code.startsWith('storage-')) return { files: [] }
    throw error
  })
  const kept = await store.state.get(scope, KEY)
  const before = isListOfTexts(kept) ? kept : []
  const known = new Set(before)
  const changes = stale.files.flatMap(({ path, disk }) => {
    if (disk === null || (disk.state !== 'changed' && disk.state !== 'gone')) return []
    const key = `${disk.modifiedAt ?? 'gone'} ${path}`
    return known.has(key) ? [] : [{ key, path: escapedLine(path, NAME_CHARACTERS), isGone: disk.state === 'gone' }]
  })
  if (changes.length === 0) return undefined
  const named = changes.slice(0, MOST_NAMED).map(({ path, isGone }) => (isGone ? `${path} (removed)` : path))
  const more = changes.length > MOST_NAMED ? ` and ${changes.length - MOST_NAMED} more` : ''
  const sentence = `Changed by others since you read them: ${named.join(', ')}${more}.`
  const keys = [...before, ...changes.map(({ key }) => key)].slice(-MOST_KEPT)
  return {
    text: wrapInTag('file_changes', sentence),
    notice: `The model is told that others changed ${named.join(', ')}${more}.`,
    told: () => store.state.set(scope, new Map([[KEY, keys]])),
  }
}
