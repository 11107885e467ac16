/**
 * The pages of a conversation. One is asked for when it comes near the sight, and its elements are let go when it is far: what is
 * left of it has the same height. What the user looks at stays where it is.
 */
import type { EntryView } from '@cairn/core/conversation'
import { ENTRY_PAGE } from '../entry-names.ts'
import { createDrawnPage, type DrawnPage } from './drawn-page.ts'
import type { EntryActions } from './render-entry.ts'

/** px of an entry before it was drawn. */
const GUESSED_HEIGHT = 76
/** How near to the sight a page is asked for. */
const NEAR = '1200px 0px'
/** Pages that stay drawn, the last ones that were near. */
const MOST_DRAWN = 12
/** An entry may change when one that comes this far behind it is added: a call gets its result. */
const CHANGES_WITHIN = 30

/** The pages of the list, drawn only near what is visible. */
export interface EntryPages {
  /** Entries of the log. */
  readonly count: number
  /** The log has this many entries now; if fewer than before, all pages are thrown away and made again. */
  setCount(count: number): void
  /** The page that an entry is in; undefined beyond the end. */
  pageOf(seq: number): DrawnPage | undefined
  /** Asks for the page of an entry, unless it was asked for. */
  want(seq: number): void
  /** Draws a page that was asked for. */
  draw(index: number, entries: readonly EntryView[]): void
  /** Draws every page that is drawn once more. */
  redraw(): void
}

interface NearPages {
  /** Begins to watch whether a page comes near. */
  observe(page: DrawnPage): void
  /** Lets go of the pages that are drawn beyond the most that stay: those that were near the longest time ago. */
  letGo(): void
  clear(): void
}

/**
 * Returns what observes which pages are near the visible part, and empties those that were near longest ago, so that at
 * most {@link MOST_DRAWN} stay drawn; never one with the focus. `onNear` and `onLetGo` get a page's index.
 */
const createNearPages = (
  scroller: HTMLElement,
  pages: readonly DrawnPage[],
  onNear: (index: number) => void,
  onLetGo: (index: number) => void,
): NearPages => {
  /** In the order in which they came near. */
  const near = new Set<number>()
  const letGo = (): void => {
    const drawn = [...near].filter((index) => pages[index]?.entries !== undefined)
    for (const index of drawn.slice(0, Math.max(0, drawn.length - MOST_DRAWN))) {
      // The keyboard must not fall out of the page.
      if (pages[index]?.element.contains(document.activeElement) === true) continue
      pages[index]?.letGo()
      near.delete(index)
      onLetGo(index)
    }
  }
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue
        const index = Number(target.dataset['page'])
        near.delete(index)
        near.add(index)
        onNear(index)
      }
      letGo()
    },
    { root: scroller, rootMargin: NEAR },
  )
  return {
    observe: (page) => {
      observer.observe(page.element)
    },
    letGo,
    clear: () => {
      observer.disconnect()
      near.clear()
    },
  }
}

/**
 * Returns the pages in an element that scrolls, none at first. `ask` requests the entries of a page. Each page is asked
 * for once, until it is let go of or grows.
 */
export const createEntryPages = (
  scroller: HTMLElement,
  ask: (page: number) => void,
  actions: EntryActions,
): EntryPages => {
  const pages: DrawnPage[] = []
  const asked = new Set<number>()
  let count = 0

  const want = (index: number): void => {
    if (pages[index] === undefined || asked.has(index)) return
    asked.add(index)
    ask(index)
  }
  const near = createNearPages(scroller, pages, want, (index) => asked.delete(index))
  const clear = (): void => {
    near.clear()
    for (const page of pages.splice(0)) page.element.remove()
    asked.clear()
    count = 0
  }
  const addPage = (): void => {
    const page = createDrawnPage(pages.length, actions)
    pages.push(page)
    scroller.append(page.element)
    near.observe(page)
  }
  return {
    get count() {
      return count
    },
    setCount: (next) => {
      // One that was deleted and begun again is shorter.
      if (next < count) clear()
      const firstChanged = Math.max(0, Math.floor((count - CHANGES_WITHIN) / ENTRY_PAGE))
      const hasGrown = next > count
      count = next
      while (pages.length * ENTRY_PAGE < count) addPage()
      for (const [index, page] of [...pages.entries()].slice(firstChanged)) {
        page.guessHeight(Math.min(ENTRY_PAGE, count - index * ENTRY_PAGE) * GUESSED_HEIGHT)
        if (hasGrown && asked.has(index)) ask(index)
      }
    },
    pageOf: (seq) => pages[Math.floor(seq / ENTRY_PAGE)],
    want: (seq) => want(Math.floor(seq / ENTRY_PAGE)),
    draw: (index, entries) => {
      pages[index]?.draw(entries)
      near.letGo()
    },
    redraw: () => {
      for (const page of pages) page.redraw()
    },
  }
}
