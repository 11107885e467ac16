/** `cairn context related`: the source files related to a text, with reasons; and the index that makes it fast. */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { dataFolder, realPathOf, workspaceFolder } from '@cairn/core/node'
import type { RelatedFile } from '@cairn/core/sources'
import type { CommonOptions, Context } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { fileProblem } from '../options/file-problem.ts'
import { projectOf } from '../options/project-option.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'

/** The options of `context related`. */
export interface RelatedOptions extends CommonOptions {
  readonly file?: string
  readonly limit?: number
}

/**
 * Prints the files related to a text or to `--file` as a table, best first, or `{files: [{path, score, why}], ms,
 * matched, indexed}` as JSON. `matched` is false where no file has a word of it: then these are files changed lately.
 * Files that are not indexed yet are indexed afterwards, in a process of its own, unless incognito. Rejects with
 * `invalid-input` for a text without usable words, `not-found` without a folder.
 */
export const runRelated = async (text: string, options: RelatedOptions, context: Context): Promise<void> => {
  const startedAt = context.now()
  const root = workspaceRoot(options, context)
  const engine = await openedEngine(options, context)
  const workspace = await projectOf({ ...options, workspace: root }, engine, context)
  const file = options.file === undefined ? undefined : await fileInRoot(options.file, root, context)
  const { files, isMatched, isIndexed, unindexed } = await engine.related.find({
    roots: [root],
    text,
    workspace,
    ...definedValues({ file, limit: options.limit }),
  })
  if (unindexed > 0 && options.incognito !== true) startIndexing(root, options, context)
  const ms = context.now() - startedAt
  if (options.json === true) return context.json({ files, ms, matched: isMatched, indexed: isIndexed })
  if (files.length > 0 && !isMatched) await context.terminal.line(UNMATCHED)
  const { terminal } = context
  const width = terminal.isOutputTerminal ? terminal.width : Infinity
  for (const line of relatedLines(files, width)) await terminal.line(line)
}

/**
 * Updates the index of the project's files, and prints how many files it has and how many had to be read anew, or
 * `{files, read, ms}` as JSON. Rejects with `not-found` where there is no such folder.
 */
export const runIndex = async (options: CommonOptions, context: Context): Promise<void> => {
  const startedAt = context.now()
  const engine = await openedEngine(options, context)
  const { files, read } = await engine.related.index([workspaceRoot(options, context)])
  const ms = context.now() - startedAt
  if (options.json === true) return context.json({ files, read, ms })
  await context.terminal.line(
    `The index has ${counted(files, 'source file')}; ${counted(read, 'file')} had to be read.`,
  )
}

/** The engine; under `--incognito` over an empty store. */
const openedEngine = (options: CommonOptions, context: Context): Promise<Engine> =>
  options.incognito === true ? context.sessionEngine(options) : context.readEngine(options)

/**
 * Returns the folder whose files are ranked, absolute. It starts from the folder of `--workspace` (relative to the
 * working folder), without that option from the working folder: that one, or the nearest above it, that has `.git` or
 * `.cairn/config.json`; the one it starts from if none has. Links are not resolved.
 * @throws CairnError `not-found` if the folder it starts from does not exist, or is a file
 */
export const workspaceRoot = ({ workspace }: CommonOptions, { surroundings }: Context): string => {
  const folder = resolve(surroundings.folder, workspace ?? '')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return workspaceFolder(folder)
  throw new CairnError(
    'not-found',
    `There is no folder ${neutraliseLine(folder)}; --workspace has to name one whose files are on this machine.`,
  )
}

/**
 * A path that the user gave, relative to the working folder or, if nothing is there, to the root, as a path from the
 * root with forward slashes and links resolved. Rejects with `not-found` if it does not exist, and with `invalid-input`
 * if it is outside or what is not ranked.
 */
const fileInRoot = async (path: string, root: string, { surroundings }: Context): Promise<string> => {
  const candidates = [resolve(surroundings.folder, path), resolve(root, path)]
  const file = candidates.find((candidate) => existsSync(candidate))
  if (file === undefined) throw new CairnError('not-found', `There is no file ${neutraliseLine(path)}.`)
  const below = relative(realPathOf(root), realPathOf(file))
  if (below === '' || below.startsWith('..') || isAbsolute(below))
    throw new CairnError('invalid-input', `${neutraliseLine(path)} is not in the workspace, ${neutraliseLine(root)}.`)
  const inRoot = below.replaceAll(sep, '/')
  const problem = await fileProblem(root, inRoot)
  if (problem !== undefined) throw new CairnError('invalid-input', `${neutraliseLine(path)} ${problem}.`)
  return inRoot
}

const UNMATCHED = 'No file of the workspace has a word of it; these were changed lately.'

/** Returns the files as a table of at most `width` columns, in the order given; a sentence if there are none. */
const relatedLines = (files: readonly RelatedFile[], width: number): readonly string[] => {
  if (files.length === 0) return ['No source file of the workspace has anything to do with it.']
  const { head, rows, total } = tableLines({
    columns: [
      { title: 'file', shorten: 'middle', minimum: 24 },
      { title: 'score', align: 'right' },
      { title: 'why', shorten: 'end', minimum: 20 },
    ],
    rows: files.map(({ path, score, why }) => [
      neutraliseLine(path),
      score.toFixed(2),
      neutraliseLine(why.join(' · ')),
    ]),
    total: ['Total', '', counted(files.length, 'file')],
    width,
  })
  return [head, ...rows, ...(total === undefined ? [] : [total])]
}

/** The command, next to this program. */
const COMMAND = './main.js'

/**
 * Starts to build the index in a separate process, and waits for nothing. If that fails, nothing is said: the next
 * query is only as slow as this one.
 */
const startIndexing = (root: string, { store }: CommonOptions, { surroundings }: Context): void => {
  const command = fileURLToPath(new URL(COMMAND, import.meta.url))
  if (!existsSync(command)) return
  const own = (surroundings.variables['CAIRN_HOME'] ?? '') !== ''
  const child = spawn(
    process.execPath,
    [command, 'context', 'index', '--workspace', root, ...(store === undefined ? [] : ['--store', store])],
    {
      cwd: surroundings.folder,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: { ...surroundings.variables, ...(own ? { CAIRN_HOME: dataFolder(surroundings) } : {}) },
    },
  )
  child.on('error', () => undefined)
  child.unref()
}
