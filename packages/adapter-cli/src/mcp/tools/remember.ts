/** `remember`: writes to the memory of a project. Nothing is overwritten: former versions stay in the history. */
import type { MemoryEntry, MemoryKind } from '@cairn/core'
import { z } from 'zod'
import { otherProject } from '../../options/project-option.ts'
import { secretsIn, secretsText } from '../../output/replaced-secrets-text.ts'
import { counted } from '../../terminal/format.ts'
import { fitting, named } from '../quoted.ts'
import { WORKSPACE, defineTool, required } from '../tool.ts'
import type { Call, ToolAnswer } from '../tool.ts'
import { entryText } from './memory-text.ts'

const ADDED = {
  add_discovery: 'discovery',
  add_solution: 'solution',
  add_pattern: 'pattern',
  add_workflow: 'workflow',
  add_failure: 'failure',
  add_context_rule: 'context_rule',
} as const satisfies Readonly<Record<string, MemoryKind>>

const DESCRIPTION = `Keep what later sessions of this project should know. One fact an entry, as a whole sentence that is understood without this conversation. Add: add_discovery (a fact about the code), add_solution (a problem and what fixed it), add_pattern (how things are done here), add_workflow (steps that work), add_failure (what does not work, and why), add_context_rule (what to keep in mind). The same again only confirms. Then: confirm (seen to be true again; applied: it helped), contradict (seen to be wrong; replacement: what is true), update, forget, prune (ends old and doubtful entries; only says which unless dry_run is false), consolidate (merges duplicates). Not for secrets, nor for what only matters now (use notes).`

const input = z.strictObject({
  operation: z.enum([
    ...(Object.keys(ADDED) as (keyof typeof ADDED)[]),
    'confirm',
    'contradict',
    'update',
    'forget',
    'prune',
    'consolidate',
  ]),
  text: z.string().min(1).max(8000).optional().describe('add_*, update: the sentence. add_solution: what fixed it.'),
  problem: z.string().min(1).max(4000).optional().describe('add_solution: the error or problem.'),
  id: z
    .string()
    .min(4)
    .max(100)
    .optional()
    .describe("confirm, contradict, update, forget: the entry's id, its beginning or its end."),
  confidence: z.number().min(0).max(1).optional().describe('add_*, update: how sure, 0 to 1.'),
  examples: z
    .array(z.string().min(1).max(500))
    .max(20)
    .optional()
    .describe('add_*, update: where it shows: path:line, or short texts.'),
  session: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('add_*: the session where it was learnt, if you know its id.'),
  commit: z.string().min(4).max(64).optional().describe('add_*: the commit that shows it.'),
  replacement: z.string().min(1).max(8000).optional().describe('contradict: what is true instead.'),
  applied: z.boolean().optional().describe('confirm: it was used to solve something.'),
  dry_run: z.boolean().default(true).describe('prune: only say what would be ended.'),
  max_age_days: z.int().min(1).max(100_000).optional().describe('prune: not confirmed for longer (default 90).'),
  min_confidence: z.number().min(0).max(1).optional().describe('prune: less sure than this (default 0.3).'),
  workspace: WORKSPACE,
})
type Args = z.infer<typeof input>

/** The tool `remember`: writes long-term memory. */
export const remember = defineTool({
  name: 'remember',
  title: 'Write long-term memory',
  description: DESCRIPTION,
  // Forget, prune and contradict end entries, although their history stays.
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input,
  isMemory: true,
  /** The tool `remember`: adds to the memory, or confirms, contradicts, updates and forgets entries. */
  run: async (args, call) => {
    const { operation } = args
    switch (operation) {
      case 'confirm':
        return changed(
          'Confirmed.',
          await call.engine.memory.confirm(idOf(args), { applied: args.applied ?? false }),
          call,
        )
      case 'contradict': {
        const entry = await call.engine.memory.contradict(idOf(args), args.replacement)
        return changed(
          args.replacement === undefined ? 'Its confidence was lowered.' : 'Superseded; this entry stands now.',
          entry,
          call,
          [args.replacement],
        )
      }
      case 'update':
        return update(args, call)
      case 'forget':
        return changed('Forgotten; its history is kept.', await call.engine.memory.forget(idOf(args)), call)
      case 'prune':
        return prune(args, call)
      case 'consolidate': {
        const { merged, entries } = await call.engine.memory.consolidate(await call.project(args.workspace))
        return { head: `${counted(merged.length, 'duplicate')} merged; ${counted(entries, 'entry')} now.` }
      }
      default:
        return add(ADDED[operation], args, call)
    }
  },
})

