/** Finds words in the whole session, also in what is not drawn: the store searches. */
import { button, element } from '../../webview/page/dom.ts'

/** The field that finds words in the whole session. */
export interface FindBar {
  readonly element: HTMLElement
  /** The entries that hold the words that were asked for. */
  found(text: string, entries: readonly number[]): void
  focus(): void
}

const AFTER_TYPING_MS = 250

/**
 * Returns an empty find bar. `ask` requests the entries that contain the text; `goTo` scrolls to one. A search starts a
 * moment after typing, and goes to the first match; from the last it goes on at the first.
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
