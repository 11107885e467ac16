/** A message's blocks as HTML. */
import { messageOrigin } from '@cairn/core'
import type { ContentBlock, MessageEntry, ToolCallBlock, ToolResultBlock } from '@cairn/core'
import { formatMinute, formatTime } from '../../terminal/format.ts'
import { withoutAnsi } from './ansi.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import { imageHtml } from './image.ts'
import { markdownHtml } from './markdown.ts'
import { resultHtml, toolHtml } from './tool.ts'

/** What other entries tell about a message's blocks. */
export interface MessageSurroundings {
  /** The result of a call, where it comes soon, and the anchor of its message unless that is used already. */
  resultOf(call: ToolCallBlock): { readonly result: ToolResultBlock; readonly anchor: string | undefined } | undefined
  /** Whether a result was shown with its call. */
  isShown(result: ToolResultBlock): boolean
  /** The name of the tool that an earlier call asked for; undefined for a call that is not known. */
  toolOf(result: ToolResultBlock): string | undefined
  readonly redactText: (text: string) => string
  /** The project's folder. */
  readonly workspace: string | null
}

/** Returns the blocks of a message as HTML, in order; empty if there is nothing to see. */
export const contentHtml = (entry: MessageEntry, around: MessageSurroundings): string =>
  entry.content.map((block) => blockHtml(block, messageOrigin(entry), around)).join('')

/** Returns a block as HTML; empty if there is nothing to see, or if a result is shown with its call. */
const blockHtml = (block: ContentBlock, origin: MessageEntry['origin'], around: MessageSurroundings): string => {
  switch (block.type) {
    case 'text':
      return textHtml(plainText(block.text, around), origin)
    case 'thinking':
      return block.text.trim() === ''
        ? ''
        : folded('Reasoning', `<div class="thought">${escapeText(plainText(block.text, around).trim())}</div>`)
    case 'tool_call': {
      const found = around.resultOf(block)
      return toolHtml(block, found?.result, found?.anchor, around)
    }
    case 'tool_result':
      return around.isShown(block) ? '' : resultHtml(block, around.toolOf(block), around.redactText)
    case 'image':
      return imageHtml(block)
    case 'file':
      return block.text === undefined
        ? `<p class="what">file ${escapeText(block.path)}</p>\n`
        : folded(`File ${block.path}`, `<pre>${escapeText(block.text)}</pre>`)
    case 'other':
      return folded('Other content', `<pre>${escapeText(JSON.stringify(block.value, undefined, 2))}</pre>`)
  }
}

/** A text as it is read; one that neither a person nor a model wrote is folded under a title. '' for a blank one. */
const textHtml = (text: string, origin: MessageEntry['origin']): string => {
  if (text.trim() === '') return ''
  const html = markdownHtml(text)
  if (origin === undefined) return html
  return folded(origin === 'summary' ? 'Summary of what left the context' : "From the agent's program", html)
}

/**
 * A text without a terminal's colours, which could have split a secret: if it had some, secrets are looked for again.
 */
const plainText = (text: string, { redactText }: MessageSurroundings): string => {
  const plain = withoutAnsi(text)
  return plain === text ? text : redactText(plain)
}

/** Content that opens below a title. */
const folded = (title: string, html: string): string =>
  `<details class="fold"><summary>${escapeText(title)}</summary>\n${html}</details>\n`

const NAMES = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const

/** Returns a key for the speaker of a message; consecutive messages with the same key share one heading. */
export const speakerOf = (entry: MessageEntry): string =>
  JSON.stringify([entry.role, entry.author, entry.subagent, entry.model, entry.mode, messageOrigin(entry)])

/**
 * Returns the line above a message: speaker, model, time; only the time if the speaker is the same as before
 * (`isSame`). `isTakenBack`: it is marked as undone.
 */
export const headHtml = (entry: MessageEntry, isTakenBack: boolean, isSame: boolean): string => {
  const { seq, role, author, model, mode, at } = entry
  const more = [author, model, mode === undefined ? undefined : `${mode} mode`].filter(
    (part) => part !== undefined && part !== '<synthetic>',
  )
  const time =
    at === null
      ? `#${seq}`
      : `<time datetime="${isoTime(at)}" title="${escapeAttribute(formatTime(at))}">${formatMinute(at)}</time>`
  if (isSame) return `<header><a class="at" href="#m${seq}">${time}</a></header>\n`
  return `<header><span class="who">${NAMES[role]}</span>${more.map((part) => ` <span class="with">${escapeText(part ?? '')}</span>`).join('')}${isTakenBack ? ' <span class="gone-note">undone</span>' : ''}<a class="at" href="#m${seq}">${time}</a></header>\n`
}

/** A time for the `datetime` attribute; empty for an invalid one. */
const isoTime = (at: number): string => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : '')
