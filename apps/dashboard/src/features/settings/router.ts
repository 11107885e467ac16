/** The procedures of the page on settings. Nothing is changed here. */
import 'server-only'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { settingsInForce } from '../../store/settings-in-force.ts'
import { procedure, router } from '../../trpc/init.ts'
import { settingsReport } from './settings-query.ts'

/** The procedure about settings; it only reads. */
export const settingsRouter = router({
  report: procedure.query(async () => {
    const inForce = await settingsInForce()
    return fromStore((store) => settingsReport(store, engineOf(store).settings, inForce, Date.now()))
  }),
})
