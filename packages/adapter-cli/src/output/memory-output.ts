/** Memory entries as people read them, and ids that can be typed. */
import { citationText } from '@cairn/core'
import type { KnownMemory, MemoryEntry } from '@cairn/core'
import { formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'

/** What is needed of the terminal to draw text. */
type Paper = Pick<Terminal, 'style' | 'width'>

/** Characters of a short id: 40 random bits, which no two entries of a store are likely to share. */
const SHOWN = 8
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * Returns the short id of an entry: the last 8 characters of its ULID. The beginning of a ULID is a time, so one that
 * is unique today may not be tomorrow. Ids of another form are returned whole.
 */
export const shortId = (id: string): string => (ULID.test(id) ? id.slice(-SHOWN) : id)

const INDENT = '  '

/**
 * Returns the day of a time (ms) as `2026-01-31`, in the system's time zone; `-` for null, `unknown` for an invalid
 * time.
 */
export const formatDay = (at: number | null): string => formatTime(at).slice(0, '2026-01-31'.length)

/** Returns a share from 0 to 1 as `93 %`. */
export const percent = (value: number): string => `${Math.round(value * 100)} %`

/** "once", "2 times". */
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/**
 * Kind, confidence, when it was confirmed last or else recorded, and whatever else is unusual about an entry. Each as a
 * short text, in this order.
 */
const factsOf = (entry: MemoryEntry): readonly string[] => [
  entry.kind,
  `${percent(entry.confidence)} sure`,
  `${entry.confirmations === 0 ? 'recorded' : 'confirmed'} ${formatDay(entry.lastConfirmedAt)}`,
  ...(entry.applications > 0 ? [`applied ${times(entry.applications)}`] : []),
  ...(entry.contradictions > 0 ? [`contradicted ${times(entry.contradictions)}`] : []),
  ...(entry.source === 'user' ? [] : [`from ${neutraliseLine(entry.source)}`]),
]

/** Lines such as `out of date? src/a.ts:3: the lines say something else now`. */
const staleLines = ({ stale = [] }: KnownMemory): readonly string[] =>
  stale.map(({ place: citation, detail }) => `out of date? ${neutraliseLine(citation)}: ${detail}`)

/** Returns where an entry comes from: citations, commit and session, as far as known. */
const provenanceLines = (entry: MemoryEntry): readonly string[] => [
  ...entry.examples.map((example) => neutraliseLine(citationText(example))),
  ...(entry.commit === null ? [] : [`commit ${neutraliseLine(entry.commit)}`]),
  ...(entry.sessionId === null ? [] : [`session ${neutraliseLine(entry.sessionId)}`]),
]

/** Lines of an entry's text that are shown; `memory show <id>` shows all. */
const LINES_SHOWN = 3

/** How an entry is shown. */
export interface EntryDisplay {
  /** Styles the entry's text, which is neutralised already. */
  readonly mark?: (line: string) => string
  /** The entry's project, where that is not the reader's. */
  readonly project?: string | undefined
  /** Whether to cut a long text. */
  readonly isShort?: boolean
}

/** Returns the first lines of a text, the last with how to see the rest; a short text as it is. */
const cut = (lines: readonly string[], id: string, width: number): readonly string[] => {
  if (lines.length <= LINES_SHOWN) return lines
  const rest = ` … (memory show ${id})`
  const whole = lines[LINES_SHOWN - 1] ?? ''
  const short = shortenEnd(whole, width - rest.length)
  // Words are not cut in half, unless there is only one.
  const last = short === whole ? whole : short.replace(/…$/, '').replace(/(?<=\S.*)\s\S*$/, '')
  return [...lines.slice(0, LINES_SHOWN - 1), `${last.trimEnd()}${rest}`]
}

/**
 * Returns an entry as lines, safe to print: its id and facts, its text, which citations may be out of date, and its
 * provenance. `id` is shown as it is.
 */
export const entryLines = (
  entry: KnownMemory,
  id: string,
  { style, width }: Paper,
  { mark = (line) => line, project, isShort = false }: EntryDisplay = {},
): readonly string[] => {
  const name = neutraliseLine(id)
  const facts = [...(project === undefined ? [] : [`project ${neutraliseLine(project)}`]), ...factsOf(entry)]
  const [first = '', ...rest] = wrapLine(`${name}  ${facts.join(' · ')}`, width - INDENT.length)
  const textLines = wrapAfter(INDENT, neutraliseLine(entry.text), width)
  return [
    style('cyan', name) + style('dim', first.slice(name.length)),
    ...rest.map((line) => style('dim', INDENT + line)),
    ...(isShort ? cut(textLines, name, width) : textLines).map(mark),
    ...staleLines(entry).flatMap((line) => wrapAfter(INDENT, line, width).map((each) => style('yellow', each))),
    ...provenanceLines(entry).flatMap((line) => wrapAfter(INDENT, line, width).map((each) => style('dim', each))),
  ]
}
