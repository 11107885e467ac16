/** `get_session`: what a session was about, or its messages a page at a time. */
import type { Engine, MessageEntry, SessionSummary } from '@cairn/core'
import { z } from 'zod'
import { formatWhole } from '../../terminal/format.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { isoTime, partOf, quoted, shortened, timeText } from '../quoted.ts'
import { defineTool } from '../tool.ts'
import type { ToolAnswer } from '../tool.ts'
import { messageHead, messageText } from './message-text.ts'

/** A message in a page is cut after this; get_message has the rest. */
const MESSAGE_SHOWN = 700

const DESCRIPTION = `What an earlier session was about: task, requests, decisions, files, commits (view: summary, the default); or its messages, shortened and a page at a time (view: messages), from its beginning, a place in it, or its end (from: -20).`

const input = z.strictObject({
  id: z.string().min(1).max(500).describe("The session's id or its beginning, as recall shows it."),
  view: z.enum(['summary', 'messages']).default('summary'),
  from: z.int().min(-10_000_000).max(1_000_000_000).default(0).describe('messages: the first place in the log; negative: so many entries before its end.'),
  limit: z.int().min(1).max(50).default(20).describe('messages: at most so many.'),
  offset: z.int().min(0).default(0).describe('summary: where to begin, in characters.'),
  max_chars: z.int().min(500).max(20_000).default(6000),
})
type Args = z.infer<typeof input>

export const getSession = defineTool({
  name: 'get_session',
  title: 'Read a session',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input,
  run: async (args, { engine }) => {
    const session = await engine.session(args.id)
    return args.view === 'summary' ? summaryOf(session, args, engine) : pageOf(session, args, engine)
  },
})

const headOf = ({ id, agent, workspace, branch, title, startedAt, updatedAt, messages }: SessionSummary): string =>
  [
    `Session ${id}`,
    ...(title === null ? [] : [`title: ${title}`]),
    `agent: ${agent}`,
    ...(workspace === null ? [] : [`project: ${workspace}`]),
    ...(branch === null ? [] : [`branch: ${branch}`]),
    `from ${timeText(startedAt)} to ${timeText(updatedAt)}, ${formatWhole(messages)} messages`,
  ]
    .map(neutraliseLine)
    .join('\n')

const dataOf = ({ id, agent, workspace, branch, title, startedAt, updatedAt, messages }: SessionSummary): Readonly<Record<string, unknown>> => ({
  session: id,
  agent,
  workspace,
  branch,
  title,
  startedAt: isoTime(startedAt),
  updatedAt: isoTime(updatedAt),
  messages,
})

const summaryOf = async (session: SessionSummary, { offset, max_chars }: Args, engine: Engine): Promise<ToolAnswer> => {
  const { text: whole } = await engine.archive(session.id)
  const { text, next, total } = partOf(whole, offset, max_chars)
  const more = next === undefined ? '' : `\nThere is more: offset ${next} of ${formatWhole(total)} characters.`
  return {
    text: `${quoted(`${headOf(session)}\n\n${text === '' ? 'Nothing was said in it.' : text}`)}${more}\nIts messages: view "messages".`,
    data: { ...dataOf(session), summary: text, nextOffset: next ?? null },
  }
}

const pageOf = async (session: SessionSummary, { from, limit, max_chars }: Args, engine: Engine): Promise<ToolAnswer> => {
  const fromSeq = from < 0 ? Math.max(0, session.entries + from) : from
  const entries = await engine.store.sessions.read(session.id, { fromSeq, limit: limit + 1, kinds: ['message'] })
  const messages = entries.filter((entry) => entry.kind === 'message')
  const shown: string[] = []
  const kept: MessageEntry[] = []
  let characters = 0
  for (const message of messages.slice(0, limit)) {
    const text = `[${messageHead(session.id, message)}]\n${shortened(messageText(message), MESSAGE_SHOWN)}`
    // At least one, so that a page always goes on.
    if (kept.length > 0 && characters + text.length > max_chars) break
    shown.push(text)
    kept.push(message)
    characters += text.length
  }
  const next = messages[kept.length]?.seq
  const more = next === undefined ? 'That is the end.' : `There are more: from ${next}.`
  if (kept.length === 0) return { text: `There are no messages from ${fromSeq} on; the session has ${formatWhole(session.entries)} entries.`, data: { ...dataOf(session), page: [], next: null } }
  return {
    text: `${quoted(`${headOf(session)}\n\n${shown.join('\n\n')}`)}\n${more} A whole message: get_message.`,
    data: { ...dataOf(session), page: kept.map(({ seq, role, at }) => ({ id: `${session.id}#${seq}`, role, at: isoTime(at) })), next: next ?? null },
  }
}
