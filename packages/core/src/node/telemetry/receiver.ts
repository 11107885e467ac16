/**
 * A receiver of OpenTelemetry (OTLP over HTTP) on this machine. It takes in the log events of agents; their metrics and
 * traces are acknowledged and not kept, as agents are often set to send all three to one address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CairnError, messageOf } from '../../errors.ts'
import type { Access } from '../gateway/access.ts'
import { BodyCopy, newAllowance, type CopyAllowance } from '../gateway/body-copy.ts'
import { headerOf } from '../gateway/headers.ts'
import { listen } from '../listen.ts'
import { readOtlpLogs, type OtlpEncoding, type OtlpLogRecord } from './otlp-logs.ts'
import { errorAsProtobuf, takenAsProtobuf } from './otlp-protobuf.ts'

export interface ReceiverInput {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** Made when the port is known. */
  readonly access: (port: number) => Access
  /**
   * Given the records of an export; resolves, when all that is to be kept of them is on disk, with why some were refused, a
   * sentence each. Where it rejects, the sender is told to send them again.
   */
  readonly take: (records: readonly OtlpLogRecord[]) => Promise<readonly string[]>
  /** Told why an export could not be taken in; its sender may not say so. */
  readonly trouble: (sentence: string) => void
  /** Told the address of a sender that may not send, and why. */
  readonly turnedAway: (address: string, why: string) => void
}

export interface Receiver {
  readonly port: number
  /** Stops listening; resolves when what is under way was answered. */
  close(): Promise<void>
}

/** An answer other than "taken". */
interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 503
  /** One sentence. */
  readonly message: string
}

const LOGS = '/v1/logs'
const TARGETS: readonly string[] = [LOGS, '/v1/metrics', '/v1/traces']
const JSON_TYPE = 'application/json'
const PROTOBUF_TYPE = 'application/x-protobuf'
const ENCODINGS: ReadonlyMap<string, OtlpEncoding> = new Map([
  [JSON_TYPE, 'json'],
  [PROTOBUF_TYPE, 'protobuf'],
])
const STATUS_OF_UNREAD = { large: 413, busy: 503, form: 400 } as const
const NOT_READ: Refusal = { status: 415, message: `Only ${JSON_TYPE} and ${PROTOBUF_TYPE} are taken in.` }
/** Google's codes of errors, which the protocol's answers hold. */
const CODES = { 400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 413: 8, 415: 3, 503: 14 } as const
/** Nobody sends so slowly, ms. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Listens, and answers all requests. `allowance`: what the bodies under way may hold together. Rejects with `usage`
 * when the port is taken or the address is not this machine's. With port 0 the system chooses one. `close` takes no
 * more requests and waits for the answers under way.
 */
export const startReceiver = async (input: ReceiverInput, allowance = newAllowance()): Promise<Receiver> => {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS })
  const port = await listen(server, input.host, input.port)
  const access = input.access(port)
  const open = new Set<Promise<void>>()
  server.on('request', (request, response) => {
    const answering = answer(request, response, access, allowance, input)
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  })
  return {
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all(open)
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Answers a request: takes in logs, refuses wrong ones, and accepts metrics and traces without reading them. Who may
 * not send is told to `turnedAway`. No answer where the sender is gone. Never rejects.
 */
const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  allowance: CopyAllowance,
  input: ReceiverInput,
): Promise<void> => {
  // What a socket that breaks says is known by its closing.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  const { url, refusal } = access(request.url ?? '/', request.headers)
  const encoding = ENCODINGS.get(contentType(request))
  if (refusal !== undefined) input.turnedAway(addressOf(request), refusal.message)
  const refused = refusal ?? wrongTarget(request, url, encoding)
  if (refused !== undefined || encoding === undefined) {
    send(response, refused ?? NOT_READ, encoding)
    return
  }
  const copy = new BodyCopy(allowance)
  if (!(await readInto(copy, request))) return
  const read = await copy.content(headerOf(request.headers, 'content-encoding'))
  if ('unread' in read)
    send(response, { status: STATUS_OF_UNREAD[read.reason], message: `It was not taken in: ${read.unread}.` }, encoding)
  else if (pathOf(url) === LOGS) await takeLogs(response, read.content, encoding, input)
  else sendTaken(response, NOTHING_REJECTED, encoding)
}

