'use client'
/** The selection in the page's address, and the zone of the browser where the address names none. */
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useSyncExternalStore } from 'react'
import { endLanding } from '../usage/landing.ts'
import { FILTERS, readSelection, writeSelection } from './selection.ts'
import type { Selection } from './selection.ts'

const nothingToFollow = () => () => undefined
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const unknownOnServer = (): undefined => undefined

/** What the selection says again; all else stays, but the number of a table's page, which another selection has not. */
const OWN = ['period', 'from', 'to', 'zone', ...FILTERS, 'page'] as const

/** The selection of the address, and how to change it. */
export interface SelectionState {
  readonly selection: Selection
  /** Undefined until the page runs in the browser. */
  readonly browserZone: string | undefined
  readonly select: (change: Partial<Selection>) => void
}

/**
 * Returns the selection that the address has. `select` writes a change to it as a step of the browser's history, and
 * leaves other parameters. The browser's zone is undefined on the server.
 */
export const useSelection = (): SelectionState => {
  const parameters = useSearchParams()
  const path = usePathname()
  const zone = useSyncExternalStore<string | undefined>(nothingToFollow, browserZone, unknownOnServer)
  const selection = readSelection(parameters)
  const select = useCallback(
    (change: Partial<Selection>) => {
      endLanding()
      // Next follows the browser's history by itself; nothing is asked of the server for it.
      const next = new URLSearchParams(parameters)
      for (const name of OWN) next.delete(name)
      for (const [name, value] of new URLSearchParams(writeSelection({ ...readSelection(parameters), ...change })))
        next.set(name, value)
      const query = next.toString()
      window.history.pushState(null, '', query === '' ? path : `${path}?${query}`)
    },
    [path, parameters],
  )
  return { selection, browserZone: zone, select }
}
