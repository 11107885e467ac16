/** Markdown within a paragraph: code, emphasis, links to pages and mail. Anything else stays text. */
import { safeAddress } from '../links.ts'
import { escapeAttribute, escapeText } from './escape.ts'

const NEXT = /[`*_~[!<\\]|https?:\/\//gi
/** Longest emphasis or link, in characters; without a limit, a text full of brackets would take quadratic time. */
const LONGEST = 2000
/** Longest text that is formatted, in characters. */
const LONGEST_TEXT = 100_000
const DEEPEST = 4
/** Closing marks that are tried for one opening mark. */
const TRIES = 8

/** A link with its address as tooltip. */
const link = (address: string, label: string): string =>
  `<a href="${escapeAttribute(address)}" title="${escapeAttribute(address)}" rel="noopener noreferrer">${label}</a>`

/** A formatted part of a text, and the offset behind it. */
interface Piece {
  readonly html: string
  readonly end: number
}

/**
 * Returns Markdown within a paragraph (emphasis, code, links) as escaped HTML. Links need a safe address; text that is
 * nested more than 4 levels or longer than 100,000 characters is not formatted. `depth` is the current nesting.
 */
export const inlineHtml = (text: string, depth = 0): string => {
  if (text.length > LONGEST_TEXT) return escapeText(text)
  /** Marks that nothing closes from some offset on: nothing closes them further on either. */
  const unclosed = new Set<string>()
  const next = new RegExp(NEXT)
  let html = ''
  let from = 0
  for (let at = next.exec(text); at !== null; at = next.exec(text)) {
    const piece = pieceAt(text, at.index, depth, unclosed)
    if (piece === undefined) {
      // A run of marks that formats nothing is skipped as a whole.
      const run = /^([`*_~])\1*/.exec(text.slice(at.index, at.index + LONGEST))
      next.lastIndex = at.index + (run?.[0].length ?? 1)
      continue
    }
    html += escapeText(text.slice(from, at.index)) + piece.html
    from = piece.end
    next.lastIndex = from
  }
  return html + escapeText(text.slice(from))
}

/**
 * Returns the formatted piece that starts at a mark; undefined if it is only text. `unclosed` collects marks that are
 * not closed.
 */
const pieceAt = (text: string, index: number, depth: number, unclosed: Set<string>): Piece | undefined => {
  switch (text[index]) {
    case '`':
      return codeAt(text, index, unclosed)
    case '*':
    case '_':
    case '~':
      return depth >= DEEPEST ? undefined : emphasisAt(text, index, depth, unclosed)
    case '[':
      return linkAt(text, index, depth)
    case '!':
      return text[index + 1] === '[' ? linkAt(text, index + 1, depth, 'image: ') : undefined
    case '<':
      return angleLinkAt(text, index)
    case '\\':
      return escapedAt(text, index)
    default:
      return isWordCharacter(text[index - 1]) ? undefined : bareLinkAt(text, index)
  }
}

