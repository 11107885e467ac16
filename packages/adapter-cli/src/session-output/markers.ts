/** What the entries between messages say, in a line. */
import type { LogEntry, MessageEntry } from '@cairn/core'
import { formatCount } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The line of an entry; undefined for those that say something to programs only. */
export const markerText = (entry: Exclude<LogEntry, MessageEntry>): string | undefined => {
  switch (entry.kind) {
    case 'compaction': {
      const before = entry.tokensBefore === undefined ? '' : `, ${formatCount(entry.tokensBefore)} tokens before`
      return entry.partial === true
        ? `old tool results cleared (${entry.trigger}${before})`
        : `context compacted (${entry.trigger}${before})`
    }
    case 'truncation':
      return `${entry.fromSeq === entry.toSeq ? `#${entry.fromSeq}` : `#${entry.fromSeq} to #${entry.toSeq}`} left the context (${neutraliseLine(entry.reason)})`
    case 'rewrite': {
      const size =
        entry.tokensBefore === undefined || entry.tokensAfter === undefined
          ? ''
          : `, ${formatCount(entry.tokensBefore)} to about ${formatCount(entry.tokensAfter)} tokens`
      return `context trimmed by ${neutraliseLine(entry.policy)} (${neutraliseLine(entry.trigger)}): ${formatCount(entry.changes.length)} ${entry.changes.length === 1 ? 'block' : 'blocks'}${size}`
    }
    case 'rewind':
      return entry.toSeq < 0 ? 'rewound to the beginning' : `rewound to #${entry.toSeq}`
    case 'model':
      return `model ${neutraliseLine(entry.model)}${entry.mode === undefined ? '' : `, ${neutraliseLine(entry.mode)} mode`}`
    case 'title':
      return `title: ${neutraliseLine(entry.title)}`
    case 'notice':
      return `${entry.level}: ${neutraliseLine(entry.text)}`
    case 'checkpoint':
      return `checkpoint ${neutraliseLine(entry.checkpointId)}`
    case 'todo':
      return `tasks: ${entry.items.map(({ text, status }) => `${status === 'completed' ? '[x]' : status === 'in_progress' ? '[~]' : '[ ]'} ${neutraliseLine(text)}`).join('; ')}`
    case 'edit':
    case 'pin':
    case 'file':
    case 'favourite':
      return undefined
  }
}
