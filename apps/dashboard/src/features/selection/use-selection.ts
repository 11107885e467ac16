'use client'
/** The selection in the page's address, and the zone of the browser where the address names none. */
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useSyncExternalStore } from 'react'
import { addressParameters } from '../../components/use-url-state.ts'
import { endLanding } from '../usage/landing.ts'
import { FILTERS, readSelection, writeSelection } from './selection.ts'
import type { Selection } from './selection.ts'

const nothingToFollow = () => () => undefined
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const unknownOnServer = (): undefined => undefined

/** What the selection says again; all else stays, but the number of a table's page, which another selection has not. */
const OWN = ['period', 'from', 'to', 'zone', ...FILTERS, 'page'] as const

/** What changes of a selection, or what does so given the selection that it changes. */
type SelectionChange = Partial<Selection> | ((selection: Selection) => Partial<Selection>)

/** The selection of the address, and how to change it. */
export interface SelectionState {
  readonly selection: Selection
  /** Undefined until the page runs in the browser. */
  readonly browserZone: string | undefined
  /** Changes the selection; a function is given the one that the address has by then. */
  readonly select: (change: SelectionChange) => void
}

/**
 * Returns the selection that the address has. `select` writes a change to it as a step of the browser's history, and
 * leaves other parameters but those of `OWN`; it ends the landing. A change that changes nothing does nothing. The
 * browser's zone is undefined on the server.
 */
export const useSelection = (): SelectionState => {
  const parameters = useSearchParams()
  const path = usePathname()
  const zone = useSyncExternalStore<string | undefined>(nothingToFollow, browserZone, unknownOnServer)
  const selection = readSelection(parameters)
  const select = useCallback(
    (change: SelectionChange) => {
      const next = addressParameters()
      const before = readSelection(next)
      const selected = writeSelection({ ...before, ...(typeof change === 'function' ? change(before) : change) })
      if (selected === writeSelection(before)) return
      endLanding()
      // Next follows the browser's history by itself; nothing is asked of the server for it.
      for (const name of OWN) next.delete(name)
      for (const [name, value] of new URLSearchParams(selected)) next.set(name, value)
      const query = next.toString()
      window.history.pushState(null, '', query === '' ? path : `${path}?${query}`)
    },
    [path],
  )
  return { selection, browserZone: zone, select }
}
