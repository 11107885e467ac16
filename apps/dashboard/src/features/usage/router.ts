/** The procedures of usage. */
import 'server-only'
import { z } from 'zod'
import { dashboardStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { overviewReports } from './overview-query.ts'
import { overviewView } from './overview-view.ts'
import { PERIODS, isTimeZone } from './selection.ts'

const overviewInput = z.object({ period: z.enum(PERIODS), timeZone: z.string().max(100).refine(isTimeZone, 'There is no such time zone.') })

export const usageRouter = router({
  overview: procedure.input(overviewInput).query(async ({ input }) => {
    const store = await dashboardStore()
    return overviewView(await overviewReports(store.usage, { ...input, now: Date.now() }))
  }),
})
