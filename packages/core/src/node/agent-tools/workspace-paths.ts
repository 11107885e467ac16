/** Where the paths of a tool's call really lead, and whether that is something that the agent may have without approval. */
import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { bytePathOf, isGitFolderName } from '../../checkpoints/byte-path.ts'
import { shownValue } from '../../input.ts'
import { refused } from '../../agent/tools/tool-input.ts'
import type { WorkspaceFiles, WorkspaceRoot } from '../../ports/workspace-files.ts'
import { realPathOf } from '../real-path.ts'
import { isIgnoredPath } from '../sources/workspace-files.ts'

export interface FoundPath {
  /** Absolute, with every link followed; what is opened is this path, and nothing that has become a link since. */
  readonly real: string
  /** As people and models are told: relative to the workspace with `/`, absolute outside of it. */
  readonly shown: string
  /** Why it needs approval; one sentence. */
  readonly reaches?: string
  /** It means all folders of a workspace that has several. */
  readonly isAll?: true
}

interface PathUse {
  readonly isFolder?: boolean
  /** It would be written. */
  readonly isChange?: boolean
  /** The folder that relative paths begin at; absolute. Default: the only root. */
  readonly from?: string
}

export interface WorkspacePaths {
  /** The first root, with its links followed. */
  readonly main: string
  /**
   * Follows a path, which need not be there. Rejects with a CairnError `invalid-input` for a text that is no path: empty,
   * with a zero byte, or of Windows elsewhere.
   */
  locate(path: string, use?: PathUse): Promise<FoundPath>
  /** The real path of a folder that is one of the roots. */
  realRoot(folder: string): string
  /** A path as people are told. `real`: absolute, without links. */
  shown(real: string): string
}

interface RealRoot extends WorkspaceRoot {
  readonly real: string
}

/** Settings that decide what an agent may do. */
const OWN_SETTINGS = /(?:^|\/)(?:\.cairnignore|\.clineignore|\.cairn\/.*)$/i
const WINDOWS_PATH = /^[A-Za-z]:[\\/]|^\\\\/

/**
 * Follows paths that a model gives, links included, and tells those that lead out of the workspace or to what ignore
 * files leave out. @throws CairnError `invalid-input` without a root
 */
export const createWorkspacePaths = ({ roots }: Pick<WorkspaceFiles, 'roots'>): WorkspacePaths => {
  const real = roots.map((root): RealRoot => ({ ...root, real: realOf(root.folder) }))
  const [main] = real
  if (main === undefined) throw refused('A workspace needs at least one folder.')
  const shown = (path: string): string => {
    const root = rootOf(real, path)
    return root === undefined ? path : shownBelow(root, relative(root.real, path))
  }
  return {
    main: main.real,
    shown,
    realRoot: (folder) => real.find((root) => root.folder === folder)?.real ?? folder,
    locate: async (path, use = {}) => {
      if (path === '.' && real.length > 1 && use.from === undefined)
        return { real: main.real, shown: path, isAll: true }
      const absolute = absoluteOf(real, path, use.from)
      const target = realOf(absolute)
      const lexical = real.find(({ folder }) => isBelow(folder, absolute))
      const name = lexical === undefined ? shown(target) : shownBelow(lexical, relative(lexical.folder, absolute))
      const reaches = await reachOf(real, { target, name, absolute }, use)
      return { real: target, shown: name, ...(reaches === undefined ? {} : { reaches }) }
    },
  }
}

/** Whether a path is a folder or lies below it; both absolute. */
const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** The path with all links resolved; if it does not exist, with those of the folders that do. */
const realOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return realPathOf(path)
  }
}

/** The innermost root that holds a path; undefined if none does. */
const rootOf = (roots: readonly RealRoot[], path: string): RealRoot | undefined => {
  let found: RealRoot | undefined
  for (const root of roots)
    if (isBelow(root.real, path) && (found === undefined || root.real.length > found.real.length)) found = root
  return found
}

