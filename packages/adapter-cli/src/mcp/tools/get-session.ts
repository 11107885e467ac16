/** `get_session`: what a session was about, or its messages a page at a time. */
import type { Engine, SessionSummary } from '@cairn/core'
import { z } from 'zod'
import { counted } from '../../terminal/format.ts'
import { fitting, moreOf, partOf, safeText, shortLine, shortened, timeText } from '../quoted.ts'
import { defineTool } from '../tool.ts'
import type { ToolAnswer } from '../tool.ts'
import { messageHead, messageText } from './message-text.ts'

/** Characters of each message in a page; get_message returns the rest. */
const MESSAGE_SHOWN = 700
const HEAD_LINE_SHOWN = 200

const DESCRIPTION = `What an earlier session was about: task, requests, decisions, files, commits (view: summary, the default); or its messages, shortened and a page at a time (view: messages), from its beginning, a place in it, or its end (from: -20).`

const input = z.strictObject({
  id: z.string().min(1).max(500).describe("The session's id or its beginning, as recall shows it."),
  view: z.enum(['summary', 'messages']).default('summary'),
  from: z
    .int()
    .min(-10_000_000)
    .max(1_000_000_000)
    .default(0)
    .describe('messages: the first place in the log; negative: so many entries before its end.'),
  limit: z.int().min(1).max(50).default(20).describe('messages: at most so many.'),
  offset: z.int().min(0).default(0).describe('summary: where to begin, in characters.'),
  max_chars: z.int().min(500).max(20_000).default(6000),
})
type Args = z.infer<typeof input>

/** The tool `get_session`: the summary of a session, or a page of its messages. */
export const getSession = defineTool({
  name: 'get_session',
  title: 'Read a session',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input,
  run: async (args, { engine }) => {
    const session = await engine.sessions.find(args.id)
    return args.view === 'summary' ? summaryOf(session, args, engine) : pageOf(session, args, engine)
  },
})

/**
 * Returns the facts about a session, one per line, each cut: id, title, agent, project, branch, and its times with the
 * number of messages. What is not known is left out.
 */
const headOf = ({ id, agent, workspace, branch, title, startedAt, updatedAt, messages }: SessionSummary): string =>
  [
    `Session ${id}`,
    ...(title === null ? [] : [`title: ${title}`]),
    `agent: ${agent}`,
    ...(workspace === null ? [] : [`project: ${workspace}`]),
    ...(branch === null ? [] : [`branch: ${branch}`]),
    `from ${timeText(startedAt)} to ${timeText(updatedAt)}, ${counted(messages, 'message')}`,
  ]
    .map((line) => shortLine(line, HEAD_LINE_SHOWN))
    .join('\n')

const RECORD = /^<thread_summary>\n([^]*)\n<\/thread_summary>$/

/**
 * Returns a session's summary, not yet in tags; one sentence for a session without messages. Rejects as `archive` does.
 */
export const summaryText = async (sessionId: string, engine: Engine): Promise<string> => {
  const { text } = await engine.sessions.archive(sessionId)
  const body = RECORD.exec(text)?.[1] ?? text
  return body === '' ? 'Nothing was said in it.' : body
}

/** Returns the answer with a part of a session's summary, and how to read on. */
const summaryOf = async (session: SessionSummary, { offset, max_chars }: Args, engine: Engine): Promise<ToolAnswer> => {
  const part = partOf(await summaryText(session.id, engine), offset, max_chars)
  return {
    body: `${headOf(session)}\n\n${part.text}`,
    tail: [moreOf(part), 'Its messages: view "messages".'].filter((line) => line !== '').join('\n'),
  }
}

/**
 * Returns the answer with a page of a session's messages, in order, long ones cut; as many as fit. `from`: the number
 * of the first entry; a negative one counts from the log's end. That there are none is an answer too.
 */
const pageOf = async (
  session: SessionSummary,
  { from, limit, max_chars }: Args,
  engine: Engine,
): Promise<ToolAnswer> => {
  const fromSeq = from < 0 ? Math.max(0, session.entries + from) : from
  const entries = await engine.store.sessions.read(session.id, { fromSeq, limit: limit + 1, kinds: ['message'] })
  const messages = entries.filter((entry) => entry.kind === 'message')
  if (messages.length === 0)
    return {
      head: `There are no messages from ${fromSeq} on; the session has ${counted(session.entries, 'entry')}.`,
    }
  const rows = messages
    .slice(0, limit)
    .map(
      (message) => `[${messageHead(session.id, message)}]\n${shortened(safeText(messageText(message)), MESSAGE_SHOWN)}`,
    )
  const shown = fitting(rows, max_chars)
  const next = messages[shown]?.seq
  return {
    body: `${headOf(session)}\n\n${rows.slice(0, shown).join('\n\n')}`,
    tail: `${next === undefined ? 'That is the end.' : `There are more: from ${next}.`} A whole message: get_message.`,
  }
}
