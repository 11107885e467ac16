/** What the suites are told of a provider, and the test function that they share. */
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../ports/language-model.ts'
import {
  DEFAULT_MODELS,
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
  type WireName,
} from '../../model-server/index.ts'
import { outcomeOf, type Outcome } from './outcome.ts'
import { textMessage } from './requests.ts'
import type { TestApi } from '../test-api.ts'

/** What a provider or its wire may lack. */
export type Capability =
  /** The text of reasoning is shown. */
  | 'thinking'
  /** Reasoning is sealed by the provider and goes back unchanged. */
  | 'signed-thinking'
  | 'tools'
  /** Several calls in one reply. */
  | 'parallel-tools'
  /** A call's arguments come in pieces, so they can be cut. */
  | 'tool-input-pieces'
  | 'forced-tool'
  /** `cacheBreakpoints` have an effect. */
  | 'cache-breakpoints'
  /** What was sent before is read from a cache, without any breakpoint. */
  | 'automatic-cache'
  | 'count-tokens'
  | 'images'
  | 'structured-output'
  /** The provider may pause a reply. */
  | 'pause'
  /** The usage of the input comes before the reply's end. */
  | 'early-usage'
  /** An error answer may say when to ask again. */
  | 'retry-after'
  /** An error tells how long the input was, and may be. */
  | 'overflow-counts'

/** Silence after which the model gives up, ms. */
export interface SubjectTimes {
  readonly firstByteMs?: number
  readonly idleMs?: number
}

export interface LanguageModelSubject {
  readonly name: string
  /** What it speaks: the server's wire. */
  readonly wire: WireName
  /** Makes a model that asks the server at `url` (`http://127.0.0.1:1234`, without a path) with the key. */
  create(url: string, key: string, times: SubjectTimes): LanguageModel
  /** `true`, or why the provider lacks it: that is shown with each test that is left out. */
  readonly capabilities: Readonly<Record<Capability, true | string>>
  /** The model that is asked; default one of the server's for the wire. */
  readonly model?: string
  /** How long the suites wait for a request's end, and for its connection to be closed, ms; default 30 s. */
  readonly patienceMs?: number
}

const MODELS: Readonly<Record<WireName, string>> = {
  anthropic: 'claude-sonnet-5',
  'openai-responses': 'gpt-5.6',
  'openai-chat': 'gpt-4.1',
  gemini: 'gemini-3-pro',
}

/** What each test has. */
export interface Fixture {
  readonly server: ModelServer
  readonly model: LanguageModel
  /** Another one on the same server, with its own times or key. */
  modelWith(times: SubjectTimes, key?: string): LanguageModel
  /** A request with everything that must be there. */
  request(own?: Partial<ModelRequest>): ModelRequest
  /** Asks, and waits until the server has done with it. @throws Error when a connection is left open */
  ask(model: LanguageModel, request: ModelRequest, onEvent?: (event: ModelEvent) => void): Promise<Outcome>
  /** Waits until no connection is open. @throws Error when one is left */
  untilClosed(): Promise<void>
}

export type Test = (
  name: string,
  body: (fixture: Fixture) => Promise<void>,
  rest?: { readonly needs?: readonly Capability[]; readonly server?: ModelServerOptions; readonly timeoutMs?: number },
) => void

export interface Suite {
  readonly subject: LanguageModelSubject
  readonly expect: TestApi['expect']
  readonly test: Test
}

const TIMEOUT_MS = 120_000
const PATIENCE_MS = 30_000

/** The promise, as long as it is settled in so many ms. @throws Error when it takes longer */
const within = async <T>(ms: number, promise: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the request did not end within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The model that a subject is tested with: its own, or the usual one of its wire. */
export const modelNameOf = (subject: LanguageModelSubject): string => subject.model ?? MODELS[subject.wire]

/**
 * A function that defines a test with a server of its own, and looks that no connection is left of it. A test that
 * needs what the subject lacks is shown as skipped, with why.
 */
export const testsOf = (api: TestApi, subject: LanguageModelSubject): Test => {
  const { patienceMs = PATIENCE_MS } = subject
  const run = async (body: (fixture: Fixture) => Promise<void>, options: ModelServerOptions = {}): Promise<void> => {
    const server = await startModelServer({ wires: [subject.wire], models: DEFAULT_MODELS, ...options })
    try {
      const modelWith = (times: SubjectTimes, key = 'test-key') => subject.create(server.url, key, times)
      const request = (own: Partial<ModelRequest> = {}): ModelRequest => ({
        model: modelNameOf(subject),
        messages: [textMessage('user', 'What is two times two?')],
        maxOutputTokens: 2000,
        ...own,
      })
      const untilClosed = () => server.untilNoSockets(patienceMs)
      const ask: Fixture['ask'] = async (...args) => {
        const outcome = await within(patienceMs, outcomeOf(...args))
        await untilClosed()
        return outcome
      }
      await body({ server, model: modelWith({}), modelWith, request, ask, untilClosed })
      await untilClosed()
    } finally {
      await server.close()
    }
  }
  return (name, body, { needs = [], server, timeoutMs = TIMEOUT_MS } = {}) => {
    const missing = needs.find((capability) => subject.capabilities[capability] !== true)
    if (missing === undefined) api.it(name, () => run(body, server), timeoutMs)
    else api.it.skip?.(`${name} (no ${missing}: ${String(subject.capabilities[missing])})`, async () => undefined)
  }
}
