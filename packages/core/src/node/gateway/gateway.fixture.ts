/** For tests: a gateway over a store in memory, in front of the tests' model server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore } from '../../in-memory/index.ts'
import type { PolicyName } from '../../context/policies/registry.ts'
import type { Store } from '../../ports/store.ts'
import { createSystemClock } from '../clock.ts'
import { createFileSystem } from '../file-system.ts'
import { createHasher } from '../hasher.ts'
import { createIds } from '../ids.ts'
import { createAccess } from './access.ts'
import { startGateway, type GatewayInput } from './gateway.ts'
import { createRequestPolicy } from './policy/request-policy.ts'
import { createRecorder, type FinishedExchange, type RecordedExchange, type RecorderDeps } from './recorder.ts'

export interface TestGateway {
  readonly url: string
  readonly store: Store
  /** An empty home, where agents would keep transcripts. */
  readonly home: string
  readonly recorded: readonly RecordedExchange[]
  readonly failures: readonly unknown[]
  /** What the policy told. */
  readonly told: readonly string[]
  openExchanges(): number
  /** Resolves when so many exchanges were recorded in all. Rejects after a minute. */
  untilRecorded(count: number): Promise<readonly RecordedExchange[]>
  close(): Promise<void>
}

export interface TestGatewayOptions extends Partial<Pick<RecorderDeps, 'folder'>> {
  /** Default a new one. */
  readonly store?: Store
  readonly upstream: string
  readonly input?: Partial<Pick<GatewayInput, 'admit' | 'port' | 'access'>>
  /** The policy that requests are under. */
  readonly policy?: PolicyName
  /** ms */
  readonly now?: () => number
  readonly importTranscript?: (agent: string, path: string) => Promise<void>
  /** Told of each exchange before it is recorded. */
  readonly spent?: (recording: ReturnType<ReturnType<typeof createRecorder>['record']>) => void
}

const PATIENCE_MS = 60_000

export const startTestGateway = async ({
  upstream,
  input = {},
  spent,
  policy,
  now,
  importTranscript = () => Promise.resolve(),
  ...own
}: TestGatewayOptions): Promise<TestGateway> => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-gateway-'))
  const store = own.store ?? createInMemoryStore()
  const clock = now === undefined ? createSystemClock() : { now }
  const recorder = createRecorder({
    clock,
    hasher: createHasher(),
    ids: createIds(clock),
    fileSystem: createFileSystem(),
    prices: {},
    environment: { home, platform: 'linux', variables: { CAIRN_HOME: join(home, 'data') } },
    folder: '/code/app',
    ...own,
    store,
  })
  const told: string[] = []
  const requestPolicy =
    policy === undefined
      ? undefined
      : createRequestPolicy({
          policy,
          recorder,
          store,
          hasher: createHasher(),
          prices: {},
          importTranscript,
          tell: (sentence) => void told.push(sentence),
          now: () => clock.now(),
        })
  const recorded: RecordedExchange[] = []
  const failures: unknown[] = []
  const waiting = new Set<() => void>()
  const exchanged = async (finished: Promise<FinishedExchange>): Promise<void> => {
    try {
      const recording = recorder.record(await finished)
      spent?.(recording)
      recorded.push(await recording.written)
    } catch (error) {
      failures.push(error)
    }
    for (const look of waiting) look()
  }
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    upstreams: {
      anthropic: new URL(upstream),
      responses: new URL(`${upstream}/v1`),
      chat: new URL(`${upstream}/v1`),
    },
    access: (port) => createAccess({ hostNames: new Set([`127.0.0.1:${port}`]), token: undefined }),
    exchanged: (finished) => void exchanged(finished),
    now: () => clock.now(),
    policy: requestPolicy,
    ...input,
  })
  return {
    url: `http://127.0.0.1:${gateway.port}`,
    store,
    home,
    recorded,
    failures,
    told,
    openExchanges: gateway.openExchanges,
    untilRecorded: (count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${recorded.length} of ${count} were recorded; failed: ${failures.join()}`)),
          PATIENCE_MS,
        )
        const look = (): void => {
          if (recorded.length + failures.length < count) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(recorded)
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      await gateway.close()
      await recorder.end()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
