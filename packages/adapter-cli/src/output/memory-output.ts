/** Memory entries as people read them, and ids that can be typed. */
import { citationText } from '@cairn/core'
import type { KnownMemory, MemoryEntry } from '@cairn/core'
import { formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shortenEnd } from '../terminal/text-width.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'

type Paper = Pick<Terminal, 'style' | 'width'>

/** Of the random part of an id, 40 bits: two entries of a store that share them are not to be expected. */
const SHOWN = 8
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * What an id is typed as: its end. The beginning tells the time, which entries made one after the other share, so that
 * one which is unique today is not tomorrow. Ids of another make are given whole.
 */
export const shortId = (id: string): string => (ULID.test(id) ? id.slice(-SHOWN) : id)

const INDENT = '  '

/** `2026-01-31`. */
export const formatDay = (at: number | null): string => formatTime(at).slice(0, '2026-01-31'.length)

export const percent = (value: number): string => `${Math.round(value * 100)} %`

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** Where an entry was learnt, who says so, and how it fared; what is usual goes unsaid. */
const factsOf = (entry: MemoryEntry): readonly string[] => [
  entry.kind,
  `${percent(entry.confidence)} sure`,
  `confirmed ${formatDay(entry.lastConfirmedAt)}`,
  ...(entry.applications > 0 ? [`applied ${times(entry.applications)}`] : []),
  ...(entry.contradictions > 0 ? [`contradicted ${times(entry.contradictions)}`] : []),
  ...(entry.source === 'user' ? [] : [`from ${neutraliseLine(entry.source)}`]),
]

/** `out of date? src/a.ts:3: the lines say something else now` */
const staleLines = ({ stale = [] }: KnownMemory): readonly string[] =>
  stale.map(({ place: citation, detail }) => `out of date? ${neutraliseLine(citation)}: ${detail}`)

const provenanceLines = (entry: MemoryEntry): readonly string[] => [
  ...entry.examples.map((example) => neutraliseLine(citationText(example))),
  ...(entry.commit === null ? [] : [`commit ${neutraliseLine(entry.commit)}`]),
  ...(entry.sessionId === null ? [] : [`session ${neutraliseLine(entry.sessionId)}`]),
]

/** Lines of a text on a terminal; the whole is what `memory show <id>` is for. */
const LINES_SHOWN = 3

export interface EntryDisplay {
  /** Stands on what is said, already neutral. */
  readonly mark?: (line: string) => string
  /** Named where the entry is of another project than the one that the reader is in. */
  readonly project?: string | undefined
  /** Whether long texts are cut. */
  readonly isShort?: boolean
}

const cut = (lines: readonly string[], id: string, width: number): readonly string[] => {
  if (lines.length <= LINES_SHOWN) return lines
  const rest = ` … (memory show ${id})`
  const whole = lines[LINES_SHOWN - 1] ?? ''
  const short = shortenEnd(whole, width - rest.length)
  // No half of a word, if there are others.
  const last = short === whole ? whole : short.replace(/…$/, '').replace(/(?<=\S.*)\s\S*$/, '')
  return [...lines.slice(0, LINES_SHOWN - 1), `${last.trimEnd()}${rest}`]
}

/** An entry as lines: its id and facts, what it says, where it shows. `id`: as it is shown. */
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