/** The punctuation mark behind a backslash as a plain character; undefined for anything else. */
const escapedAt = (text: string, index: number): Piece | undefined => {
  const character = text[index + 1] ?? ''
  return /[!-/:-@[-`{-~]/.test(character) ? { html: escapeText(character), end: index + 2 } : undefined
}

/**
 * Returns code between runs of backticks of equal length; undefined if it is not closed. `unclosed` has the runs that
 * are known not to be closed.
 */
const codeAt = (text: string, index: number, unclosed: Set<string>): Piece | undefined => {
  let length = 1
  while (text[index + length] === '`') length += 1
  const run = '`'.repeat(length)
  if (unclosed.has(run)) return undefined
  for (let end = text.indexOf(run, index + length); end !== -1; end = text.indexOf(run, end)) {
    let after = end + length
    while (text[after] === '`') after += 1
    if (after === end + length)
      return {
        html: `<code>${escapeText(text.slice(index + length, end).replace(/^ (.*\S.*) $/s, '$1'))}</code>`,
        end: after,
      }
    end = after
  }
  unclosed.add(run)
  return undefined
}

const TAGS: Readonly<Record<string, string>> = { '*': 'em', _: 'em', '**': 'strong', __: 'strong', '~~': 'del' }

/** Whether a character belongs to a word. */
const isWordCharacter = (character: string | undefined): boolean => /\w/.test(character ?? '')

/**
 * Returns text between `*`, `**`, `_`, `__` or `~~`; undefined if it is not closed. An underline within a word is no
 * mark. `unclosed` has the marks that are known not to be closed.
 */
const emphasisAt = (text: string, index: number, depth: number, unclosed: Set<string>): Piece | undefined => {
  const letter = text[index] ?? ''
  const mark = text[index + 1] === letter ? letter + letter : letter
  const tag = TAGS[mark]
  const start = index + mark.length
  const isInWord = letter === '_' && isWordCharacter(text[index - 1])
  if (tag === undefined || isInWord || /^[\s*_~]?$/.test(text[start] ?? '') || unclosed.has(mark)) return undefined
  const end = closingMark(text, start, mark, unclosed)
  return end === undefined
    ? undefined
    : { html: `<${tag}>${inlineHtml(text.slice(start, end), depth + 1)}</${tag}>`, end: end + mark.length }
}

/**
 * The offset of the mark that closes an emphasis; undefined if there is none. If the text has none from `start` on,
 * that is recorded in `unclosed`.
 */
const closingMark = (text: string, start: number, mark: string, unclosed: Set<string>): number | undefined => {
  let end = text.indexOf(mark, start)
  if (end === -1) unclosed.add(mark)
  for (let tried = 0; end !== -1 && end - start <= LONGEST && tried < TRIES; tried++) {
    if (end > start && closesEmphasis(text, end, mark)) return end
    end = text.indexOf(mark, end + 1)
  }
  return undefined
}

/**
 * Whether a mark closes an emphasis: it follows a word, is not part of a longer run, and (for `_`) is not within a
 * word.
 */
const closesEmphasis = (text: string, end: number, mark: string): boolean => {
  const letter = mark.charAt(0)
  const [before, after] = [text[end - 1] ?? '', text[end + mark.length] ?? '']
  if (before === letter || after === letter || /\s/.test(before)) return false
  return letter !== '_' || !isWordCharacter(after)
}

/**
 * Returns `[label](address)` as a link; undefined if there is none at `index`, or its address is not safe. An empty
 * label is the address; `prefix` stands before it.
 */
const linkAt = (text: string, index: number, depth: number, prefix = ''): Piece | undefined => {
  const part = text.slice(index, index + LONGEST)
  const [whole, label = '', address = ''] =
    /^\[([^[\]]{0,500})\]\(\s{0,3}<?([^\s<>()]{1,1500}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,500})?)>?(?:\s{1,3}"[^"\n]{0,200}")?\s{0,3}\)/.exec(
      part,
    ) ?? []
  const safe = safeAddress(address)
  if (whole === undefined || safe === undefined) return undefined
  // A label's own links stay text, as a link can't hold another.
  const inner = depth >= DEEPEST ? escapeText(label) : withoutLinks(label, depth)
  return { html: link(safe, escapeText(prefix) + (inner === '' ? escapeText(safe) : inner)), end: index + whole.length }
}

/** A label's formatting; plain text if it could contain a link. */
const withoutLinks = (label: string, depth: number): string =>
  /https?:\/\/|[[<]/i.test(label) ? escapeText(label) : inlineHtml(label, depth + 1)

/** Returns a link written as `<address>`; undefined if there is none at `index`, or its address is not safe. */
const angleLinkAt = (text: string, index: number): Piece | undefined => {
  const [whole, address = ''] = /^<([^\s<>]{1,1500})>/.exec(text.slice(index, index + LONGEST)) ?? []
  const safe = safeAddress(address)
  return whole === undefined || safe === undefined
    ? undefined
    : { html: link(safe, escapeText(address)), end: index + whole.length }
}

/**
 * An address written without marks, as a link, without the punctuation and the unpaired brackets at its end; undefined if
 * it is not safe.
 */
const bareLinkAt = (text: string, index: number): Piece | undefined => {
  const [found = ''] = /^[^\s<>"'`|\\^{}]{1,1500}/.exec(text.slice(index, index + LONGEST)) ?? []
  let address = found.replace(/[.,;:!?*_~]{1,20}$/, '')
  // Closing brackets of the sentence are not part of the address.
  while (
    /[)\]]$/.test(address) &&
    count(address, address.endsWith(')') ? ')' : ']') > count(address, address.endsWith(')') ? '(' : '[')
  )
    address = address.slice(0, -1)
  const safe = safeAddress(address)
  return safe === undefined ? undefined : { html: link(safe, escapeText(address)), end: index + address.length }
}

/** How often a character occurs in a text. */
const count = (text: string, letter: string): number => text.split(letter).length - 1
