'use client'
/** The selection in the page's address, and the zone of the browser where the address names none. */
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useSyncExternalStore } from 'react'
import { readSelection, writeSelection } from './selection.ts'
import type { Selection } from './selection.ts'

const nothingToFollow = () => () => undefined
const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const unknownOnServer = (): undefined => undefined

/** What a table's page keeps beside the selection; not the number of its page, which another selection has not. */
const KEPT = ['q', 'sort'] as const

export interface SelectionState {
  readonly selection: Selection
  /** Undefined until the page runs in the browser. */
  readonly browserZone: string | undefined
  readonly select: (change: Partial<Selection>) => void
}

export const useSelection = (): SelectionState => {
  const parameters = useSearchParams()
  const path = usePathname()
  const zone = useSyncExternalStore<string | undefined>(nothingToFollow, browserZone, unknownOnServer)
  const selection = readSelection(parameters)
  const select = useCallback(
    (change: Partial<Selection>) => {
      // Next follows the browser's history by itself; nothing is asked of the server for it.
      const next = new URLSearchParams(writeSelection({ ...readSelection(parameters), ...change }))
      for (const name of KEPT) {
        const value = parameters.get(name)
        if (value !== null) next.set(name, value)
      }
      const query = next.toString()
      window.history.pushState(null, '', query === '' ? path : `${path}?${query}`)
    },
    [path, parameters],
  )
  return { selection, browserZone: zone, select }
}
