/**
 * Shortens display streams in Cline's format: merges a command with its output, and a request's start with its finish,
 * in one pass. For display only; the model's history is not built from these.
 */
import { isJsonObject, parseJson } from '../json.ts'

/** The fields of a message in `ui_messages.json` that matter here. */
export interface ClineDisplayMessage {
  readonly ts: number
  readonly type: 'ask' | 'say'
  readonly ask?: string
  readonly say?: string
  readonly text?: string
}

const OUTPUT_HEADING = 'Output:'

/** The kind of a row: what is asked or said. */
const kindOf = ({ type, ask, say }: ClineDisplayMessage): string | undefined => (type === 'ask' ? ask : say)

/**
 * Appends `Output:` and all output up to the next command to each command's text, and removes the output messages.
 * Empty outputs add no line, but the heading stands. Output before the first command and all other messages stay as
 * they are.
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
 * Merges the finish of each request into its start; both texts are JSON objects, and the finish's fields win. They are
 * matched by the request's id (`requestId` or `id`); a finish without an id belongs to the most recently started
 * request. A start without a finish, and a finish without an open start or with invalid JSON, stay as they are.
 */
export const combineRequests = <M extends ClineDisplayMessage>(messages: readonly M[]): readonly M[] => {
  const combined: M[] = []
  const open = new OpenRequests()
  for (const message of messages) {
    const kind = message.type === 'say' ? message.say : undefined
    if (kind === 'api_req_started') open.start(combined.length, fieldsOf(message.text))
    const finish = kind === 'api_req_finished' ? fieldsOf(message.text) : undefined
    const started = kind === 'api_req_finished' ? open.startOf(idOf(finish)) : undefined
    const start = started === undefined ? undefined : combined[started.position]
    if (started?.fields === undefined || start === undefined || finish === undefined) combined.push(message)
    else {
      combined[started.position] = { ...start, text: JSON.stringify({ ...started.fields, ...finish }) }
      open.close(started)
    }
  }
  return combined
}

/** Requests that have started but not finished. */
class OpenRequests {
  readonly #byId = new Map<string, Started>()
  #latest: Started | undefined

  /** Notes a request that has begun. Without an id it is only the latest. */
  start(position: number, fields: Fields | undefined): void {
    this.#latest = { position, fields, id: idOf(fields) }
    if (this.#latest.id !== undefined) this.#byId.set(this.#latest.id, this.#latest)
  }

  /** The start to which a finish belongs; a finish with an id never matches a start with another id. */
  startOf(id: string | undefined): Started | undefined {
    if (id === undefined) return this.#latest
    return this.#byId.get(id) ?? (this.#latest?.id === undefined ? this.#latest : undefined)
  }

  /** Takes a request that has ended out of the open ones. */
  close(started: Started): void {
    if (started.id !== undefined) this.#byId.delete(started.id)
    if (this.#latest === started) this.#latest = undefined
  }
}

interface Started {
  readonly position: number
  readonly fields: Fields | undefined
  readonly id: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** The id of a request; undefined without one. */
const idOf = (fields: Fields | undefined): string | undefined => {
  const id = fields?.requestId ?? fields?.id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** The fields of a row's text; undefined where it is no object. */
const fieldsOf = (text: string | undefined): Fields | undefined => {
  const value = parseJson(text ?? '{}')?.value
  return isJsonObject(value) ? value : undefined
}

/**
 * Merges each command with its output ({@link combineCommands}) and each request with its finish ({@link
 * combineRequests}), keeping the order.
 */
export const combineDisplayMessages = <M extends ClineDisplayMessage>(messages: readonly M[]): readonly M[] =>
  combineRequests(combineCommands(messages))
