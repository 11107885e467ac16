/** The procedures of memory, notes and profile. Those that change something are all here: bin/serve.mjs lets no others pass. */
import 'server-only'
import { CairnError, MEMORY_KINDS } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { checkedOutBranch, headCommit } from '@cairn/core/node'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { fromStore } from '../../store/dashboard-store.ts'
import { engineOf } from '../../store/engine-of.ts'
import { procedure, router, writing } from '../../trpc/init.ts'
import { isWritable } from '../../security/is-writable.ts'
import {
  assertProject,
  entryDetails,
  memoryEntries,
  memorySuggestions,
  notesPage,
  projectChoices,
} from './memory-query.ts'
import { noteView } from './memory-view.ts'

const id = z.string().min(1).max(100)
const project = z.string().min(1).max(4_096)
const text = z.string().max(200)
const page = z.int().min(1).max(1_000_000)
/** The engine says what is too long, in words. */
const written = z.string().max(2_000_000)
const confidence = z.number().min(0).max(1)

/** What the engine says of what it is given, and what the answer's status is then. */
const STATUS: ReadonlyMap<string, 'BAD_REQUEST' | 'NOT_FOUND'> = new Map([
  ['invalid-input', 'BAD_REQUEST'],
  ['ambiguous', 'BAD_REQUEST'],
  ['unsupported', 'BAD_REQUEST'],
  ['not-found', 'NOT_FOUND'],
])

/**
 * Asks the engine. What it refuses is answered with its own sentence and a matching status, not as a fault of the
 * store.
 */
const ask = async <T>(work: (engine: Engine) => Promise<T>): Promise<T> => {
  try {
    return await fromStore((store) => work(engineOf(store)))
  } catch (error) {
    const code = CairnError.is(error) ? STATUS.get(error.code) : undefined
    throw code === undefined ? error : new TRPCError({ code, cause: error })
  }
}

/**
 * Returns the branch that is checked out in a project; undefined if there is none. Rejects with `not-found` for a
 * project that the store does not know.
 */
const branchOf = async (engine: Engine, workspace: string): Promise<string | undefined> => {
  await assertProject(engine, workspace)
  return checkedOutBranch(workspace)
}

/** Returns the query for a branch; empty without one. */
const queryOf = (branch: string | undefined) => (branch === undefined ? {} : { branch })

/** The procedures about what is remembered; changes only pass where the dashboard may write. */
export const memoryRouter = router({
  projects: procedure.query(() =>
    ask(async (engine) => ({
      projects: await projectChoices(engine),
      isWritable: isWritable(),
      isRemembering: engine.privacy.longTermMemory,
    })),
  ),
  entries: procedure
    .input(
      z.object({
        project: project.optional(),
        kind: z.enum(MEMORY_KINDS).optional(),
        isEnded: z.boolean().optional(),
        text,
        page,
      }),
    )
    .query(({ input }) => ask((engine) => memoryEntries(engine, input))),
  entry: procedure.input(z.object({ id })).query(({ input }) => ask((engine) => entryDetails(engine, input.id))),
  suggestions: procedure
    .input(z.object({ project }))
    .query(({ input }) =>
      ask(async (engine) => memorySuggestions(engine, input.project, await branchOf(engine, input.project))),
    ),
  notes: procedure
    .input(z.object({ project: project.optional(), text, page }))
    .query(({ input }) => ask((engine) => notesPage(engine, input))),
  note: procedure
    .input(z.object({ project, key: z.string().min(1).max(512) }))
    .query(({ input }) =>
      ask(async (engine) => noteView(await engine.notes.get(input.project, input.key), Number.POSITIVE_INFINITY)),
    ),
  profile: procedure.query(() => ask((engine) => engine.profile.show())),

  confirm: writing
    .input(z.object({ id, applied: z.boolean() }))
    .mutation(({ input }) => ask((engine) => engine.memory.confirm(input.id, { applied: input.applied }))),
  contradict: writing.input(z.object({ id, replacement: written.optional() })).mutation(({ input }) =>
    ask(async (engine) => {
      if (input.replacement === undefined) {
        await engine.memory.contradict(input.id)
        return null
      }
      const commit = await headCommit((await engine.memory.get(input.id)).workspace)
      const { id: newId } = await engine.memory.contradict(
        input.id,
        input.replacement,
        commit === undefined ? {} : { commit },
      )
      return newId
    }),
  ),
  update: writing
    .input(
      z.object({
        id,
        text: written.optional(),
        kind: z.enum(MEMORY_KINDS).optional(),
        confidence: confidence.optional(),
      }),
    )
    .mutation(({ input: { id: wanted, text: newText, kind, confidence: sure } }) =>
      ask(async (engine) => {
        await engine.memory.update(wanted, {
          ...(newText === undefined ? {} : { text: newText }),
          ...(kind === undefined ? {} : { kind }),
          ...(sure === undefined ? {} : { confidence: sure }),
        })
      }),
    ),
  forget: writing.input(z.object({ id })).mutation(({ input }) => ask((engine) => engine.memory.forget(input.id))),
  accept: writing.input(z.object({ project, id })).mutation(({ input }) =>
    ask(async (engine) => {
      const branch = await branchOf(engine, input.project)
      const { entry } = await engine.suggestions.accept(input.project, input.id, queryOf(branch))
      return entry.id
    }),
  ),
  dismiss: writing.input(z.object({ project, id })).mutation(({ input }) =>
    ask(async (engine) => {
      const branch = await branchOf(engine, input.project)
      await engine.suggestions.dismiss(input.project, input.id, queryOf(branch))
    }),
  ),
  setNote: writing.input(z.object({ project, key: z.string(), text: written })).mutation(({ input }) =>
    ask(async (engine) => {
      await assertProject(engine, input.project)
      await engine.notes.set(input.project, input.key, input.text)
    }),
  ),
  deleteNote: writing
    .input(z.object({ project, key: z.string() }))
    .mutation(({ input }) => ask((engine) => engine.notes.delete(input.project, input.key))),
  setProfile: writing
    .input(z.object({ key: z.string(), text: written }))
    .mutation(({ input }) => ask((engine) => engine.profile.set(input.key, input.text))),
  enableProfile: writing
    .input(z.object({ isEnabled: z.boolean() }))
    .mutation(({ input }) => ask((engine) => engine.profile.enable(input.isEnabled))),
})
