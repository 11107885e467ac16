/** The permanent link to an entry: `#12` at the end of the session's address. */
import { useEffect, useRef } from 'react'

const FRAGMENT = /^#(\d{1,10})$/

/** Returns the whole address of an entry of the session whose page is open; works only in a browser. */
export const entryLink = (seq: number): string => `${window.location.origin}${window.location.pathname}#${seq}`

/**
 * Calls `show` with the entry that the address's fragment names, now and whenever it changes. An address without one
 * calls nothing.
 */
export const useLinkedEntry = (show: (entry: number) => void): void => {
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  useEffect(() => {
    const follow = (): void => {
      const found = FRAGMENT.exec(window.location.hash)?.[1]
      if (found !== undefined) latest.current(Number(found))
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
}
