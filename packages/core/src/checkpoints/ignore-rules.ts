/**
 * Which files git ignores: the patterns of `.gitignore` files, a repository's `info/exclude` and the user's
 * `core.excludesFile`, in git's order of precedence. All text is bytes (see byte-path), as git compares them.
 */
import type { BytePath } from './byte-path.ts'
import { matchesGlob, parseGlob } from './ignore-glob.ts'

export interface IgnoreRule {
  readonly isNegated: boolean
  readonly isForFoldersOnly: boolean
  /** `path` is relative to the folder of the rule's file. */
  readonly matches: (path: BytePath, name: string) => boolean
}

/** The rules of one file, and the folder to which they are relative (empty for the root). */
export interface IgnoreFile {
  readonly folder: BytePath
  /** For a file above the root: the path from its folder to the root, with a trailing slash. */
  readonly prefix?: BytePath
  readonly rules: readonly IgnoreRule[]
  /** How a sentence names the file; absent where nobody is told. */
  readonly source?: string
}

const PLAIN = /^[^*?[\\]+$/

/**
 * Parses the rules in a file's text (bytes), in order. Empty lines, comments and patterns that can't match produce
 * none; a byte order mark and `\r` at line ends are dropped.
 */
export const parseIgnoreRules = (text: string): readonly IgnoreRule[] =>
  text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')
    .flatMap((line) => {
      const rule = line === '' || line.startsWith('#') ? undefined : parseRule(trimmed(line.replace(/\r$/, '')))
      return rule === undefined ? [] : [rule]
    })

/** Removes trailing spaces that are not escaped by a backslash. Other white space stays. */
const trimmed = (line: string): string => {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ') {
    let slashes = 0
    while (line[end - 2 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 1) break
    end -= 1
  }
  return line.slice(0, end)
}

/**
 * The rule in a line; undefined if there is none or its pattern is invalid. The `!` and the final `/` are not part of
 * the pattern; with another `/` in it, it is matched from the folder of its file.
 */
const parseRule = (line: string): IgnoreRule | undefined => {
  const isNegated = line.startsWith('!')
  const given = isNegated ? line.slice(1) : line
  const isForFoldersOnly = given.endsWith('/')
  const body = isForFoldersOnly ? given.slice(0, -1) : given
  if (body === '') return undefined
  const matches = body.includes('/') ? pathMatcher(body.replace(/^\//, '')) : nameMatcher(body)
  return matches === undefined ? undefined : { isNegated, isForFoldersOnly, matches }
}

/** A test for names at any depth; undefined for an invalid pattern. */
const nameMatcher = (pattern: string): IgnoreRule['matches'] | undefined => {
  if (PLAIN.test(pattern)) return (_path, name) => name === pattern
  const suffix = pattern.slice(1)
  if (pattern.startsWith('*') && PLAIN.test(suffix)) return (_path, name) => name.endsWith(suffix)
  const segments = parseGlob(pattern)
  // A name of stars alone matches every name, as one star does.
  return segments && ((_path, name) => segments[0] === 'globstar' || matchesGlob(segments, [name]))
}

/** A test for whole paths; undefined for an invalid pattern. */
const pathMatcher = (pattern: string): IgnoreRule['matches'] | undefined => {
  if (PLAIN.test(pattern)) return (path) => path === pattern
  const segments = parseGlob(pattern)
  return segments && ((path) => matchesGlob(segments, path.split('/')))
}

/** The file with the rule that decides about a path, and what it decides. */
export interface IgnoreDecision {
  readonly file: IgnoreFile
  /** False if a negated rule re-includes the path. */
  readonly isIgnored: boolean
}

/**
 * Returns what decides about a path; undefined if no rule matches. The first file with a matching rule decides (files
 * in order of precedence), and within it the last matching rule. `name` is the path's last name. Each file's folder
 * must be one above the path, which is not checked; whether a folder above is ignored does not count.
 */
export const ignoreDecision = (
  files: readonly IgnoreFile[],
  path: BytePath,
  name: string,
  isFolder: boolean,
): IgnoreDecision | undefined => {
  for (const file of files) {
    const { folder, prefix = '', rules } = file
    const relative = folder === '' ? prefix + path : path.slice(folder.length + 1)
    for (let index = rules.length - 1; index >= 0; index--) {
      const rule = rules[index]
      if (rule === undefined || (rule.isForFoldersOnly && !isFolder)) continue
      if (rule.matches(relative, name)) return { file, isIgnored: !rule.isNegated }
    }
  }
  return undefined
}

/**
 * True if ignored, false if a negated rule re-includes the path, undefined if no rule matches: see
 * {@link ignoreDecision}.
 */
export const isIgnored = (...asked: Parameters<typeof ignoreDecision>): boolean | undefined =>
  ignoreDecision(...asked)?.isIgnored
