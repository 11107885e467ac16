/** What the text behind an `@` means: a keyword, or a path with lines. */
import type { LineRange, MentionReading, MentionTarget } from './mention.ts'

/** Names of commits and branches that git can't take for an option. */
const REVISION = /^[\p{L}\p{N}_][\p{L}\p{N}_./~^@{}+-]*$/u
const SESSION_ID = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]*$/u
/** `:12`, `:12-20`, `:12:5` as compilers print it, `#L12`, `#L12-20` or `#L12-L20` at the end of a path. */
const LINES = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9})|:\d{1,9})?|#L(\d{1,9})(?:-L?(\d{1,9}))?)$/su
/** An extension such as `.ts`, which no package below a folder has. */
const ENDING = /\.[\p{L}][\p{L}\p{N}]{0,9}$/u
/** Extensions of usual files. Without a folder, `@jo.miller` could be a person and `@app.route` a decorator. */
const COMMON_ENDING =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|sh|sql|md|mdx|txt|json|ya?ml|toml|xml|html|s?css|lock|env|ini|csv|log|png|jpe?g|gif|webp|svg|pdf)$/iu

const KEYWORDS: ReadonlyMap<string, MentionTarget> = new Map<string, MentionTarget>([
  ['git', { kind: 'git-diff' }],
  ['git:diff', { kind: 'git-diff' }],
  ['git-changes', { kind: 'git-diff' }],
  ['git:branch', { kind: 'git-branch' }],
  ['session', { kind: 'session' }],
  ['memory', { kind: 'memory' }],
  ['problems', { kind: 'problems' }],
  ['selection', { kind: 'selection' }],
])

/**
 * Returns what a keyword such as `git:main` or `session:abc` means; undefined if it is not one. A file with the name of
 * a keyword is mentioned as `@./git`.
 */
export const keywordTarget = (word: string): MentionTarget | undefined => {
  const known = KEYWORDS.get(word)
  if (known !== undefined) return known
  const argument = word.slice(word.indexOf(':') + 1)
  if (word.startsWith('git:') && REVISION.test(argument) && isWhole(argument))
    return { kind: 'git-commit', revision: argument }
  if (word.startsWith('session:') && SESSION_ID.test(argument) && isWhole(argument))
    return { kind: 'session', id: argument }
  return undefined
}

/** Whether an argument is complete: a dot, colon or slash at its end belongs to the sentence. */
const isWhole = (argument: string): boolean => !/[.:/]$/.test(argument)

/**
 * Returns the readings of a word as a path: as it stands and, if it ends in line numbers, without them and with the
 * lines. Empty for a word of dots and slashes alone, except `./` and `../`.
 */
export const pathReadings = (word: string): readonly Omit<MentionReading, 'end'>[] => {
  if (/^[./\\]*$/u.test(word) && !/^\.{1,2}\/$/.test(word)) return []
  // Behind a path, what is no range of lines was meant as one.
  const isCertainWord = isPlainlyPath(word) || isPlainlyPath(word.replace(/[:#][^/\\]*$/u, ''))
  const whole = { target: { kind: 'path' as const, path: word }, isCertain: isCertainWord }
  const [, path, first, last = first, lineFirst, lineLast = lineFirst] = LINES.exec(word) ?? []
  if (path === undefined) return [whole]
  const lines = rangeOf(first ?? lineFirst, last ?? lineLast)
  const isCertain = isPlainlyPath(path) || lineFirst !== undefined
  return [
    { ...whole, isCertain },
    { target: { kind: 'path', path, lines }, isCertain },
  ]
}

/** The lines from the smaller to the larger number, whichever was written first. */
const rangeOf = (from = '', to = ''): LineRange => {
  const [left, right] = [Number(from), Number(to)]
  return { first: Math.min(left, right), last: Math.max(left, right) }
}

/** Whether a word can only be a path: it starts like one, ends with a slash, or has a typical extension. */
const isPlainlyPath = (path: string): boolean =>
  !path.startsWith('@') &&
  (/^(?:\.{0,2}[/\\]|~[/\\]|[A-Za-z]:[/\\]|\.[\p{L}])/u.test(path) ||
    /[/\\]$/.test(path) ||
    (/[/\\]/.test(path) ? ENDING : COMMON_ENDING).test(path))
