/** `notes`: named texts of a project, for what an agent wants to find again by name. */
import type { Note } from '@cairn/core'
import { z } from 'zod'
import { secretsIn, secretsText } from '../../output/replaced-secrets-text.ts'
import { counted, formatWhole } from '../../terminal/format.ts'
import { fitting, moreOf, named, partOf, shortLine, timeText } from '../quoted.ts'
import { WORKSPACE, defineTool, required } from '../tool.ts'
import type { Call, ToolAnswer } from '../tool.ts'

const DESCRIPTION = `Named notes of this project: plans, findings, progress, hand-overs between sessions. Operations: set (key, text; a note of that key is replaced, its former versions are kept), get (key; long ones in parts), list (keys, newest first), search (words), delete (key). Facts that will still hold next month belong into remember.`

const LISTED_TEXT = 160
/** Characters of a key that are shown. */
const KEY_SHOWN = 500

const input = z.strictObject({
  operation: z.enum(['set', 'get', 'list', 'search', 'delete']),
  key: z.string().min(1).max(500).optional().describe('set, get, delete: the name, any text.'),
  text: z.string().min(1).max(200_000).optional().describe('set: what to keep.'),
  query: z.string().min(1).max(2000).optional().describe('search: words to look for.'),
  session: z.string().min(1).max(500).optional().describe('set: the session that writes it, if you know its id.'),
  limit: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).default(0).describe('get: where to begin, in characters. list: so many are left out.'),
  max_chars: z.int().min(200).max(20_000).default(8000),
  workspace: WORKSPACE,
})
type Args = z.infer<typeof input>

/** The tool `notes`: reads and writes the notes of a project. */
export const notes = defineTool({
  name: 'notes',
  title: 'Notes of the project',
  description: DESCRIPTION,
  // Former versions can still be read, but set and delete do more than add.
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input,
  /** The tool `notes`; deleting keeps former versions. */
  run: async (args, call) => {
    const workspace = await call.project(args.workspace)
    const key = (): string => required(args.key, 'notes', args.operation, 'key')
    switch (args.operation) {
      case 'set':
        return set(workspace, key(), args, call)
      case 'get':
        return get(await call.engine.notes.get(workspace, key()), args)
      case 'list':
        return list(workspace, args, call)
      case 'search':
        return search(workspace, args, call)
      case 'delete': {
        const name = key()
        call.signal.throwIfAborted()
        await call.engine.notes.delete(workspace, name)
        return { head: 'Deleted; its former versions are kept.' }
      }
    }
  },
})

/** A note in two lines, cut. */
const lineOf = ({ key, text, updatedAt }: Note): string =>
  `- ${shortLine(key, KEY_SHOWN)} · ${timeText(updatedAt)} · ${counted(text.length, 'character')}\n  ${shortLine(text, LISTED_TEXT)}`

/**
 * Writes a note and returns the answer. Rejects if the session is unknown. Secrets are replaced, which the answer says.
 * Rejects with `invalid-input` without a text.
 */
const set = async (workspace: string, key: string, args: Args, { engine, signal }: Call): Promise<ToolAnswer> => {
  const text = required(args.text, 'notes', 'set', 'text')
  const sessionId = args.session === undefined ? undefined : (await engine.sessions.find(args.session)).id
  signal.throwIfAborted()
  const note = await engine.notes.set(workspace, key, text, sessionId)
  return {
    head: `Noted for ${named(workspace)}, ${counted(note.text.length, 'character')}.${secretsText(secretsIn([key, text]))}`,
  }
}

/** Returns the answer with a part of a note, and how to read on. */
const get = (note: Note, { offset, max_chars }: Args): ToolAnswer => {
  const part = partOf(note.text, offset, max_chars)
  return { body: `${shortLine(note.key, KEY_SHOWN)} · ${timeText(note.updatedAt)}\n\n${part.text}`, tail: moreOf(part) }
}

/**
 * Returns the answer with a project's notes, the last changed first: at most `limit` from `offset` on, as many as fit,
 * and where the next ones begin.
 */
const list = async (workspace: string, { offset, limit }: Args, { engine }: Call): Promise<ToolAnswer> => {
  const all = (await engine.notes.list(workspace)).toSorted((left, right) => right.updatedAt - left.updatedAt)
  const rows = all.slice(offset, offset + limit).map(lineOf)
  if (rows.length === 0)
    return {
      head:
        all.length === 0 ? `There are no notes of ${named(workspace)}.` : `There are only ${formatWhole(all.length)}.`,
    }
  const shown = fitting(rows)
  const next = offset + shown
  return {
    head: `${formatWhole(shown)} of ${counted(all.length, 'note')} of ${named(workspace)}.`,
    body: rows.slice(0, shown).join('\n'),
    tail: next < all.length ? `There are more: offset ${next}.` : '',
  }
}

/**
 * Returns the answer with notes that match a query, best first, as many as fit. Rejects with `invalid-input` without a
 * query.
 */
const search = async (workspace: string, args: Args, { engine }: Call): Promise<ToolAnswer> => {
  const rows = (await engine.notes.search(workspace, required(args.query, 'notes', 'search', 'query'), args.limit)).map(
    ({ note }) => lineOf(note),
  )
  if (rows.length === 0) return { head: `No note of ${named(workspace)} has these words.` }
  const shown = fitting(rows)
  return {
    head: `${counted(rows.length, 'note')} of ${named(workspace)}, best first.`,
    body: rows.slice(0, shown).join('\n'),
    tail: shown < rows.length ? `The last ${rows.length - shown} had no room: ask with more words.` : '',
  }
}
