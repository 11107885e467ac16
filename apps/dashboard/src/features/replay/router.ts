/** The procedures of a session's replay. */
import 'server-only'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { SessionSummary } from '@cairn/core'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { POLICIES, PRESETS, WINDOW_NAMES } from './choice.ts'
import type { ReplayChoice } from './choice.ts'
import { replayKey, replayOf, versionOf } from './replay-query.ts'
import { removalsView, replayView } from './replay-view.ts'
import type { RemovalsView, ReplayView } from './replay-view.ts'
import { createReplays } from './replays.ts'
import type { KeptReplay } from './replays.ts'
import { runInThread } from './run-in-thread.ts'

const replays = createReplays({ now: () => performance.now() })
const wanted = z.object({
  id: z.string().min(1).max(4_096),
  policy: z.enum(POLICIES),
  preset: z.enum(PRESETS),
  window: z.enum(WINDOW_NAMES),
})

/**
 * Returns the replay of a session; a client that has left gets no answer, and nothing is logged. Rejects with NOT_FOUND
 * for an unknown session.
 */
const replayed = async (
  id: string,
  choice: ReplayChoice,
  signal: AbortSignal | undefined,
): Promise<KeptReplay & { readonly session: SessionSummary }> => {
  try {
    return await fromStore(async (store) => {
      const session = await store.sessions.get(id)
      if (session === undefined)
        throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such session, or it was deleted.' })
      return {
        ...(await replayOf({ store, replays, run: runInThread, now: () => Date.now() }, session, choice, signal)),
        session,
      }
    })
  } catch (error) {
    if (signal?.aborted === true)
      throw new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: 'The page did not wait.' })
    throw error
  }
}

/** The procedures about replays; they only read. */
export const replayRouter = router({
  /** `isCurrent`: the session has not gone on since. */
  run: procedure
    .input(wanted)
    .query(async ({ input: { id, ...choice }, signal }): Promise<ReplayView & { readonly isCurrent: boolean }> => {
      const { outcome, version, session } = await replayed(id, choice, signal)
      return { ...replayView(id, choice, outcome), isCurrent: version === versionOf(session) }
    }),
  progress: procedure
    .input(wanted)
    .query(({ input: { id, ...choice } }) => replays.progress(replayKey(id, choice)) ?? null),
  /** What left before a request, from 1; null where nothing did. */
  removals: procedure
    .input(wanted.extend({ request: z.int().min(1).max(10_000_000) }))
    .query(
      async ({ input: { id, request, ...choice }, signal }): Promise<RemovalsView | null> =>
        removalsView((await replayed(id, choice, signal)).outcome, request) ?? null,
    ),
})
