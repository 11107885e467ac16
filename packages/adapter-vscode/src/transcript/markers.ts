/** What stands between messages: compactions, rewinds, checkpoints, notices, each in a line. */
import type { LogEntry, MessageEntry } from '@cairn/core'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { countText } from '../usage/figures.ts'

const MARKS = { completed: '☑', in_progress: '◐', pending: '☐' } as const

/** The line of an entry; undefined for those that only programs need. */
export const markerText = (entry: Exclude<LogEntry, MessageEntry>): string | undefined => {
  switch (entry.kind) {
    case 'compaction': {
      const what =
        entry.partial === true ? 'Old tool results were cleared from the context' : 'The context was compacted'
      const before = entry.tokensBefore === undefined ? '' : `, ${countText(entry.tokensBefore)} tokens before`
      return `${what} (${neutraliseLine(entry.trigger)}${before})`
    }
    case 'truncation':
      return `${counted(entry.toSeq - entry.fromSeq + 1, 'entry', 'entries')} left the context (${neutraliseLine(entry.reason)})`
    case 'rewrite': {
      const size =
        entry.tokensBefore === undefined || entry.tokensAfter === undefined
          ? ''
          : `, from ${countText(entry.tokensBefore)} to about ${countText(entry.tokensAfter)} tokens`
      return `The context was trimmed by the policy ${neutraliseLine(entry.policy)}${size}: ${counted(entry.changes.length, 'block', 'blocks')} shortened or left out (${neutraliseLine(entry.trigger)})`
    }
    case 'rewind':
      return `Rewound to ${entry.toSeq < 0 ? 'the beginning' : `#${entry.toSeq}`}; the model no longer sees what was said after that`
    case 'checkpoint':
      return `Checkpoint ${neutraliseLine(entry.checkpointId)}`
    case 'model':
      return `Model ${neutraliseLine(entry.model)}${entry.mode === undefined ? '' : `, ${neutraliseLine(entry.mode)} mode`}`
    case 'title':
      return `Title: ${neutraliseLine(entry.title)}`
    case 'notice':
      return `${entry.level === 'info' ? 'Note' : entry.level === 'warning' ? 'Warning' : 'Error'}: ${neutraliseLine(entry.text)}`
    case 'todo':
      return `Tasks: ${entry.items.map(({ text, status }) => `${MARKS[status]} ${neutraliseLine(text)}`).join('  ')}`
    case 'edit':
    case 'pin':
    case 'file':
    case 'favourite':
      return undefined
  }
}