/**
 * The entry's id, which most operations need.
 * @throws CairnError `invalid-input` if it is missing
 */
const idOf = (args: Args): string => required(args.id, 'remember', args.operation, 'id')

/**
 * The answer after a change: the entry, its project if that is another one, and how many secrets were replaced.
 * `given`: the texts that the call brought.
 */
const changed = async (
  what: string,
  entry: MemoryEntry,
  { ownProject }: Pick<Call, 'ownProject'>,
  given: readonly (string | undefined)[] = [],
): Promise<ToolAnswer> => {
  const project = otherProject(entry.workspace, (await ownProject())?.path ?? '')
  const elsewhere =
    project === undefined
      ? ''
      : ` It is an entry of the project ${named(project)}${project === entry.workspace ? '' : ` (${named(entry.workspace)})`}.`
  return { head: `${what}${elsewhere}${secretsText(secretsIn(given))}`, body: entryText(entry) }
}

/**
 * Adds an entry, or confirms the one with the same text, and returns the answer. For a solution, `problem` is put
 * before the text. Rejects with `invalid-input` without a text, and with `not-found` or `ambiguous` for the session. A
 * cancelled call writes nothing.
 */
const add = async (kind: MemoryKind, args: Args, { engine, client, project, signal }: Call): Promise<ToolAnswer> => {
  const text = required(args.text, 'remember', args.operation, 'text')
  const whole = args.problem === undefined || kind !== 'solution' ? text : `${args.problem.trim()} → ${text.trim()}`
  const workspace = await project(args.workspace)
  const sessionId = args.session === undefined ? undefined : (await engine.sessions.find(args.session)).id
  // A cancelled call writes nothing.
  signal.throwIfAborted()
  const { entry, outcome, redactions } = await engine.memory.add({
    workspace,
    kind,
    text: whole,
    source: `agent:${client}`,
    ...(args.confidence === undefined ? {} : { confidence: args.confidence }),
    ...(args.examples === undefined ? {} : { examples: args.examples }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(args.commit === undefined ? {} : { commit: args.commit }),
  })
  const outcomeText = outcome === 'added' ? `Remembered for ${named(workspace)}.` : 'That was known already: confirmed.'
  return { head: `${outcomeText}${secretsText(redactions)}`, body: entryText(entry) }
}

/**
 * Changes the text, confidence or examples of an entry and returns the answer; what is not given stays. Rejects with
 * `invalid-input` without an id or any change. A cancelled call writes nothing.
 */
const update = async (args: Args, call: Call): Promise<ToolAnswer> => {
  const { engine, signal } = call
  const changes = {
    ...(args.text === undefined ? {} : { text: args.text }),
    ...(args.confidence === undefined ? {} : { confidence: args.confidence }),
    ...(args.examples === undefined ? {} : { examples: args.examples }),
  }
  const id = idOf(args)
  if (Object.keys(changes).length === 0) required(undefined, 'remember', 'update', 'text')
  signal.throwIfAborted()
  return changed('Updated.', await engine.memory.update(id, changes), call, [args.text, ...(args.examples ?? [])])
}

const PRUNED_SHOWN = 30

/**
 * Ends entries that are old, have low confidence or are too many, or with `dry_run` (the default) only says which would
 * end, and returns the answer. As many as fit, and at most 30, are listed.
 */
const prune = async (args: Args, { engine, project, signal }: Call): Promise<ToolAnswer> => {
  const workspace = await project(args.workspace)
  signal.throwIfAborted()
  const report = await engine.memory.prune(workspace, {
    dryRun: args.dry_run,
    ...(args.max_age_days === undefined ? {} : { maxAgeDays: args.max_age_days }),
    ...(args.min_confidence === undefined ? {} : { minConfidence: args.min_confidence }),
  })
  const { pruned, kept, dryRun } = report
  const head = `${counted(pruned.length, 'entry')} of ${named(workspace)} ${dryRun ? 'would be' : 'were'} ended, ${kept} stay.`
  const rows = pruned.slice(0, PRUNED_SHOWN).map(({ entry, why }) => `${entryText(entry)}\n   why: ${why}`)
  const shown = fitting(rows)
  const missing = pruned.length - shown
  return {
    head,
    ...(rows.length === 0 ? {} : { body: rows.slice(0, shown).join('\n') }),
    tail: [
      ...(missing > 0 ? [`${counted(missing, 'more entry')} not listed.`] : []),
      ...(dryRun && pruned.length > 0 ? ['To do it: dry_run false.'] : []),
    ].join('\n'),
  }
}
