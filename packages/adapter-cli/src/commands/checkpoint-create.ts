/** `cairn checkpoint create`. */
import { relative } from 'node:path'
import { CairnError } from '@cairn/core'
import type { CreatedCheckpoint, Engine, RefusedRoot } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { assertCheckpointsEnabled } from '../options/checkpoints-enabled.ts'
import { openCheckpointFolder } from '../options/checkpoint-root.ts'
import { absentPaths, namedPaths } from '../options/named-paths.ts'
import type { PathOptions } from '../options/named-paths.ts'
import { nameRefused, namedRoots } from '../options/several-roots.ts'
import type { RootsOptions } from '../options/several-roots.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { leftOutLines, shortCheckpointId } from '../output/checkpoint-output.ts'
import { withProgress } from '../terminal/checkpoint-progress.ts'
import { counted, formatBytes, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'

/** The options of `checkpoint create`. */
export interface CreateOptions extends CommonOptions, PathOptions {
  readonly label?: string
  readonly session?: string
  readonly agentSession?: string
  readonly ifChanged?: boolean
}

/**
 * Makes a checkpoint: `{id, at, files, bytes, root, sessionId, label, paths, isNew, changed, leftOut, absent}` as JSON;
 * of several roots `{roots, refused}`. `isNew` is false where none was made (`--if-changed`): the rest is then of the
 * newest. Paths that do not exist are named in `absent`, which is no failure. Rejects with `disabled` if checkpoints
 * are turned off, with `usage` if a path is outside of the folder. Paths together with several roots are `usage`, too.
 */
export const runCreate = async (
  given: readonly string[],
  options: RootsOptions & Omit<CreateOptions, 'workspace'>,
  context: Context,
): Promise<void> => {
  const { workspace: _, ...others } = options
  const roots = namedRoots(options, context) ?? []
  const [only] = roots
  if (roots.length < 2)
    return createOne(given, { ...others, ...(only === undefined ? {} : { workspace: only }) }, context)
  if (given.length > 0 || options.pathsFrom !== undefined)
    throw new CairnError('usage', 'Paths are of one folder; give them with one --workspace. No checkpoint was made.')
  await createSeveral(roots, others, context)
}

/**
 * Returns what a checkpoint is made with, besides its folder; what is not given is left out. Rejects with `not-found`
 * or `ambiguous` for such a session.
 */
const requestOf = async ({ session, agentSession, label, ifChanged }: CreateOptions, engine: Engine) => ({
  ...(agentSession === undefined ? {} : { agentSessionId: agentSession }),
  ...(ifChanged === undefined ? {} : { onlyIfChanged: ifChanged }),
  ...(session === undefined ? {} : { sessionId: (await engine.sessions.find(session)).id }),
  ...(label === undefined ? {} : { label }),
})

/**
 * Makes a checkpoint of one folder and prints it. Rejects with `usage` for paths outside of it, and with `disabled`
 * where checkpoints are switched off.
 */
const createOne = async (given: readonly string[], options: CreateOptions, context: Context): Promise<void> => {
  await assertCheckpointsEnabled(options, context)
  const { engine, root, folder } = await openCheckpointFolder(options, context, true)
  const paths = await namedPaths(given, options, folder)
  const request = await requestOf(options, engine)
  const created = await withProgress(context.terminal, (onProgress) =>
    asUsage(engine.checkpoints.create({ root, onProgress, ...(paths === undefined ? {} : { paths }), ...request })),
  )
  const absent = absentPaths(paths ?? []).map((path) => relative(root, path))
  if (options.json === true) return context.json(createdJson(created, absent))
  await showCreated(created, absent, engine, context)
}

/**
 * Makes a checkpoint of each folder and prints it: `{roots, refused}` as JSON. Folders that fail are named on standard
 * error (exit code 1), and the others are still made; rejects with the first failure if no folder can be opened.
 */
const createSeveral = async (named: readonly string[], options: CreateOptions, context: Context): Promise<void> => {
  const refused: RefusedRoot[] = []
  const roots = new Map<string, Engine>()
  let failure: CairnError | undefined
  for (const workspace of named) {
    try {
      await assertCheckpointsEnabled({ ...options, workspace }, context)
      const { engine, root } = await openCheckpointFolder({ ...options, workspace }, context, true)
      roots.set(root, engine)
    } catch (error) {
      if (!CairnError.is(error)) throw error
      failure ??= error
      refused.push({ root: workspace, code: error.code, message: error.message })
    }
  }
  const [engine] = roots.values()
  if (engine === undefined) throw failure ?? new CairnError('usage', 'No folder was named.')
  const request = await requestOf(options, engine)
  const answer = await withProgress(context.terminal, (onProgress) =>
    asUsage(engine.checkpoints.createAll({ roots: [...roots.keys()], onProgress, ...request })),
  )
  refused.push(...answer.refused)
  if (options.json !== true) for (const created of answer.created) await showCreated(created, [], engine, context)
  await nameRefused(refused, context)
  if (options.json === true)
    await context.json({ roots: answer.created.map((created) => createdJson(created, [])), refused })
}

/** Returns a checkpoint that was made, for `--json`; `absent` are paths that were named and are not in the folder. */
const createdJson = ({ checkpoint, isNew, changed, leftOut }: CreatedCheckpoint, absent: readonly string[]) => ({
  ...checkpoint,
  isNew,
  changed,
  leftOut,
  absent,
})

/**
 * Prints a checkpoint's short id, folder, files and size, how many files changed since the one before, limited and
 * `absent` paths, and what it left out; or only that nothing changed and none was made.
 */
const showCreated = async (
  { checkpoint, isNew, changed, leftOut }: CreatedCheckpoint,
  absent: readonly string[],
  engine: Engine,
  { terminal }: Context,
): Promise<void> => {
  const { id, root, files, bytes, paths } = checkpoint
  if (!isNew)
    return terminal.line(
      `Nothing changed in ${neutraliseLine(root)} since checkpoint ${terminal.style('bold', shortCheckpointId(id))}; none was made.`,
    )
  const isFirst = (await engine.checkpoints.list(root)).length === 1
  await terminal.line(
    `Checkpoint ${terminal.style('bold', shortCheckpointId(id))} of ${neutraliseLine(root)}: ${counted(files, 'file')}, ${formatBytes(bytes)}; ${isFirst ? 'the first of this folder' : `${changed === 0 ? 'nothing changed' : `${counted(changed, 'file')} changed`} since the one before`}.`,
  )
  if (paths !== null)
    await terminal.line(`Only ${counted(paths.length, 'path')} looked at; all else is as it was seen before.`)
  if (absent.length > 0)
    for (const line of wrapLine(`Not in the folder now: ${absentText(absent)}.`, terminal.width))
      await terminal.line(terminal.style('yellow', line))
  for (const line of leftOutLines(leftOut, terminal.width)) await terminal.line(line)
}

/** Paths that a line names; of a long list the first ones. */
const NAMED = 5

/** Returns some paths for people, and the number of others. Cleaned; at most `NAMED`. */
const absentText = (absent: readonly string[]): string => {
  const named = absent.slice(0, NAMED).map(neutraliseLine)
  const more = absent.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${formatWhole(more)} more` : ''}`
}
