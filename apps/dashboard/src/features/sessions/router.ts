/** The procedures of the list of sessions. */
import 'server-only'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { projectNames } from '../usage/store-project-names.ts'
import { sumView } from '../usage/table-view.ts'
import { sessionListInput } from './list-query.ts'
import { isNarrowed, sharedPage } from './period-shares.ts'
import { sharedRow } from './session-row.ts'

const pageInput = sessionListInput.extend({ page: z.int().min(1).max(1_000_000) })

/** The procedures about the list of sessions; they only read. */
export const sessionsRouter = router({
  page: procedure.input(pageInput).query(({ input: { page: wanted, ...input } }) =>
    fromStore(async (store) => {
      const { sessions, shares, subagents, count, page, total } = await sharedPage(store, input, wanted, Date.now())
      const { requests, cost } = sumView(total)
      const names = await projectNames(store)
      return {
        rows: sessions.map((session) => sharedRow(session, shares.get(session.id), subagents.get(session.id), names)),
        count,
        page,
        total: { requests, cost },
        isNarrowed: isNarrowed(input.selection),
      }
    }),
  ),
})
