/** The procedures of the page on the store's health. */
import 'server-only'
import { KEPT_QUARTERS, healthReport, quarterOf } from '@cairn/core'
import type { CleanUpRecord } from '@cairn/core'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'

const QUARTERS_PER_HOUR = 4

const cleanUpReport = z.object({
  rows: z.array(z.object({ kind: z.string(), removed: z.number(), reason: z.string() })),
})

/** When the last clean-up was, and what it removed by kind; null when there was none, or its report is of another form. */
const cleanUpView = (record: CleanUpRecord | undefined) => {
  if (record === undefined) return null
  try {
    const { rows } = cleanUpReport.parse(JSON.parse(record.report))
    return { at: record.at, rows: rows.filter(({ removed }) => removed > 0) }
  } catch {
    return null
  }
}

export const healthRouter = router({
  report: procedure
    .input(
      z.object({
        hours: z
          .int()
          .min(1)
          .max(KEPT_QUARTERS / QUARTERS_PER_HOUR),
      }),
    )
    .query(({ input }) =>
      fromStore(async (store) => {
        const now = quarterOf(Date.now())
        const samples = await store.health.since(now - input.hours * QUARTERS_PER_HOUR + 1)
        const { location, totalBytes } = await store.statistics()
        return {
          health: healthReport(samples, now),
          cleanUp: cleanUpView(await store.cleanUp.last()),
          sizes: await store.health.tableSizes(),
          location,
          totalBytes,
        }
      }),
    ),
})
