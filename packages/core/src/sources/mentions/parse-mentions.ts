/** Finds what may be mentions in a text. Whether a path is there is not known here: see `expand-mentions`. */
import { codeRanges } from './code-ranges.ts'
import type { MentionCandidate, MentionReading } from './mention.ts'
import { keywordTarget, pathReadings } from './read-target.ts'

/** At the start, behind a blank, or behind an opening parenthesis. */
const BEGINNING = /(?<![^\s(])@/gu
const QUOTED = /"([^"\n]+)"(?::(?=\d)[\d:-]*|#L\d[\dL-]*)?/y
const WORD = /[^\s"'`<>|]+/y
/** What may end the sentence and not the path. */
const TRAILING = /[.,;:!?)\]}]$/
/** `@Injectable()`, `@app.route("/")`. */
const CALL = /^[\p{L}_$][\p{L}\p{N}_$.]*\(/u
/** So many characters are no path. */
const LONGEST_MENTION = 4_096
/** Of a longer text so many are looked at: each costs a look at the disk. */
const MOST_MENTIONS = 200

/**
 * The candidates of a text, in order, each with what it may mean, the longest reading first; code in the text has
 * none, nor has an address of mail. At most 200.
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
    if (found.length === MOST_MENTIONS) break
  }
  return found
}

/** Of `@"…"`, with its lines; undefined where no quote stands behind the `@`. */
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

const wordReadings = (text: string, start: number): readonly MentionReading[] => {
  WORD.lastIndex = start + 1
  const word = WORD.exec(text)?.[0] ?? ''
  if (word === '' || word.length > LONGEST_MENTION || CALL.test(word)) return []
  return readingsDownTo(word, 1).flatMap((part): readonly MentionReading[] => {
    const end = start + 1 + part.length
    const keyword = keywordTarget(part)
    if (keyword !== undefined) return [{ end, target: keyword, isCertain: true }]
    return pathReadings(part).map((reading) => ({ end, ...reading }))
  })
}

/** The text, then without one sign of the sentence after the other, at least `shortest` characters long. */
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
