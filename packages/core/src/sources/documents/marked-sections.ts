/**
 * Sections of a Markdown file that Cairn keeps, between two comments that name them. The first one holds a hash of the text as it
 * was written, so a section that a person changed is told apart and left alone, as is everything outside of the marks.
 */

/** A section as it should be. */
export interface MarkedSection {
  /** Letters and `-`; once in a file. */
  readonly id: string
  /** Markdown, line ends `\n`, none at the end; no line of it is a mark. */
  readonly body: string
}

/**
 * What was done with a section. `added`: it was new; `refreshed`: its text was replaced; `current`: it needed no
 * change; `edited`: a person changed it, so it was kept; `missing`: the file lacks it and it was not to be added.
 */
export type SectionState = 'added' | 'refreshed' | 'current' | 'edited' | 'missing'

/** The merged text, and what was done with each wanted section, in the wanted order. */
export interface MergedSections {
  readonly text: string
  readonly sections: readonly { readonly id: string; readonly state: SectionState }[]
}

/** Why the marks in a file can't be trusted, worded as the end of a sentence about the file. */
export interface DamagedMarks {
  readonly damage: string
}

export interface MergeOptions {
  /** Whether sections that the text lacks are added at its end. */
  readonly addMissing: boolean
  /** A few hex digits that differ between texts. */
  readonly hash: (text: string) => string
}

const BEGIN = /^<!-- cairn:begin ([a-z-]+) ([0-9a-f]+)(?: .*)?-->\s*$/
const END = /^<!-- cairn:end ([a-z-]+) -->\s*$/
const HINT = 'kept by Cairn; write outside of these marks'

/** Lines of a file: those of nobody's section, or of one with its marks. */
type Part =
  | { readonly lines: readonly string[]; readonly id?: undefined }
  | { readonly lines: readonly string[]; readonly id: string; readonly hash: string }

/**
 * Returns the text with the wanted sections between their marks brought up to date. Sections that a person edited,
 * other sections, all other lines and the line ends stay exactly as they are; missing sections go to the end if
 * `addMissing`. Returns `damage` and changes nothing if marks are unbalanced or a section occurs twice.
 */
export const mergeSections = (
  text: string,
  wanted: readonly MarkedSection[],
  { addMissing, hash }: MergeOptions,
): MergedSections | DamagedMarks => {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const parts = partsOf(text)
  if ('damage' in parts) return parts
  const states = new Map<string, SectionState>()
  const lines = parts.flatMap((part) => {
    const section = part.id === undefined ? undefined : wanted.find(({ id }) => id === part.id)
    if (part.id === undefined || section === undefined) return part.lines
    const body = bodyOf(part.lines)
    const state = stateOf(body, section.body, part.hash === hash(body))
    states.set(section.id, state)
    return state === 'refreshed' ? sectionLines(section, hash, lineEnd) : part.lines
  })
  let merged = lines.join('')
  for (const section of wanted) {
    if (states.has(section.id)) continue
    states.set(section.id, addMissing ? 'added' : 'missing')
    if (addMissing) merged += gapAfter(merged, lineEnd) + sectionLines(section, hash, lineEnd).join('')
  }
  return { text: merged, sections: wanted.map(({ id }) => ({ id, state: states.get(id) ?? 'missing' })) }
}

/**
 * Compares a section's text with the wanted one: `current`, `refreshed`, or `edited` if it is no longer as we wrote it.
 */
const stateOf = (body: string, wanted: string, isAsWritten: boolean): SectionState => {
  if (body === wanted) return 'current'
  return isAsWritten ? 'refreshed' : 'edited'
}

/**
 * The line ends that are needed after a text to leave one empty line before the next section; empty for an empty text.
 */
const gapAfter = (text: string, lineEnd: string): string => {
  if (text === '' || text.endsWith(lineEnd + lineEnd)) return ''
  return text.endsWith('\n') ? lineEnd : lineEnd + lineEnd
}

/** The lines of a section with its marks, each with its line end. */
const sectionLines = ({ id, body }: MarkedSection, hash: MergeOptions['hash'], lineEnd: string): readonly string[] =>
  [`<!-- cairn:begin ${id} ${hash(body)} ${HINT} -->`, ...body.split('\n'), `<!-- cairn:end ${id} -->`].map(
    (line) => line + lineEnd,
  )

/** The text between a section's marks, with line ends `\n`, none at the end. */
const bodyOf = (lines: readonly string[]): string =>
  lines
    .slice(1, -1)
    .map((line) => line.replace(/\r?\n$/, ''))
    .join('\n')

/**
 * Splits a file at the marks; every line is in exactly one part, in order. Lines outside of marks are a part each. Says
 * what is damaged if a section has no end, or no beginning, or is there twice.
 */
const partsOf = (text: string): readonly Part[] | DamagedMarks => {
  const parts: Part[] = []
  const seen = new Set<string>()
  let open: { readonly id: string; readonly hash: string; readonly lines: string[] } | undefined
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, begins, hash = ''] = BEGIN.exec(line) ?? []
    const [, ends] = END.exec(line) ?? []
    if (begins !== undefined) {
      if (open !== undefined) return { damage: `the section "${open.id}" has no end` }
      if (seen.has(begins)) return { damage: `it has the section "${begins}" twice` }
      seen.add(begins)
      open = { id: begins, hash, lines: [line] }
    } else if (ends !== undefined) {
      if (open?.id !== ends) return { damage: `the section "${ends}" ends where it did not begin` }
      parts.push({ ...open, lines: [...open.lines, line] })
      open = undefined
    } else if (open === undefined) parts.push({ lines: [line] })
    else open.lines.push(line)
  }
  return open === undefined ? parts : { damage: `the section "${open.id}" has no end` }
}
