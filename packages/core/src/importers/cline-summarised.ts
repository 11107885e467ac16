/**
 * Messages that a task's display still shows and its history has lost: a condensing rewrites the history, with a
 * summary in place of older messages. Only messages before a summary are looked for, so none of them is in view again.
 */
import { objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { splitElements, type DocumentEnd } from './json-elements.ts'
import { parseTime } from './line-values.ts'

/** A message as the display shows it. */
export interface SummarisedMessage {
  readonly at: number
  readonly role: 'user' | 'assistant'
  readonly kind: 'text' | 'thinking' | 'tool'
  /** Of a tool call: what the display shows of it, as JSON. */
  readonly text: string
  /** Written by the program: the result of a subtask. */
  readonly isProgram: boolean
}

/** Rows of the display that are messages, by `rowKind`. */
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

/** The kind of a row of the display, as a key of `SHOWN_ROWS`: its `type` and its `say` or `ask`. Never throws. */
export const rowKind = (row: JsonObject): string =>
  `${stringOf(row.type) ?? ''} ${stringOf(row.say) ?? stringOf(row.ask) ?? ''}`

/** Messages of a task that its history only holds as a summary, recovered from the display. */
export interface SummarisedMessages {
  /** In order of time; none where the history has no summary, or a file is missing. */
  readonly messages: readonly SummarisedMessage[]
  /** False when the history has a summary and the display, which has what it replaced, is missing or cut off. */
  readonly isWhole: boolean
}

/**
 * The messages that a summary replaced in a task's history, recovered from its display; none where nothing was
 * summarised. `isWhole` is false where the display is missing or broken off.
 */
export const findSummarisedMessages = async (
  folder: string,
  fileSystem: Pick<FileSystem, 'read' | 'stat'>,
): Promise<SummarisedMessages> => {
  const [history, display] = [`${folder}/api_conversation_history.json`, `${folder}/ui_messages.json`]
  const { times, summaryAt } = await readTimes(history, fileSystem)
  if (summaryAt === -Infinity) return { messages: [], isWhole: true }
  if ((await fileSystem.stat(display))?.kind !== 'file') return { messages: [], isWhole: false }
  const { shown, end } = await readShown(display, summaryAt, fileSystem)
  // Texts are recognised by their longest line, because the history puts tags around them.
  const missing = new Set(shown.flatMap((row) => (row.kind === 'text' ? [longestLine(row.text)] : [])))
  for await (const message of readObjects(history, fileSystem))
    for (const line of linesOf(message.content)) missing.delete(plainLine(line))
  return { messages: missingMessages(shown, missing, times), isWhole: end === 'complete' }
}

/**
 * The times (ms) of a history's messages, in its order, without its summaries, and the time of the last summary;
 * -Infinity when it has none or is missing.
 */
const readTimes = async (
  history: string,
  fileSystem: Pick<FileSystem, 'read' | 'stat'>,
): Promise<{ readonly times: readonly number[]; readonly summaryAt: number }> => {
  const times: number[] = []
  let summaryAt = -Infinity
  if ((await fileSystem.stat(history))?.kind !== 'file') return { times, summaryAt }
  for await (const message of readObjects(history, fileSystem)) {
    const at = parseTime(message.ts)
    if (at === null) continue
    if (message.isSummary === true) summaryAt = Math.max(summaryAt, at)
    else times.push(at)
  }
  return { times, summaryAt }
}

/**
 * The messages that the display shows before a time (ms), in its order, and how the file ended. Rows of other kinds,
 * without a time or without a text are left out.
 */
const readShown = async (
  display: string,
  before: number,
  fileSystem: Pick<FileSystem, 'read'>,
): Promise<{ readonly shown: readonly SummarisedMessage[]; readonly end: DocumentEnd | undefined }> => {
  let end: DocumentEnd | undefined
  const shown: SummarisedMessage[] = []
  for await (const row of readObjects(display, fileSystem, (found) => (end = found))) {
    const [at, text] = [parseTime(row.ts), stringOf(row.text)]
    const as = SHOWN_ROWS[rowKind(row)]
    if (as !== undefined && at !== null && at < before && text !== undefined && text.trim() !== '')
      shown.push({ ...as, at, text })
  }
  return { shown, end }
}

/**
 * Those of the shown messages that the history has lost, in order of time. Texts are lost whose longest line is in
 * `missing`. Reasoning and tool calls are written differently in the two files, so they count as lost where a lost text
 * stands between the same two of the history's `times`.
 */
const missingMessages = (
  shown: readonly SummarisedMessage[],
  missing: ReadonlySet<string>,
  times: readonly number[],
): readonly SummarisedMessage[] => {
  const sorted = times.toSorted((left, right) => left - right)
  const gapOf = (at: number): number => sorted.findIndex((time) => time >= at)
  const gaps = new Set(
    shown.flatMap((row) => (row.kind === 'text' && missing.has(longestLine(row.text)) ? [gapOf(row.at)] : [])),
  )
  return shown
    .filter((row) => (row.kind === 'text' ? missing.has(longestLine(row.text)) : gaps.has(gapOf(row.at))))
    .sort((left, right) => left.at - right.at)
}

/** The content block of a recovered message; a tool's is a call without a result, with an id that is made of its time. */
export const summarisedBlock = ({ at, kind, text }: SummarisedMessage): ContentBlock => {
  if (kind !== 'tool') return { type: kind, text }
  const { tool, serverName, toolName, ...input } = parseJsonObject(text)
  const name = stringOf(tool) ?? stringOf(toolName) ?? stringOf(serverName) ?? 'ask_followup_question'
  return { type: 'tool_call', id: `ui:${at}`, name, input: input as JsonValue }
}

/** Reads recovered messages back from the context's JSON; what is missing or of another form is left out. */
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

/**
 * Up to which time (ms) replaced messages are in the store by an earlier import: what its parser had noted, and, where
 * it came to the end, the newest message that it read. -Infinity when nothing is known.
 */
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

/** A line without tags' brackets and names (`<task>`), runs of blanks as one, trimmed. */
const plainLine = (line: string): string =>
  line
    .replace(/<\/?\w{1,40}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The longest line of a text, plain; '' for none. */
const longestLine = (text: string): string =>
  text
    .split('\n')
    .map(plainLine)
    .reduce((longest, line) => (line.length > longest.length ? line : longest), '')

/**
 * The lines of all texts in a content, those in tool results too. In order; empty for what is neither text nor list.
 */
function* linesOf(content: JsonValue | undefined): Generator<string> {
  if (typeof content === 'string') yield* content.split('\n')
  else if (Array.isArray(content))
    for (const block of content as readonly JsonValue[]) {
      const { text, content: inner } = objectOf(block)
      if (typeof text === 'string') yield* text.split('\n')
      if (inner !== undefined) yield* linesOf(inner)
    }
}

/**
 * Streams the objects of a file that holds a JSON array of objects; what is no object comes as an empty one. `ended` is
 * told how the file ended, unless the caller stops early. Rejects where it can't be read. An empty or damaged file
 * gives none.
 */
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
    // Closes the file also when the caller stops early.
    await batches.return('complete')
  }
}
