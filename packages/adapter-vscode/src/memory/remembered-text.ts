/** The texts of memory entries and notes as files that can be edited: reading one, and keeping what was saved. */
import type { Engine } from '@cairn/core'
import type { RememberedText } from './memory-address.ts'

/** A text, and since when it is so. */
export interface TextVersion {
  readonly text: string
  /** Since when it reads so, ms. */
  readonly at: number
}

/** What of the engine is used here. */
type TextEngine = Pick<Engine, 'memory' | 'store'>

/** Returns the current text of an entry or note; undefined if there is none (any more). Rejects as the store does. */
export const readRemembered = async (
  { store }: Pick<TextEngine, 'store'>,
  what: RememberedText,
): Promise<TextVersion | undefined> => {
  if (what.kind === 'note') {
    const note = await store.notes.get(what.project, what.key)
    return note === undefined ? undefined : { text: note.text, at: note.updatedAt }
  }
  const newest = (await store.memory.history(what.id)).at(-1)
  return newest === undefined || newest.validTo !== null ? undefined : { text: newest.entry.text, at: newest.validFrom }
}

/**
 * Stores a new text of an entry or note; the former one stays in the history. Does nothing if only blanks at the ends
 * differ. A note that is gone is stored anew. Rejects with one sentence for a text that can't be stored, such as an
 * empty one, and for an entry that is gone.
 */
export const writeRemembered = async (
  engine: Pick<Engine, 'memory' | 'notes' | 'store'>,
  what: RememberedText,
  given: string,
): Promise<void> => {
  const text = given.replaceAll('\r\n', '\n')
  const known = await readRemembered(engine, what)
  if (known?.text.trim() === text.trim()) return
  if (what.kind === 'entry') await engine.memory.update(what.id, { text })
  else await engine.notes.set(what.project, what.key, text)
}
