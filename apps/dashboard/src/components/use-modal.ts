'use client'
/** Dialogs that keep the keyboard while they are open. */
import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** The modal dialog of an element, open while it is in the page. The browser gives the focus back when it closes. */
export const useModal = (): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it leaves the page: only then the focus is given back.
  useLayoutEffect(() => {
    const own = dialog.current
    if (own === null) return
    own.showModal()
    own.querySelector('input')?.select()
    return () => own.close()
  }, [])
  return dialog
}

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Whether a key was pressed inside a field for text. */
export const isInField = ({ target }: Pick<KeyboardEvent, 'target'>): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null

/** Whether a dialog is open. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null
