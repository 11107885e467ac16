/** Memory entries as text. */
import { citationText } from '@cairn/core'
import type { KnownMemory } from '@cairn/core'
import { shortLine, timeText } from '../quoted.ts'

const TEXT_SHOWN = 500
const EXAMPLES_SHOWN = 4

/** The day of a time, `2026-01-31`. */
const day = (at: number): string => timeText(at).replace(/ \d.*/, '')

/** Returns an entry in a line or two, its text and citations cut; all of it with `full`. Not yet in tags. */
export const entryText = (entry: KnownMemory, full = false): string => {
  const { id, kind, text, confidence, examples, firstSeenAt, lastConfirmedAt, applications, sessionId, source } = entry
  const facts = [
    `${Math.round(confidence * 100)} %`,
    `confirmed ${day(lastConfirmedAt)}`,
    ...(applications > 0 ? [`applied ${applications}×`] : []),
    ...(full
      ? [`first seen ${day(firstSeenAt)}`, `by ${source}`, ...(sessionId === null ? [] : [`learnt in ${sessionId}`])]
      : []),
  ]
  const shownExamples = full ? examples : examples.slice(0, EXAMPLES_SHOWN)
  const cited =
    shownExamples.length === 0
      ? ''
      : `\n   see ${shownExamples.map((example) => shortLine(citationText(example), 120)).join(', ')}`
  const stale = (entry.stale ?? [])
    .slice(0, full ? undefined : EXAMPLES_SHOWN)
    .map(({ place: citation, detail }) => `\n   out of date? ${shortLine(citation, 120)}: ${detail}`)
    .join('')
  return `${id} · ${kind} · ${facts.join(', ')}\n   ${full ? text : shortLine(text, TEXT_SHOWN)}${stale}${cited}`
}
