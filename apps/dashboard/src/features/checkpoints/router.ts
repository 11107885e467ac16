/** The procedures of checkpoints. */
import 'server-only'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { CheckpointRecord } from '@cairn/core'
import { fromStore } from '../../store/dashboard-store.ts'
import { snapshotsHere } from '../../store/snapshots-here.ts'
import { procedure, router } from '../../trpc/init.ts'
import { checkpointChanges, checkpointPatch } from './changes-query.ts'
import { projectCheckpoints, sessionCheckpoints } from './checkpoints-query.ts'

const page = z.int().min(1).max(1_000_000)
const text = z.string().min(1).max(4_096)
const checkpointId = z.string().regex(/^[\w-]{1,64}$/)

/**
 * Returns what the store has on record; rejects with `NOT_FOUND` where there is none. Git is asked elsewhere, as its
 * faults are none of the store's.
 */
const recordOf = (id: string): Promise<CheckpointRecord> =>
  fromStore(async ({ checkpoints }) => {
    const record = await checkpoints.get(id)
    if (record === undefined)
      throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such checkpoint, or it was removed.' })
    return record
  })

/** The procedures about checkpoints; they only read. */
export const checkpointsRouter = router({
  ofSession: procedure.input(z.object({ id: text, page })).query(({ input }) =>
    fromStore(async (store) => {
      const session = await store.sessions.get(input.id)
      if (session === undefined)
        throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such session, or it was deleted.' })
      return sessionCheckpoints(store, session, input.page)
    }),
  ),
  ofProject: procedure
    .input(z.object({ project: text.optional(), page }))
    .query(({ input }) => fromStore((store) => projectCheckpoints(store, input))),
  changes: procedure
    .input(z.object({ id: checkpointId, other: checkpointId.optional() }))
    .query(async ({ input }) => checkpointChanges(await recordOf(input.id), input.other, await snapshotsHere())),
  patch: procedure
    .input(z.object({ id: checkpointId, other: checkpointId.optional(), path: text }))
    .query(async ({ input }) => checkpointPatch(await recordOf(input.id), input, await snapshotsHere())),
})
