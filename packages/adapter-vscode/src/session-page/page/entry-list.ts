/** The conversation as a list that scrolls: goes to entries that may not be drawn yet, and stays at its end while the user is there. */
import type { EntryView } from '@cairn/core/conversation'
import { createEntryPages } from './entry-pages.ts'
import type { EntryActions } from './render-entry.ts'

/** From the end, in pixels, that counts as being there. */
const NEAR_END = 4

/** Where the list is scrolled to. */
export interface EntryPosition {
  readonly seq: number
  /** px of the entry above the upper edge. */
  readonly offset: number
}

/** The list of a session's entries. */
export interface EntryList {
  /** The log has this many entries now. */
  setCount(count: number): void
  /** Draws a page that was asked for; goes on to an entry that was waited for. */
  show(page: number, entries: readonly EntryView[]): void
  /** Goes to an entry (the nearest there is), which is asked for where it is not drawn; marks and focuses it. */
  goTo(seq: number): void
  /** Goes to where the list was. */
  goBackTo(position: EntryPosition): void
  /** The entry at the upper edge; undefined before anything is drawn. */
  firstSeen(): EntryPosition | undefined
  /** Draws all again, as what is folded has changed. */
  redraw(): void
}

/** Where the list is to be scrolled to. */
interface Target extends EntryPosition {
  readonly isMarked: boolean
}

/** Returns the entry at the upper edge of the scrolled element; undefined if there is none. `offset` is in pixels. */
const positionAtTop = (scroller: HTMLElement): EntryPosition | undefined => {
  const { top, left, width } = scroller.getBoundingClientRect()
  const found = document
    .elementsFromPoint(left + width / 2, top + 1)
    .map((each) => each.closest<HTMLElement>('[data-seq]'))
    .find((each) => each !== null)
  if (found === undefined) return undefined
  return { seq: Number(found.dataset['seq']), offset: Math.round(top - found.getBoundingClientRect().top) }
}

/**
 * Returns the list in an element that scrolls. `ask` requests a page of entries. An entry that is not drawn yet is gone
 * to once it is; while the end is in view, new entries scroll along.
 */
export const createEntryList = (
  scroller: HTMLElement,
  ask: (page: number) => void,
  actions: EntryActions,
): EntryList => {
  const pages = createEntryPages(scroller, ask, actions)
  let target: Target | undefined

  /** Goes to the target, or to its page where it is not drawn yet; what is left to go to, undefined when it is reached. */
  const approach = (wanted: Target): Target | undefined => {
    const { seq, offset, isMarked } = wanted
    const page = pages.pageOf(seq)
    if (page === undefined) return undefined
    if (page.entries === undefined) {
      page.element.scrollIntoView({ block: 'start' })
      pages.want(seq)
      return wanted
    }
    const view = page.entries.find((entry) => entry.seq === seq)
    // A result is shown with its call.
    if (view?.kind === 'hidden' && view.shownIn !== undefined && view.shownIn < seq)
      return approach({ ...wanted, seq: view.shownIn })
    const entry = page.elementOf(seq)
    const top = (entry ?? page.element).getBoundingClientRect().top
    scroller.scrollTop += top - scroller.getBoundingClientRect().top + offset
    if (isMarked && entry !== undefined) mark(entry)
    return undefined
  }
  const mark = (entry: HTMLElement): void => {
    for (const marked of scroller.querySelectorAll('.marked')) marked.classList.remove('marked')
    entry.classList.add('marked')
    entry.focus({ preventScroll: true })
  }
  const go = (wanted: Target): void => {
    target = approach({ ...wanted, seq: Math.max(0, Math.min(wanted.seq, pages.count - 1)) })
  }
  return {
    setCount: (count) => {
      pages.setCount(count)
    },
    show: (index, entries) => {
      const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END
      pages.draw(index, entries)
      if (target !== undefined) target = approach(target)
      else if (isAtEnd && scroller.scrollTop > 0) scroller.scrollTop = scroller.scrollHeight
    },
    goTo: (seq) => go({ seq, offset: 0, isMarked: true }),
    goBackTo: ({ seq, offset }) => go({ seq, offset, isMarked: false }),
    firstSeen: () => positionAtTop(scroller),
    redraw: () => {
      const seen = scroller.scrollTop
      pages.redraw()
      scroller.scrollTop = seen
    },
  }
}
