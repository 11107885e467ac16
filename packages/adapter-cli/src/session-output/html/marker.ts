/** What happened between messages: what left the context and why, rewinds, pins, notices. */
import { reasonText } from '@cairn/core'
import type { LogEntry, MessageEntry } from '@cairn/core'
import { counted, formatMinute } from '../../terminal/format.ts'
import { markerText } from '../markers.ts'
import { todoHtml } from './overview.ts'
import { escapeText } from './escape.ts'

type Marker = Exclude<LogEntry, MessageEntry>

/** Links to changed messages that are shown. */
const MOST_LINKS = 80

/** Returns an entry between messages as HTML; empty for entries that only programs need. */
export const markerHtml = (entry: Marker): string => {
  const text = ownText(entry) ?? markerText(entry)
  if (text === undefined) return ''
  const detail = detailHtml(entry)
  const head = `<span>${escapeText(text)}</span>${entry.at === null ? '' : ` <span class="at">${formatMinute(entry.at)}</span>`}`
  const kind = entry.kind === 'notice' ? `notice ${entry.level}` : entry.kind
  if (detail === '') return `<div class="mark ${kind}" id="m${entry.seq}">${head}</div>\n`
  return `<details class="mark ${kind}" id="m${entry.seq}"><summary>${head}</summary>\n${detail}</details>\n`
}

/**
 * Returns the line for the entries that HTML words in its own way (edits of blocks, pins, todo lists); undefined for
 * others.
 */
const ownText = (entry: Marker): string | undefined => {
  switch (entry.kind) {
    case 'edit':
      return `a block of message ${entry.messageId} was replaced in the context (${entry.reason})`
    case 'pin': {
      const what = `${entry.block === undefined ? 'message' : `block ${entry.block} of message`} ${entry.messageId}`
      return entry.state === 'automatic' ? `${what}: the policy decides again` : `${what} was ${entry.state} by hand`
    }
    case 'todo':
      return `tasks: ${entry.items.filter(({ status }) => status === 'completed').length} of ${entry.items.length} done`
    default:
      return undefined
  }
}

/**
 * Returns what a marker shows when it is opened, as HTML: why blocks were changed, with links to them, and what was put
 * in; the ends of a truncation; where a rewind goes on; the text of an edit; the tasks. '' for anything else.
 */
const detailHtml = (entry: Marker): string => {
  switch (entry.kind) {
    case 'rewrite': {
      const byReason = Map.groupBy(entry.changes, ({ why }) => why)
      const rows = [...byReason].map(
        ([why, changes]) =>
          `<li>${escapeText(reasonText(why))}: ${counted(changes.length, 'block')} ${linksHtml(changes.map(({ seq }) => seq))}</li>`,
      )
      const inserted = (entry.insertions ?? []).map(
        ({ text }) => `<li>put in its place:<pre>${escapeText(text)}</pre></li>`,
      )
      return rows.length + inserted.length === 0 ? '' : `<ul>${rows.join('')}${inserted.join('')}</ul>\n`
    }
    case 'truncation':
      return `<p>From ${anchor(entry.fromSeq)} to ${anchor(entry.toSeq)}.</p>`
    case 'rewind':
      return entry.toSeq < 0
        ? ''
        : `<p>It goes on from ${anchor(entry.toSeq)}; what was said in between is kept, and marked as undone.</p>`
    case 'edit':
      return `<pre>${escapeText(entry.text)}</pre>`
    case 'todo':
      return todoHtml(entry.items)
    default:
      return ''
  }
}

/** A link to a message. */
const anchor = (seq: number): string => `<a href="#m${seq}">#${seq}</a>`

/** Returns links to the messages of a change, each once, at most `MOST_LINKS`. */
const linksHtml = (seqs: readonly number[]): string => {
  const unique = [...new Set(seqs)]
  return `<span class="places">${unique.slice(0, MOST_LINKS).map(anchor).join(' ')}${unique.length > MOST_LINKS ? ' …' : ''}</span>`
}
