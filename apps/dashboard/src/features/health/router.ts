/** The procedures of the page on the store's health. */
import 'server-only'
import { KEPT_QUARTERS } from '@cairn/core'
import type { CleanUpReport } from '@cairn/core'
import { backupsAt } from '@cairn/storage-prisma/backups'
import { z } from 'zod'
import { fromStore, storeAddress } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { procedure, router } from '../../trpc/init.ts'
import { backupsView } from './backup-view.ts'
import { withSessions } from './skip-sessions.ts'

const QUARTERS_PER_HOUR = 4
/** Left out of imports: rows that are shown. */
const MOST_SKIPS = 50

/** Returns when the last clean-up was, what it removed by kind, and what could not be done; null if there was none. */
const cleanUpView = (report: CleanUpReport | undefined) =>
  report === undefined
    ? null
    : { at: report.at, rows: report.rows.filter(({ removed }) => removed > 0), problems: report.problems }

/** The procedures about the store's health; they only read. */
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
        const engine = engineOf(store)
        const skips = await store.imports.skips()
        return {
          health: await engine.health.report(input),
          replica: await store.health.replicaLag(),
          backups: backupsView(backupsAt(storeAddress(), process.cwd(), Date.now())),
          cleanUp: cleanUpView(await engine.cleanUp.last()),
          sizes: await store.health.tableSizes(),
          statistics: await store.statistics(),
          skips: await withSessions(skips.slice(0, MOST_SKIPS), store),
          skipCount: skips.length,
        }
      }),
    ),
})
