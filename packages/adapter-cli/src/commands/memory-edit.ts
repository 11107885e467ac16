/** `cairn memory add`, `confirm`, `contradict`, `update` and `forget`. */
import { CairnError, MEMORY_ENDS_BELOW } from '@cairn/core'
import type { MemoryEntry, MemoryKind } from '@cairn/core'
import { headCommit } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'
import { entryLines, shortId } from '../output/memory-output.ts'
import { currentProject, otherProject, projectOf } from '../options/project-option.ts'
import { secretsIn, secretsText } from '../output/replaced-secrets-text.ts'
import { givenText } from '../options/standard-input.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { asUsage } from '../options/wrong-usage.ts'

/** The options of `memory add`. */
export interface AddOptions extends CommonOptions {
  readonly confidence?: number
  readonly example?: readonly string[]
  readonly session?: string
  readonly commit?: string
}

/** The options of `memory confirm`. */
export interface ConfirmOptions extends CommonOptions {
  readonly applied?: boolean
}

/** The options of `memory contradict`. */
export interface ContradictOptions extends CommonOptions {
  readonly replacement?: string
}

/** The options of `memory update`. */
export interface UpdateOptions extends CommonOptions {
  readonly text?: string
  readonly kind?: MemoryKind
  readonly confidence?: number
  readonly example?: readonly string[]
}

/** Prints a sentence about an entry and the entry, with its project if that is not the current one. */
const print = async (sentence: string, entry: MemoryEntry, context: Context): Promise<void> => {
  const { terminal } = context
  const project = otherProject(entry.workspace, await currentProject(context))
  for (const line of wrapLine(`${sentence}${await elsewhere(entry, context)}`, terminal.width))
    await terminal.line(line)
  for (const line of entryLines(entry, shortId(entry.id), terminal, { project })) await terminal.line(line)
}

/** Returns a sentence that names the entry's project; empty for the current one. */
const elsewhere = async ({ workspace }: MemoryEntry, context: Context): Promise<string> => {
  const project = otherProject(workspace, await currentProject(context))
  return project === undefined
    ? ''
    : ` It is an entry of the project ${neutraliseLine(project)}${project === workspace ? '' : ` (${neutraliseLine(workspace)})`}.`
}

/**
 * Adds an entry, or confirms the one with the same text: `{entry, outcome, redactions}` as JSON. `-` reads the text
 * from standard input. The commit is HEAD's unless given. Rejects with `usage` for an empty text.
 */
export const runAdd = async (kind: MemoryKind, given: string, options: AddOptions, context: Context): Promise<void> => {
  if (given.trim() === '')
    throw new CairnError(
      'usage',
      'What is to be remembered? Give a text: cairn memory add discovery "Tests need Redis"',
    )
  const text = await givenText(given)
  const engine = await context.engine(options)
  const workspace = await projectOf(options, engine, context)
  const { confidence, example, session } = options
  const commit = options.commit ?? (await headCommit(workspace))
  const added = await asUsage(
    engine.memory.add({
      workspace,
      kind,
      text,
      source: 'user',
      ...(confidence === undefined ? {} : { confidence }),
      ...(example === undefined ? {} : { examples: example }),
      ...(session === undefined ? {} : { sessionId: (await engine.sessions.find(session)).id }),
      ...(commit === undefined ? {} : { commit }),
    }),
  )
  if (options.json === true) return context.json(added)
  await print(
    `${added.outcome === 'added' ? 'Remembered.' : 'That was known already; it is confirmed.'}${secretsText(added.redactions)}`,
    added.entry,
    context,
  )
}

/**
 * Confirms an entry, with `--applied` as one that helped: `{entry}` as JSON. Rejects with `not-found` or `ambiguous`.
 */
export const runConfirm = async (id: string, options: ConfirmOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.confirm(id, { applied: options.applied === true }))
  if (options.json === true) return context.json({ entry })
  await print(options.applied === true ? 'Confirmed, and counted as applied.' : 'Confirmed.', entry, context)
}

/**
 * Lowers an entry's confidence, and ends it if that is then too low: `{entry}` as JSON; with a replacement, which takes
 * its place, the new one. Rejects with `not-found` or `ambiguous`.
 */
export const runContradict = async (id: string, options: ContradictOptions, context: Context): Promise<void> => {
  const replacement = options.replacement === undefined ? undefined : await givenText(options.replacement)
  const engine = await context.engine(options)
  const commit = replacement === undefined ? undefined : await headCommit((await engine.memory.get(id)).workspace)
  const entry = await asUsage(
    engine.memory.contradict(id, replacement, { ...(commit === undefined ? {} : { commit }) }),
  )
  if (options.json === true) return context.json({ entry })
  const outcome =
    entry.confidence < MEMORY_ENDS_BELOW
      ? 'Contradicted, and ended: nobody is sure of it any more.'
      : 'Contradicted: it is less sure now.'
  await print(
    replacement === undefined
      ? outcome
      : `Replaced; the former entry stays in its history.${secretsText(secretsIn([replacement]))}`,
    entry,
    context,
  )
}

/**
 * Changes the given fields of an entry: `{entry, redactions}` as JSON; the old version stays in the history. Rejects
 * with `usage` if no field is given, `not-found` or `ambiguous`.
 */
export const runUpdate = async (id: string, options: UpdateOptions, context: Context): Promise<void> => {
  const { kind, confidence, example } = options
  const text = options.text === undefined ? undefined : await givenText(options.text)
  const changes = {
    ...(text === undefined ? {} : { text }),
    ...(kind === undefined ? {} : { kind }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(example === undefined ? {} : { examples: example }),
  }
  if (Object.keys(changes).length === 0)
    throw new CairnError('usage', 'What should change? Give --text, --kind, --confidence or --example.')
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.update(id, changes))
  const redactions = secretsIn([text, ...(example ?? [])])
  if (options.json === true) return context.json({ entry, redactions })
  await print(`Changed; the former version stays in the history.${secretsText(redactions)}`, entry, context)
}

/**
 * Ends an entry, given by its id or a part of it, and prints it: `{entry}` as JSON. Its history stays. Rejects with
 * `not-found` or `ambiguous`.
 */
export const runForget = async (id: string, options: CommonOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const entry = await asUsage(engine.memory.forget(id))
  if (options.json === true) return context.json({ entry })
  await print('Forgotten; its history stays.', entry, context)
}
