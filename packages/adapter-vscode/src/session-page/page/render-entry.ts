/** One entry of the conversation: a message, or a marker between messages. */
import { isToolMessage, type EntryView } from '@cairn/core/conversation'
import { timeText } from '../../text/format.ts'
import { neutralise, neutraliseLine } from '../../text/neutralise.ts'
import { button, element } from '../../webview/page/dom.ts'
import { renderBlock, type BlockActions } from './render-block.ts'

/** What the user can do with an entry. */
export interface EntryActions extends BlockActions {
  /** Copies a link to an entry. */
  readonly copyLink: (seq: number) => void
}

/** A message of the log. */
type MessageView = Extract<EntryView, { readonly kind: 'message' }>

const ROLE_NAMES = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const

/**
 * Returns the name of who wrote a message: `Summary`, its author, `Tool`, `Agent program` for what that inserted by itself,
 * otherwise the role.
 */
const nameOf = (entry: MessageView): string => {
  const { role, author, origin } = entry
  if (origin === 'summary') return 'Summary'
  if (author !== null) return neutraliseLine(author)
  if (isToolMessage(entry)) return 'Tool'
  return origin === 'meta' ? 'Agent program' : ROLE_NAMES[role]
}

/** Returns the element of an entry; undefined for one that is not shown. */
export const renderEntry = (entry: EntryView, actions: EntryActions): HTMLElement | undefined => {
  if (entry.kind === 'hidden') return undefined
  const made = entry.kind === 'message' ? messageElement(entry, actions) : markerElement(entry, actions)
  made.dataset['seq'] = String(entry.seq)
  return made
}

/** Returns the button with an entry's number, which copies a link to it. */
const linkButton = (seq: number, { copyLink }: EntryActions): HTMLElement =>
  button(`#${seq}`, () => copyLink(seq), { class: 'quiet number', title: 'Copy a link to this entry' })

/** Returns the element of a message. A message of tools' results is not shown as the user's. */
const messageElement = (entry: MessageView, actions: EntryActions): HTMLElement => {
  const { seq, at, role, subagent, model, blocks, origin } = entry
  const name = nameOf(entry)
  const isPlain = role === 'user' && origin === null
  const kind = isToolMessage(entry) ? 'tool-message' : isPlain ? 'user' : role
  return element(
    'article',
    {
      class: `entry ${kind}${subagent === null ? '' : ' subagent'}`,
      'aria-label': `${name}, entry ${seq}`,
      tabindex: '-1',
    },
    element(
      'div',
      { class: 'entry-head' },
      element('strong', {}, name),
      ...(subagent === null ? [] : [element('span', { class: 'badge' }, `subagent ${neutraliseLine(subagent)}`)]),
      ...(model === null ? [] : [element('span', {}, neutraliseLine(model))]),
      element('span', { class: 'right' }, at === null ? '' : timeText(at)),
      linkButton(seq, actions),
    ),
    ...blocks.flatMap((block, index) => renderBlock(block, { seq, block: index, isPlain }, actions)),
  )
}

/** Returns the element of an entry between messages. */
const markerElement = (entry: Extract<EntryView, { kind: 'marker' }>, actions: EntryActions): HTMLElement =>
  element(
    'div',
    { class: `entry marker ${entry.mark}`, role: 'note', tabindex: '-1' },
    element('span', { class: 'plain' }, neutralise(entry.text)),
    linkButton(entry.seq, actions),
  )
