'use client'
/** Dialogs that keep the keyboard while they are open. */
import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * The modal dialog of an element, open while it is in the page. The browser gives the focus back when it closes. An
 * input in it gets the focus, with its text selected.
 */
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

/** Keys do nothing in these that a shortcut would take away. */
const UNTYPED = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
const FIELDS = `input:not(${UNTYPED.map((type) => `[type=${type}]`).join(', ')}), textarea, select, [contenteditable]:not([contenteditable=false])`

/** Whether a key was pressed where one types: in a field for text or days, or in a list, which jumps to what begins with a letter. */
export const isInField = ({ target }: Pick<KeyboardEvent, 'target'>): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null

/** Whether a dialog is open. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null
