/** `notes`: named texts of a project, for what an agent wants to find again by name. */
import type { Note } from '@cairn/core'
import { z } from 'zod'
import { counted, formatWhole } from '../../terminal/format.ts'
import { isoTime, partOf, quoted, shortLine, timeText } from '../quoted.ts'
import { WORKSPACE, defineTool, required } from '../tool.ts'
import type { Call, ToolAnswer } from '../tool.ts'

const DESCRIPTION = `Named notes of this project: plans, findings, progress, hand-overs between sessions. Operations: set (key, text; a note of that key is replaced, its former versions are kept), get (key; long ones in parts), list (keys, newest first), search (words), delete (key). Facts that will still hold next month belong into remember.`

const LISTED_TEXT = 160

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

export const notes = defineTool({
  name: 'notes',
  title: 'Notes of the project',
  description: DESCRIPTION,
  // Replaced and deleted notes can still be read as of then.
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input,
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
        return { text: 'Deleted; its former versions are kept.', data: { key: name, deleted: true } }
      }
    }
  },
})

const dataOf = ({ key, text, updatedAt }: Note): Readonly<Record<string, unknown>> => ({ key, updatedAt: isoTime(updatedAt), characters: text.length, begins: shortLine(text, LISTED_TEXT) })
const lineOf = ({ key, text, updatedAt }: Note): string => `- ${shortLine(key, 200)} · ${timeText(updatedAt)} · ${formatWhole(text.length)} characters\n  ${shortLine(text, LISTED_TEXT)}`

const set = async (workspace: string, key: string, args: Args, { engine, signal }: Call): Promise<ToolAnswer> => {
  const text = required(args.text, 'notes', 'set', 'text')
  const sessionId = args.session === undefined ? undefined : (await engine.session(args.session)).id
  signal.throwIfAborted()
  const note = await engine.notes.set(workspace, key, text, sessionId)
  const secrets = note.text === text ? '' : ' Something in it was changed first (secrets are replaced).'
  return { text: `Noted for ${workspace}, ${formatWhole(note.text.length)} characters.${secrets}`, data: dataOf(note) }
}

const get = (note: Note, { offset, max_chars }: Args): ToolAnswer => {
  const { text, next, total } = partOf(note.text, offset, max_chars)
  const more = next === undefined ? '' : `\nThere is more: offset ${next} of ${formatWhole(total)} characters.`
  return { text: `${quoted(`${note.key} · ${timeText(note.updatedAt)}\n\n${text}`)}${more}`, data: { key: note.key, updatedAt: isoTime(note.updatedAt), text, totalChars: total, nextOffset: next ?? null } }
}

const list = async (workspace: string, { offset, limit }: Args, { engine }: Call): Promise<ToolAnswer> => {
  const all = (await engine.notes.list(workspace)).toSorted((left, right) => right.updatedAt - left.updatedAt)
  const page = all.slice(offset, offset + limit)
  if (page.length === 0) return { text: all.length === 0 ? `There are no notes of ${workspace}.` : `There are only ${formatWhole(all.length)}.`, data: { notes: [] } }
  const more = offset + page.length < all.length ? `\nThere are more: offset ${offset + page.length}.` : ''
  return { text: `${formatWhole(page.length)} of ${counted(all.length, 'note')} of ${workspace}.\n${quoted(page.map(lineOf).join('\n'))}${more}`, data: { notes: page.map(dataOf), total: all.length } }
}

const search = async (workspace: string, args: Args, { engine }: Call): Promise<ToolAnswer> => {
  const found = (await engine.notes.search(workspace, required(args.query, 'notes', 'search', 'query'), args.limit)).map(({ note }) => note)
  if (found.length === 0) return { text: `No note of ${workspace} has these words.`, data: { notes: [] } }
  return { text: `${counted(found.length, 'note')} of ${workspace}, best first.\n${quoted(found.map(lineOf).join('\n'))}`, data: { notes: found.map(dataOf) } }
}
