/** Reads what a page of a conversation shows: entries as views, one whole entry, an image. */
import type { SessionStorage } from '../ports/session-storage.ts'
import type { LogEntry } from '../session-log.ts'
import { IMAGE_TYPES } from './block-view.ts'
import { callEdit } from './call-edit.ts'
import { entryView, entryViews } from './entry-view.ts'
import type { EntryView } from './entry-view.ts'

/** Entries that are read before and after, so that calls at the edges find their results. */
const OVERLAP = 30

/**
 * The view of a message in which each call has what it writes into files (`edit`). Other views, and calls that edit no
 * file, stay as they are.
 */
const withEdits = (view: EntryView, entry: LogEntry | undefined): EntryView => {
  if (view.kind !== 'message' || entry?.kind !== 'message') return view
  return {
    ...view,
    blocks: view.blocks.map((block, index) => {
      const original = entry.content[index]
      const edit = block.type === 'call' && original?.type === 'tool_call' ? callEdit(original) : undefined
      return edit === undefined ? block : { ...block, edit }
    }),
  }
}

/**
 * Up to `count` entries from number `first` on as the conversation shows them; empty beyond the end. Rejects as the
 * store does. Entries shortly before and after are read too, so that results find their calls.
 * @param showsEdits whether calls have what they write into files
 */
export const readEntryViews = async (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  first: number,
  count: number,
  { showsEdits = false }: { readonly showsEdits?: boolean } = {},
): Promise<readonly EntryView[]> => {
  const fromSeq = Math.max(0, first - OVERLAP)
  const entries = await sessions.read(id, { fromSeq, limit: first - fromSeq + count + OVERLAP })
  const views = entryViews(entries)
  const shown = showsEdits ? views.map((view, index) => withEdits(view, entries[index])) : views
  return shown.filter(({ seq }) => seq >= first && seq < first + count)
}

/** One entry with nothing cut; undefined when there is none. Its results stand alone: without their tools' names. */
export const readWholeEntry = async (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  seq: number,
): Promise<EntryView | undefined> => {
  const [entry] = await sessions.read(id, { fromSeq: seq, limit: 1 })
  return entry?.seq === seq ? entryView(entry, undefined, true) : undefined
}

/**
 * An image as a data URL; undefined when there is none at that position, or it was not stored, or is not of a kind that
 * is shown. `part`: of a tool result, null for an image of the message itself. Characters that base64 has not are left
 * out.
 */
export const readImageUrl = async (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  seq: number,
  [block, part]: readonly [number, number | null],
): Promise<string | undefined> => {
  const [entry] = await sessions.read(id, { fromSeq: seq, limit: 1 })
  if (entry?.kind !== 'message' || entry.seq !== seq) return undefined
  const outer = entry.content[block]
  const image = part === null ? outer : outer?.type === 'tool_result' ? outer.content[part] : undefined
  if (image?.type !== 'image' || image.data === undefined || !IMAGE_TYPES.has(image.mediaType)) return undefined
  return `data:${image.mediaType};base64,${image.data.replace(/[^A-Za-z0-9+/=_-]/g, '')}`
}
