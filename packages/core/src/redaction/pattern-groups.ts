/**
 * Puts together what secrets look like: the forms of providers' keys are the rows of `key-forms.ts`, what only its
 * context gives away is in `in-context.ts` and `assigned.ts`. The patterns work on raw JSON lines as well as on plain
 * text: there, a key may follow an escape (`\nghp_…`), quotes are escaped, and a line break of a PEM block is `\n`.
 */
import { ASSIGNED_HINTS, ASSIGNED_PATTERNS } from './assigned.ts'
import { BLOCK_HINTS, BLOCK_PATTERNS, CONTEXT_HINTS, CONTEXT_PATTERNS } from './in-context.ts'
import { KEY_FORMS, type KeyForm } from './key-forms.ts'
import type { Run } from './long-runs.ts'
import { ELSEWHERE_HINTS, NAMED_ELSEWHERE } from './named-elsewhere.ts'
import { behindRarest, END, type Hints, isExampleOfAws, literal, type SecretPattern, START } from './secret-pattern.ts'

/** A pattern, and the literal texts of which one is in every text that it matches. */
export interface GatedPattern extends SecretPattern {
  readonly starts?: readonly string[]
}

/** Patterns that are tried only on texts for which a hint is true: one is, for every text that any of them matches. */
export interface PatternGroup {
  readonly hints: readonly RegExp[]
  readonly patterns: readonly GatedPattern[]
}

/** A placeholder of the right length: `ghp_xxxxxxxx…`. */
const FILLED_IN = /([xX*])\1{15}/

/**
 * The pattern of a kind of key: one of `starts`, literally and in its letter case, then `rest`, not within a longer
 * word. What has 16 times `x`, `X` or `*` in a row, and the examples in AWS's documentation, are no secrets. Throws a
 * SyntaxError if `rest` is no regular expression.
 */
const keyPattern = ({ kind, starts, rest }: KeyForm): GatedPattern => ({
  kind,
  starts,
  expression: new RegExp(`${START}(?:${starts.map(literal).join('|')})${rest}${END}`, 'g'),
  isSecret: (found) => !FILLED_IN.test(found) && !isExampleOfAws(found),
})

/** What all keys have at least behind what they begin with. */
const MORE = String.raw`[A-Za-z0-9_.+/=-]{12}`
/** What may stand before a key, as {@link START} says it; to be part of a look back. */
const BEFORE = String.raw`(?:^|[^A-Za-z0-9_]|\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-F]{2})`

/** The source of an expression for any of the literal texts, which reads a common end once; '' without texts. */
const treeFromEnd = (texts: readonly string[]): string => {
  const groups = new Map<string, string[]>()
  for (const text of texts.filter((each) => each !== '')) {
    const letter = text.slice(-1)
    groups.set(letter, [...(groups.get(letter) ?? []), text.slice(0, -1)])
  }
  const parts = [...groups].map(([letter, rests]) => treeFromEnd(rests) + literal(letter))
  if (parts.length === 0) return ''
  const joined = parts.length === 1 ? parts.join('') : `(?:${parts.join('|')})`
  return texts.includes('') ? `(?:${joined})?` : joined
}

/** Whether everything that keys of this form begin with ends in a mark: `_`, `.` or `-`. */
const isMarked = ({ starts }: KeyForm): boolean => starts.every((start) => /[_.-]$/.test(start))
const MARKS = ['_', '.', '-']
const MARKED = KEY_FORMS.filter(isMarked).flatMap(({ starts }) => starts)
/** Most keys begin with a word and a mark (`ghp_`, `sk-`). */
const MARKED_HINTS = MARKS.map((mark): readonly [string, string] => {
  const words = MARKED.filter((start) => start.endsWith(mark)).map((start) => start.slice(0, -1))
  return [mark, `(?<=${BEFORE}${treeFromEnd([...new Set(words)])}${literal(mark)})${MORE}`]
})

/** Of keys that begin with a word alone: where it has no sign, either, they are long runs. */
const UNMARKED = KEY_FORMS.filter((form) => !isMarked(form)).flatMap(({ starts, rest }) =>
  starts.map((start) => behindRarest(start, rest) ?? literal(start) + rest),
)

const KEY_HINTS: Hints = {
  signs: [...MARKED_HINTS, ...UNMARKED.filter((hint) => typeof hint !== 'string')],
  runs: UNMARKED.filter((hint) => typeof hint === 'string'),
}

/** Expressions for all hints behind signs: those of the same signs together, each sign read once. */
const signsOf = (all: readonly Hints[]): readonly string[] => {
  const behind = new Map<string, string[]>()
  for (const [signs, expression] of all.flatMap((hints) => hints.signs ?? []))
    behind.set(signs, [...(behind.get(signs) ?? []), expression])
  return [...behind].map(([signs, rests]) => `${anySign(signs)}(?:${rests.join('|')})`)
}
/** An expression for one of the characters. */
const anySign = (signs: string): string => (signs.length === 1 ? literal(signs) : `[${signs}]`)
const wordsOf = (all: readonly Hints[]): readonly string[] => all.flatMap(({ words }) => words ?? [])
const runsOf = (all: readonly Hints[]): readonly string[] => all.flatMap(({ runs }) => runs ?? [])
/** An expression that matches where any of them does; without any, everywhere. */
const anyOf = (expressions: readonly string[]): RegExp => new RegExp(expressions.join('|'))

/**
 * A group of patterns with its hints, one expression for each kind that it has: the patterns are tried on texts for
 * which any of these is true.
 */
const group = (hints: Hints, patterns: readonly GatedPattern[]): PatternGroup => ({
  hints: [signsOf, wordsOf, runsOf]
    .map((of) => of([hints]))
    .flatMap((each) => (each.length === 0 ? [] : [anyOf(each)])),
  patterns,
})

/** In the order in which they are tried. */
export const PATTERN_GROUPS: readonly PatternGroup[] = [
  group(BLOCK_HINTS, BLOCK_PATTERNS),
  group(KEY_HINTS, KEY_FORMS.map(keyPattern)),
  group(CONTEXT_HINTS, CONTEXT_PATTERNS),
  group(ASSIGNED_HINTS, ASSIGNED_PATTERNS),
  group(ELSEWHERE_HINTS, NAMED_ELSEWHERE),
]

/** The look at every text: the hints of all groups, those behind signs in one expression that reads the text once. */
const ALL_HINTS = [BLOCK_HINTS, KEY_HINTS, CONTEXT_HINTS, ASSIGNED_HINTS, ELSEWHERE_HINTS]
const BEHIND_SIGNS = anyOf(signsOf(ALL_HINTS))
const WORDS = anyOf(wordsOf(ALL_HINTS))
const AROUND_RUNS = anyOf(runsOf(ALL_HINTS))
/** A hint that ends in a run has a run of at least this length, and begins at most so far before it. */
const RUN = 32
const BEFORE_RUN = 64

/**
 * Whether any pattern may match the text; a quick look that is never wrong when it says no. `runs`: all of the text's
 * runs of at least 32 characters, see {@link longRuns}; shorter ones may be among them.
 */
export const mayHoldSecret = (text: string, runs: readonly Run[]): boolean =>
  BEHIND_SIGNS.test(text) || WORDS.test(text) || runs.some((run) => isNamedRun(text, run))
/** Whether a run is long enough to be a key, and a hint is true of it with what stands before it. */
const isNamedRun = (text: string, { start, end }: Run): boolean =>
  end - start >= RUN && AROUND_RUNS.test(text.slice(Math.max(0, start - BEFORE_RUN), end + 1))
