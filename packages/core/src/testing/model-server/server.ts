/** Starts the server, and counts its sockets. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropicWire } from './anthropic/wire.ts'
import { createChatWire } from './openai/chat-wire.ts'
import { createResponsesWire } from './openai/responses-wire.ts'
import { handle, type ReceivedRequest, type ServerState, type Step } from './exchange.ts'
import { createGeminiWire } from './gemini/wire.ts'
import type { LedgerEntry } from './ledger.ts'
import { DEFAULT_MODELS, type ServedModel, type WireName } from './models.ts'
import type { Reply } from './reply.ts'
import { countSockets } from './sockets.ts'
import type { Call } from './wire.ts'

export interface ModelServerOptions {
  /** Default: all. */
  readonly wires?: readonly WireName[]
  readonly models?: readonly ServedModel[]
  /** Milliseconds; what lifetimes of caches are measured with. Default: the system's clock. */
  readonly clock?: () => number
  /** Keys that are let in, each an account of its own. Default `['test-key']`. */
  readonly keys?: readonly string[]
  /** Makes the replies that no step has. `index` counts them from 0. */
  readonly makeReply?: (call: Call, index: number) => Reply
  /** Default false: each answer closes its connection, so that every open socket is a request under way. */
  readonly keepsConnections?: boolean
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** One entry a request that was billed, in the order in which answers ended. */
  readonly ledger: readonly LedgerEntry[]
  /** Steps for the next requests for a reply that break no rule, one each, behind those already there. */
  script(...steps: readonly Step[]): void
  /** Steps that no request has taken yet. */
  stepsLeft(): number
  openSockets(): number
  /** Resolves when no socket is open and all billed requests are in the ledger. @throws Error when some still are after `timeoutMs` (default 30 s) */
  untilNoSockets(timeoutMs?: number): Promise<void>
  /** Closes all connections, also those under way. @throws AggregateError when the server itself failed */
  close(): Promise<void>
}

const WIRES = [createAnthropicWire, createResponsesWire, createChatWire, createGeminiWire]

const makeDefaultReply = (call: Call, index: number): Reply => ({
  blocks: [{ type: 'text', text: `Reply ${index} of ${call.model.name}: all is well, and 2 × 2 = 4 ✓.` }],
})

/**
 * Starts a server of model APIs on a free port of this machine; `close` it at the end. It makes a default reply unless
 * a step or `makeReply` says otherwise. `close` rejects with what failed in the server.
 */
export const startModelServer = async (options: ModelServerOptions = {}): Promise<ModelServer> => {
  const now = options.clock ?? Date.now
  const makeReply = options.makeReply ?? makeDefaultReply
  let made = 0
  const state: ServerState = {
    wires: WIRES.map((create) => create(now)).filter(({ name }) => options.wires?.includes(name) ?? true),
    models: options.models ?? DEFAULT_MODELS,
    keys: new Set(options.keys ?? ['test-key']),
    requests: [],
    ledger: [],
    steps: [],
    keepsConnections: options.keepsConnections ?? false,
    makeReply: (call) => makeReply(call, made++),
  }
  const sockets = countSockets()
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    const handling = handle(state, request, response).catch((error: unknown) => {
      // A client may go away in the middle of its request; anything else is a mistake here or in a test's options.
      if (!request.errored) failures.push(error)
      response.destroy()
    })
    void sockets.handle(handling)
  })
  server.on('connection', sockets.add)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    ledger: state.ledger,
    script: (...steps) => void state.steps.push(...steps),
    stepsLeft: () => state.steps.length,
    openSockets: sockets.count,
    untilNoSockets: sockets.untilNone,
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      sockets.destroy()
      await closed
      if (failures.length > 0) throw new AggregateError(failures, `the model server failed: ${String(failures[0])}`)
    },
  }
}
