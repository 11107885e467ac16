/** What the address names by its hash stays at the top of the window while the page around it is still growing. */

/** What a reader does to look at something else. */
const READER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * As the `ref` of an element with an id: scrolls to it while the address names it and the page changes its height,
 * until the reader does something; a new hash begins it anew. The function that it gives ends it.
 */
export const stayAtHash = (element: HTMLElement | null): (() => void) | undefined => {
  if (element === null) return undefined
  const show = (): void => {
    if (window.location.hash === `#${element.id}`) element.scrollIntoView()
  }
  const growth = new ResizeObserver(show)
  const release = (): void => growth.disconnect()
  const stay = (): void => growth.observe(document.body)
  stay()
  for (const name of READER_EVENTS) window.addEventListener(name, release, { passive: true })
  // Whoever goes there once more, from the same page.
  window.addEventListener('hashchange', stay)
  return () => {
    release()
    for (const name of READER_EVENTS) window.removeEventListener(name, release)
    window.removeEventListener('hashchange', stay)
  }
}
