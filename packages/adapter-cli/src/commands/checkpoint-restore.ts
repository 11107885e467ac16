/** `cairn checkpoint restore` and `cairn checkpoint undo`: shows what would be lost, asks, then restores. */
import { join, relative, sep } from 'node:path'
import { CairnError, leftOutWords, planRewind } from '@cairn/core'
import type {
  Checkpoint,
  CheckpointPreview,
  CheckpointRestored,
  Engine,
  FilesSince,
  RestoredFile,
  RewindPlan,
  RewindTo,
} from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { openCheckpointFolder } from '../options/checkpoint-root.ts'
import type { CheckpointFolder } from '../options/checkpoint-root.ts'
import { absentPaths, namedPaths } from '../options/named-paths.ts'
import type { PathOptions } from '../options/named-paths.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { shortCheckpointId } from '../output/checkpoint-output.ts'
import { withProgress } from '../terminal/checkpoint-progress.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { textWidth } from '../terminal/text-width.ts'
import { wrapLine, wrapSentences } from '../terminal/wrap.ts'

/** The options of `checkpoint restore`. */
export interface RestoreOptions extends CommonOptions, PathOptions {
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly files?: boolean
  readonly conversation?: boolean
  readonly both?: boolean
  readonly only?: 'files' | 'conversation'
}

/** A conversation, and the point to which it is rewound. */
export interface ConversationGoal {
  readonly sessionId: string
  readonly to: RewindTo
  /** Files that were edited since then are named to the agent, where they stay. */
  readonly since: FilesSince
  /** The command that undoes the rewind, ready to paste. */
  readonly undo: string
}

/** What is restored. */
interface Parts {
  readonly files: boolean
  readonly conversation?: ConversationGoal
  /** Only these files. */
  readonly paths?: readonly string[]
}

/** Files of each kind that a preview lists. */
const LISTED = 15

/**
 * Restores a checkpoint: by default its files (all, or the given paths), else the conversation, or both. Shows what
 * would change, and asks only where files would lose their content, unless `--yes`. `{id, restored, removed, undoId,
 * files, untouched, dryRun, conversation}` as JSON. Rejects with `usage` for parts or paths that don't go together,
 * with `file-conflict` if the answer is no or nobody can be asked, with `not-found` if none of the paths can be
 * restored.
 */
export const runRestore = async (
  named: string,
  given: readonly string[],
  options: RestoreOptions,
  context: Context,
): Promise<void> => {
  const { files, conversation } = partsOf(options)
  const folder = await openCheckpointFolder(options, context, true)
  const target = await folder.engine.checkpoints.find(folder.root, named)
  const paths = await namedPaths(given, options, folder.folder)
  if (paths !== undefined && conversation)
    throw new CairnError(
      'usage',
      'Paths are of files; give them without --conversation and --both. Nothing was changed.',
    )
  const parts = { files, ...definedValues({ paths, conversation: conversation ? goalOf(target) : undefined }) }
  await restore(folder, target, parts, options, context)
}

/** The changes of a turn, and the conversation before it. */
export interface TurnGoal {
  /** Has the files as they were before it. */
  readonly checkpointId: string
  /** Relative to the folder; absent: all files are looked at. */
  readonly paths?: readonly string[]
  /** Absent: the conversation stays. */
  readonly conversation?: ConversationGoal
}

/**
 * Restores the files of `paths` (relative to the folder; all files without it) from a turn's checkpoint and, if named,
 * the conversation; it shows, asks and rejects like {@link runRestore}.
 */
export const restoreTurn = async (
  { checkpointId, paths: given, conversation }: TurnGoal,
  options: RestoreOptions,
  context: Context,
): Promise<void> => {
  const folder = await openCheckpointFolder(options, context, true)
  const target = await folder.engine.checkpoints.find(folder.root, checkpointId)
  const paths = given?.map((path) => join(folder.root, path))
  await restore(folder, target, { files: true, ...definedValues({ paths, conversation }) }, options, context)
}

