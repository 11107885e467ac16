'use client'
/** The button in the head of every page that opens the search, and the keys that do: Ctrl-K (⌘K) anywhere, `/` outside of fields. */
import { Suspense, useEffect, useState } from 'react'
import { isDialogOpen, isInField } from '../../components/use-modal.ts'
import { SearchDialog } from './search-dialog.tsx'
import type { Sought } from './search-dialog.tsx'

/** Whether a key that was pressed opens the search: Ctrl or Cmd with K anywhere, `/` outside of input fields. */
const opensSearch = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || event.isComposing) return false
  if (event.key.toLowerCase() === 'k') return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return false
  return !isInField(event)
}

/**
 * The button, and the search while it is open. It opens by Ctrl K, Cmd K and `/`, and keeps what was searched for. Not
 * while another dialog is open.
 */
export const SearchLauncher = () => {
  const [isOpen, setOpen] = useState(false)
  const [sought, seek] = useState<Sought>({ text: '', kind: undefined })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Another dialog has the keyboard.
      if (!opensSearch(event) || isDialogOpen()) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => setOpen(true)}
        className="flex items-center gap-2 rounded-lg border border-line bg-page px-2.5 py-1 text-sm text-muted hover:bg-sunken hover:text-ink"
      >
        <span>Search</span>
        <kbd
          aria-hidden="true"
          className="hidden rounded border border-line bg-panel px-1 font-sans text-xs min-[90rem]:inline"
        >
          Ctrl K
        </kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog sought={sought} seek={seek} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
