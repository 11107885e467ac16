/**
 * The transport over standard input and output. Unlike the SDK's it answers invalid and oversized messages that have an
 * id, goes on after them, and accepts batches, which version 2025-03-26 of the protocol allows.
 */
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isJsonObject, messageOf } from '@cairn/core'
import type { JsonObject } from '@cairn/core'
import { INVALID_PARAMS, INVALID_REQUEST } from './protocol-error.ts'
import { shortLine } from './quoted.ts'
import { createLineReader } from './stdio-lines.ts'

/** The two streams, and who is told of problems. */
export interface StdioTransportInput {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly mostMessageBytes: number
  /** Gets sentences that the user should see in any case. */
  readonly report: (sentence: string) => void
  /** Gets sentences that only help to find a fault. */
  readonly debug: (sentence: string) => void
}

type Id = string | number

/** The id of a message; undefined if it has none. */
const idOf = ({ id }: JsonObject): Id | undefined => (typeof id === 'string' || typeof id === 'number' ? id : undefined)

const ID = String.raw`("(?:[^"\\]|\\.){0,200}"|-?\d{1,16})`
/** An id before anything nested, or as the last member: elsewhere an `id` may belong to a nested object. */
const ID_FIRST = new RegExp(
  String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*${ID}\s*[,}]`,
)
const ID_LAST = new RegExp(
  String.raw`[}\]"\d]\s*,(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`,
)

/** The id of a message of which only both ends are known; undefined if it can't be determined. */
const idBetween = (begin: string, end: string): Id | undefined => {
  const found = ID_FIRST.exec(begin)?.[1] ?? ID_LAST.exec(end)?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as Id)
}

/** A JSON-RPC error. */
interface Problem {
  readonly code: number
  readonly message: string
}

/** Returns why an object, which is known not to be a valid message, is none: a code of JSON-RPC and a sentence. */
const problemOf = (value: JsonObject): Problem => {
  if (value['jsonrpc'] !== '2.0')
    return { code: INVALID_REQUEST, message: 'That is no request: "jsonrpc" must be "2.0".' }
  if (typeof value['method'] !== 'string')
    return { code: INVALID_REQUEST, message: 'That is no request: it names no "method".' }
  if (value['params'] !== undefined && !isJsonObject(value['params']))
    return { code: INVALID_PARAMS, message: '"params" must be an object.' }
  return {
    code: INVALID_PARAMS,
    message: 'That is no valid request: its members or the "_meta" of its parameters do not fit.',
  }
}

/** Who receives messages, errors and debug sentences. */
interface MessageReaderInput {
  /** Gets each valid message. */
  readonly deliver: (message: JSONRPCMessage) => void
  /** Answers an invalid message that has an id. */
  readonly refuse: (id: Id, problem: Problem) => void
  readonly debug: (sentence: string) => void
}

/**
 * Returns a function that reads a line as a message or a batch of messages. Invalid messages with an id are answered
 * with an error. Blank lines are skipped; what is not answered is only told to `debug`.
 */
const createMessageReader = ({ deliver, refuse, debug }: MessageReaderInput): ((line: string) => void) => {
  /** Delivers a valid message; an invalid one is refused if it has an id and is no response, and told to `debug`. */
  const readMessage = (value: unknown): void => {
    const parsed = JSONRPCMessageSchema.safeParse(value)
    if (parsed.success) {
      deliver(parsed.data)
      return
    }
    const object = isJsonObject(value) ? value : {}
    const [id, problem] = [idOf(object), problemOf(object)]
    // An invalid response of the client is not answered.
    if (id !== undefined && !('result' in object || 'error' in object)) refuse(id, problem)
    debug(`A message was not understood: ${problem.message}`)
  }

  return (line) => {
    if (line.trim() === '') return
    try {
      const value: unknown = JSON.parse(line)
      const batch: readonly unknown[] = Array.isArray(value) ? value : [value]
      if (batch.length === 0) debug('An empty batch was left out.')
      for (const each of batch) readMessage(each)
    } catch (error) {
      const id = idBetween(line.slice(0, 1000), line.slice(-1000))
      if (id !== undefined) refuse(id, { code: INVALID_REQUEST, message: 'That is no JSON that can be read.' })
      debug(
        `A line that is no message was left out (${shortLine(messageOf(error), 100)}): ${shortLine(line.slice(0, 300), 160)}`,
      )
    }
  }
}

/**
 * Creates a transport over two streams with one JSON message per line, at most `mostMessageBytes` long. Longer lines,
 * and lines that are not messages, are answered with an error if their id can be determined, and reported. `send`
 * resolves when the output takes more.
 */
export const createStdioTransport = ({
  input,
  output,
  mostMessageBytes,
  report,
  debug,
}: StdioTransportInput): Transport => {
  const refuse = (id: Id, { code, message }: Problem): void => {
    transport.send({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => undefined)
  }

  const lines = createLineReader({
    mostBytes: mostMessageBytes,
    onLine: createMessageReader({ deliver: (message) => transport.onmessage?.(message), refuse, debug }),
    onTooLong: ({ begin, end, bytes }) => {
      const message = `A message may have at most ${mostMessageBytes} bytes; one of ${bytes} was left out.`
      const id = idBetween(begin, end)
      if (id !== undefined) refuse(id, { code: INVALID_REQUEST, message })
      report(message)
    },
  })

  const onData = (chunk: Buffer | string): void => lines.read(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  const onError = (error: Error): void => transport.onerror?.(error)

  const transport: Transport = {
    start: () => {
      input.on('data', onData)
      input.on('end', lines.end)
      input.on('error', onError)
      return Promise.resolve()
    },
    send: (message) =>
      new Promise((resolve) => {
        if (output.write(`${JSON.stringify(message)}\n`)) resolve()
        else output.once('drain', resolve)
      }),
    close: () => {
      input.off('data', onData)
      input.off('end', lines.end)
      input.off('error', onError)
      input.pause()
      transport.onclose?.()
      return Promise.resolve()
    },
  }
  return transport
}
