/** The start and end messages of a conversation, and its title. */
import { formatUsd } from '@cairn/core'
import type { ContentBlock, Engine, LogEntry } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { appendFacts, sessionText } from '../commands/session-named.ts'
import { shellCommand } from '../output/shell-word.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { projectName } from '../options/project-option.ts'
import type { ChatSession } from './chat.ts'

/** Characters of a message that become the title of its session. */
const LONGEST_TITLE = 80

/**
 * Returns the lines before the first prompt: project, mode and model; for a new session in incognito mode, that nothing is
 * kept; for a resumed one its title (or id), its number of messages, and whether its last turn was interrupted. Not
 * wrapped. Rejects as the engine does, also if the session is not there.
 */
export const welcomeLines = async (
  { id, model, mode }: ChatSession,
  { engine, workspace }: { readonly engine: Engine; readonly workspace: string },
): Promise<readonly string[]> => {
  const project = neutraliseLine(projectName(workspace))
  const head = `Cairn in ${project}, mode ${mode}, model ${neutraliseLine(model)}. /help lists the commands, Ctrl-D leaves.`
  if (id === undefined)
    return engine.privacy.incognito ? [head, 'Incognito: nothing of this conversation is kept.'] : [head]
  const { title, messages } = await engine.sessions.find(id)
  const going = `Going on with ${neutraliseLine(title ?? id)}, ${counted(messages, 'message')}.`
  const isOpen = endsOpen(await engine.sessions.log(id))
  return [head, going, ...(isOpen ? ['Its last turn was interrupted: /session continue goes on with it.'] : [])]
}

/** Whether the model still has to answer: the last message is the user's or a tool's, or calls a tool. */
const endsOpen = (entries: readonly LogEntry[]): boolean => {
  const last = entries.findLast((entry) => entry.kind === 'message' && entry.subagent === undefined)
  if (last?.kind !== 'message') return false
  return last.role !== 'assistant' || last.content.some((block: ContentBlock) => block.type === 'tool_call')
}

/** Returns a sentence with the session's cost and how to resume it; undefined if nothing of it is stored. */
export const farewell = async (
  session: ChatSession,
  engine: Engine,
  options: CommonOptions,
  context: Context,
): Promise<string | undefined> => {
  if (session.id === undefined || engine.privacy.incognito) return undefined
  const stored = await engine.store.sessions.get(session.id)
  if (stored === undefined) return undefined
  const { id, program, store } = await sessionText(stored, options, engine, context)
  const cost = await session.cost()
  return `This session cost ${cost === null ? 'what has no price' : formatUsd(cost)}. Go on with it: ${shellCommand(`${program} chat --resume`, id, store)}`
}

/**
 * Titles an untitled session with the first line of its first message, at most 80 characters; does nothing if it has a
 * title or was deleted. `at` is in ms. Rejects as the store does.
 */
export const nameSession = async (id: string, message: string, engine: Engine, at: number): Promise<void> => {
  const session = await engine.store.sessions.get(id)
  if (session === undefined || session.title !== null) return
  const line = neutraliseLine(message.trim().split('\n')[0] ?? '')
  const title = line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : line
  if (title !== '') await appendFacts(session, [{ kind: 'title', at, title }], engine)
}