/**
 * Rewinds only the conversation, which needs no checkpoint, and prints what leaves it and how to undo that; its agent
 * is told which files were edited since. Does not ask; changes nothing if the conversation is at that point already.
 */
export const rewindTurn = async (goal: ConversationGoal, engine: Engine, { terminal, now }: Context): Promise<void> => {
  const plan = planRewind(goal.to, await engine.sessions.log(goal.sessionId), now())
  for (const line of rewindLines(plan, terminal.width)) await terminal.line(line)
  if (!changesConversation(plan)) return
  await takeBack(goal, false, engine)
  const result = { outcome: undefined, preview: undefined, undo: goal.undo }
  for (const line of resultLines(result, false, terminal.width)) await terminal.line(line)
}

/**
 * Restores the files as before the last restore, never the conversation; otherwise like {@link runRestore}. Rejects
 * with `not-found` if nothing was restored yet.
 */
export const runUndo = async (options: RestoreOptions, context: Context): Promise<void> => {
  const folder = await openCheckpointFolder(options, context, true)
  const target = await folder.engine.checkpoints.lastUndo(folder.root)
  await restore(folder, target, { files: true }, options, context)
}

/**
 * What is restored: files, conversation or both; files by default.
 * @throws CairnError `usage` if more than one is chosen
 */
const partsOf = ({
  files,
  conversation,
  both,
  only,
}: RestoreOptions): { readonly files: boolean; readonly conversation: boolean } => {
  const chosen = [files, conversation, both, only].filter((each) => each !== undefined && each !== false)
  if (chosen.length > 1)
    throw new CairnError('usage', 'Give one of --files, --conversation and --both; nothing was changed.')
  if (both === true) return { files: true, conversation: true }
  const isConversation = conversation === true || only === 'conversation'
  return { files: !isConversation, conversation: isConversation }
}

/**
 * Shows what would change, asks if files would lose their current content, restores, and prints what was done; a dry
 * run only shows it. With `--json` prints one document at the end. Exit code 1 if a file could not be restored.
 */
const restore = async (
  { engine, root }: CheckpointFolder,
  target: Checkpoint,
  parts: Parts,
  options: RestoreOptions,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  // Planned before anything is changed: where it can't be done, nothing is.
  const rewind = await planOf(parts.conversation, engine, context.now())
  const goal = changesConversation(rewind) ? parts.conversation : undefined
  const some = definedValues({ paths: parts.paths })
  const preview = parts.files ? await previewOf(target, engine, some, context) : undefined
  const paths = await noteLeftOut(parts.paths ?? [], target, engine, context)
  noteUnknown(paths, root, preview, context)
  if (options.json !== true)
    for (const line of previewLines(target, preview, rewind, terminal.width)) await terminal.line(line)
  const dryRun = options.dryRun === true
  const wasAsked = !dryRun && (await agree(preview, options, context))
  const outcome =
    dryRun || !hasChanges(preview)
      ? undefined
      : await withProgress(terminal, (onProgress) =>
          engine.checkpoints.restore(root, target.id, {
            onProgress,
            token: preview.token,
            onlyPreviewed: !wasAsked,
            withConversation: goal !== undefined,
            ...some,
          }),
        )
  if (!dryRun && goal !== undefined) await takeBack(goal, outcome !== undefined, engine)
  if (hasFailed(outcome, preview)) context.setExitCode(1)
  if (options.json === true) return context.json(document(target, preview, outcome, rewind, dryRun))
  for (const line of resultLines({ outcome, preview, undo: goal?.undo }, dryRun, terminal.width))
    await terminal.line(line)
}

/** Where the conversation would be rewound to; undefined if it is not. */
const planOf = async (
  goal: ConversationGoal | undefined,
  engine: Engine,
  now: number,
): Promise<RewindPlan | undefined> =>
  goal === undefined ? undefined : planRewind(goal.to, await engine.sessions.log(goal.sessionId), now)

/** What restoring a checkpoint would change, with a progress line on a terminal; changes nothing. */
const previewOf = (
  { root, id }: Checkpoint,
  engine: Engine,
  some: { readonly paths?: readonly string[] },
  { terminal }: Context,
): Promise<CheckpointPreview> =>
  withProgress(terminal, (onProgress) => asUsage(engine.checkpoints.preview(root, id, { onProgress, ...some })))

