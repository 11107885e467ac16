/** A tool's call: one line that opens to its diff and its result, and what is asked about it. */
import { neutralise, neutraliseLine } from '../../text/neutralise.ts'
import type { ToolItem, ToolProgress } from '../conversation/chat-state.ts'
import { diffCounts, diffLines, type DiffLine } from '../../webview/unified-diff.ts'
import { button, element } from '../../webview/page/dom.ts'
import { renderDiff } from '../../webview/page/render-diff.ts'
import { codeBlock, type TextActions } from '../../webview/page/render-markdown.ts'

/** The user's answer to a call that needs approval. */
type Decision = 'allow' | 'always' | 'deny'

/** What the user can do with a call. */
export interface ToolActions extends TextActions {
  readonly answer: (callId: string, decision: Decision, feedback?: string) => void
  readonly openDiff: (itemId: number) => void
}

/** What the page says of each state of a call. */
const WORDS: Readonly<Record<ToolProgress, string>> = {
  preparing: 'being written',
  waiting: 'needs your approval',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'not run',
  unknown: 'interrupted, effect unknown',
}

/** The sign of each state of a call. */
const SIGNS: Readonly<Record<ToolProgress, string>> = {
  preparing: '…',
  waiting: '?',
  running: '▸',
  done: '✓',
  failed: '✗',
  skipped: '–',
  unknown: '!',
}

/** Returns a call's line in words, for screen readers. */
const toolWords = ({ title, progress }: Pick<ToolItem, 'title' | 'progress'>): string =>
  `${neutraliseLine(title)}: ${WORDS[progress]}`

/** Returns a call's element. `isOpen`: whether the user has it open; a call that waits for approval is always open. */
export const renderTool = (item: ToolItem, isOpen: boolean, actions: ToolActions): HTMLElement => {
  const { progress, diff } = item
  const lines = diff === undefined ? [] : diffLines(neutralise(diff))
  const isWaiting = progress === 'waiting'
  const details = element('details', { class: `tool ${progress}`, open: isOpen || isWaiting ? '' : undefined })
  details.append(summaryLine(item, lines))
  if (item.command !== undefined) details.append(codeBlock(neutralise(item.command), 'command', actions))
  if (lines.length > 0)
    details.append(
      renderDiff(lines),
      button('Open in the editor', () => actions.openDiff(item.id), { class: 'quiet' }),
    )
  if (item.rules !== undefined)
    details.append(element('p', { class: 'words' }, `With the rules of ${item.rules.map(neutraliseLine).join(', ')}`))
  if (item.output !== '') details.append(codeBlock(neutralise(item.output), 'result', actions))
  if (isWaiting) details.append(approval(item, actions))
  return details
}

/** Returns a call's line: sign, title, changed lines, rules, its state unless it is done, its duration from 1 s on. */
const summaryLine = (item: ToolItem, lines: readonly DiffLine[]): HTMLElement => {
  const { added, removed } = diffCounts(lines)
  const counts = lines.length === 0 ? [] : [element('span', { class: 'counts' }, ` +${added} −${removed}`)]
  const time =
    item.durationMs === undefined || item.durationMs < 1_000 ? '' : ` · ${(item.durationMs / 1_000).toFixed(1)} s`
  return element(
    'summary',
    { 'aria-label': toolWords(item) },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[item.progress]),
    ' ',
    element('span', { class: 'title', title: neutraliseLine(item.title) }, neutraliseLine(item.title)),
    ...counts,
    ...(item.rules === undefined
      ? []
      : [element('span', { class: 'words' }, ` · rules of ${item.rules.map(neutraliseLine).join(', ')}`)]),
    element('span', { class: 'words' }, item.progress === 'done' ? time : ` · ${WORDS[item.progress]}${time}`),
  )
}

/**
 * Returns the question below a call that waits for approval; Enter in its field denies the call with the text as
 * feedback. An empty field denies it without a text.
 */
const approval = ({ callId, why = '', title }: ToolItem, { answer }: ToolActions): HTMLElement => {
  const sentence = element('input', {
    type: 'text',
    placeholder: 'Deny, and say what to do instead',
    'aria-label': 'What to do instead',
  })
  const deny = (): void => answer(callId, 'deny', sentence.value.trim() === '' ? undefined : sentence.value.trim())
  sentence.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.isComposing) deny()
  })
  return element(
    'div',
    { class: 'approval', role: 'group', 'aria-label': `Approval: ${neutraliseLine(title)}` },
    element('p', {}, neutralise(why)),
    element(
      'div',
      { class: 'row' },
      button('Allow', () => answer(callId, 'allow'), { class: 'primary' }),
      button('Always in this session', () => answer(callId, 'always'), {
        title: 'Calls like it are not asked about again',
      }),
      button('Deny', deny),
    ),
    sentence,
  )
}
