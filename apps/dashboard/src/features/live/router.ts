/** Tells the page cheaply whether the store has changed, so that it asks for sums only then. */
import 'server-only'
import { storeRevision } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'

export const liveRouter = router({
  revision: procedure.query(() => storeRevision()),
})
