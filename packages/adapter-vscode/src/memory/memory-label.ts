/** The texts of memory entries and notes in the editor. */
import { citationText } from '@cairn/core'
import type { KnownMemory, MemoryEntry, MemoryKind, Note } from '@cairn/core'
import { ageText, agoText, counted, timeText } from '../text/format.ts'
import { neutralise, neutraliseLine, shorten } from '../text/neutralise.ts'
import { escapeMarkdown } from '../usage/status-item.ts'

/** Characters of a text in a list. */
const LONGEST_LABEL = 80
/** Characters of a text in a tooltip. */
const LONGEST_TOOLTIP = 600
/** Citations that a tooltip names. */
const NAMED = 5

/** The name of each kind, as singular and plural. */
export const KIND_NAMES: Readonly<Record<MemoryKind, readonly [one: string, many: string]>> = {
  discovery: ['Discovery', 'Discoveries'],
  solution: ['Solution', 'Solutions'],
  pattern: ['Pattern', 'Patterns'],
  workflow: ['Workflow', 'Workflows'],
  failure: ['Failure', 'Failures'],
  context_rule: ['Context Rule', 'Context Rules'],
}

/** What a kind is for, as a person chooses one. */
export const KIND_MEANINGS: Readonly<Record<MemoryKind, string>> = {
  discovery: 'a fact',
  solution: 'what fixed something',
  pattern: 'how things are done here',
  workflow: 'steps',
  failure: 'what does not work',
  context_rule: 'what to keep in mind',
}

/** Returns a share of 0 to 1 as `93 %`, rounded. */
export const percentText = (share: number): string => `${Math.round(share * 100)} %`

/** Returns the beginning of a text on one line, safe to show, at most `most` UTF-16 units. */
export const firstWords = (text: string, most = LONGEST_LABEL): string =>
  shorten(neutraliseLine(text.slice(0, 4 * most)), most)

/**
 * Returns the text beside an entry: its confidence, whether what it cites has changed, and how long ago it was
 * confirmed (`now` in ms).
 */
export const entryDescription = ({ confidence, stale = [], lastConfirmedAt }: KnownMemory, now: number): string =>
  [percentText(confidence), ...(stale.length > 0 ? ['out of date?'] : []), ageText(lastConfirmedAt, now)].join(' · ')

/**
 * Returns an entry's label for screen readers: kind, the beginning of its text, confidence, whether it may be out of
 * date, and how long ago it was confirmed or recorded (`now` in ms).
 */
export const entrySpoken = (entry: KnownMemory, now: number): string =>
  [
    KIND_NAMES[entry.kind][0],
    firstWords(entry.text),
    `${percentText(entry.confidence)} sure`,
    ...((entry.stale ?? []).length > 0 ? ['maybe out of date'] : []),
    `${entry.confirmations === 0 ? 'recorded' : 'confirmed'} ${agoText(entry.lastConfirmedAt, now)}`,
  ].join(', ')

/** Returns an entry's citations as people read them, without their fingerprints. */
const citationsOf = ({ examples }: Pick<MemoryEntry, 'examples'>): readonly string[] =>
  examples.map((example) => neutraliseLine(citationText(example)))

/** Returns a text on one line with its Markdown escaped. */
const safe = (text: string): string => escapeMarkdown(neutraliseLine(text))

/**
 * Returns the lines of a text with their Markdown escaped, each ending in a Markdown line break; a long text is cut.
 */
const safeLines = (text: string): readonly string[] =>
  neutralise(shorten(text, LONGEST_TOOLTIP))
    .split('\n')
    .map((line) => `${escapeMarkdown(line)}  `)

/**
 * Returns the tooltip of an entry as Markdown, with its own text escaped and cut: its facts, at most {@link NAMED}
 * citations, and what seems out of date.
 */
export const entryTooltip = (entry: KnownMemory): string => {
  const { kind, text, confidence, lastConfirmedAt, confirmations, stale = [] } = entry
  const citations = citationsOf(entry)
  const seen = confirmations === 0 ? 'recorded' : `confirmed ${counted(confirmations, 'time')}, last`
  const more = citations.length > NAMED ? [`… ${citations.length - NAMED} more`] : []
  return [
    `**${KIND_NAMES[kind][0]}**, ${escapeMarkdown(percentText(confidence))} sure, ${seen} ${escapeMarkdown(timeText(lastConfirmedAt))}`,
    '',
    ...safeLines(text),
    ...(citations.length === 0 ? [] : ['', [...citations.slice(0, NAMED), ...more].map(safe).join(', ')]),
    ...stale.flatMap(({ place: citation, detail }) => ['', `$(warning) ${safe(`${citation}: ${detail}`)}`]),
  ].join('\n')
}

/** Returns the text beside a note: its beginning, and how long ago it was written (`now` in ms). */
export const noteDescription = ({ text, updatedAt }: Note, now: number): string =>
  `${firstWords(text, LONGEST_LABEL / 2)} · ${ageText(updatedAt, now)}`

/** Returns the tooltip of a note as Markdown, with its own text escaped. */
export const noteTooltip = ({ key, text, updatedAt }: Note): string =>
  [`**${safe(key)}**, ${escapeMarkdown(timeText(updatedAt))}`, '', ...safeLines(text)].join('\n')
