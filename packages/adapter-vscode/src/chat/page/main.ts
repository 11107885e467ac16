/** The page of the chat: shows the state that the extension tells, and tells it what the user does. */
import { EMPTY_CHAT, type ChatState, type NoticeAction } from '../conversation/chat-state.ts'
import { reduceAll } from '../conversation/reduce.ts'
import type { HostMessage, PageMessage } from '../messages.ts'
import { announcements } from './announcements.ts'
import { createItemList } from './item-list.ts'
import { createLayout } from './layout.ts'

/** What VS Code offers to the page's script. */
interface EditorApi {
  postMessage(message: PageMessage): void
  getState(): unknown
  setState(state: { readonly draft: string }): void
}
/** VS Code gives it to the page's own script, once. */
declare const acquireVsCodeApi: () => EditorApi

const editor = acquireVsCodeApi()
/** Sends a message to the extension. */
const post = (message: PageMessage): void => editor.postMessage(message)
let state: ChatState = EMPTY_CHAT

/** Sends the user's text and empties the composer; does nothing for a blank text or while a turn runs. */
const send = (text: string): void => {
  if (text.trim() === '' || state.isWorking) return
  post({ type: 'send', text })
  layout.composer.value = ''
  keepDraft()
}
/** Saves the text in the composer, for when the page is loaded again. */
const keepDraft = (): void => editor.setState({ draft: layout.composer.value })

const ACTIONS: Readonly<Record<NoticeAction, PageMessage>> = {
  'set-key': { type: 'set-key' },
  'choose-model': { type: 'choose-model' },
  resume: { type: 'resume' },
}

const layout = createLayout(post, send)
const list = createItemList(layout.list, {
  openLink: (address) => post({ type: 'open-link', address }),
  copy: (text) => post({ type: 'copy', text }),
  answer: (callId, decision, feedback) =>
    post({ type: 'answer', callId, decision, ...(feedback === undefined ? {} : { feedback }) }),
  openDiff: (itemId) => post({ type: 'open-diff', itemId }),
  act: (action) => post(ACTIONS[action]),
  takeBack: (itemId) => post({ type: 'take-back', itemId }),
})

/** Draws the next state, and announces what is new to screen readers. */
const show = (next: ChatState): void => {
  const before = state
  state = next
  list.update(next.items)
  layout.update(next)
  layout.say(announcements(before, next))
}

/** Inserts a text in place of the selection and of an `@` right before it; saves the draft and focuses the composer. */
const insert = (text: string): void => {
  const { composer } = layout
  const { selectionStart, selectionEnd, value } = composer
  const from = value.charAt(selectionStart - 1) === '@' ? selectionStart - 1 : selectionStart
  composer.setRangeText(text, from, selectionEnd, 'end')
  keepDraft()
  composer.focus()
}

// Only the extension can reach this window; what it tells is made of our own types.
window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  switch (data.type) {
    case 'state':
      // Another session, or a page that was just opened: nothing in it is news.
      state = data.state
      show(data.state)
      layout.list.scrollTop = layout.list.scrollHeight
      return
    case 'events':
      show(reduceAll(state, data.events))
      return
    case 'insert':
      insert(data.text)
      return
    case 'restore':
      layout.composer.value = layout.composer.value === '' ? data.text : `${data.text}\n${layout.composer.value}`
      keepDraft()
      return
    case 'focus':
      layout.composer.focus()
  }
})

layout.composer.addEventListener('input', keepDraft)
const kept = editor.getState()
if (typeof kept === 'object' && kept !== null && 'draft' in kept && typeof kept.draft === 'string')
  layout.composer.value = kept.draft
layout.update(state)
post({ type: 'ready' })
