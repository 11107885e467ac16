/**
 * Messages of a task whose display (`ui_messages.json`) is all there is: the model's history beside it is missing or
 * holds nothing. The display has the same words, without the results of tools.
 */
import { parseJsonObject, stringOf, type JsonObject } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import { modelUseAt, type ModelUse } from './cline-context.ts'
import { summarisedBlock, readObjects, rowKind, SHOWN_ROWS, type SummarisedMessage } from './cline-summarised.ts'
import { optional } from './importer.ts'

/** The skip reason for a task of which only the display is left, without a reply in it. */
export const NO_REPLY_SHOWN =
  'holds no reply, and the api_conversation_history.json that should lie beside it is missing or empty; the task was left out'

type Kind = Omit<SummarisedMessage, 'at' | 'text'>
const CALL: Kind = { role: 'assistant', kind: 'tool', isProgram: false }

/** What the display shows beside that which a condensing may have taken out of the history. */
const ROWS: Readonly<Record<string, Kind>> = {
  ...SHOWN_ROWS,
  'say task': { role: 'user', kind: 'text', isProgram: false },
  'say user_feedback_diff': { role: 'user', kind: 'text', isProgram: false },
  'say command_output': { role: 'user', kind: 'text', isProgram: true },
  'ask command_output': { role: 'user', kind: 'text', isProgram: true },
  'say tool': CALL,
  'say command': CALL,
  'ask command': CALL,
  'say use_mcp_server': CALL,
  'say browser_action': CALL,
  'ask plan_mode_respond': { role: 'assistant', kind: 'text', isProgram: false },
  'say plan_mode_respond': { role: 'assistant', kind: 'text', isProgram: false },
}

/**
 * What a row is as a message; undefined for rows that are none. The first text (`isFirst`) is the user's task, though
 * the display writes it as it writes replies.
 */
const kindOf = (row: JsonObject, isFirst: boolean): Kind | undefined => {
  const kind = rowKind(row)
  return isFirst && kind === 'say text' ? ROWS['say task'] : ROWS[kind]
}

/** What a row says; undefined for an empty one. */
const textOf = (row: JsonObject): string | undefined => {
  const text = stringOf(row.text)
  if (text === undefined || text.trim() === '') return undefined
  return rowKind(row).endsWith(' plan_mode_respond') ? (stringOf(parseJsonObject(text).response) ?? text) : text
}

/**
 * Whether a display file (`ui_messages.json`) has a reply of the model. Rejects where the file can't be read. It stops
 * reading at the first.
 */
export const showsReply = async (path: string, fileSystem: Pick<FileSystem, 'read'>): Promise<boolean> => {
  let isFirst = true
  for await (const row of readObjects(path, fileSystem)) {
    const text = textOf(row)
    const kind = kindOf(row, isFirst)
    if (text === undefined || kind === undefined) continue
    isFirst = false
    if (kind.role === 'assistant') return true
  }
  return false
}

const contentBlock = (row: JsonObject, message: SummarisedMessage): ContentBlock =>
  rowKind(row).endsWith(' command')
    ? { type: 'tool_call', id: `ui:${message.at}`, name: 'execute_command', input: { command: message.text } }
    : summarisedBlock(message)

/**
 * A function that takes a display's rows in order and gives each as a message; undefined for what is none. `uses`:
 * which model was in use at what time. Ids come from times, so the same rows get the same ids.
 */
export const createShownMessages = (
  uses: readonly ModelUse[],
): ((row: JsonObject, at: number | null) => EntryWrite | undefined) => {
  const occurrences = new Map<string, number>()
  let isFirst = true
  return (row, at) => {
    const text = textOf(row)
    const kind = kindOf(row, isFirst)
    if (text === undefined || kind === undefined) return undefined
    isFirst = false
    const stamp = `ui:${at ?? 'unknown'}:${kind.kind}`
    const before = occurrences.get(stamp) ?? 0
    occurrences.set(stamp, before + 1)
    const id = before === 0 ? stamp : `${stamp}.${before}`
    const { model, mode } = modelUseAt(uses, at)
    return {
      entry: {
        kind: 'message',
        id,
        at,
        role: kind.role,
        content: [contentBlock(row, { ...kind, at: at ?? 0, text })],
        ...optional('model', kind.role === 'assistant' ? model : undefined),
        ...optional('mode', mode),
        ...(kind.isProgram ? { origin: 'meta' as const } : {}),
      },
      externalId: id,
    }
  }
}
