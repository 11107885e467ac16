/** How a client's request reaches the engine, and how its failure is answered. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ListRootsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { sentenceOf } from '../runtime/failure.ts'
import { createClientProjects } from './projects.ts'
import type { AskRoots } from './projects.ts'
import { INTERNAL_ERROR, ProtocolError, RESOURCE_NOT_FOUND } from './protocol-error.ts'
import { shortLine } from './quoted.ts'
import { sourceFolderOf } from './source-folders.ts'
import type { McpServerInput } from './server-input.ts'
import type { Call } from './tool.ts'

/** The SDK's server below McpServer, which takes handlers for single requests of the protocol. */
export type ProtocolServer = McpServer['server']

/** What the SDK passes with a request: its signal, and a way to ask the client. */
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Answers the requests of one client. */
export interface Requests {
  /** Asks the engine for a request; ends at once when the request is cancelled. */
  ask<T>(extra: Extra, question: (call: Call) => Promise<T>): Promise<T>
  /** Like `ask`; what fails is thrown as an error of the protocol (`ProtocolError`), with its code. */
  askProtocol<T>(extra: Extra, question: (call: Call) => Promise<T>): Promise<T>
  /** To be called when the client's folders may have changed: they are asked for again with the next request. */
  forgetRoots(): void
  /** Resolves when no request is under way. */
  idle(): Promise<void>
}

/** Characters of an error's sentence, which may repeat a caller's input. */
const MOST_OF_AN_ERROR = 1_000
/** How long a client may take to name its folders before it counts as having none. */
const ROOTS_LIMIT_MS = 1_000
const MOST_CLIENT_NAME = 40

/** Returns an error as one safe line for the model, at most 1,000 characters. */
export const errorSentence = (error: unknown): string => shortLine(sentenceOf(error), MOST_OF_AN_ERROR)

/** If CAIRN_DEBUG is set, prints an error with its stack to standard error, which clients keep as a log. */
export const debugError = (error: unknown, { surroundings }: Context): void => {
  if ((surroundings.variables['CAIRN_DEBUG'] ?? '') !== '') console.error(error)
}

/**
 * Settles as the promise does, but rejects with `read-failed` at once if the signal is aborted; the work itself goes
 * on.
 */
const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new CairnError('read-failed', 'The call was cancelled.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })

/** Keeps track of running work: `add` returns the promise it is given, `idle` resolves when none is running. */
const createPendingWork = (): { add<T>(work: Promise<T>): Promise<T>; idle(): Promise<void> } => {
  const pending = new Set<Promise<unknown>>()
  return {
    add: (work) => {
      const settled = work.then(
        () => undefined,
        () => undefined,
      )
      pending.add(settled)
      void settled.then(() => pending.delete(settled))
      return work
    },
    idle: async () => {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

/**
 * Returns a function that asks the client for its folders as part of a request. It resolves with their URIs (none for a
 * client without folders), undefined if the client can't tell any; it rejects where the client fails, or takes longer
 * than `ROOTS_LIMIT_MS`.
 */
const rootsOver =
  (server: ProtocolServer, extra: Extra): AskRoots =>
  async () => {
    if (server.getClientCapabilities()?.roots === undefined) return undefined
    // Sent as part of the call, so that it uses the call's own stream over HTTP.
    const { roots } = await extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema, {
      timeout: ROOTS_LIMIT_MS,
    })
    return roots.map(({ uri }) => uri)
  }

/** The client's name for provenance: short and without special characters; "unknown" if it gives none. */
const clientName = (server: ProtocolServer): string =>
  (server.getClientVersion()?.name ?? '').replace(/[^\w.-]+/g, '-').slice(0, MOST_CLIENT_NAME) || 'unknown'

/** Returns a failure as an error of the protocol: not found for `not-found` and `ambiguous`, else internal. */
const asProtocolError = (error: unknown): ProtocolError =>
  new ProtocolError(
    CairnError.is(error) && (error.code === 'not-found' || error.code === 'ambiguous')
      ? RESOURCE_NOT_FOUND
      : INTERNAL_ERROR,
    errorSentence(error),
  )

/**
 * Creates what answers the requests of one client, over the store that its server uses. An aborted request rejects at
 * once; `idle` resolves when no request is running.
 */
export const createRequests = (
  server: ProtocolServer,
  { store, privacy, options, context }: Pick<McpServerInput, 'store' | 'privacy' | 'options' | 'context'>,
): Requests => {
  const projects = createClientProjects(options, context)
  const pending = createPendingWork()

  /** What a tool may use during one request, over this engine. */
  const callOver = async (engine: Engine, extra: Extra): Promise<Call> => {
    const askRoots = rootsOver(server, extra)
    const { timezone } = await context.settings(options)
    return {
      engine,
      signal: extra.signal,
      client: clientName(server),
      now: context.now(),
      timeZone: timezone.value,
      longTermMemory: privacy.longTermMemory,
      project: (asked) => projects.of(asked, engine, askRoots),
      ownProject: () => projects.own(engine, askRoots),
      isEverywhere: projects.isEverywhere,
      filterProject: (asked) => projects.filter(asked, engine),
      sourceFolder: (asked) =>
        sourceFolderOf(asked, {
          options,
          context,
          askRoots,
          findProject: (name) => projects.of(name, engine, askRoots),
        }),
      home: context.surroundings.home,
      dataFolder: dataFolder(context.surroundings),
    }
  }

  /** As {@link Requests} says; rejects as the store and the question do, with `read-failed` once it is cancelled. */
  const ask = <T>(extra: Extra, question: (call: Call) => Promise<T>): Promise<T> =>
    pending.add(
      unlessAborted(
        store.use(async (engine) => question(await callOver(engine, extra))),
        extra.signal,
      ),
    )

  return {
    ask,
    askProtocol: async (extra, question) => {
      try {
        return await ask(extra, question)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        debugError(error, context)
        throw asProtocolError(error)
      }
    },
    forgetRoots: () => projects.forgetRoots(),
    idle: () => pending.idle(),
  }
}