/**
 * Reports on standard error the paths that the checkpoint left out, of which nothing is restored, and returns the
 * others. Without paths returns none. Rejects with `not-found` if all were left out. At most `LISTED` are named.
 */
const noteLeftOut = async (
  paths: readonly string[],
  { root, id }: Checkpoint,
  engine: Engine,
  { terminal }: Context,
): Promise<readonly string[]> => {
  if (paths.length === 0) return paths
  const leftOut = await engine.checkpoints.leftOut(root, id)
  const reasonOf = (path: string): string | undefined => {
    const name = relative(root, path).replaceAll(sep, '/')
    const found = leftOut.find((each) => name === each.path || (each.isFolder && name.startsWith(`${each.path}/`)))
    return found === undefined ? undefined : leftOutWords(found.reason)
  }
  const named = paths.flatMap((path) => {
    const reason = reasonOf(path)
    return reason === undefined ? [] : [`${neutraliseLine(relative(root, path))} (${reason})`]
  })
  if (named.length === 0) return paths
  const more = named.length > LISTED ? ` and ${named.length - LISTED} more` : ''
  const problem = `Left out when the checkpoint was made, so nothing of it can be restored: ${named.slice(0, LISTED).join(', ')}${more}`
  if (named.length === paths.length) throw new CairnError('not-found', `${problem}; nothing was changed.`)
  terminal.note(problem)
  return paths.filter((path) => reasonOf(path) === undefined)
}

/**
 * Reports on standard error the paths (those of the folder `root`) that are neither on disk nor in the checkpoint,
 * because they may be misspelt; the restore goes on with the others.
 * @throws CairnError `not-found` if all the paths are such
 */
const noteUnknown = (
  paths: readonly string[],
  root: string,
  preview: CheckpointPreview | undefined,
  { terminal }: Context,
): void => {
  const held = [...(preview?.files ?? []), ...(preview?.untouched ?? [])].map(({ path }) => path)
  const isHeld = (path: string): boolean =>
    [...held, ...(preview?.folders ?? [])].some((each) => each === path || each.startsWith(`${path}/`))
  const unknown = absentPaths(paths)
    .map((path) => relative(root, path).replaceAll(sep, '/'))
    .filter((path) => !path.startsWith('../') && !isHeld(path))
  if (unknown.length === 0) return
  const more = unknown.length > LISTED ? ` and ${unknown.length - LISTED} more` : ''
  const problem = `Neither in the checkpoint nor in the folder: ${unknown.slice(0, LISTED).map(neutraliseLine).join(', ')}${more}`
  if (unknown.length === paths.length) throw new CairnError('not-found', `${problem}; nothing was changed.`)
  terminal.note(problem)
}

/** Whether a restore would change anything. */
const hasChanges = (preview: CheckpointPreview | undefined): preview is CheckpointPreview =>
  preview !== undefined && preview.files.length + preview.folders.length > 0

/** Whether a rewind would change anything. */
const changesConversation = (rewind: RewindPlan | undefined): boolean => rewind?.entry !== undefined

/**
 * Rewinds the conversation. `hasFiles`: files were restored with it; otherwise its agent is told which files were
 * edited since.
 */
const takeBack = async (
  { sessionId, to, since }: ConversationGoal,
  hasFiles: boolean,
  engine: Engine,
): Promise<void> => {
  const paths = await engine.files.editedSince(sessionId, since)
  await engine.sessions.rewind(sessionId, to)
  // Restored both, they are again as they were together.
  if (!hasFiles)
    await engine.files.warn(sessionId, { reason: 'the conversation was taken back, the files were not', paths })
}

/**
 * The conversation of the checkpoint's session, as it was then.
 * @throws CairnError `usage` if it has none
 */
