/** Finds words in the whole session, also in what is not drawn: the store searches. */
import { button, element } from '../../webview/page/dom.ts'

/** The field that finds words in the whole session. */
export interface FindBar {
  /** The field with its buttons and count, to be put into the page. */
  readonly element: HTMLElement
  /**
   * Takes the answer to `ask`: the entries (`seq`) that contain the text, in order; goes to the first. Ignored if the
   * field has another text by now.
   */
  found(text: string, entries: readonly number[]): void
  /** Puts the cursor into the field. */
  focus(): void
}

const AFTER_TYPING_MS = 250

/**
 * Returns an empty find bar. A moment after typing, or at Enter without matches, it calls `ask` with the text; the
 * caller gives the entries that contain it to `found`, and `goTo` is called with the first. Enter or its button ↓ goes
 * to the next match, Shift+Enter or ↑ to the one before, around both ends, with the cursor left in the field. A blank
 * text is asked for only at Enter.
 */
export const createFindBar = (ask: (text: string) => void, goTo: (seq: number) => void): FindBar => {
  const input = element('input', {
    type: 'text',
    placeholder: 'Find in the whole session',
    'aria-label': 'Find in the whole session',
  })
  const count = element('span', { class: 'words', role: 'status' })
  let entries: readonly number[] = []
  let at = -1
  let soon: ReturnType<typeof setTimeout> | undefined

  /** Goes on by so many matches, around the ends; nothing without matches. */
  const go = (step: number): void => {
    if (entries.length === 0) return
    at = (at + step + entries.length) % entries.length
    count.textContent = `${at + 1} of ${entries.length.toLocaleString('en-US')}`
    const seq = entries[at]
    if (seq !== undefined) goTo(seq)
    input.focus({ preventScroll: true })
  }
  const search = (): void => {
    clearTimeout(soon)
    ask(input.value)
  }
  input.addEventListener('input', () => {
    entries = []
    at = -1
    count.textContent = ''
    clearTimeout(soon)
    if (input.value.trim() !== '') soon = setTimeout(search, AFTER_TYPING_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    if (entries.length === 0) search()
    else go(event.shiftKey ? -1 : 1)
  })
  return {
    element: element(
      'div',
      { class: 'find', role: 'search' },
      input,
      button('↑', () => go(-1), { class: 'quiet', 'aria-label': 'Previous match' }),
      button('↓', () => go(1), { class: 'quiet', 'aria-label': 'Next match' }),
      count,
    ),
    found: (text, found) => {
      // The answer to an earlier question may come late.
      if (text !== input.value) return
      entries = found
      at = -1
      count.textContent = found.length === 0 ? 'nothing found' : ''
      go(1)
    },
    focus: () => input.focus(),
  }
}
