/** Commands for several folders: `--workspace` repeated, or a VS Code workspace with several roots. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Option } from 'commander'
import { CairnError } from '@cairn/core'
import type { RefusedRoot } from '@cairn/core'
import { workspaceFolders } from '@cairn/core/setup'
import type { CommonOptions, Context } from '../command.ts'
import { pathProblem } from '../path-problems.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { collecting, someText } from './option-values.ts'

/** Options of a command for which `--workspace` may be repeated. */
export interface RootsOptions extends Omit<CommonOptions, 'workspace'> {
  readonly workspace?: readonly string[]
}

/** The options for one of the roots. */
export type OneRoot<O extends RootsOptions> = Omit<O, 'workspace'> & Pick<CommonOptions, 'workspace'>

/** Returns the option `--workspace` in its repeatable form. */
export const workspacesOption = (): Option =>
  new Option('--workspace <path|name>', 'this project (repeatable), or a .code-workspace file').argParser(
    collecting(someText('--workspace', "a folder or a project's name")),
  )

const WORKSPACE_FILE = /\.code-workspace$/
const LARGEST_FILE = 1 << 20

/**
 * Returns the roots that were given, each once, with a VS Code workspace file replaced by its folders; undefined if
 * none were given.
 * @throws CairnError `usage` for a workspace file that can't be read or names no folder
 */
export const namedRoots = (
  { workspace }: RootsOptions,
  { surroundings }: Pick<Context, 'surroundings'>,
): readonly string[] | undefined => {
  const named = workspace?.flatMap((each) =>
    WORKSPACE_FILE.test(each) ? foldersOf(resolve(surroundings.folder, each), each) : [each],
  )
  return named === undefined ? undefined : [...new Set(named)]
}

/**
 * Returns the folders that a workspace file names, as whole paths. @throws CairnError `usage` if there are none, or it
 * can't be read
 */
const foldersOf = (file: string, named: string): readonly string[] => {
  const problem = (why: string): CairnError =>
    new CairnError('usage', `The workspace ${neutraliseLine(named)} can't be read: ${why}. Nothing was changed.`)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw problem(pathProblem(cause))
  }
  if (text.length > LARGEST_FILE) throw problem('it is too large')
  const folders = workspaceFolders(text)
  if (folders === undefined) throw problem('it is not JSON')
  if (folders.length === 0) throw problem('it names no folder')
  return folders.map((path) => resolve(dirname(file), path))
}

/**
 * Runs a command for each given root, one after the other; once, as it is, without any. If there are several, a root
 * that fails is named on standard error and the others are still done (exit code 1); their JSON documents become
 * `{roots, refused}`. Rejects with the first reason if all fail.
 */
export const forEachRoot = async <O extends RootsOptions>(
  options: O,
  context: Context,
  run: (options: OneRoot<O>, context: Context) => Promise<void>,
): Promise<void> => {
  const { workspace: _, ...others } = options
  const roots = namedRoots(options, context)
  const [only] = roots ?? []
  if (roots === undefined || only === undefined) return run(others, context)
  if (roots.length === 1) return run({ ...others, workspace: only }, context)
  const documents: unknown[] = []
  const refused: (RefusedRoot & { readonly error: CairnError })[] = []
  const json = async (value: unknown): Promise<void> => void documents.push(value)
  for (const [index, root] of roots.entries()) {
    if (options.json !== true && index > 0) await context.terminal.line()
    try {
      await run({ ...others, workspace: root }, { ...context, json })
    } catch (error) {
      if (!CairnError.is(error)) throw error
      refused.push({ root, code: error.code, message: error.message, error })
    }
  }
  const [first] = refused
  if (first !== undefined && refused.length === roots.length) throw first.error
  await nameRefused(refused, context)
  if (options.json === true)
    await context.json({
      roots: documents,
      refused: refused.map(({ root, code, message }) => ({ root, code, message })),
    })
}

/** Prints on standard error which roots failed and why, and sets the exit code to 1. Does nothing if none did. */
export const nameRefused = async (refused: readonly RefusedRoot[], context: Context): Promise<void> => {
  for (const { root, message } of refused) context.terminal.note(`${neutraliseLine(root)}: ${message}`)
  if (refused.length > 0) context.setExitCode(1)
}