const goalOf = ({ sessionId, at: time }: Checkpoint): ConversationGoal => {
  if (sessionId === null)
    throw new CairnError(
      'usage',
      'This checkpoint belongs to no session, so there is no conversation to restore; nothing was changed.',
    )
  return { sessionId, to: { time }, since: { time }, undo: 'cairn session rewind --undo' }
}

/** Whether the current content of a file would be lost. */
const isLost = ({ change }: RestoredFile): boolean => change === 'removed' || change === 'modified'

const GO_ON = 'Go on? [y/N] '

/**
 * Asks if files would lose their current content, and returns true if the user agreed; false if nobody had to be asked:
 * nothing is lost, or `--yes`. Rejects with `file-conflict` for any other answer, and where it can't ask (`--json`, no
 * terminal).
 */
const agree = async (
  preview: CheckpointPreview | undefined,
  { yes, json }: RestoreOptions,
  { terminal }: Context,
): Promise<boolean> => {
  const lost = preview?.files.filter(isLost).length ?? 0
  if (yes === true || lost === 0) return false
  const what = `${counted(lost, 'file')} would lose what ${lost === 1 ? 'it holds' : 'they hold'} now`
  if (json === true || !terminal.canAsk)
    throw new CairnError(
      'file-conflict',
      `${what}, so nothing was changed; look with --dry-run, or add --yes (a checkpoint of it is made first).`,
    )
  const told = wrapLine(`${what}; a checkpoint of it is made first.`, terminal.width)
  const fits = textWidth(`${told.at(-1) ?? ''} ${GO_ON}`) < terminal.width
  const answer = await terminal.ask(`${told.join('\n')}${fits ? ' ' : '\n'}${GO_ON}`)
  if (!/^y(?:es)?$/i.test(answer ?? '')) throw new CairnError('file-conflict', 'Nothing was changed.')
  return true
}

/**
 * Yields what a restore would change, as lines: the checkpoint, its files, the conversation; what is undefined is left
 * out.
 */
function* previewLines(
  target: Checkpoint,
  preview: CheckpointPreview | undefined,
  rewind: RewindPlan | undefined,
  width: number,
): Generator<string> {
  yield `Checkpoint ${shortCheckpointId(target.id)} of ${formatTime(target.at)}`
  if (preview !== undefined) yield* fileLines(preview, width)
  if (rewind !== undefined) yield* rewindLines(rewind, width)
}

/** Returns what a rewind would remove from the conversation, as lines. */
const rewindLines = ({ entry, left }: RewindPlan, width: number): readonly string[] =>
  wrapLine(
    entry === undefined
      ? 'The conversation is where it was then.'
      : `${counted(left.length, 'entry')} of the conversation would leave; its log keeps them.`,
    width,
  )

/** Yields what a restore would do to files, as lines; some files of each kind are named. */
function* fileLines({ files, folders, untouched }: CheckpointPreview, width: number): Generator<string> {
  if (files.length === 0) yield 'The files are as they were then.'
  const ofKind = (kind: RestoredFile['change']): readonly RestoredFile[] =>
    files.filter(({ change }) => change === kind)
  yield* listed('Would be removed, as they came since', ofKind('removed'), width)
  yield* listed('Would get their former content', ofKind('modified'), width)
  yield* listed('Would come back', ofKind('added'), width)
  yield* listed('Would get their former permissions', ofKind('mode'), width)
  if (folders.length > 0) {
    yield `Folders that would come back, go or get their former permissions: ${folders.length}`
    for (const path of folders.slice(0, LISTED)) yield `  ${neutraliseLine(path)}/`
    if (folders.length > LISTED) yield `  … ${folders.length - LISTED} more`
  }
  yield* untouchedLines(untouched, width)
}

/** Yields what is left as it is and why, as lines; some files are named. */
function* untouchedLines(untouched: CheckpointPreview['untouched'], width: number): Generator<string> {
  for (const { path, why } of untouched.slice(0, LISTED))
    yield* wrapLine(`Stays as it is: ${neutraliseLine(path)} (${why})`, width)
  if (untouched.length > LISTED) yield `… ${untouched.length - LISTED} more stay as they are (--json names all)`
}

