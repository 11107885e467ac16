'use client'
/**
 * A field for a day. A browser tells every state between two days as it is typed (the first digit of a year is the year
 * 2), so a day counts when nothing was typed for a moment, on Enter, and when the field is left.
 */
import { useEffect, useRef, useState } from 'react'
import { isDay } from './selection.ts'

interface DayFieldProps {
  readonly label: string
  readonly value: string | undefined
  readonly choose: (day: string | undefined) => void
  readonly className: string
}

const SETTLED_MS = 900
/** Years that somebody may mean. */
const [FIRST, LAST] = ['1990', '2199']

/** Whether somebody means this day, and is not in the middle of typing it. */
const isPlausibleDay = (text: string): boolean => isDay(text) && text.slice(0, 4) >= FIRST && text.slice(0, 4) <= LAST

/**
 * A date field over `value` (`2026-01-31`); `choose` is called with the day, or undefined when it was emptied. Half a
 * day that was typed is forgotten when the field is left.
 */
export const DayField = ({ label, value = '', choose, className }: DayFieldProps) => {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  /** Grows when a field that holds half a day is left: only a new one forgets it. */
  const [attempt, setAttempt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const latest = useRef(choose)
  // The address changed by itself (the browser's back): the field follows.
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }
  useEffect(() => {
    latest.current = choose
  })

  /** Takes what the field holds, if it is a day or nothing at all. */
  const take = (): boolean => {
    const isHalf = field.current?.validity.badInput === true
    if (isHalf || (draft !== '' && !isPlausibleDay(draft))) return false
    if (draft !== value) latest.current(draft === '' ? undefined : draft)
    return true
  }
  useEffect(() => {
    if (draft === value) return
    const timer = setTimeout(take, SETTLED_MS)
    return () => clearTimeout(timer)
    // Only what was typed starts the moment again.
  }, [draft, value])

  return (
    <input
      key={attempt}
      ref={field}
      type="date"
      aria-label={label}
      className={className}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
      onBlur={() => {
        if (take()) return
        setDraft(value)
        setAttempt(attempt + 1)
      }}
    />
  )
}
