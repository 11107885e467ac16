'use client'
/** Keys that work on every page, and the list of them that `?` opens. */
import { useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { isDialogOpen, isInField, useModal } from '../../components/use-modal.ts'
import { readSelection } from '../selection/selection.ts'
import { listAddress } from '../sessions/list-address.ts'
import { pageHref } from '../shell/page-address.ts'
import { PAGES } from '../shell/page-names.ts'
import { useAllowed } from '../shell/role.tsx'

/** How long `g` waits for the key of a page, ms. */
const PATIENCE_MS = 1_500

interface Keys {
  /** `?` was pressed. */
  readonly list: () => void
  readonly go: (path: string) => void
}

const isPlain = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented && !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey

/** Listens for `?`, and for `g` with the key of a page after it; not in fields, nor while a dialog is open. */
const useKeys = (keys: Keys): void => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    let begunAt = -Infinity
    const onKey = (event: KeyboardEvent): void => {
      if (!isPlain(event) || isInField(event) || isDialogOpen()) return
      const page = PAGES.find(({ key }) => key === event.key)
      const isBegun = event.timeStamp - begunAt < PATIENCE_MS
      begunAt = !isBegun && event.key === 'g' ? event.timeStamp : -Infinity
      if (event.key === '?') latest.current.list()
      else if (isBegun && page !== undefined) latest.current.go(page.path)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

const Key = ({ name }: { readonly name: string }) => (
  <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-sans text-xs">{name}</kbd>
)

interface ShortcutProps {
  readonly keys: readonly string[]
  readonly what: string
}

/** What a shortcut does, and its keys. */
const Shortcut = ({ keys, what }: ShortcutProps) => (
  <div className="flex items-baseline justify-between gap-4 py-1">
    <dt>{what}</dt>
    <dd className="flex shrink-0 gap-1 whitespace-nowrap">
      {keys.map((name) => (
        <Key key={name} name={name} />
      ))}
    </dd>
  </div>
)

/** The dialog of keyboard shortcuts, without those of pages that the reader may not open. */
const ShortcutList = ({ close }: { readonly close: () => void }) => {
  const dialog = useModal()
  const { call, open } = useAllowed()
  return (
    <dialog
      ref={dialog}
      aria-label="Keyboard shortcuts"
      onClose={close}
      onClick={(event) => {
        if (event.target === event.currentTarget) close()
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-1rem)] max-w-lg overflow-y-auto rounded-xl border border-line bg-panel p-4 text-sm text-ink shadow-2xl backdrop:bg-black/40 sm:p-5"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-base font-semibold">Keyboard shortcuts</h2>
        <button
          type="button"
          onClick={close}
          className="rounded-md border border-line px-2.5 py-1 text-sm hover:bg-sunken"
        >
          Close
        </button>
      </div>
      <dl className="mt-3">
        {call('search.messages') && <Shortcut keys={['Ctrl K', '/']} what="Search everything" />}
        <Shortcut keys={['?']} what="This list" />
      </dl>
      <h3 className="mt-3 text-xs text-muted">Pages: one key after the other</h3>
      <dl className="mt-1 grid gap-x-8 sm:grid-cols-2">
        {PAGES.filter(({ path }) => open(path)).map(({ path, name, key }) => (
          <Shortcut key={path} keys={['g', key]} what={name} />
        ))}
      </dl>
    </dialog>
  )
}

/**
 * The button that opens the list, and the list while it is open. It also goes to pages by their keys, with the
 * selection.
 */
export const Shortcuts = () => {
  const [isOpen, setOpen] = useState(false)
  const navigation = useRouter()
  const { open } = useAllowed()
  const selection = readSelection(listAddress(useSearchParams()))
  useKeys({
    list: () => setOpen(true),
    go: (path) => {
      if (open(path)) navigation.push(pageHref(path, selection))
    },
  })
  return (
    <>
      <button
        type="button"
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        onClick={() => setOpen(true)}
        className="rounded-lg border border-line bg-page px-2 py-1 text-sm text-muted hover:bg-sunken hover:text-ink"
      >
        ?
      </button>
      {isOpen && <ShortcutList close={() => setOpen(false)} />}
    </>
  )
}