/**
 * Yields the files with one kind of change, as lines, some of them named with who changed them last; nothing if there
 * are none.
 */
function* listed(what: string, files: readonly RestoredFile[], width: number): Generator<string> {
  if (files.length === 0) return
  yield* wrapLine(`${what}: ${counted(files.length, 'file')}`, width)
  for (const { path, author } of files.slice(0, LISTED)) {
    const who =
      author === null
        ? ''
        : `  (${neutraliseLine(author.agent)}, ${formatTime(author.at)}, session ${neutraliseLine(author.sessionId)})`
    yield wrapSentences(`  ${neutraliseLine(path)}${who}`, width)
  }
  if (files.length > LISTED) yield `  … ${files.length - LISTED} more`
}

/**
 * Yields what was done, as lines, and how to undo it; that nothing was, for a dry run. Lines for what there is of both.
 */
function* resultLines(
  {
    outcome,
    preview,
    undo,
  }: {
    readonly outcome: CheckpointRestored | undefined
    readonly preview: CheckpointPreview | undefined
    /** What takes the conversation to where it was; undefined where it stayed. */
    readonly undo: string | undefined
  },
  dryRun: boolean,
  width: number,
): Generator<string> {
  if (dryRun) {
    yield 'Nothing was changed.'
    return
  }
  if (outcome !== undefined) yield* outcomeLines(outcome, preview, width)
  if (undo !== undefined) yield* wrapLine(`The conversation goes on from there. Undo: ${undo}`, width)
}

/** What could not be restored and was not announced by the preview; empty if nothing was restored. */
const notRestored = (
  outcome: CheckpointRestored | undefined,
  preview: CheckpointPreview | undefined,
): CheckpointRestored['untouched'] => {
  const known = new Set(preview?.untouched.map(({ path, why }) => `${path}\0${why}`))
  return outcome?.untouched.filter(({ path, why }) => !known.has(`${path}\0${why}`)) ?? []
}

/** Whether something that should have been restored was not. */
const hasFailed = (outcome: CheckpointRestored | undefined, preview: CheckpointPreview | undefined): boolean =>
  notRestored(outcome, preview).length > 0

/**
 * Yields what a restore did to files, as lines: what it could not do, contrary to the preview, first; then how many
 * files it wrote, removed and left, and the checkpoint that undoes it, if one was made.
 */
function* outcomeLines(
  outcome: CheckpointRestored,
  preview: CheckpointPreview | undefined,
  width: number,
): Generator<string> {
  yield* untouchedLines(notRestored(outcome, preview), width)
  const { restored, removed, untouched, undo } = outcome
  const kept = untouched.length === 0 ? '' : `, ${counted(untouched.length, 'file')} left as they are`
  yield* wrapLine(`Restored: ${counted(restored, 'file')} written, ${counted(removed, 'file')} removed${kept}.`, width)
  if (undo !== null)
    yield* wrapLine(`What was there is checkpoint ${shortCheckpointId(undo.id)}. Undo: cairn checkpoint undo`, width)
}

/**
 * Returns the document of `--json`: counts of what was restored (0 for a dry run), the files and folders of the
 * preview, what stays as it is and why. `conversation` is null where it was not asked for.
 */
const document = (
  target: Checkpoint,
  preview: CheckpointPreview | undefined,
  outcome: CheckpointRestored | undefined,
  rewind: RewindPlan | undefined,
  dryRun: boolean,
): Readonly<Record<string, unknown>> => ({
  id: target.id,
  dryRun,
  ...countsOf(outcome),
  files: preview?.files ?? [],
  folders: preview?.folders ?? [],
  untouched: outcome?.untouched ?? preview?.untouched ?? [],
  conversation:
    rewind === undefined ? null : { changed: rewind.entry !== undefined && !dryRun, left: rewind.left.length },
})

/** How much was restored, for `--json`. */
const countsOf = (outcome: CheckpointRestored | undefined) =>
  outcome === undefined
    ? { restored: 0, removed: 0, undoId: null }
    : { restored: outcome.restored, removed: outcome.removed, undoId: outcome.undo?.id ?? null }