const shownBelow = ({ prefix }: WorkspaceRoot, below: string): string =>
  prefix + below.replaceAll(sep, '/') || (prefix === '' ? '.' : prefix)

/**
 * The absolute path, links not followed: a relative one from the folder `from`, else in the root that it fits. Throws a
 * refusal for what is no path.
 */
const absoluteOf = (roots: readonly RealRoot[], path: string, from: string | undefined): string => {
  const problem = pathProblem(path, from ?? roots[0]?.real ?? '/')
  if (problem !== undefined) throw refused(problem)
  if (isAbsolute(path)) return resolve(path)
  return from === undefined ? belowRoot(roots, path) : resolve(from, path)
}

/**
 * Why a text is no path, in one sentence; undefined if it may be one. None is an empty one, one with a zero byte, one
 * that begins with `~`, and one of Windows on another system. `folder`: where relative paths begin.
 */
const pathProblem = (path: string, folder: string): string | undefined => {
  if (path.trim() === '') return 'The path is empty; “.” is the workspace.'
  if (path.includes('\0')) return `The path ${shownValue(path)} holds a zero byte, which no path has.`
  if (/^~(?:\/|$)/.test(path))
    return `The path ${shownValue(path)} begins with “~”, which is not expanded; give it in full.`
  if (sep === '/' && !isAbsolute(path) && isForeign(path, folder))
    return `The path ${shownValue(path)} is one of Windows; this system has “/” between names.`
  return undefined
}

/**
 * The absolute path in the root that it begins with: of several roots each has its name in front of its paths. Throws a
 * refusal if it begins with none. Links are not resolved.
 */
const belowRoot = (roots: readonly RealRoot[], path: string): string => {
  const slashes = path.replaceAll(sep, '/').replace(/^(?:\.\/)+/, '')
  const root = roots.find(({ prefix }) => `${slashes}/`.startsWith(prefix))
  if (root === undefined)
    throw refused(
      `The workspace has several folders, so a path begins with one of ${roots.map(({ prefix }) => prefix).join(', ')} and not ${shownValue(path)}.`,
    )
  return resolve(root.real, slashes.slice(root.prefix.length))
}

/**
 * Whether a path is one of Windows: with a drive or two backslashes at the beginning, or with a backslash where no file
 * has it in its name. `folder`: where relative paths begin.
 */
const isForeign = (path: string, folder: string): boolean => {
  if (WINDOWS_PATH.test(path)) return true
  if (!path.includes('\\')) return false
  try {
    return lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined
  } catch {
    return true
  }
}

/**
 * Why a path needs an approval: outside, in git's own folder, ignored by its own name or that of a link to it, or, for
 * a change, one of the settings that decide what an agent may do. Undefined if it needs none.
 */
const reachOf = async (
  roots: readonly RealRoot[],
  { target, name, absolute }: { readonly target: string; readonly name: string; readonly absolute: string },
  { isFolder = false, isChange = false }: PathUse,
): Promise<string | undefined> => {
  const root = rootOf(roots, target)
  if (root === undefined)
    return rootOf(roots, absolute) === undefined
      ? `${target} is outside of the workspace.`
      : `${name} is a link that leads out of the workspace, to ${target}.`
  const below = relative(root.real, target).replaceAll(sep, '/')
  if (below === '') return undefined
  if (below.split('/').some((part) => isGitFolderName(bytePathOf(part)))) return `${name} is in git’s own folder.`
  if (isChange && OWN_SETTINGS.test(below)) return `${name} decides what the agent may see and do.`
  if (await isIgnoredPath(root.real, below, isFolder)) return `${name} is left out by an ignore file.`
  // A link inside may have a name that is left out although its target is not.
  const lexical = roots.find(({ real }) => isBelow(real, absolute))
  const given = lexical === undefined ? below : relative(lexical.real, absolute).replaceAll(sep, '/')
  if (lexical !== undefined && given !== below && given !== '' && (await isIgnoredPath(lexical.real, given, isFolder)))
    return `${name} is left out by an ignore file.`
  return undefined
}
