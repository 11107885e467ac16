/**
 * Messages of a task whose display (`ui_messages.json`) is all there is: the model's history beside it is missing or
 * holds nothing. The display has the same words, without the results of tools.
 */
import { parseJsonObject, stringOf, type JsonObject } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import { useAt, type ModelUse } from './cline-context.ts'
import { lostBlock, objectsOf, rowKind, SHOWN_ROWS, type LostMessage } from './cline-lost.ts'
import { optional } from './importer.ts'

export const NOTHING_SHOWN =
  'holds no reply, and the api_conversation_history.json that should lie beside it is missing or empty; the task was left out'

type Kind = Omit<LostMessage, 'at' | 'text'>
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

/** The first text is the task, though the display writes it as it writes replies. */
const kindOf = (row: JsonObject, isFirst: boolean): Kind | undefined => {
  const kind = rowKind(row)
  return isFirst && kind === 'say text' ? ROWS['say task'] : ROWS[kind]
}

const textOf = (row: JsonObject): string | undefined => {
  const text = stringOf(row.text)
  if (text === undefined || text.trim() === '') return undefined
  return rowKind(row).endsWith(' plan_mode_respond') ? (stringOf(parseJsonObject(text).response) ?? text) : text
}

/** `alone`: messages are taken from the display. `empty`: it shows no reply, so that there is nothing to take. */
export const displayAlone = async (path: string, fileSystem: Pick<FileSystem, 'read'>): Promise<'alone' | 'empty'> => {
  let isFirst = true
  for await (const row of objectsOf(path, fileSystem)) {
    const text = textOf(row)
    const kind = kindOf(row, isFirst)
    if (text === undefined || kind === undefined) continue
    isFirst = false
    if (kind.role === 'assistant') return 'alone'
  }
  return 'empty'
}

const blockOf = (row: JsonObject, message: LostMessage): ContentBlock =>
  rowKind(row).endsWith(' command')
    ? { type: 'tool_call', id: `ui:${message.at}`, name: 'execute_command', input: { command: message.text } }
    : lostBlock(message)

/** Gives a display's rows in order as messages; undefined for what is none. `uses`: which model was in use at what time. */
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
    const { model, mode } = useAt(uses, at)
    return {
      entry: {
        kind: 'message',
        id,
        at,
        role: kind.role,
        content: [blockOf(row, { ...kind, at: at ?? 0, text })],
        ...optional('model', kind.role === 'assistant' ? model : undefined),
        ...optional('mode', mode),
        ...(kind.isProgram ? { origin: 'meta' as const } : {}),
      },
      externalId: id,
    }
  }
}
