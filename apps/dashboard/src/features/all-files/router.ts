/** The procedures of the list of files. */
import 'server-only'
import { fromStore } from '../../store/dashboard-store.ts'
import { procedure, router } from '../../trpc/init.ts'
import { fileHistory, fileHistoryInput } from './file-history-query.ts'
import { fileListInput, fileListPage } from './file-list-query.ts'

/** The procedures about files over all sessions; they only read. */
export const filesRouter = router({
  page: procedure
    .input(fileListInput)
    .query(({ input }) => fromStore((store) => fileListPage(store, input, Date.now()))),
  history: procedure.input(fileHistoryInput).query(({ input }) => fromStore((store) => fileHistory(store, input))),
})
