/** The entries between messages: compactions, rewinds, checkpoints, notices, each as a line. */
import type { LogEntry, MessageEntry } from '@cairn/core'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { countText } from '../usage/figures.ts'

type Marker = Exclude<LogEntry, MessageEntry>
type EntryOf<Kind extends Marker['kind']> = Extract<Marker, { readonly kind: Kind }>

const TASK_BOXES = { completed: '☑', in_progress: '◐', pending: '☐' } as const
const NOTICE_LEVELS = { info: 'Note', warning: 'Warning', error: 'Error' } as const

/** Returns the line of an entry between messages, safe to show; undefined for those that only programs need. */
// eslint-disable-next-line complexity -- a case for each kind of entry, each of them one line
export const markerText = (entry: Marker): string | undefined => {
  switch (entry.kind) {
    case 'compaction':
      return compactionText(entry)
    case 'truncation':
      return `${counted(entry.toSeq - entry.fromSeq + 1, 'entry', 'entries')} left the context (${neutraliseLine(entry.reason)})`
    case 'rewrite':
      return rewriteText(entry)
    case 'rewind':
      return `Rewound to ${entry.toSeq < 0 ? 'the beginning' : `#${entry.toSeq}`}; the model no longer sees what was said after that`
    case 'checkpoint':
      return `Checkpoint ${neutraliseLine(entry.checkpointId)}`
    case 'model':
      return modelText(entry)
    case 'title':
      return `Title: ${neutraliseLine(entry.title)}`
    case 'notice':
      return `${NOTICE_LEVELS[entry.level]}: ${neutraliseLine(entry.text)}`
    case 'todo':
      return `Tasks: ${entry.items.map(({ text, status }) => `${TASK_BOXES[status]} ${neutraliseLine(text)}`).join('  ')}`
    case 'edit':
    case 'pin':
    case 'file':
    case 'favourite':
    case 'tool-start':
      return undefined
  }
}

/**
 * Returns a compaction in words, with what started it and the tokens before it, if known; a partial one, that old tool
 * results were cleared, and how many tokens.
 */
const compactionText = ({ trigger, partial, tokensBefore, tokensCleared }: EntryOf<'compaction'>): string => {
  if (partial === true) {
    const cleared = tokensCleared === undefined ? '' : `, about ${countText(tokensCleared)} tokens`
    return `Old tool results were cleared from the context (${neutraliseLine(trigger)}${cleared})`
  }
  const before = tokensBefore === undefined ? '' : `, ${countText(tokensBefore)} tokens before`
  return `The context was compacted (${neutraliseLine(trigger)}${before})`
}

/**
 * Returns a change of the context by a policy in words: the policy, the tokens before and after, if known, how many
 * blocks, and what triggered it.
 */
const rewriteText = ({ policy, trigger, changes, tokensBefore, tokensAfter }: EntryOf<'rewrite'>): string => {
  const size =
    tokensBefore === undefined || tokensAfter === undefined
      ? ''
      : `, from ${countText(tokensBefore)} to about ${countText(tokensAfter)} tokens`
  return `The context was trimmed by the policy ${neutraliseLine(policy)}${size}: ${counted(changes.length, 'block', 'blocks')} shortened or left out (${neutraliseLine(trigger)})`
}

/** Returns the model and mode that answer from here on. */
const modelText = ({ model, mode }: EntryOf<'model'>): string =>
  `Model ${neutraliseLine(model)}${mode === undefined ? '' : `, ${neutraliseLine(mode)} mode`}`
