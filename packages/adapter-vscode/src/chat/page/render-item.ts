/** The items of the chat as elements. */
import { neutralise, neutraliseLine } from '../../text/neutralise.ts'
import type { ChatItem, NoticeAction, NoticeItem, RemovedItem, UserItem } from '../conversation/chat-state.ts'
import { button, element } from '../../webview/page/dom.ts'
import { createGrowingText, type GrowingText } from './growing-text.ts'
import { renderTool, type ToolActions } from './render-tool.ts'

/** What the user can do with an item. */
export interface ItemActions extends ToolActions {
  readonly act: (action: NoticeAction) => void
  /** Back to before the turn that a message began. */
  readonly takeBack: (itemId: number) => void
}

/** An item that is drawn. `update` gives false where it has to be drawn again. */
export interface DrawnItem {
  readonly element: HTMLElement
  update(item: ChatItem): boolean
}

const ACTIONS: Readonly<Record<NoticeAction, string>> = {
  'set-key': 'Set a key',
  'choose-model': 'Choose a model',
  resume: 'Go on',
}

/**
 * Returns an item's element. Its `update` draws the changed item in place, or returns false if it has to be drawn anew.
 * Notices and the user's messages are never drawn in place.
 */
export const drawItem = (item: ChatItem, actions: ItemActions): DrawnItem => {
  switch (item.kind) {
    case 'user':
      return fixed(userElement(item, actions))
    case 'reply':
      return drawnReply(item.text, actions)
    case 'thinking':
      return drawnThinking(item.text, actions)
    case 'tool':
      return drawnTool(item, actions)
    case 'removed':
      return fixed(removedElement(item))
    case 'notice':
      return fixed(noticeElement(item, actions))
  }
}

/** Returns a drawn item that never updates in place. */
const fixed = (made: HTMLElement): DrawnItem => ({ element: made, update: () => false })

/** Returns the element of the user's message, with its attachments and the button that undoes its turn. */
const userElement = ({ id, text, attachments, checkpointId }: UserItem, { takeBack }: ItemActions): HTMLElement =>
  element(
    'article',
    { class: 'user', 'aria-label': 'You' },
    element('div', { class: 'plain', dir: 'auto' }, neutralise(text)),
    ...(attachments.length === 0
      ? []
      : [element('div', { class: 'attachments' }, `With ${attachments.map(neutraliseLine).join(', ')}`)]),
    ...(checkpointId === undefined
      ? []
      : [
          button('Back to before this…', () => takeBack(id), {
            class: 'quiet',
            title: 'Give back the files, the conversation or both as they were before this message',
          }),
        ]),
  )

/** Returns the element of the model's text, which grows in place. */
const drawnReply = (text: string, actions: ItemActions): DrawnItem => {
  const growing = createGrowingText(actions)
  growing.update(text)
  return {
    element: element('article', { class: 'reply', 'aria-label': 'Model' }, growing.element),
    update: growingUpdate('reply', growing),
  }
}

/** Returns the `update` of a text that grows; it returns false for an item of another kind. */
const growingUpdate =
  (kind: 'reply' | 'thinking', growing: GrowingText) =>
  (item: ChatItem): boolean => {
    if (item.kind !== kind) return false
    growing.update(item.text)
    return true
  }

/** Returns the folded element of the model's reasoning, which grows in place. */
const drawnThinking = (text: string, actions: ItemActions): DrawnItem => {
  const growing = createGrowingText(actions)
  growing.update(text)
  return {
    element: element('details', { class: 'thinking' }, element('summary', {}, 'Reasoning'), growing.element),
    update: growingUpdate('thinking', growing),
  }
}

/**
 * Returns a call's element, open while it waits for approval. `update` draws all of it anew: what the user opened stays
 * open, the focus goes to the call's line if it was inside, a half-typed answer is lost.
 */
const drawnTool = (first: Extract<ChatItem, { kind: 'tool' }>, actions: ItemActions): DrawnItem => {
  const holder = element('div', {}, renderTool(first, false, actions))
  let shown = first
  return {
    element: holder,
    update: (item) => {
      if (item.kind !== 'tool') return false
      const details = holder.firstElementChild
      const wasOpen = details instanceof HTMLDetailsElement && details.open && shown.progress !== 'waiting'
      const hadFocus = holder.contains(document.activeElement)
      holder.replaceChildren(renderTool(item, wasOpen, actions))
      // The buttons that had it are gone: the line of the call is next to where they were.
      if (hadFocus) holder.querySelector('summary')?.focus()
      shown = item
      return true
    },
  }
}

/** Returns the folded element that lists what left the context. */
const removedElement = ({ removals, savedTokens }: RemovedItem): HTMLElement => {
  const blocks = `${removals.length} ${removals.length === 1 ? 'block' : 'blocks'}`
  const saved = savedTokens === 0 ? '' : `, about ${savedTokens.toLocaleString('en-US')} tokens`
  const lines = removals.map(({ name, what, why, savedTokens: own }) =>
    element(
      'li',
      {},
      element('code', {}, neutraliseLine(name)),
      ` ${what}: ${neutraliseLine(why)}${own === undefined ? '' : ` (${own.toLocaleString('en-US')} tokens)`}`,
    ),
  )
  return element(
    'details',
    { class: 'removed' },
    element('summary', {}, `Left the model's context: ${blocks}${saved}`),
    element('ul', {}, ...lines),
    element('p', {}, 'The session keeps all of it, and the model can read it again.'),
  )
}

/** Returns a notice's element, with a button if it has an action. */
const noticeElement = ({ level, text, action }: NoticeItem, { act }: ItemActions): HTMLElement =>
  element(
    'div',
    { class: `notice ${level}`, role: level === 'error' ? 'alert' : 'note' },
    element('span', {}, neutralise(text)),
    ...(action === undefined ? [] : [button(ACTIONS[action], () => act(action))]),
  )
