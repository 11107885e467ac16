/**
 * Shorter display streams of Cline's kind: a command with its output, a request's start with its
 * finish. For display only: the model's history is not made of these. One pass, whatever the length.
 */
import { isJsonObject, parseJson } from '../json.ts'

/** A message of `ui_messages.json`, as far as it matters here. */
export interface ClineDisplayMessage {
  readonly ts: number
  readonly type: 'ask' | 'say'
  readonly ask?: string
  readonly say?: string
  readonly text?: string
}

const OUTPUT_HEADING = 'Output:'

const kindOf = ({ type, ask, say }: ClineDisplayMessage): string | undefined => (type === 'ask' ? ask : say)

/**
 * A command's text gets `Output:` and all output up to the next command; the outputs' own messages go. An
 * output before any command stays, as it belongs to none.
 */
export const combineCommands = <M extends ClineDisplayMessage>(messages: readonly M[]): readonly M[] => {
  const combined: M[] = []
  let command: { readonly position: number; readonly message: M; readonly outputs: string[] } | undefined
  const finish = (): void => {
    if (command === undefined || command.outputs.length === 0) return
    const lines = [command.message.text ?? '', OUTPUT_HEADING, ...command.outputs.filter((text) => text !== '')]
    combined[command.position] = { ...command.message, text: lines.join('\n') }
  }
  for (const message of messages) {
    const kind = kindOf(message)
    if (kind === 'command_output' && command !== undefined) {
      command.outputs.push(message.text ?? '')
      continue
    }
    if (kind === 'command') {
      finish()
      command = { position: combined.length, message, outputs: [] }
    }
    combined.push(message)
  }
  finish()
  return combined
}

/**
 * The start of a request gets what its finish says (both texts are JSON objects), and the finish goes. They
 * belong together by the request's id (`requestId` or `id`) where the texts have one; a finish without goes
 * to the request that was started last. A request that never finished stays so, and a finish that belongs to
 * no start, or can't be read, stays.
 */
export const combineRequests = <M extends ClineDisplayMessage>(messages: readonly M[]): readonly M[] => {
  const combined: M[] = []
  const byId = new Map<string, Started>()
  let latest: Started | undefined
  for (const message of messages) {
    const kind = message.type === 'say' ? message.say : undefined
    const fields = kind === 'api_req_started' || kind === 'api_req_finished' ? fieldsOf(message.text) : undefined
    if (kind === 'api_req_started') {
      latest = { position: combined.length, fields, id: idOf(fields) }
      if (latest.id !== undefined) byId.set(latest.id, latest)
    } else if (kind === 'api_req_finished') {
      const id = idOf(fields)
      const started: Started | undefined = id === undefined ? latest : (byId.get(id) ?? withoutId(latest))
      const start = started === undefined ? undefined : combined[started.position]
      if (started?.fields !== undefined && start !== undefined && fields !== undefined) {
        combined[started.position] = { ...start, text: JSON.stringify({ ...started.fields, ...fields }) }
        if (started.id !== undefined) byId.delete(started.id)
        if (latest === started) latest = undefined
        continue
      }
    }
    combined.push(message)
  }
  return combined
}

interface Started {
  readonly position: number
  readonly fields: Fields | undefined
  readonly id: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** A finish that names its request never goes to one that names itself otherwise. */
const withoutId = (started: Started | undefined): Started | undefined =>
  started?.id === undefined ? started : undefined

const idOf = (fields: Fields | undefined): string | undefined => {
  const id = fields?.requestId ?? fields?.id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const fieldsOf = (text: string | undefined): Fields | undefined => {
  const value = parseJson(text ?? '{}')?.value
  return isJsonObject(value) ? value : undefined
}

/** Both: what a person is shown of a task. */
export const combineDisplayMessages = <M extends ClineDisplayMessage>(messages: readonly M[]): readonly M[] =>
  combineRequests(combineCommands(messages))
