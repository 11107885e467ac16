/** One page of entries: drawn, drawn again where entries have changed, or only as high as it was. */
import type { EntryView } from '@cairn/core/conversation'
import { element } from '../../webview/page/dom.ts'
import { renderEntry, type EntryActions } from './render-entry.ts'

/** A page of entries in the list. */
export interface DrawnPage {
  readonly element: HTMLElement
  /** What it shows: undefined before it was drawn and after it was let go. */
  readonly entries: readonly EntryView[] | undefined
  /** Draws what differs, so that a selection and the keyboard stay in the rest. */
  draw(entries: readonly EntryView[]): void
  /** Draws all of it again. */
  redraw(): void
  /** Lets go of its elements; it stays as high as it was. */
  letGo(): void
  /** Sets the page's height, px; does nothing if it is drawn. */
  guessHeight(height: number): void
  /** The element of an entry, or of the last one before it that is shown; undefined where there is none. */
  elementOf(seq: number): HTMLElement | undefined
}

/** An entry that is drawn, and what it was drawn from. */
interface DrawnEntry {
  readonly source: string
  readonly element: HTMLElement
}

/**
 * Returns an empty page with an index. `draw` keeps the elements of entries that did not change; `letGo` empties it at
 * its height; `elementOf` gives an entry's element, else that of the entry drawn before it.
 */
export const createDrawnPage = (index: number, actions: EntryActions): DrawnPage => {
  const made = element('section', { class: 'entries' })
  made.dataset['page'] = String(index)
  let drawn: ReadonlyMap<number, DrawnEntry> = new Map()
  let shown: readonly EntryView[] | undefined

  const drawEntry = (entry: EntryView): DrawnEntry | undefined => {
    const source = JSON.stringify(entry)
    const known = drawn.get(entry.seq)
    if (known?.source === source) return known
    const entryElement = renderEntry(entry, actions)
    return entryElement === undefined ? undefined : { source, element: entryElement }
  }
  const draw = (entries: readonly EntryView[]): void => {
    const next = new Map<number, DrawnEntry>()
    for (const entry of entries) {
      const one = drawEntry(entry)
      if (one !== undefined) next.set(entry.seq, one)
    }
    const kept = new Set([...next.values()].map((one) => one.element))
    for (const { element: old } of drawn.values()) if (!kept.has(old)) old.remove()
    // Only what is new is put in: moving an element would take the keyboard from it.
    let before = made.firstElementChild
    for (const each of kept) {
      if (each === before) before = before.nextElementSibling
      else made.insertBefore(each, before)
    }
    drawn = next
    shown = entries
    made.style.height = ''
  }
  const forget = (): void => {
    made.replaceChildren()
    drawn = new Map()
  }
  return {
    element: made,
    get entries() {
      return shown
    },
    draw,
    redraw: () => {
      if (shown === undefined) return
      forget()
      draw(shown)
    },
    letGo: () => {
      made.style.height = `${made.offsetHeight}px`
      shown = undefined
      forget()
    },
    guessHeight: (height) => {
      if (shown === undefined) made.style.height = `${height}px`
    },
    elementOf: (seq) => (drawn.get(seq) ?? [...drawn].findLast(([other]) => other <= seq)?.[1])?.element,
  }
}
