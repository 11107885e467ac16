/** What the text behind an `@` means: a keyword, or a path with lines. */
import type { LineRange, MentionReading, MentionTarget } from './mention.ts'

/** What names a commit or a branch, and can't be an option of git. */
const REVISION = /^[\p{L}\p{N}_][\p{L}\p{N}_./~^@{}+-]*$/u
const SESSION_ID = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]*$/u
/** `:12`, `:12-20`, `:12:5` as compilers print it, `#L12`, `#L12-20`, `#L12-L20`. */
const LINES = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9})|:\d{1,9})?|#L(\d{1,9})(?:-L?(\d{1,9}))?)$/su
/** An ending such as `.ts`, as no package below a folder has it. */
const ENDING = /\.[\p{L}][\p{L}\p{N}]{0,9}$/u
/** Without a folder it could be a person (`@jo.miller`) or a decorator (`@app.route`) as well: only what is common with files. */
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

/** What a keyword means; undefined where it is none. A file of such a name is `@./git`. */
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

/** What ends with a dot or a colon has the sentence's. */
const isWhole = (argument: string): boolean => !/[.:/]$/.test(argument)

/** A path as it stands, then with lines taken from its end. */
export const pathReadings = (word: string): readonly Omit<MentionReading, 'end'>[] => {
  if (/^[./\\]*$/u.test(word) && !/^\.{1,2}\/$/.test(word)) return []
  const whole = { target: { kind: 'path' as const, path: word }, isCertain: isPlainlyPath(word) }
  const [, path, first, last = first, lineFirst, lineLast = lineFirst] = LINES.exec(word) ?? []
  if (path === undefined) return [whole]
  const lines = rangeOf(first ?? lineFirst, last ?? lineLast)
  const isCertain = isPlainlyPath(path) || lineFirst !== undefined
  return [
    { ...whole, isCertain },
    { target: { kind: 'path', path, lines }, isCertain },
  ]
}

/** In the order of the file, whichever was written first. */
const rangeOf = (from = '', to = ''): LineRange => {
  const [left, right] = [Number(from), Number(to)]
  return { first: Math.min(left, right), last: Math.max(left, right) }
}

const isPlainlyPath = (path: string): boolean =>
  !path.startsWith('@') &&
  (/^(?:\.{0,2}[/\\]|~[/\\]|[A-Za-z]:[/\\]|\.[\p{L}])/u.test(path) ||
    /[/\\]$/.test(path) ||
    (/[/\\]/.test(path) ? ENDING : COMMON_ENDING).test(path))
