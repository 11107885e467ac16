/** Markdown within a line: emphasis, code and links. The time that it takes grows with the length of the text alone. */
import type { Inline } from './syntax.ts'

/** A longer paragraph is shown as it stands. */
const LONGEST = 50_000
const DEEPEST = 8
const LONGEST_LABEL = 500
const LONGEST_ADDRESS = 2_000

/**
 * Returns a text as inline nodes. No text is lost: what is not Markdown, too long or too deeply nested stays text.
 * `depth`: how deep the text is already.
 */
export const parseInline = (text: string, depth = 0): readonly Inline[] => {
  if (text.length > LONGEST || depth > DEEPEST) return [{ type: 'text', text }]
  return new InlineParser(text, depth).parse()
}

const ESCAPABLE = /[!-/:-@[-`{-~]/
const WORD = /[\p{L}\p{N}]/u
const SPECIAL = /[\\`*_~[!<\nh]/

/** A node, and where the text after it begins. */
interface Found {
  readonly node: Inline
  readonly end: number
}

/** Parses one text from its beginning to its end. */
class InlineParser {
  readonly #text: string
  readonly #depth: number
  readonly #nodes: Inline[] = []
  /** Ends that were looked for in vain: there is none behind a later place either. */
  readonly #missing = new Set<string>()
  #plain = ''

  constructor(text: string, depth: number) {
    this.#text = text
    this.#depth = depth
  }

  /** Returns the text as nodes; what is no mark stays text. */
  parse(): readonly Inline[] {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const found = this.#at(at)
      if (found === undefined) {
        let next = at + 1
        while (next < text.length && !SPECIAL.test(text.charAt(next))) next += 1
        this.#plain += text.slice(at, next)
        at = next
      } else {
        this.#flush()
        this.#nodes.push(found.node)
        at = found.end
      }
    }
    this.#flush()
    return this.#nodes
  }

  /** Ends the plain text so far, as a node. */
  #flush(): void {
    if (this.#plain !== '') this.#nodes.push({ type: 'text', text: this.#plain })
    this.#plain = ''
  }

  /** Returns what begins at an index; undefined if it is plain text. Also for a mark that nothing closes. */
  #at(at: number): Found | undefined {
    const text = this.#text
    switch (text.charAt(at)) {
      case '\\':
        return this.#escape(at)
      case '\n':
        return text.endsWith('  ', at) ? { node: { type: 'break' }, end: at + 1 } : undefined
      case '`':
        return this.#code(at)
      case '*':
      case '_':
      case '~':
        return this.#emphasis(at)
      case '[':
        return this.#link(at, at)
      case '!':
        return text.charAt(at + 1) === '[' ? this.#link(at + 1, at) : undefined
      case '<':
        return this.#bracketed(at)
      case 'h':
        return this.#address(at)
      default:
        return undefined
    }
  }

  /** Returns the mark behind a backslash as text, a line end behind it as a break; undefined before anything else. */
  #escape(at: number): Found | undefined {
    const next = this.#text.charAt(at + 1)
    if (next === '\n') return { node: { type: 'break' }, end: at + 2 }
    return ESCAPABLE.test(next) ? { node: { type: 'text', text: next }, end: at + 2 } : undefined
  }

  /** Returns code in backticks; a run of them without an end is text as a whole. */
  #code(at: number): Found {
    const text = this.#text
    let length = 1
    while (text.charAt(at + length) === '`') length += 1
    const fence = text.slice(at, at + length)
    const close = this.#closing(
      fence,
      at + length,
      (found) => text.charAt(found + length) !== '`' && text.charAt(found - 1) !== '`',
    )
    // The whole run is text: a part of it opens nothing.
    if (close === undefined) return { node: { type: 'text', text: fence }, end: at + length }
    const inner = text.slice(at + length, close).replaceAll('\n', ' ')
    const isPadded = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== ''
    return { node: { type: 'code', text: isPadded ? inner.slice(1, -1) : inner }, end: close + length }
  }

  /**
   * Returns emphasis (`*`, `_`), strong (twice that) or deleted text (`~~` alone); undefined if the mark has no end, or
   * opens nothing, as before a space, or as `_` within a word.
   */
  #emphasis(at: number): Found | undefined {
    const text = this.#text
    const mark = text.charAt(at)
    const isDouble = text.charAt(at + 1) === mark
    if (mark === '~' && !isDouble) return undefined
    const delimiter = isDouble ? mark + mark : mark
    const from = at + delimiter.length
    if (/\s|^$/.test(text.charAt(from)) || (mark === '_' && WORD.test(text.charAt(at - 1)))) return undefined
    const close = this.#closing(delimiter, from + 1, (found) => this.#closes(found, delimiter))
    if (close === undefined) return undefined
    const children = parseInline(text.slice(from, close), this.#depth + 1)
    const type = mark === '~' ? 'deleted' : isDouble ? 'strong' : 'emphasis'
    return { node: { type, children }, end: close + delimiter.length }
  }

  /**
   * Whether a delimiter found may end emphasis: not after a space or a single backslash, and `_` not before a letter or
   * digit. Of a longer run the last two may end a double mark; nothing of it ends a single one.
   */
  #closes(found: number, delimiter: string): boolean {
    const text = this.#text
    const mark = delimiter.charAt(0)
    const before = text.charAt(found - 1)
    const after = text.charAt(found + delimiter.length)
    if (/\s/.test(before) || (before === '\\' && text.charAt(found - 2) !== '\\')) return false
    // Of a longer run the last ones end it: the first belong to what is inside.
    if (after === mark || (delimiter.length === 1 && before === mark)) return false
    return mark !== '_' || !WORD.test(after)
  }

  /**
   * Returns the first place from there on that `closes` takes as the delimiter's end; undefined if there is none, which
   * is remembered for later calls: what `closes` says of a place must not depend on where the delimiter began.
   */
  #closing(delimiter: string, from: number, closes: (found: number) => boolean): number | undefined {
    if (this.#missing.has(delimiter)) return undefined
    let found = this.#text.indexOf(delimiter, from)
    while (found !== -1 && !closes(found)) found = this.#text.indexOf(delimiter, found + 1)
    if (found !== -1) return found
    this.#missing.add(delimiter)
    return undefined
  }

  /**
   * Returns `[label](address)`; an image is a link with its description. `from`: where the whole begins. Undefined if
   * it is none, or too long. The address is not checked.
   */
  #link(bracket: number, from: number): Found | undefined {
    const near = this.#text.slice(bracket + 1, bracket + LONGEST_LABEL + LONGEST_ADDRESS + 4)
    const middle = near.indexOf('](')
    if (middle === -1 || middle > LONGEST_LABEL) return undefined
    const label = near.slice(0, middle)
    if (label.includes('[')) return undefined
    const length = addressLength(near.slice(middle + 2))
    if (length === undefined) return undefined
    const inside = near.slice(middle + 2, middle + 2 + length).trim()
    const address = (
      inside.startsWith('<') ? inside.slice(1, inside.indexOf('>')) : (inside.split(/\s/)[0] ?? '')
    ).trim()
    const isImage = from !== bracket
    const children: readonly Inline[] = isImage
      ? [{ type: 'text', text: label === '' ? 'image' : label }]
      : parseInline(label, this.#depth + 1)
    return { node: { type: 'link', address, children }, end: bracket + 1 + middle + 2 + length + 1 }
  }

  /** Returns an address in angle brackets as a link; undefined for anything else. */
  #bracketed(at: number): Found | undefined {
    const near = this.#text.slice(at + 1, at + LONGEST_ADDRESS)
    const address = /^https?:\/\/[^\s<>]+(?=>)/i.exec(near)?.[0]
    if (address === undefined) return undefined
    return {
      node: { type: 'link', address, children: [{ type: 'text', text: address }] },
      end: at + address.length + 2,
    }
  }

  /** Returns a bare web address as a link, without the punctuation behind it; undefined if there is none. */
  #address(at: number): Found | undefined {
    const text = this.#text
    if (!text.startsWith('http', at) || WORD.test(text.charAt(at - 1))) return undefined
    const whole = /^https?:\/\/[^\s<>"'`\\^{}|]+/.exec(text.slice(at, at + LONGEST_ADDRESS))?.[0]
    if (whole === undefined) return undefined
    const address = withoutPunctuation(whole)
    if (/^https?:\/\/$/.test(address)) return undefined
    return { node: { type: 'link', address, children: [{ type: 'text', text: address }] }, end: at + address.length }
  }
}

/**
 * Returns how many characters precede the parenthesis that closes an address, which may hold pairs of them; undefined
 * if there is none on the line, or within the longest address.
 */
const addressLength = (text: string): number | undefined => {
  let open = 0
  for (let at = 0; at < text.length && at <= LONGEST_ADDRESS; at += 1) {
    const character = text.charAt(at)
    if (character === '\n') return undefined
    if (character === '(') open += 1
    if (character === ')') {
      if (open === 0) return at
      open -= 1
    }
  }
  return undefined
}

/**
 * Returns an address without the punctuation that ends the sentence around it, and without a parenthesis that was
 * opened before it.
 */
const withoutPunctuation = (address: string): string => {
  let end = address.length
  for (;;) {
    const last = address.charAt(end - 1)
    const isOpened = address.slice(0, end).includes('(')
    if (end > 0 && (/[.,;:!?*_~\]]/.test(last) || (last === ')' && !isOpened))) end -= 1
    else return address.slice(0, end)
  }
}
