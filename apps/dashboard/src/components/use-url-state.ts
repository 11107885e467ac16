'use client'
/** Changes single parameters of the page's address. Next follows the browser's history by itself; nothing is asked of the server for it. */
import { usePathname } from 'next/navigation'
import { useCallback } from 'react'

/**
 * The parameters that the address has now. `useSearchParams` has them a moment later, as a page is rendered: of two changes
 * in that moment the second would take the first back.
 */
export const addressParameters = (): URLSearchParams => new URLSearchParams(window.location.search)

/** Parameters to set, by name; undefined removes one. */
export type UrlStateChange = Readonly<Record<string, string | undefined>>

/**
 * Returns a function that sets parameters of the address, or removes undefined ones, as a new step of the history.
 * Others stay. It makes a step even where nothing changes.
 */
export const useUrlState = (): ((change: UrlStateChange) => void) => {
  const path = usePathname()
  return useCallback(
    (change) => {
      const parameters = addressParameters()
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) parameters.delete(name)
        else parameters.set(name, value)
      }
      const query = parameters.toString()
      window.history.pushState(null, '', query === '' ? path : `${path}?${query}`)
    },
    [path],
  )
}
