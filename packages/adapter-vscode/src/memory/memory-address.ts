/** The addresses of what is remembered: an entry as it is read, and the texts of entries and notes as they are edited. */
import type { MemoryEntry, Note } from '@cairn/core'
import type { AddressParts } from '../checkpoints/checkpoint-address.ts'
import { KIND_NAMES, firstWords } from './memory-label.ts'

/** Entries with their evidence and history; only read. */
export const MEMORY_SCHEME = 'cairn-memory'
/** The texts alone; saving one changes what is remembered. */
export const MEMORY_TEXT_SCHEME = 'cairn-memory-text'

/** The package's manifest assigns the language by it. Not Markdown: a link in a text could run a command. */
const FOLDER = 'Cairn memory'
const LONGEST_NAME = 50

/** What a text belongs to. */
export type RememberedText =
  | { readonly kind: 'entry'; readonly project: string; readonly id: string }
  | { readonly kind: 'note'; readonly project: string; readonly key: string }

/** Returns a name for a tab, without separators; `otherwise` if nothing is left of the text. */
const tabName = (text: string, otherwise: string): string => {
  const name = firstWords(text.replace(/[\\/:*?"<>|#%]+/g, ' '), LONGEST_NAME)
  return /^\.*$/.test(name) ? otherwise : name
}

/** What an entry's address is made from. */
type EntryName = Pick<MemoryEntry, 'id' | 'workspace' | 'kind' | 'text'>

/** Returns the query of an entry's address. */
const entryQuery = ({ workspace, id }: EntryName): string =>
  new URLSearchParams({ project: workspace, entry: id }).toString()

/** Returns the address of an entry with its evidence and history. */
export const entryAddress = (entry: EntryName): AddressParts => ({
  scheme: MEMORY_SCHEME,
  path: `/${KIND_NAMES[entry.kind][0]}/${tabName(entry.text, 'entry')}`,
  query: entryQuery(entry),
})

/** Returns the address of an entry's text, for editing. It stays the same when the text changes. */
export const entryTextAddress = (entry: EntryName): AddressParts => ({
  scheme: MEMORY_TEXT_SCHEME,
  path: `/${FOLDER}/${KIND_NAMES[entry.kind][0]} ${entry.id.slice(-8).toLowerCase()}.txt`,
  query: entryQuery(entry),
})

/** Returns the address of a note's text, for editing. */
export const noteAddress = ({ workspace, key }: Pick<Note, 'workspace' | 'key'>): AddressParts => ({
  scheme: MEMORY_TEXT_SCHEME,
  path: `/${FOLDER}/${tabName(key, 'note')}.txt`,
  query: new URLSearchParams({ project: workspace, note: key }).toString(),
})

/**
 * Returns the entry (project and id) or note (project and key) that the query of an address of the two schemes names,
 * the entry if it has both; undefined for any other query. Whether there is one is not looked at.
 */
export const rememberedTextOf = (query: string): RememberedText | undefined => {
  const values = new URLSearchParams(query)
  const [id, project, key] = [values.get('entry'), values.get('project'), values.get('note')]
  if (project === null) return undefined
  if (id !== null) return { kind: 'entry', project, id }
  return key === null ? undefined : { kind: 'note', project, key }
}
