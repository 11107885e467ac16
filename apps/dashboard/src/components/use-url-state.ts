'use client'
/** Changes single parameters of the page's address. Next follows the browser's history by itself; nothing is asked of the server for it. */
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

/** Parameters to set, by name; undefined removes one. */
export type UrlStateChange = Readonly<Record<string, string | undefined>>

/**
 * Returns a function that sets parameters of the address, or removes undefined ones, as a new step of the history.
 * Others stay.
 */
export const useUrlState = (): ((change: UrlStateChange) => void) => {
  const path = usePathname()
  const current = useSearchParams()
  return useCallback(
    (change) => {
      const parameters = new URLSearchParams(current)
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) parameters.delete(name)
        else parameters.set(name, value)
      }
      const query = parameters.toString()
      window.history.pushState(null, '', query === '' ? path : `${path}?${query}`)
    },
    [path, current],
  )
}
