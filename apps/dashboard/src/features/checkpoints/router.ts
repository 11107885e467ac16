/** The procedures of checkpoints. */
import 'server-only'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { projectCheckpoints, sessionCheckpoints } from './checkpoints-query.ts'

const page = z.int().min(1).max(1_000_000)
const text = z.string().min(1).max(4_096)

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
})
