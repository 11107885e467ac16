/** `cairn memory export` and `import`: a file to share under version control; CLIO's files can be imported, too. */
import { mkdir, open, readFile, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, isAbsolute } from 'node:path'
import { CairnError, parseClioNotes } from '@cairn/core'
import type { Engine, MemoryImportReport } from '@cairn/core'
import { codeOf } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'
import { pathProblem } from '../path-problems.ts'
import { projectOf } from '../options/project-option.ts'
import { shellCommand } from '../output/shell-word.ts'
import { counted, formatBytes } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { wrapAfter } from '../terminal/wrap.ts'
import { asUsage } from '../options/wrong-usage.ts'
import { writeOutput } from './session-export.ts'

/** The options of `memory export`. */
export interface ExportOptions extends CommonOptions {
  readonly to?: string
  readonly merge?: boolean
}

/** Whether an error says that a file does not exist. */
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** The first line of an export, by which it is recognised. */
const titleOf = (text: string): string => text.slice(0, text.indexOf('\n') + 1 || text.length).trim()

const BEGINNING_BYTES = 1000

/**
 * Returns the first `BEGINNING_BYTES` of a file as text. Rejects with the file system's error if it is missing or can't
 * be read.
 */
const beginningOf = async (path: string): Promise<string> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Rejects with `usage` if the path is a file that is no export, so that it is not overwritten, or can't be read. A
 * missing or blank file, or something other than a file, is accepted. `text`: any export, whose first line tells one.
 */
const checkTarget = async (path: string, named: string, text: string): Promise<void> => {
  try {
    if (!(await stat(path)).isFile()) return
    const former = await beginningOf(path)
    // After a merge git's conflict marks may be on the first lines.
    if (former.trim() === '' || former.split('\n', 3).some((line) => line.trim() === titleOf(text))) return
  } catch (error) {
    if (isMissing(error)) return
    throw new CairnError('usage', `${named} can't be read: ${pathProblem(error)}.`, { cause: error })
  }
  throw new CairnError('usage', `${named} is not an export of the memory and was left as it is; name another file.`)
}

/** A text as a stream of one part. */
async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/**
 * Creates the missing folders of a file, unless a link among the existing ones leads out of the project. Failures are
 * left to whoever writes the file.
 */
const makeFolders = async (file: string, project: string): Promise<void> => {
  const root = await realpath(project).catch(() => undefined)
  let there = dirname(file)
  let real: string | undefined
  while ((real = await realpath(there).catch(() => undefined)) === undefined && dirname(there) !== there)
    there = dirname(there)
  if (root === undefined || real === undefined || there === dirname(file)) return
  const path = relative(root, real)
  if (path === '..' || /^\.\.[/\\]/.test(path) || isAbsolute(path)) return
  // When this fails, writing the file fails as well, and says why.
  await mkdir(dirname(file), { recursive: true }).catch(() => undefined)
}

/** Returns whether a path is a file that is not empty; false if it can't be looked at. */
const isThere = async (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile() && facts.size > 0,
    () => false,
  )

/**
 * Protects entries in the file that the store does not have: with `merge` they are imported first, and the report of
 * that is returned; otherwise, and for lines that are no entries, it rejects with `file-conflict`. Undefined if the
 * file has nothing to lose.
 */
const keepOthers = async (
  file: string,
  named: string,
  workspace: string,
  merge: boolean,
  engine: Engine,
): Promise<MemoryImportReport | undefined> => {
  if (!(await isThere(file))) return undefined
  const text = await read(file, named)
  const report = await engine.memory
    .importText(workspace, text, undefined, { dryRun: true })
    .catch((error: unknown) => {
      // None of the file's lines is an entry.
      if (CairnError.is(error) && error.code === 'invalid-input')
        throw wouldBeLost(`${named} holds lines that are no entries: ${error.message}`)
      throw error
    })
  const [lost] = report.skipped.filter(({ reason }) => !reason.includes('newer version of the same entry'))
  if (lost !== undefined)
    throw wouldBeLost(
      `Line ${lost.line} of ${named} would be lost (${lost.reason}); nothing was written. Fix or move it first.`,
    )
  const news = report.added + report.updated
  if (news === 0) return undefined
  if (merge) return engine.memory.importText(workspace, text)
  throw wouldBeLost(
    `${named} holds ${counted(news, 'entry')} that the store does not have, or in a newer version; nothing was written. First: ${shellCommand('cairn memory import', named, '')} (or export with --merge, which does both).`,
  )
}

