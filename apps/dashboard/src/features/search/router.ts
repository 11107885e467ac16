/** The procedures of the search: one a kind, so that what is found first is shown first. */
import 'server-only'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { procedure, router } from '../../trpc/init.ts'
import { LONGEST_QUERY, MOST_FILES } from './kinds.ts'
import { foundFiles, foundKnowledge, foundMessages, foundNamed, foundSessions } from './search-query.ts'

const input = z.object({ text: z.string().trim().min(1).max(LONGEST_QUERY), limit: z.int().min(1).max(100) })

/** Files are cheap to list: no text of a message is read. */
const filesInput = input.extend({ limit: z.int().min(1).max(MOST_FILES) })

/** The procedures of the search; they only read. */
export const searchRouter = router({
  messages: procedure
    .input(input)
    .query(({ input: query }) => fromStore((store) => foundMessages(engineOf(store), query))),
  sessions: procedure
    .input(input)
    .query(({ input: query }) => fromStore((store) => foundSessions(engineOf(store), query))),
  named: procedure
    .input(input.pick({ text: true }))
    .query(({ input: { text } }) => fromStore((store) => foundNamed(engineOf(store), text))),
  knowledge: procedure
    .input(input)
    .query(({ input: query }) => fromStore((store) => foundKnowledge(engineOf(store), query))),
  files: procedure
    .input(filesInput)
    .query(({ input: query }) => fromStore((store) => foundFiles(engineOf(store), query))),
})
