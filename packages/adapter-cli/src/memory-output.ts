/** Memory entries as people read them, and ids that can be typed. */
import { citationText } from '@cairn/core'
import type { Engine, MemoryEntry } from '@cairn/core'
import { formatTime } from './terminal/format.ts'
import { neutraliseLine } from './terminal/neutralise.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrapAfter, wrapLine } from './terminal/wrap.ts'

type Paper = Pick<Terminal, 'style' | 'width'>

/** Shorter beginnings say nothing to people who look for an entry again. */
const SHORTEST = 8
/** Of longer lists, the ids of further entries are given whole. */
const ENTRIES_RESOLVED = 200
/** Entries that begin alike and are looked at for a longer beginning. */
const RIVALS = 50

const sharedLength = (left: string, right: string): number => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return length
}

/** For each entry, by its id, the beginning that no other entry of the store has; ended entries count. */
export const entryIds = async (entries: readonly Pick<MemoryEntry, 'id'>[], { store }: Pick<Engine, 'store'>): Promise<ReadonlyMap<string, string>> => {
  const shown = new Map<string, string>()
  for (const [index, { id }] of entries.entries()) {
    if (index >= ENTRIES_RESOLVED) {
      shown.set(id, id)
      continue
    }
    const rivals = (await store.memory.resolve(id.slice(0, SHORTEST), RIVALS)).filter((found) => found.id !== id)
    const needed = Math.max(SHORTEST, ...rivals.map((rival) => 1 + sharedLength(id, rival.id)))
    shown.set(id, rivals.length < RIVALS - 1 ? id.slice(0, needed) : id)
  }
  return shown
}

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

const placesOf = (entry: MemoryEntry): readonly string[] => [
  ...entry.examples.map((example) => neutraliseLine(citationText(example))),
  ...(entry.commit === null ? [] : [`commit ${neutraliseLine(entry.commit)}`]),
  ...(entry.sessionId === null ? [] : [`session ${neutraliseLine(entry.sessionId)}`]),
]

/** An entry as lines: its id and facts, what it says, where it shows. `mark` stands on what is said, already neutral. */
export const entryLines = (entry: MemoryEntry, id: string, { style, width }: Paper, mark: (line: string) => string = (line) => line): readonly string[] => {
  const name = neutraliseLine(id)
  const [first = '', ...rest] = wrapLine(`${name}  ${factsOf(entry).join(' · ')}`, width - INDENT.length)
  return [
    style('cyan', name) + style('dim', first.slice(name.length)),
    ...rest.map((line) => style('dim', INDENT + line)),
    ...wrapAfter(INDENT, neutraliseLine(entry.text), width).map(mark),
    ...placesOf(entry).flatMap((place) => wrapAfter(INDENT, place, width).map((line) => style('dim', line))),
  ]
}
