/** What a reader has opened in a conversation. Rows that scroll away are forgotten by the page; this is not. */
import { createContext, useContext, useState } from 'react'

const OpenFolds = createContext<Set<string>>(new Set())

/** Holds the names of the open ones for one conversation. */
export const OpenFoldsProvider = OpenFolds.Provider

/**
 * Whether a fold is open, and a function to open or close it; kept under the name while the conversation is on the
 * page, also while the fold itself is scrolled away.
 */
export const useOpenFold = (name: string): readonly [boolean, (isOpen: boolean) => void] => {
  const open = useContext(OpenFolds)
  const [isOpen, setOpen] = useState(() => open.has(name))
  const keep = (next: boolean): void => {
    if (next) open.add(name)
    else open.delete(name)
    setOpen(next)
  }
  return [isOpen, keep]
}
