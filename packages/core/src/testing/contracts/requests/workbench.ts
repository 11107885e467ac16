/** What the suites of recorded requests have: an engine over a store, a server, and a model of each wire that asks it. */
import { createEngine, type Engine } from '../../../engine.ts'
import { createHasher } from '../../../node/hasher.ts'
import type { ContentBlock, ToolResultBlock } from '../../../messages.ts'
import type { LanguageModel } from '../../../ports/language-model.ts'
import { mapTokens, tokenCount, type TokenSums } from '../../../ports/price-book.ts'
import type { Store } from '../../../ports/store.ts'
import { createLanguageModel } from '../../../providers/index.ts'
import type { PriceOverride } from '../../../usage/price-book.ts'
import { createTestClock, type TestClock } from '../../fakes/clock.ts'
import { createInMemoryFileSystem } from '../../fakes/file-system.ts'
import { createSequentialIds } from '../../fakes/ids.ts'
import {
  DEFAULT_MODELS,
  startModelServer,
  type BilledTokens,
  type ModelServer,
  type ModelServerOptions,
  type Prices,
  type WireName,
} from '../../model-server/index.ts'
import { testsOn, type OpenStore, type TestApi } from '../test-api.ts'

/** A wire with a model that is asked over it. */
export interface Asked {
  readonly wire: WireName
  /** As `createLanguageModel` knows it. */
  readonly provider: string
  readonly model: string
  /** The model reasons, and wants its reasoning back. */
  readonly thinks: boolean
}

export const ASKED: readonly Asked[] = [
  { wire: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-5', thinks: true },
  // Its signatures are bound to the conversation.
  { wire: 'anthropic', provider: 'anthropic', model: 'claude-opus-5-5', thinks: true },
  { wire: 'openai-responses', provider: 'openai', model: 'gpt-5.6', thinks: true },
  { wire: 'openai-chat', provider: 'openai-chat', model: 'gpt-4.1', thinks: false },
  { wire: 'gemini', provider: 'google', model: 'gemini-3-pro', thinks: true },
]

interface Workbench {
  readonly store: Store
  readonly server: ModelServer
  readonly clock: TestClock
  readonly model: LanguageModel
  /** The same with the key of another account. */
  modelWith(key: string): LanguageModel
  /** Another engine over the same store, as after a restart. */
  engine(): Engine
  /** One over another store. */
  engineOver(store: Store): Engine
}

export type RequestTest = (
  name: string,
  asked: Asked,
  body: (bench: Workbench) => Promise<void>,
  options?: ModelServerOptions,
) => void

export interface RequestSuite {
  readonly expect: TestApi['expect']
  readonly test: RequestTest
}

const TIMEOUT_MS = 240_000

/**
 * A function that defines tests with a store, a server and a model of their own. No connection may be left open, and
 * everything is closed at the end.
 */
export const requestTests =
  (api: TestApi, open: OpenStore): RequestTest =>
  (name, asked, body, options = {}) =>
    testsOn(api, open)(
      `${name}: ${asked.model} over ${asked.wire}`,
      async (store) => {
        const clock = createTestClock()
        const server = await startModelServer({ models: DEFAULT_MODELS, clock: clock.now, ...options })
        const ids = createSequentialIds()
        const engineOver = (over: Store): Engine =>
          createEngine({
            store: over,
            fileSystem: createInMemoryFileSystem({}),
            hasher: createHasher(),
            clock,
            ids,
            prices: PRICES,
          })
        try {
          const engine = (): Engine => engineOver(store)
          const modelWith = (key: string): LanguageModel => modelOf(asked, server, key)
          await body({ store, server, clock, model: modelOf(asked, server), modelWith, engine, engineOver })
          await server.untilNoSockets()
        } finally {
          await server.close()
        }
      },
      TIMEOUT_MS,
    )

/** A model that waits for nothing between its attempts. */
const modelOf = ({ wire, provider }: Asked, { url }: ModelServer, apiKey = 'test-key'): LanguageModel =>
  createLanguageModel({
    provider,
    apiKey,
    baseUrl: wire.startsWith('openai') ? `${url}/v1` : url,
    retries: { sleep: async () => undefined },
  })

/** The server's prices as a user's own; USD per million tokens. */
const overrideOf = (prices: Prices): PriceOverride => {
  const { cacheRead, cacheWrite5m, cacheWrite1h, cacheWrite30m, cacheWrite12h } = prices
  return {
    input: Number(prices.input),
    output: Number(prices.output),
    cacheRead: Number(cacheRead),
    ...(cacheWrite5m === undefined ? {} : { cacheWrite5m: Number(cacheWrite5m) }),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h: Number(cacheWrite1h) }),
    ...(cacheWrite30m === undefined ? {} : { cacheWrite30m: Number(cacheWrite30m) }),
    ...(cacheWrite12h === undefined ? {} : { cacheWrite12h: Number(cacheWrite12h) }),
  }
}

/** The server's prices, as a user would set them. */
const PRICES = Object.fromEntries(DEFAULT_MODELS.map(({ name, prices }) => [name, overrideOf(prices)]))

/** Every count of a request, 0 where it was left out. */
export const countsIn = (tokens: Partial<BilledTokens>): TokenSums => mapTokens((field) => tokenCount(tokens, field))

/**
 * Results of a reply's calls, in their order; `text` makes what each found, counted from 0. Every third says that it
 * failed.
 */
export const resultsOf = (
  content: readonly ContentBlock[],
  text: (call: number) => string,
): readonly ToolResultBlock[] =>
  content
    .filter((block) => block.type === 'tool_call')
    .map(({ id }, call) => ({
      type: 'tool_result',
      callId: id,
      content: [{ type: 'text', text: text(call) }],
      ...(call % 3 === 2 ? { isError: true } : {}),
    }))
