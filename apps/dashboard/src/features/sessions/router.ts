/** The procedures of the list of sessions. */
import 'server-only'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { listSessions, sessionListInput } from './list-query.ts'
import { sessionRow } from './session-row.ts'
import { SESSION_PAGE_ROWS } from './sorts.ts'

const pageInput = sessionListInput.extend({ page: z.int().min(1).max(1_000_000) })

export const sessionsRouter = router({
  page: procedure.input(pageInput).query(({ input: { page, ...input } }) =>
    fromStore(async (store) => {
      const { sessions, total } = await listSessions(store.sessions, input, { offset: (page - 1) * SESSION_PAGE_ROWS, limit: SESSION_PAGE_ROWS }, Date.now())
      return { rows: sessions.map(sessionRow), count: total }
    }),
  ),
})
