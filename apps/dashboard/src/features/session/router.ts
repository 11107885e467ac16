/** The procedures of one session's page. */
import 'server-only'
import { readImageUrl, readWholeEntry } from '@cairn/core/conversation'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { ORDERS } from '../../components/sorting.ts'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { procedure, router } from '../../trpc/init.ts'
import { sessionFiles } from '../files/files-query.ts'
import { FILE_SORTS, FILE_STATES } from '../files/sorts.ts'
import { projectNames } from '../usage/store-project-names.ts'
import { findInSession } from './find-query.ts'
import { matchesInEntry } from './match-query.ts'
import { createLogFacts } from './log-facts.ts'
import { REQUEST_SORTS } from './sorts.ts'
import { entryPage, requestPage, sessionContext, sessionHead } from './session-queries.ts'
import { timelineView } from './timeline-view.ts'

const id = z.string().min(1).max(4_096)
const seq = z.int().min(0).max(1_000_000_000)
const logFactsOf = createLogFacts()

/** Returns the value, for a session that has to be there. @throws TRPCError NOT_FOUND for undefined */
const found = <T>(value: T | undefined): T => {
  if (value === undefined)
    throw new TRPCError({ code: 'NOT_FOUND', message: 'There is no such session, or it was deleted.' })
  return value
}

/** The procedures about one session; they only read. */
export const sessionRouter = router({
  head: procedure
    .input(z.object({ id }))
    .query(({ input }) =>
      fromStore(async (store) => found(await sessionHead(store, input.id, Date.now(), await projectNames(store)))),
    ),
  entries: procedure
    .input(z.object({ id, page: z.int().min(0).max(10_000_000) }))
    .query(({ input }) => fromStore((store) => entryPage(store.sessions, input.id, input.page))),
  entry: procedure
    .input(z.object({ id, seq }))
    .query(({ input }) => fromStore(async (store) => found(await readWholeEntry(store.sessions, input.id, input.seq)))),
  image: procedure
    .input(z.object({ id, seq, position: z.tuple([z.int().min(0), z.int().min(0).nullable()]) }))
    .query(({ input }) =>
      fromStore(async (store) => found(await readImageUrl(store.sessions, input.id, input.seq, input.position))),
    ),
  context: procedure
    .input(z.object({ id }))
    .query(({ input }) => fromStore((store) => sessionContext(store.usage, input.id))),
  requests: procedure
    .input(
      z.object({
        id,
        page: z.int().min(1).max(1_000_000),
        sort: z.enum(REQUEST_SORTS),
        order: z.enum(ORDERS),
        request: z.int().min(1).max(1_000_000_000).optional(),
      }),
    )
    .query(({ input }) => fromStore((store) => requestPage(store.usage, input))),
  find: procedure
    .input(z.object({ id, text: z.string().max(200), isAny: z.boolean().optional() }))
    .query(({ input }) => fromStore((store) => findInSession(store.search, input.id, input.text, input.isAny))),
  matches: procedure
    .input(z.object({ id, seq, text: z.string().max(200) }))
    .query(({ input }) => fromStore((store) => matchesInEntry(store.sessions, input.id, input.seq, input.text))),
  timeline: procedure
    .input(z.object({ id }))
    .query(({ input }) => fromStore(async (store) => timelineView(await engineOf(store).insights.outline(input.id)))),
  files: procedure
    .input(
      z.object({
        id,
        sort: z.enum(FILE_SORTS),
        order: z.enum(ORDERS),
        state: z.enum(FILE_STATES),
        page: z.int().min(1).max(1_000_000),
        isAll: z.boolean(),
      }),
    )
    .query(({ input }) =>
      fromStore(async (store) => sessionFiles(store, found(await store.sessions.get(input.id)), input)),
    ),
  outline: procedure
    .input(z.object({ id }))
    .query(({ input }) =>
      fromStore(async (store) => logFactsOf(store.sessions, found(await store.sessions.get(input.id)))),
    ),
})
