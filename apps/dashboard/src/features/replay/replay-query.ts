/** Asks for a replay of a stored session: what it is made of, and which of those made before will do. */
import { allInputTokens } from '@cairn/core'
import type { SessionStorage, SessionSummary, StoredRequest, UsageStorage } from '@cairn/core'
import { WINDOW_TOKENS } from './choice.ts'
import type { ReplayChoice } from './choice.ts'
import type { Progress } from './progress.ts'
import type { KeptReplay, Replays } from './replays.ts'
import type { ReplayOrder, ReplayOutcome } from './replay-session.ts'

/** Runs one replay; rejects with the signal's reason once it is aborted. */
type RunReplay = (
  sessions: Pick<SessionStorage, 'read'>,
  order: ReplayOrder,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
) => Promise<ReplayOutcome>

/** What a replay needs. */
interface ReplayDeps {
  readonly store: { readonly sessions: Pick<SessionStorage, 'read'>; readonly usage: Pick<UsageStorage, 'requests'> }
  readonly replays: Replays
  readonly run: RunReplay
  readonly now: () => number
}

/**
 * Returns a key that is the same for replays of the same session under the same choice: their results differ only if
 * the log does (see {@link versionOf}).
 */
export const replayKey = (id: string, { policy, preset, window }: ReplayChoice): string =>
  JSON.stringify([id, policy, policy === 'cache-aware' ? preset : '', window])

/** Returns a text that changes whenever the session's log has grown. */
export const versionOf = ({
  entries,
  updatedAt,
  requests,
}: Pick<SessionSummary, 'entries' | 'updatedAt' | 'requests'>): string => `${entries} ${requests} ${updatedAt ?? ''}`

/**
 * Returns the model that most requests went to (of equal ones the newer; null without requests), and the largest input
 * that it got, in tokens.
 * @param requests of the main conversation, in their order
 */
export const mainModel = (requests: readonly StoredRequest[]): Pick<ReplayOrder, 'model' | 'largestInput'> => {
  const counts = new Map<string, number>()
  for (const { model } of requests) counts.set(model, (counts.get(model) ?? 0) + 1)
  let model: string | null = null
  for (const request of requests)
    if (model === null || (counts.get(request.model) ?? 0) >= (counts.get(model) ?? 0)) model = request.model
  return {
    model,
    largestInput: requests.reduce(
      (most, request) => (request.model === model ? Math.max(most, allInputTokens(request)) : most),
      0,
    ),
  }
}

/**
 * Returns the replay of a session: a finished one that still holds, one that is running for somebody else, or a new
 * one. Rejects as the replay does, and with the signal's reason once it is aborted.
 */
export const replayOf = (
  { store, replays, run, now }: ReplayDeps,
  session: SessionSummary,
  choice: ReplayChoice,
  signal: AbortSignal | undefined,
): Promise<KeptReplay> =>
  replays.get(
    {
      key: replayKey(session.id, choice),
      version: versionOf(session),
      /** Replays the session's main conversation, without its subagents, with the chosen policy; `aborted` ends it. */
      run: async (onProgress, aborted) => {
        const main = (await store.usage.requests(session.id)).filter(({ subagent }) => subagent === null)
        const order: ReplayOrder = {
          session: session.id,
          policy: choice.policy,
          preset: choice.preset,
          window: WINDOW_TOKENS[choice.window] ?? null,
          ...mainModel(main.filter((request) => allInputTokens(request) > 0)),
          requests: main,
          now: now(),
        }
        return run(store.sessions, order, onProgress, aborted)
      },
    },
    signal,
  )
