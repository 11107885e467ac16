/**
 * A memory entry as a document: what it says, where that was seen, and what it said before. Texts are indented: only lines
 * of Cairn's own begin at the margin.
 */
import type { KnownMemory, MemoryVersion, SessionSummary } from '@cairn/core'
import { MEMORY_END_NAMES, citationText } from '@cairn/core'
import { sessionTitle } from '../sessions/session-label.ts'
import { counted, timeText } from '../text/format.ts'
import { neutralise, neutraliseLine } from '../text/neutralise.ts'
import { projectName } from '../usage/project-usage.ts'
import { KIND_NAMES, percentText } from './memory-label.ts'

/** What an entry's document shows. */
export interface EntryFacts {
  readonly entry: KnownMemory
  /** All versions, the oldest first. */
  readonly history: readonly MemoryVersion[]
  /** Where it was learnt; undefined where that is not known, or not in the store any more. */
  readonly session: SessionSummary | undefined
}

/** A part of a line that leads somewhere. */
export interface EntryLink {
  /** From 0. */
  readonly line: number
  /** UTF-16 units; `to` is not included. */
  readonly from: number
  readonly to: number
  readonly target: { readonly kind: 'session' } | { readonly kind: 'citation'; readonly example: string }
}

/** An entry's document, with its links. */
export interface EntryDocument {
  readonly text: string
  readonly links: readonly EntryLink[]
}

const INDENT = '  '
const NAME_WIDTH = 12

/** Returns the lines of a text, safe to show and indented. */
const indented = (text: string): readonly string[] =>
  neutralise(text)
    .split('\n')
    .map((line) => `${INDENT}${line}`)

/**
 * Returns the facts that are known, one per line. Each counts in whole; an entry of which no version holds any more is
 * ended.
 */
const factLines = ({ entry, history }: EntryFacts): readonly string[] => {
  const { workspace, confidence, confirmations, applications, contradictions, source, firstSeenAt, lastConfirmedAt } =
    entry
  const isEnded = history.length > 0 && history.every(({ validTo }) => validTo !== null)
  const facts: readonly (readonly [string, string])[] = [
    ...(isEnded ? [['state', 'ended: sessions are not told any more'] as const] : []),
    ['confidence', percentText(confidence)],
    ['confirmed', `${counted(confirmations, 'time')}, last ${timeText(lastConfirmedAt)}`],
    ...(applications > 0 ? [['applied', counted(applications, 'time')] as const] : []),
    ...(contradictions > 0 ? [['contradicted', counted(contradictions, 'time')] as const] : []),
    ['first seen', timeText(firstSeenAt)],
    ['from', source],
    ['project', projectName([workspace]) ?? workspace],
    ['id', entry.id.slice(-8).toLowerCase()],
  ]
  return facts.map(([name, text]) => `${name.padEnd(NAME_WIDTH)}  ${neutraliseLine(text)}`)
}

/** Returns from when to when a version was valid, and how it ended. */
const spanText = ({ validFrom, validTo, ended }: MemoryVersion): string => {
  if (validTo === null) return `since ${timeText(validFrom)}`
  return `${timeText(validFrom)} to ${timeText(validTo)}${ended === null ? '' : `, then ${MEMORY_END_NAMES[ended]}`}`
}

/** Whether two versions have the same text and kind, whatever their confidence; false without another. */
const saysTheSame = (one: MemoryVersion, other: MemoryVersion | undefined): boolean =>
  other !== undefined && one.entry.text === other.entry.text && one.entry.kind === other.entry.kind

/**
 * Returns the versions, newest first. The newest one's text is left out, as it stands above, and one that equals that of
 * the next newer version.
 */
const historyLines = (history: readonly MemoryVersion[]): readonly string[] =>
  history
    .toReversed()
    .flatMap((version, index, newestFirst) => [
      `${INDENT}${spanText(version)}: ${KIND_NAMES[version.entry.kind][0].toLowerCase()}, ${percentText(version.entry.confidence)}`,
      ...(index === 0 || saysTheSame(version, newestFirst[index - 1])
        ? []
        : indented(version.entry.text).map((line) => `${INDENT}${line}`)),
    ])

/**
 * Returns the document of an entry: its kind, text, facts, evidence (if it has any) and history. Links are the
 * citations, and the session if that is in the store.
 */
export const entryDocument = (facts: EntryFacts): EntryDocument => {
  const { entry, history, session } = facts
  const lines: string[] = []
  const links: EntryLink[] = []
  const addLink = (text: string, after: string, target: EntryLink['target']): void => {
    links.push({ line: lines.length, from: INDENT.length, to: INDENT.length + text.length, target })
    lines.push(`${INDENT}${text}${after}`)
  }
  lines.push(`# ${KIND_NAMES[entry.kind][0]}`, '', ...indented(entry.text), '', ...factLines(facts))

  const hasEvidence = entry.examples.length > 0 || entry.commit !== null || entry.sessionId !== null
  if (hasEvidence) lines.push('', '## Evidence', '')
  for (const example of entry.examples) {
    const shown = neutraliseLine(citationText(example))
    const stale = (entry.stale ?? []).find(({ place: citation }) => citation === citationText(example))
    const after = stale === undefined ? '' : `   out of date? ${neutraliseLine(stale.detail)}`
    addLink(shown, after, { kind: 'citation', example })
  }
  if (entry.commit !== null) lines.push(`${INDENT}commit ${neutraliseLine(entry.commit)}`)
  if (session !== undefined)
    addLink(sessionTitle(session), `   ${neutraliseLine(session.agent)}, ${timeText(session.updatedAt)}`, {
      kind: 'session',
    })
  else if (entry.sessionId !== null) lines.push(`${INDENT}session ${neutraliseLine(entry.sessionId)}`)

  lines.push('', '## History', '', ...historyLines(history), '')
  return { text: lines.join('\n'), links }
}
