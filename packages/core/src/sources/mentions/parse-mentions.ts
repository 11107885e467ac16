/** Finds what may be mentions in a text. Whether a path is there is not known here: see `expand-mentions`. */
import { CJK, cjkEnds } from './cjk.ts'
import { codeRanges } from './code-ranges.ts'
import type { MentionCandidate, MentionReading } from './mention.ts'
import { keywordTarget, pathReadings } from './read-target.ts'

/** A mention starts the text, or follows a blank, an opening parenthesis or CJK text. */
const BEGINNING = new RegExp(String.raw`(?<![^\s(${CJK}])@`, 'gu')
const QUOTED = /"([^"\n]+)"(?::(?=\d)[\d:-]*|#L\d[\dL-]*)?/y
const WORD = /[^\s"'`<>|]+/y
/** Characters that may end the sentence instead of the path. */
const TRAILING = /[.,;:!?)\]}]$/
/** Decorators and the like: `@Injectable()`, `@app.route("/")`. */
const CALL = /^[\p{L}_$][\p{L}\p{N}_$.]*\(/u
/** No path has more characters. */
const LONGEST_MENTION = 4_096
/** Mentions of one text that are looked up; each may need a look at the disk. */
export const MOST_MENTIONS = 200

/**
 * Returns the possible mentions in a text, in order, each with what it may mean, the longest reading first. Code,
 * decorators and e-mail addresses are skipped. At most one more than {@link MOST_MENTIONS}, which says that there are more;
 * empty for a text without `@`.
 */
export const parseMentions = (text: string): readonly MentionCandidate[] => {
  if (!text.includes('@')) return []
  const code = codeRanges(text)
  const found: MentionCandidate[] = []
  let codeIndex = 0
  for (const { index: start } of text.matchAll(BEGINNING)) {
    while ((code[codeIndex]?.end ?? Infinity) <= start) codeIndex += 1
    if ((code[codeIndex]?.start ?? Infinity) <= start) continue
    const readings = quotedReadings(text, start) ?? wordReadings(text, start)
    if (readings.length > 0) found.push({ start, readings })
    if (found.length > MOST_MENTIONS) break
  }
  return found
}

/**
 * The readings of `@"…"` with or without line numbers; undefined if no quote follows the `@`, empty if it is not closed
 * or blank.
 */
const quotedReadings = (text: string, start: number): readonly MentionReading[] | undefined => {
  if (text[start + 1] !== '"') return undefined
  QUOTED.lastIndex = start + 1
  const [whole, path = ''] = QUOTED.exec(text) ?? []
  if (whole === undefined || path.trim() === '' || path.length > LONGEST_MENTION) return []
  const suffix = whole.slice(path.length + 2)
  const plainEnd = start + 3 + path.length
  const plain: MentionReading = { end: plainEnd, target: { kind: 'path', path }, isCertain: true }
  const withLines = readingsDownTo(`${path}${suffix}`, path.length + 1).flatMap((part) =>
    pathReadings(part).flatMap(({ target }): readonly MentionReading[] =>
      target.kind === 'path' && target.lines !== undefined && target.path === path
        ? [{ end: plainEnd + part.length - path.length, target, isCertain: true }]
        : [],
    ),
  )
  return [...withLines, plain]
}

/** The readings of an unquoted mention; empty if it is none. */
const wordReadings = (text: string, start: number): readonly MentionReading[] => {
  WORD.lastIndex = start + 1
  const word = WORD.exec(text)?.[0] ?? ''
  if (word === '' || CALL.test(word)) return []
  const words = [word, ...cjkEnds(word.slice(0, LONGEST_MENTION)).map((end) => word.slice(0, end))].filter(
    ({ length }) => length <= LONGEST_MENTION,
  )
  const parts = new Set(words.flatMap((one) => readingsDownTo(one, 1)))
  return [...parts].flatMap((part): readonly MentionReading[] => {
    const end = start + 1 + part.length
    const keyword = keywordTarget(part)
    if (keyword !== undefined) return [{ end, target: keyword, isCertain: true }]
    return pathReadings(part).map((reading) => ({ end, ...reading }))
  })
}

/**
 * The text, then shorter and shorter without the punctuation at its end, each at least `shortest` characters long.
 * After seven signs all of them are left out at once.
 */
const readingsDownTo = (text: string, shortest: number): readonly string[] => {
  const parts = [text]
  for (let rest = text; rest.length > shortest && TRAILING.test(rest);) {
    rest = rest.slice(0, -1)
    parts.push(rest)
    // A row of signs is no path; what stands before it is.
    if (parts.length === 8) {
      parts.push(rest.replace(/[.,;:!?)\]}]+$/, ''))
      break
    }
  }
  return parts.filter((part) => part !== '')
}
