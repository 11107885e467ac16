/** What a reader has opened in a conversation. Rows that scroll away are forgotten by the page; this is not. */
import { createContext, useContext, useState } from 'react'

const OpenFolds = createContext<Set<string>>(new Set())

/** Holds the names of the open ones for one conversation. */
export const OpenFoldsProvider = OpenFolds.Provider

/** A state that is kept under a name while the conversation is on the page. */
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
