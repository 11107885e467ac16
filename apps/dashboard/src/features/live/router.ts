/** Tells the page cheaply whether the store has changed, so that it asks for sums only then; and who fills it. */
import 'server-only'
import { storeRevision } from '../../store/dashboard-store.ts'
import { watchStatus } from '../../store/watch-status.ts'
import { procedure, router } from '../../trpc/init.ts'

/** The procedures that tell whether the store changed, and who follows transcripts. */
export const liveRouter = router({
  revision: procedure.query(() => storeRevision()),
  watching: procedure.query(() => watchStatus()),
})