/** The error of an export that would lose entries of the file. */
const wouldBeLost = (sentence: string): CairnError => new CairnError('file-conflict', sentence)

/**
 * Writes the entries to standard output or a file: `{workspace, text}` or `{workspace, file, bytes, taken}` as JSON,
 * where `taken` counts the entries of the file that were imported first. Rejects with `usage` for `--merge` without a
 * file, for a file that is no export, and with `file-conflict` if entries of the file would be lost.
 */
export const runExport = async (options: ExportOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const merge = options.merge === true
  const to = options.to === '-' ? undefined : options.to
  if (merge && to === undefined)
    throw new CairnError('usage', '--merge goes with --to <file>: it takes in what that file holds.')
  const engine = await context.readEngine(options)
  const workspace = await projectOf(options, engine, context)
  if (to === undefined) {
    const text = await engine.memory.exportText(workspace)
    if (options.json === true) return context.json({ workspace, text })
    // A file or a program gets the text unchanged, as it may be imported again.
    return terminal.write(terminal.isOutputTerminal ? neutralise(text) : text)
  }
  const file = resolve(context.surroundings.folder, to)
  await checkTarget(file, to, await engine.memory.exportText(workspace))
  const report = await keepOthers(file, to, workspace, merge, engine)
  await makeFolders(file, isAbsolute(workspace) ? workspace : context.surroundings.folder)
  const bytes = await writeOutput(file, once(await engine.memory.exportText(workspace)), to)
  const taken = report === undefined ? 0 : report.added + report.updated
  if (options.json === true) return context.json({ workspace, file, bytes, taken })
  const first = taken === 0 ? '' : `Took in ${counted(taken, 'entry')} of it. `
  await terminal.line(`${first}Wrote ${formatBytes(bytes)} to ${neutraliseLine(file)}.`)
}

/** A line that was not imported. */
interface Skipped {
  readonly file: string
  readonly line: number | null
  readonly reason: string
}

/** What was imported. */
interface Taken {
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  readonly notes: number
  readonly skipped: readonly Skipped[]
  /** Lines where git conflicts begin; the entries of both sides were imported. */
  readonly conflicts: readonly number[]
}

/** The text of a file. Rejects with `usage`, naming the file as `named`, if it can't be read. */
const read = async (path: string, named: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new CairnError('usage', `${named} can't be read: ${pathProblem(cause)}.`, { cause })
  }
}

/**
 * Returns the report of a memory import, with the file's name for each skipped entry; line 0, an unknown one, as null.
 */
const takenFrom = (
  { added, updated, unchanged, skipped, conflicts = [] }: MemoryImportReport,
  file: string,
): Taken => ({
  added,
  updated,
  unchanged,
  notes: 0,
  // In a JSON file no line is known: the reason names the item.
  skipped: skipped.map(({ line, reason }) => ({ file, line: line === 0 ? null : line, reason })),
  conflicts,
})

/**
 * The paths of CLIO's memory and notes in a project's folder, or in `.clio` itself. Rejects with `usage` if there are
 * none. `ltm` is undefined where only notes are there. Notes are sorted by name.
 */
