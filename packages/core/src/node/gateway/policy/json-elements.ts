/** Where the elements of a list stand in the text of a JSON object: the rest of the text stays as it came. */

/** From the first character up to the one behind the last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The elements of the list in a field of the object that a text holds; of a field that stands there twice the last one, as
 * parsers take it. Undefined where the field is missing or no list. The text has to be valid JSON.
 */
export const elementSpans = (text: string, field: string): readonly Span[] | undefined => {
  const at = skipSpace(text, 0)
  if (text[at] !== '{') return undefined
  let found: readonly Span[] | undefined
  forEachPart(text, at, (start) => {
    const keyEnd = endOfValue(text, start)
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1)
    if (JSON.parse(text.slice(start, keyEnd)) === field)
      found = text[value] === '[' ? listSpans(text, value) : undefined
    return endOfValue(text, value)
  })
  return found
}

/** Where the values of a list begin and end; `open` is the index of its bracket. */
const listSpans = (text: string, open: number): readonly Span[] => {
  const spans: Span[] = []
  forEachPart(text, open, (start) => {
    const end = endOfValue(text, start)
    spans.push({ start, end })
    return end
  })
  return spans
}

/**
 * Calls `take` with the index of the first character of each part of a JSON list or object, in order. `open` is the
 * index of its bracket. A part is an element of a list, or a key of an object together with its value. `take` returns
 * the index behind the part; spaces and commas between parts are skipped here.
 */
const forEachPart = (text: string, open: number, take: (start: number) => number): void => {
  let at = skipSpace(text, open + 1)
  while (at < text.length && text[at] !== ']' && text[at] !== '}') {
    at = skipSpace(text, take(at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

const SPACE = ' \t\n\r'

/** The index of the next character that is no white space; the text's length if there is none. */
const skipSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && SPACE.includes(text[at] ?? '')) at += 1
  return at
}

/** The index behind the value that begins at an index, without recursion: bodies may be nested deeply. */
const endOfValue = (text: string, start: number): number => {
  if (text[start] === '"') return endOfString(text, start)
  if (text[start] !== '{' && text[start] !== '[') return endOfWord(text, start)
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

/** The index after a number, or after `true`, `false`, `null`. */
const endOfWord = (text: string, start: number): number => {
  let at = start
  while (at < text.length && !ENDS_WORD.includes(text[at] ?? '')) at += 1
  return at
}

const ENDS_WORD = `,]}${SPACE}`

/**
 * The index after a string's closing quote; the text's length if it has none. `open` is the index of its first quote.
 */
const endOfString = (text: string, open: number): number => {
  for (let at = open + 1; ; at += 1) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return text.length
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
    at = quote
  }
}
