'use client'
/** A search field that keeps what was searched for in the address of the page. */
import { useEffect, useRef, useState } from 'react'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly search: (text: string) => void
}

const PATIENCE_MS = 250

/**
 * A field that searches while somebody types, a moment after the last letter, at most 200 characters; it follows the
 * address.
 */
export const SearchField = ({ label, value, search }: SearchFieldProps) => {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const latest = useRef(search)
  // The address changed by itself (the browser's back): the field follows.
  if (shown !== value) {
    setShown(value)
    setText(value)
  }
  useEffect(() => {
    latest.current = search
  })
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => latest.current(text), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={`${label}…`}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      className="w-full min-w-0 rounded-lg border border-line bg-panel px-3 py-1.5 text-sm text-ink placeholder:text-muted"
    />
  )
}
