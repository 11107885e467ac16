/** What a reader has opened in a conversation. Rows that scroll away are forgotten by the page; this is not. */
import { createContext, useContext, useSyncExternalStore } from 'react'

/** The open folds of one conversation. */
export interface OpenFoldSet {
  has(name: string): boolean
  set(names: readonly string[], isOpen: boolean): void
  /** Calls back after each change; returns how to stop that. */
  readonly subscribe: (changed: () => void) => () => void
}

/** Returns an empty set of open folds. Listeners are called at each change, also one that changes nothing. */
export const createOpenFolds = (): OpenFoldSet => {
  const open = new Set<string>()
  const listeners = new Set<() => void>()
  return {
    has: (name) => open.has(name),
    set: (names, isOpen) => {
      for (const name of names) {
        if (isOpen) open.add(name)
        else open.delete(name)
      }
      for (const changed of listeners) changed()
    },
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

const OpenFolds = createContext<OpenFoldSet>(createOpenFolds())

/** Holds the open ones for one conversation. */
export const OpenFoldsProvider = OpenFolds.Provider

/** Returns the name of the fold of a block (its index in the entry `seq`). */
export const foldName = (seq: number, block: number): string => `${seq}.${block}`
/** Returns the name under which it is kept that a block's whole text is shown. */
export const wholeName = (seq: number, block: number): string => `all of ${seq}.${block}`

/**
 * Returns whether a fold is open, and a function to open or close it. That is kept while the conversation is on the
 * page, even if the fold itself is scrolled away.
 */
export const useOpenFold = (name: string): readonly [boolean, (isOpen: boolean) => void] => {
  const folds = useContext(OpenFolds)
  const isOpen = useSyncExternalStore(
    folds.subscribe,
    () => folds.has(name),
    () => false,
  )
  return [isOpen, (next) => folds.set([name], next)]
}
