/**
 * Puts together what secrets look like: the forms of providers' keys are the rows of `key-forms.ts`, what only its context
 * gives away is in `in-context.ts` and `assigned.ts`. The patterns work on raw JSON lines as well as on plain text: there, a key may
 * follow an escape (`\nghp_…`), quotes are escaped, and a line break of a PEM block is written `\n`.
 */
import { ASSIGNED_HINTS, ASSIGNED_PATTERNS } from './assigned.ts'
import { BLOCK_HINT, BLOCK_PATTERNS, CONTEXT_PATTERNS, CONTEXT_SIGNS, CONTEXT_WORDS } from './in-context.ts'
import { KEY_FORMS, type KeyForm } from './key-forms.ts'
import { ELSEWHERE_HINTS, NAMED_ELSEWHERE } from './named-elsewhere.ts'
import { END, type SecretPattern, START } from './secret-pattern.ts'

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

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

const keyPattern = ({ kind, starts, rest }: KeyForm): GatedPattern => ({
  kind,
  starts,
  expression: new RegExp(`${START}(?:${starts.map(literal).join('|')})${rest}${END}`, 'g'),
  isSecret: (found) => !FILLED_IN.test(found),
})

/** What all keys have at least behind what they begin with. */
const MORE = String.raw`[A-Za-z0-9_.+/=-]{12}`
const BEFORE = String.raw`(?:^|[^A-Za-z0-9_]|\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-F]{2})`

/** The texts as one expression that reads each common end (or beginning) once. */
const tree = (texts: readonly string[], from: 'start' | 'end'): string => {
  const groups = new Map<string, string[]>()
  for (const text of texts.filter((each) => each !== '')) {
    const [letter, rest] = from === 'end' ? [text.slice(-1), text.slice(0, -1)] : [text.slice(0, 1), text.slice(1)]
    groups.set(letter, [...(groups.get(letter) ?? []), rest])
  }
  const parts = [...groups].map(([letter, rests]) =>
    from === 'end' ? tree(rests, from) + literal(letter) : literal(letter) + tree(rests, from),
  )
  if (parts.length === 0) return ''
  const joined = parts.length === 1 ? parts.join('') : `(?:${parts.join('|')})`
  return texts.includes('') ? `(?:${joined})?` : joined
}

const isMarked = ({ starts }: KeyForm): boolean => starts.every((start) => /[_.-]$/.test(start))
const MARKED = [...new Set(KEY_FORMS.filter(isMarked).flatMap((form) => form.starts))]
const UNMARKED = KEY_FORMS.filter((form) => !isMarked(form)).map(({ starts, rest }) => tree(starts, 'start') + rest)

/**
 * Most keys begin with a word and a mark (`ghp_`, `sk-`): looking for the mark, then for what is behind it, and only
 * then back for the word takes a quarter of the time of looking for the words.
 */
const MARKED_HINT = new RegExp(`[_.-](?=${MORE})(?<=${BEFORE}${tree(MARKED, 'end')})`)
const UNMARKED_HINT = new RegExp(UNMARKED.join('|'))

/** In the order in which they are tried. */
export const PATTERN_GROUPS: readonly PatternGroup[] = [
  { hints: [BLOCK_HINT], patterns: BLOCK_PATTERNS },
  {
    hints: [MARKED_HINT, UNMARKED_HINT],
    patterns: KEY_FORMS.map(keyPattern),
  },
  { hints: [CONTEXT_SIGNS, CONTEXT_WORDS], patterns: CONTEXT_PATTERNS },
  { hints: ASSIGNED_HINTS, patterns: ASSIGNED_PATTERNS },
  { hints: ELSEWHERE_HINTS, patterns: NAMED_ELSEWHERE },
]

/**
 * The look at every text: the hints of all groups. Those that begin with a sign are one expression, which takes half
 * of the time that they take one after the other.
 */
export const QUICK_LOOK: readonly RegExp[] = [
  new RegExp(
    [MARKED_HINT, CONTEXT_SIGNS, ...ASSIGNED_HINTS, ...ELSEWHERE_HINTS, BLOCK_HINT]
      .map(({ source }) => source)
      .join('|'),
  ),
  UNMARKED_HINT,
  CONTEXT_WORDS,
]
