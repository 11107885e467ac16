/**
 * What the display of a task shows and the model's history has lost: a condensing writes the history anew with a summary
 * in place of what was said. Only what was said before a summary is looked for, so that none of it is in view again.
 */
import { objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { splitElements, type DocumentEnd } from './json-elements.ts'
import { parseTime } from './line-values.ts'

/** A message as the display has it. */
export interface SummarisedMessage {
  readonly at: number
  readonly role: 'user' | 'assistant'
  /** A text, reasoning, or a call of a tool. */
  readonly kind: 'text' | 'thinking' | 'tool'
  /** Of a call: what the display has of it, as JSON. */
  readonly text: string
  /** Written by the program: the result of a subtask. */
  readonly isProgram: boolean
}

/** Kinds of the display's rows that are messages. */
export const SHOWN_ROWS: Readonly<Record<string, Omit<SummarisedMessage, 'at' | 'text'>>> = {
  'say text': { role: 'assistant', kind: 'text', isProgram: false },
  'say completion_result': { role: 'assistant', kind: 'text', isProgram: false },
  'say user_feedback': { role: 'user', kind: 'text', isProgram: false },
  'say subtask_result': { role: 'user', kind: 'text', isProgram: true },
  'say reasoning': { role: 'assistant', kind: 'thinking', isProgram: false },
  'ask tool': { role: 'assistant', kind: 'tool', isProgram: false },
  'ask use_mcp_server': { role: 'assistant', kind: 'tool', isProgram: false },
  'ask followup': { role: 'assistant', kind: 'tool', isProgram: false },
}

/** What a row of the display is, as in `SHOWN_ROWS`. */
export const rowKind = (row: JsonObject): string =>
  `${stringOf(row.type) ?? ''} ${stringOf(row.say) ?? stringOf(row.ask) ?? ''}`

/** Messages of a task that its history only holds as a summary, recovered from the display. */
export interface SummarisedMessages {
  /** In order of time; none where no summary stands for anything, or a file can't be read. */
  readonly messages: readonly SummarisedMessage[]
  /** False: a summary stands for something, and the display that would tell of it is missing or has no end. */
  readonly isWhole: boolean
}

/** Recovers from a task's display the messages that a summary replaced in its history. */
export const findSummarisedMessages = async (
  folder: string,
  fileSystem: Pick<FileSystem, 'read' | 'stat'>,
): Promise<SummarisedMessages> => {
  const [history, display] = [`${folder}/api_conversation_history.json`, `${folder}/ui_messages.json`]
  if ((await fileSystem.stat(history))?.kind !== 'file') return { messages: [], isWhole: true }
  const times: number[] = []
  let until = -Infinity
  for await (const message of readObjects(history, fileSystem)) {
    const at = parseTime(message.ts)
    if (at === null) continue
    if (message.isSummary === true) until = Math.max(until, at)
    else times.push(at)
  }
  if (until === -Infinity) return { messages: [], isWhole: true }
  if ((await fileSystem.stat(display))?.kind !== 'file') return { messages: [], isWhole: false }
  let end: DocumentEnd | undefined
  const shown: SummarisedMessage[] = []
  for await (const row of readObjects(display, fileSystem, (found) => (end = found))) {
    const [at, text] = [parseTime(row.ts), stringOf(row.text)]
    const as = SHOWN_ROWS[rowKind(row)]
    if (as !== undefined && at !== null && at < until && text !== undefined && text.trim() !== '')
      shown.push({ ...as, at, text })
  }
  // Texts are told by their longest line: the history puts tags around them.
  const missing = new Set(shown.flatMap((row) => (row.kind === 'text' ? [longestLine(row.text)] : [])))
  for await (const message of readObjects(history, fileSystem))
    for (const line of linesOf(message.content)) missing.delete(plainLine(line))
  // Reasoning and calls are written in other ways there: they are lost where the texts around them are.
  const sorted = times.sort((left, right) => left - right)
  const gapOf = (at: number): number => sorted.findIndex((time) => time >= at)
  const gaps = new Set(
    shown.flatMap((row) => (row.kind === 'text' && missing.has(longestLine(row.text)) ? [gapOf(row.at)] : [])),
  )
  const messages = shown
    .filter((row) => (row.kind === 'text' ? missing.has(longestLine(row.text)) : gaps.has(gapOf(row.at))))
    .sort((left, right) => left.at - right.at)
  return { messages, isWhole: end === 'complete' }
}

/** The content block of a recovered message. */
export const summarisedBlock = ({ at, kind, text }: SummarisedMessage): ContentBlock => {
  if (kind !== 'tool') return { type: kind, text }
  const { tool, serverName, toolName, ...input } = parseJsonObject(text)
  const name = stringOf(tool) ?? stringOf(toolName) ?? stringOf(serverName) ?? 'ask_followup_question'
  return { type: 'tool_call', id: `ui:${at}`, name, input: input as JsonValue }
}

/** Reads recovered messages back from the context's JSON. */
export const parseSummarisedMessages = (value: JsonValue | undefined): readonly SummarisedMessage[] =>
  Array.isArray(value)
    ? value.flatMap((item: JsonValue): readonly SummarisedMessage[] => {
        const { at, role, kind, text, isProgram } = objectOf(item)
        const time = typeof at === 'number' ? at : undefined
        if (
          time === undefined ||
          typeof text !== 'string' ||
          (kind !== 'text' && kind !== 'thinking' && kind !== 'tool')
        )
          return []
        return [{ at: time, role: role === 'user' ? 'user' : 'assistant', kind, text, isProgram: isProgram === true }]
      })
    : []

/** Up to which time (ms) the earlier parser had read the messages; -Infinity when nothing is known. */
export const summarisedUntil = (
  { state, isComplete }: { readonly state: JsonValue; readonly isComplete: boolean } = {
    state: null,
    isComplete: false,
  },
): number => {
  const { summarisedUntil: before, reading } = objectOf(state)
  return Math.max(
    typeof before === 'number' ? before : -Infinity,
    isComplete && typeof reading === 'number' ? reading : -Infinity,
  )
}

const plainLine = (line: string): string =>
  line
    .replace(/<\/?\w{1,40}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

const longestLine = (text: string): string =>
  text
    .split('\n')
    .map(plainLine)
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '')

function* linesOf(content: JsonValue | undefined): Generator<string> {
  if (typeof content === 'string') yield* content.split('\n')
  else if (Array.isArray(content))
    for (const block of content as readonly JsonValue[]) {
      const { text, content: inner } = objectOf(block)
      if (typeof text === 'string') yield* text.split('\n')
      if (inner !== undefined) yield* linesOf(inner)
    }
}

/** Streams the objects of a file that holds a JSON array of objects. */
export async function* readObjects(
  path: string,
  fileSystem: Pick<FileSystem, 'read'>,
  ended: (end: DocumentEnd) => void = () => undefined,
): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder()
  const batches = splitElements(fileSystem.read(path))
  try {
    let next = await batches.next()
    for (; next.done !== true; next = await batches.next())
      for (const { bytes } of next.value) yield parseJsonObject(decoder.decode(bytes))
    ended(next.value)
  } finally {
    // Whoever has seen enough leaves the file open otherwise.
    await batches.return('complete')
  }
}