const clioFiles = async (
  folder: string,
  named: string,
): Promise<{ readonly ltm: string | undefined; readonly notes: readonly string[] }> => {
  const own = basename(folder) === '.clio' ? folder : join(folder, '.clio')
  const names = async (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])
  const root = (await names(own)).length > 0 ? own : folder
  const notes = (await names(join(root, 'memory'))).filter((name) => name.endsWith('.json')).sort()
  const ltm = (await names(root)).includes('ltm.json') ? join(root, 'ltm.json') : undefined
  if (ltm === undefined && notes.length === 0)
    throw new CairnError(
      'usage',
      `Nothing of a memory is in ${named}: CLIO's folder .clio holds ltm.json and memory/*.json.`,
    )
  return { ltm, notes: notes.map((name) => join(root, 'memory', name)) }
}

/**
 * Imports CLIO's memory and notes from a folder; a note replaces the project's own of the same key. Notes that can't be
 * stored are skipped and listed. Rejects with `usage` if the folder has neither.
 */
const importClio = async (folder: string, named: string, workspace: string, engine: Engine): Promise<Taken> => {
  const { ltm, notes } = await clioFiles(folder, named)
  const taken =
    ltm === undefined
      ? takenFrom({ added: 0, updated: 0, unchanged: 0, skipped: [] }, '')
      : takenFrom(await asUsage(engine.memory.importText(workspace, await read(ltm, ltm), 'import:clio')), ltm)
  const parsed = parseClioNotes(
    await Promise.all(notes.map(async (path) => ({ name: basename(path), text: await read(path, path) }))),
  )
  const known = new Map((await engine.notes.list(workspace)).map(({ key, text }) => [key, text]))
  const refused: Skipped[] = []
  let written = 0
  for (const { key, text } of parsed.notes) {
    if (known.get(key) === text) continue
    try {
      await engine.notes.set(workspace, key, text)
      written++
    } catch (error) {
      // A note that is too large, for example, is left out; the others are imported.
      if (!CairnError.is(error) || error.code !== 'invalid-input') throw error
      refused.push({ file: key, line: null, reason: error.message })
    }
  }
  return {
    ...taken,
    notes: written,
    skipped: [
      ...taken.skipped,
      ...parsed.skipped.map(({ file, reason }) => ({ file, line: null, reason })),
      ...refused,
    ],
  }
}

/**
 * Imports a file or CLIO's folder: `{workspace, added, updated, unchanged, notes, skipped: [{file, line, reason}],
 * conflicts: [line]}` as JSON. Lines that can't be read are reported on standard error, and are no failure. Rejects
 * with `usage` for an empty path and a missing file.
 */
export const runImport = async (path: string, options: CommonOptions, context: Context): Promise<void> => {
  const { terminal } = context
  if (path.trim() === '') throw new CairnError('usage', 'Which file should be imported? Give its path.')
  const absolute = resolve(context.surroundings.folder, path)
  const isFolder = await stat(absolute).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  // Read first: a path that does not exist must not leave a new store behind.
  const text = isFolder ? '' : await read(absolute, path)
  const engine = await context.engine(options)
  const workspace = await projectOf(options, engine, context)
  const isClio = basename(dirname(absolute)) === '.clio'
  const taken = isFolder
    ? await importClio(absolute, path, workspace, engine)
    : takenFrom(await asUsage(engine.memory.importText(workspace, text, isClio ? 'import:clio' : undefined)), path)
  if (options.json === true) return context.json({ workspace, ...taken })
  for (const line of taken.conflicts) {
    for (const each of wrapAfter(
      '',
      `Taken: ${neutraliseLine(path)}:${line}: the entries of both sides of a conflict that git left`,
      terminal.errorWidth,
    ))
      terminal.note(each)
  }
  for (const { file, line, reason } of taken.skipped) {
    for (const each of wrapAfter(
      '',
      `Left out: ${neutraliseLine(file)}${line === null ? '' : `:${line}`}: ${neutraliseLine(reason)}`,
      terminal.errorWidth,
    ))
      terminal.note(each)
  }
  const { added, updated, unchanged, notes } = taken
  await terminal.line(
    `Total: ${counted(added, 'entry')} added, ${updated} updated, ${unchanged} known${notes > 0 ? `, ${counted(notes, 'note')}` : ''}`,
  )
}
