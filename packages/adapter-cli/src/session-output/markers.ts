/** The entries between messages, such as compactions and rewinds, each as a line. */
import type { LogEntry, MessageEntry } from '@cairn/core'
import { formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

type Marker = Exclude<LogEntry, MessageEntry>
type EntryOf<Kind extends Marker['kind']> = Extract<Marker, { readonly kind: Kind }>

/**
 * The line of an entry between messages, safe to print and without a line end; undefined for those that only programs
 * need. `tokensAfter`: what a compaction left of the context, where that is known.
 */
// eslint-disable-next-line complexity -- a case for each kind of entry, each of them one line
export const markerText = (entry: Marker, tokensAfter?: number): string | undefined => {
  switch (entry.kind) {
    case 'compaction':
      return compactionText(entry, tokensAfter)
    case 'truncation':
      return truncationText(entry)
    case 'rewrite':
      return rewriteText(entry)
    case 'rewind':
      return entry.toSeq < 0 ? 'rewound to the beginning' : `rewound to #${entry.toSeq}`
    case 'model':
      return modelText(entry)
    case 'title':
      return `title: ${neutraliseLine(entry.title)}`
    case 'notice':
      return `${entry.level}: ${neutraliseLine(entry.text)}`
    case 'checkpoint':
      return `checkpoint ${neutraliseLine(entry.checkpointId)}`
    case 'todo':
      return `tasks: ${entry.items.map(({ text, status }) => `${TASK_BOXES[status]} ${neutraliseLine(text)}`).join('; ')}`
    case 'edit':
    case 'pin':
    case 'file':
    case 'favourite':
    case 'tool-start':
      return undefined
  }
}

const TASK_BOXES = { completed: '[x]', in_progress: '[~]', pending: '[ ]' } as const

/**
 * Returns a compaction in words, with what started it and the sizes that are known: `context compacted (auto, 150k
 * tokens before, 20k after)`; a partial one, that old tool results were cleared.
 */
const compactionText = (
  { trigger, partial, tokensBefore, tokensCleared }: EntryOf<'compaction'>,
  tokensAfter: number | undefined,
): string => {
  if (partial === true) {
    const cleared = tokensCleared === undefined ? '' : `, about ${formatCount(tokensCleared)} tokens`
    return `old tool results cleared (${neutraliseLine(trigger)}${cleared})`
  }
  const before = tokensBefore === undefined ? '' : `, ${formatCount(tokensBefore)} tokens before`
  const after = tokensAfter === undefined ? '' : `, ${formatCount(tokensAfter)} after`
  return `context compacted (${neutraliseLine(trigger)}${before}${after})`
}

/** Messages that left the context without a summary. */
const truncationText = ({ fromSeq, toSeq, reason }: EntryOf<'truncation'>): string =>
  `${fromSeq === toSeq ? `#${fromSeq}` : `#${fromSeq} to #${toSeq}`} left the context (${neutraliseLine(reason)})`

/** The model and mode that answer from here on. */
const modelText = ({ model, mode }: EntryOf<'model'>): string =>
  `model ${neutraliseLine(model)}${mode === undefined ? '' : `, ${neutraliseLine(mode)} mode`}`

/** Returns a change of the context by a policy in words, with the sizes that are known. */
const rewriteText = ({ policy, trigger, changes, tokensBefore, tokensAfter }: EntryOf<'rewrite'>): string => {
  const size =
    tokensBefore === undefined || tokensAfter === undefined
      ? ''
      : `, ${formatCount(tokensBefore)} to about ${formatCount(tokensAfter)} tokens`
  return `context trimmed by ${neutraliseLine(policy)} (${neutraliseLine(trigger)}): ${formatCount(changes.length)} ${changes.length === 1 ? 'block' : 'blocks'}${size}`
}
