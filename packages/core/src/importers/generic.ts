/**
 * Cairn's own exchange format, for agents without an importer: JSON Lines, a message a line, sessions
 * in any order. Every line is checked; a bad one is named with one reason and the rest is kept.
 */
import { z } from 'zod'
import { isJsonObject, objectOf, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import {
  NO_ENTRIES,
  optional,
  type FileParser,
  type Importer,
  type LineContext,
  type ParsedLine,
  type ParserInput,
} from './importer.ts'
import { parseTime, titleFrom } from './line-values.ts'
import { reusedIdReason } from './reused-ids.ts'

const AGENT = 'generic'

const lineSchema = z.object({
  session: z.string().min(1),
  title: z.string().nullish(),
  at: z
    .union([z.string(), z.number()])
    .nullish()
    .refine((value) => value === null || value === undefined || parseTime(value) !== null, 'not a time'),
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  author: z.string().nullish(),
  text: z.string(),
  id: z.union([z.string().min(1), z.number()]).nullish(),
  workspace: z.string().nullish(),
  branch: z.string().nullish(),
  /** A tool without a path or input may be given by its name alone. */
  tool: z.preprocess(
    (value) => (typeof value === 'string' ? { name: value } : value),
    z
      .object({
        name: z.string(),
        path: z.string().nullish(),
        kind: z.enum(['read', 'edit', 'search', 'command']).nullish(),
      })
      .nullish(),
  ),
})

type GenericLine = z.infer<typeof lineSchema>

/** The importer of the generic format. */
export const genericImporter: Importer = {
  agent: AGENT,
  workspaces: 'given',
  givesIds: true,
  transcriptFolders: () => [],
  recognise: () => 'unknown',
  sniff: (line) =>
    isJsonObject(line) &&
    typeof line.session === 'string' &&
    typeof line.role === 'string' &&
    typeof line.text === 'string',
  format: () => 'lines',
  parser: (input) => createParser(input),
}

/**
 * Parses lines of the generic form. One that is not as described, or that uses an id again for another content, gives
 * no entries but a skip with the reason. Without an id, an entry is known by its text and position. Nothing is kept for
 * a later import.
 */
const createParser = ({ hasher }: ParserInput): FileParser => {
  /** Contents by session and id, as short digests: an id that comes twice must mean the same message. */
  const seen = new Map<string, string>()

  /**
   * Entries of a line; none, with a reason to skip it, if the line is not as described or uses an id again for another
   * text.
   */
  const parse = (value: JsonValue, context: LineContext): ParsedLine => {
    const checked = lineSchema.safeParse(value)
    if (!checked.success) return { entries: NO_ENTRIES, skip: skipReason(value, checked.error) }
    const line = checked.data
    const session = sessionFacts(line)
    const input = isJsonObject(value) ? (objectOf(value.tool).input ?? undefined) : undefined
    const content = contentOf(line, input)
    const given = line.id === null || line.id === undefined ? undefined : String(line.id)
    if (given !== undefined) {
      const key = `${line.session}\n${given}`
      const digest = hasher.sha256(JSON.stringify([line.role, content])).slice(0, 16)
      const former = seen.get(key)
      if (former !== undefined && former !== digest)
        return {
          session,
          entries: NO_ENTRIES,
          skip: reusedIdReason(given),
        }
      seen.set(key, digest)
    }
    // The same text may occur twice: without an id, its position in the file makes the difference.
    return { session, entries: writesOf(line, content, given ?? `${context.identity()}.${context.number}`) }
  }
  return { parse, state: () => null }
}

/** A line's text, then its tool as a block `other` with name, path, kind and input, as far as they are told. */
const contentOf = ({ text, tool }: GenericLine, input: JsonValue | undefined): readonly ContentBlock[] => {
  const textBlock: ContentBlock = { type: 'text', text }
  if (tool === null || tool === undefined) return [textBlock]
  const { name, path, kind } = tool
  return [
    textBlock,
    {
      type: 'other',
      value: {
        tool: {
          name,
          ...optional('path', path ?? undefined),
          ...optional('kind', kind ?? undefined),
          ...optional('input', input),
        },
      },
    },
  ]
}

/** The entries of a line: its message, and a `file` entry if its tool reads or edits a path. */
const writesOf = (line: GenericLine, content: readonly ContentBlock[], id: string): readonly EntryWrite[] => {
  const at = parseTime(line.at ?? null)
  const path = line.tool?.path ?? undefined
  const message: EntryWrite = {
    entry: {
      kind: 'message',
      id,
      at,
      role: line.role,
      content,
      ...optional('author', line.author ?? undefined),
    },
    externalId: id,
  }
  const operation = line.tool?.kind
  if (path === undefined || (operation !== 'read' && operation !== 'edit')) return [message]
  return [message, { entry: { kind: 'file', at, path, operation }, externalId: `${id}.file` }]
}

/** The session's facts; null, an empty workspace or branch, and a title of blanks count as unknown. */
const sessionFacts = (line: GenericLine): SessionFacts => ({
  id: `${AGENT}:${line.session}`,
  agent: AGENT,
  externalId: line.session,
  ...optional('title', line.title === null || line.title === undefined ? undefined : titleFrom(line.title)),
  ...optional('workspace', line.workspace === '' ? undefined : (line.workspace ?? undefined)),
  ...optional('branch', line.branch === '' ? undefined : (line.branch ?? undefined)),
})

/** Why a line is not as described: the first thing that is wrong, with the field's name. */
const skipReason = (value: JsonValue, error: z.ZodError): string => {
  if (!isJsonObject(value)) return 'not a JSON object'
  const issue = error.issues[0]
  const field = issue?.path.join('.') ?? ''
  if (field === '' || issue === undefined) return 'not a generic message'
  const given = issue.path.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) && typeof key === 'string' ? inner[key] : undefined),
    value,
  )
  if (given === undefined || given === null) return `${quoted(field)} is missing`
  if (issue.code === 'invalid_value') return `${quoted(field)} must be one of ${issue.values.join(', ')}`
  if (field === 'tool') return '"tool" must be a name or an object with one'
  if (field === 'id') return '"id" must be a number or a text that is not empty'
  if (issue.code === 'invalid_type')
    return `${quoted(field)} must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
  if (issue.code === 'too_small') return `${quoted(field)} is empty`
  return field === 'at' ? '"at" is not a time' : `${quoted(field)} is not valid`
}

const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
