/**
 * Git's name patterns (wildmatch), matched in time proportional to pattern times text: only the last star is retried,
 * because retrying earlier ones can't help.
 */

type Token =
  | { readonly kind: 'byte'; readonly byte: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'set'; readonly has: (byte: string) => boolean }

/** The tokens of one name of a pattern; `globstar` matches any number of names. */
export type GlobSegment = readonly Token[] | 'globstar'

const POSIX_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

/**
 * Parses a pattern into its names; undefined for one that can't match anything: an unclosed `[`, an unknown class in
 * it, or a trailing backslash. A name of only two or more `*` is a globstar.
 */
export const parseGlob = (pattern: string): readonly GlobSegment[] | undefined => {
  const segments: GlobSegment[] = []
  let tokens: Token[] = []
  let start = 0
  const endSegment = (end: number): void => {
    const isGlobstar = /^\*{2,}$/.test(pattern.slice(start, end))
    segments.push(isGlobstar ? 'globstar' : tokens)
    tokens = []
    start = end + 1
  }
  for (let at = 0; at < pattern.length; at++) {
    const byte = pattern.charAt(at)
    if (byte === '/') endSegment(at)
    else if (byte === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (byte === '?') tokens.push({ kind: 'any' })
    else if (byte === '[') {
      const set = parseSet(pattern, at)
      if (set === undefined) return undefined
      tokens.push({ kind: 'set', has: set.has })
      at = set.end
    } else if (byte === '\\') {
      at += 1
      if (at >= pattern.length) return undefined
      tokens.push({ kind: 'byte', byte: pattern.charAt(at) })
    } else tokens.push({ kind: 'byte', byte })
  }
  endSegment(pattern.length)
  return segments
}

interface ByteSet {
  readonly has: (byte: string) => boolean
  /** Position of the closing bracket. */
  readonly end: number
}

type IsMember = (byte: string) => boolean

/** A member of a set: what it matches, where it ends, and the byte with which a range may start. */
interface SetMember {
  readonly has: IsMember
  readonly length: number
  readonly last: string
}

/** The set that opens at `start`; undefined if it does not close or names an unknown class. */
const parseSet = (pattern: string, start: number): ByteSet | undefined => {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^'
  const first = isNegated ? start + 2 : start + 1
  const members: IsMember[] = []
  let previous = ''
  // A bracket directly behind the opening one is a member.
  for (let at = first; at === first || pattern[at] !== ']';) {
    const member = memberAt(pattern, at, previous)
    if (member === undefined) return undefined
    members.push(member.has)
    previous = member.last
    at += member.length
    if (pattern[at] === ']') return { has: (byte) => members.some((has) => has(byte)) !== isNegated, end: at }
  }
  return undefined
}

/**
 * The member of a set (`[a-z]`) at a position; undefined if the pattern ends there, or for an unknown class
 * (`[:word:]`). `previous`: the byte before it with which a range may start, '' for none.
 */
const memberAt = (pattern: string, at: number, previous: string): SetMember | undefined => {
  const byte = pattern[at]
  if (byte === undefined) return undefined
  const name = byte === '[' && pattern[at + 1] === ':' ? className(pattern, at + 2) : undefined
  if (name !== undefined) {
    const known = POSIX_CLASSES[name]
    return known && { has: (each) => known.test(each), length: name.length + 4, last: '' }
  }
  const next = pattern[at + 1]
  if (byte === '-' && previous !== '' && next !== undefined && next !== ']') return rangeTo(pattern, at + 1, previous)
  const own = byte === '\\' ? next : byte
  return own === undefined ? undefined : { has: (each) => each === own, length: byte === '\\' ? 2 : 1, last: own }
}

/** A range from a byte to the one at `at`, which may be escaped by a backslash; undefined if the pattern ends there. */
const rangeTo = (pattern: string, at: number, from: string): SetMember | undefined => {
  const isEscaped = pattern[at] === '\\'
  const to = pattern[isEscaped ? at + 1 : at]
  if (to === undefined) return undefined
  return { has: (each) => each >= from && each <= to, length: isEscaped ? 3 : 2, last: '' }
}

/** The name in `[:name:]`, whose first letter is at `start`; undefined if it is not a class. */
const className = (pattern: string, start: number): string | undefined => {
  const end = pattern.indexOf(']', start)
  return end > start && pattern[end - 1] === ':' ? pattern.slice(start, end - 1) : undefined
}

/** Whether one whole name matches: `*` stands for any number of bytes, `?` for exactly one. */
const matchesName = (tokens: readonly Token[], name: string): boolean => {
  let [token, at] = [0, 0]
  let [star, starAt] = [-1, 0]
  while (at < name.length) {
    const now = tokens[token]
    if (now?.kind === 'star') {
      ;[star, starAt] = [token, at]
      token += 1
    } else if (now !== undefined && matchesByte(now, name.charAt(at))) {
      token += 1
      at += 1
    } else if (star >= 0) {
      token = star + 1
      starAt += 1
      at = starAt
    } else return false
  }
  while (tokens[token]?.kind === 'star') token += 1
  return token === tokens.length
}

/** Whether a token matches one byte; a star matches any. */
const matchesByte = (token: Token, byte: string): boolean => {
  switch (token.kind) {
    case 'byte':
      return token.byte === byte
    case 'set':
      return token.has(byte)
    default:
      return true
  }
}

/**
 * Whether all names of a path match those of a pattern, in order. A globstar matches any number of names, including
 * none; at the end, at least one.
 */
export const matchesGlob = (segments: readonly GlobSegment[], names: readonly string[]): boolean => {
  let [segment, at] = [0, 0]
  let [star, starAt] = [-1, 0]
  while (at < names.length) {
    const now = segments[segment]
    if (now === 'globstar') {
      if (segment === segments.length - 1) return true
      ;[star, starAt] = [segment, at]
      segment += 1
    } else if (now !== undefined && matchesName(now, names[at] ?? '')) {
      segment += 1
      at += 1
    } else if (star >= 0) {
      segment = star + 1
      starAt += 1
      at = starAt
    } else return false
  }
  return segment === segments.length
}
