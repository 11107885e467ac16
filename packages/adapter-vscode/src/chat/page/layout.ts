/** The page's frame: head, list, and the part below it where one writes. */
import type { Attachment, ChatState } from '../conversation/chat-state.ts'
import { neutraliseLine } from '../../text/neutralise.ts'
import type { PageMessage } from '../messages.ts'
import { button, element } from '../../webview/page/dom.ts'

/** The frame around the conversation. */
export interface Layout {
  readonly list: HTMLElement
  readonly composer: HTMLTextAreaElement
  /** Says a sentence to a screen reader. */
  readonly say: (sentences: readonly string[]) => void
  update(state: ChatState): void
}

/**
 * Builds the frame in the page's body: list, attachments, composer, status row. `send` gets the text that the user
 * submits, `post` everything else that they do. `update` draws a state, `say` speaks sentences to screen readers, none
 * for an empty list.
 */
export const createLayout = (post: (message: PageMessage) => void, send: (text: string) => void): Layout => {
  const title = element('h1', { class: 'session' })
  const earlier = button('Earlier messages', () => post({ type: 'show-session' }), { class: 'quiet', hidden: '' })
  const list = element('main', {
    class: 'items',
    role: 'log',
    'aria-live': 'off',
    'aria-label': 'Conversation',
    tabindex: '0',
  })
  const live = element('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' })
  const composer = createComposer(post, send)
  const status = createStatusRow(post)
  document.body.append(
    element(
      'header',
      {},
      title,
      button('New', () => post({ type: 'new-session' }), { class: 'quiet', 'aria-label': 'New session' }),
      button('Open…', () => post({ type: 'choose-session' }), {
        class: 'quiet',
        'aria-label': 'Go on with an earlier session',
      }),
    ),
    earlier,
    list,
    element('footer', {}, ...composer.elements, status.element),
    live,
  )
  return {
    list,
    composer: composer.input,
    say: (sentences) => {
      if (sentences.length > 0) live.textContent = sentences.join(' ')
    },
    update: (state) => {
      title.textContent = neutraliseLine(state.session?.title ?? 'New session')
      earlier.hidden = !state.hasEarlier || state.session === null
      list.setAttribute('aria-busy', String(state.isWorking))
      composer.update(state)
      status.update(state)
    },
  }
}

const MOST_ROWS = 12

/** The field for the user's message, with its attachments. */
interface Composer {
  readonly elements: readonly HTMLElement[]
  readonly input: HTMLTextAreaElement
  update(state: ChatState): void
}

/**
 * Returns the field for a message: Enter calls `send` (which empties it), Shift+Enter begins a new line, an `@` at the
 * beginning of a word asks for a mention. While the agent works a button that stops it stands in place of Send.
 */
const createComposer = (post: (message: PageMessage) => void, send: (text: string) => void): Composer => {
  const input = element('textarea', {
    id: 'composer',
    rows: '2',
    placeholder: 'Ask or say what to do; @ mentions a file',
    'aria-label': 'Message',
  })
  const attachments = element('div', { class: 'attached', role: 'list', 'aria-label': 'Attached' })
  const submit = button('Send', () => send(input.value), { class: 'primary' })
  const cancel = button('Stop', () => post({ type: 'cancel' }), { class: 'primary', hidden: '' })
  const attach = button('Attach…', () => post({ type: 'attach' }), {
    class: 'quiet',
    title: 'Selection, problems or a file',
  })
  const grow = (): void => {
    input.rows = Math.min(MOST_ROWS, Math.max(2, input.value.split('\n').length))
  }
  input.addEventListener('input', (event) => {
    grow()
    if (event instanceof InputEvent && event.data === '@' && isWordStart(input)) post({ type: 'mention' })
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send(input.value)
  })
  return {
    elements: [attachments, input, element('div', { class: 'row' }, submit, cancel, attach)],
    input,
    update: (state) => {
      // Focus must not fall out of the page with the button that had it.
      const hadFocus = document.activeElement === cancel || document.activeElement === submit
      submit.hidden = state.isWorking
      cancel.hidden = !state.isWorking
      if (hadFocus) (state.isWorking ? cancel : submit).focus()
      attachments.replaceChildren(...state.attachments.map((attachment) => attachmentElement(attachment, post)))
      attachments.hidden = state.attachments.length === 0
      grow()
    },
  }
}

/** Returns an attachment's element, with a button that removes it. */
const attachmentElement = ({ id, label }: Attachment, post: (message: PageMessage) => void): HTMLElement => {
  const shown = neutraliseLine(label)
  const remove = button('×', () => post({ type: 'detach', id }), { class: 'quiet', 'aria-label': `Remove ${shown}` })
  return element('span', { role: 'listitem', class: 'attachment' }, shown, remove)
}

/** Whether the `@` before the cursor is at the beginning of the text or follows a blank. */
const isWordStart = ({ value, selectionStart }: HTMLTextAreaElement): boolean =>
  selectionStart < 2 || /\s/.test(value.charAt(selectionStart - 2))

/** The row below the composer. */
interface StatusRow {
  readonly element: HTMLElement
  update(state: ChatState): void
}

/** Returns the row with mode, model, cost, and how full the context is. Without a context there is no gauge. */
const createStatusRow = (post: (message: PageMessage) => void): StatusRow => {
  let mode: ChatState['mode'] = 'act'
  const switchMode = button('', () => post({ type: 'mode', mode: mode === 'act' ? 'plan' : 'act' }), { class: 'quiet' })
  const model = button('', () => post({ type: 'choose-model' }), {
    class: 'quiet model',
    title: 'Choose the model of this mode',
  })
  const cost = element('span', { class: 'cost', title: 'What this session has cost' })
  const gauge = element('meter', { max: '1', value: '0', 'aria-label': 'How full the context is' })
  return {
    element: element('div', { class: 'row status' }, switchMode, model, cost, gauge),
    update: (state) => {
      mode = state.mode
      switchMode.textContent = mode === 'act' ? 'Act' : 'Plan'
      switchMode.title =
        mode === 'act' ? 'Files are changed and commands run. Switch to plan.' : 'Nothing is changed. Switch to act.'
      switchMode.setAttribute('aria-label', `Mode: ${mode}`)
      model.textContent = state.model === '' ? 'Choose a model' : neutraliseLine(state.model)
      cost.textContent = state.cost
      gauge.hidden = state.context === null
      if (state.context === null) return
      const { tokens, availableTokens } = state.context
      gauge.value = availableTokens > 0 ? Math.min(1, tokens / availableTokens) : 1
      const share = availableTokens > 0 ? Math.round((100 * tokens) / availableTokens) : 100
      const words = `Context: ${tokens.toLocaleString('en-US')} of ${availableTokens.toLocaleString('en-US')} tokens (${share} %)`
      gauge.title = words
      gauge.setAttribute('aria-valuetext', words)
    },
  }
}