const addressOf = ({ socket }: IncomingMessage): string =>
  (socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d)/, '')

/**
 * Reads a body into the copy until its end, or until it is not kept any more; false, and the copy is released, where
 * its sender is gone.
 */
const readInto = async (copy: BodyCopy, request: IncomingMessage): Promise<boolean> => {
  try {
    // The rest of one that is refused is read and dropped behind the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      copy.take(chunk as Uint8Array)
      if (copy.isDropped) break
    }
    return true
  } catch {
    copy.release()
    return false
  }
}

/** What of an export was not taken in. */
interface Rejected {
  readonly records: number
  /** A sentence each. */
  readonly why: readonly string[]
}

const NOTHING_REJECTED: Rejected = { records: 0, why: [] }
const NO_RECORD = 'An element of the export is no log record.'

/**
 * Takes in the records of a body and answers with how many were refused, and why. If they can't be stored, the sender
 * is asked to send again (503). Never rejects.
 */
const takeLogs = async (
  response: ServerResponse,
  body: Uint8Array,
  encoding: OtlpEncoding,
  { take, trouble }: ReceiverInput,
): Promise<void> => {
  try {
    const logs = readOtlpLogs(body, encoding)
    if ('refused' in logs) {
      send(response, { status: 400, message: logs.refused }, encoding)
      return
    }
    const refused = await take(logs.records)
    if (logs.rejected > 0) trouble(NO_RECORD)
    const why = [...(logs.rejected > 0 ? [NO_RECORD] : []), ...new Set(refused)]
    sendTaken(response, { records: logs.rejected + refused.length, why }, encoding)
  } catch (error) {
    const why = CairnError.is(error) ? error.message : messageOf(error)
    trouble(`Telemetry could not be recorded, and its sender was asked to send it again: ${why}`)
    send(response, { status: 503, message: `It could not be recorded: ${why}` }, encoding)
  }
}

const pathOf = (url: string): string => (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '')

const contentType = ({ headers }: IncomingMessage): string =>
  (headerOf(headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Why a request is refused for its address, method or encoding; undefined if it is not. */
const wrongTarget = (
  { method }: IncomingMessage,
  url: string,
  encoding: OtlpEncoding | undefined,
): Refusal | undefined => {
  if (!TARGETS.includes(pathOf(url)))
    return { status: 404, message: `There is nothing here but ${TARGETS.join(', ')}.` }
  if (method !== 'POST') return { status: 405, message: 'Telemetry is sent by POST.' }
  return encoding === undefined ? NOT_READ : undefined
}

/** Answers that telemetry was taken in, with the number of records that were not, and why, for the sender's log. */
const sendTaken = (response: ServerResponse, { records, why }: Rejected, encoding: OtlpEncoding): void => {
  const errorMessage = why.join(' ')
  const partialSuccess = { rejectedLogRecords: String(records), errorMessage }
  const asJson = JSON.stringify(records === 0 ? {} : { partialSuccess })
  sendBody(response, 200, encoding, encoding === 'json' ? asJson : takenAsProtobuf(records, errorMessage))
}

/** Answers with a refusal in the sender's encoding; in JSON where that is not known. */
const send = (response: ServerResponse, { status, message }: Refusal, encoding: OtlpEncoding = 'json'): void => {
  const code = CODES[status]
  sendBody(
    response,
    status,
    encoding,
    encoding === 'json' ? JSON.stringify({ code, message }) : errorAsProtobuf(code, message),
  )
}

/** Sends an answer; with 503 the client is told to try again in 5 s. What it still sends is read and dropped. */
const sendBody = (
  response: ServerResponse,
  status: number,
  encoding: OtlpEncoding,
  body: string | Uint8Array,
): void => {
  // A client that is still sending would lose the answer if its connection were closed: the rest is read and dropped.
  response.req.resume()
  response.writeHead(status, {
    'content-type': encoding === 'json' ? JSON_TYPE : PROTOBUF_TYPE,
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  })
  response.end(body)
}
