'use client'
/**
 * A field for a day. A browser tells every state between two days as it is typed (the first digit of a year is the year
 * 2, and a month alone is another day), so a typed day counts on Enter and when the field is left; one that was picked from
 * the calendar counts at once.
 */
import { useRef, useState } from 'react'
import { isDay } from './selection.ts'

interface DayFieldProps {
  readonly label: string
  readonly value: string | undefined
  readonly choose: (day: string | undefined) => void
  readonly className: string
}

/** Years that somebody may mean. */
const [FIRST, LAST] = ['1990', '2199']

/** Whether somebody means this day, and is not in the middle of typing it. */
const isPlausibleDay = (text: string): boolean => isDay(text) && text.slice(0, 4) >= FIRST && text.slice(0, 4) <= LAST

/**
 * A date field over `value` (`2026-01-31`); `choose` is called with the day, or undefined when it was emptied, also
 * where it is the one that there is. Half a day that was typed is forgotten when the field is left; a day of a year
 * that nobody means (before 1990, after 2199) is not taken.
 */
export const DayField = ({ label, value = '', choose, className }: DayFieldProps) => {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  /** Grows when a field that holds half a day is left: only a new one forgets it. */
  const [attempt, setAttempt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  /** Whether a key was pressed in the field since a day was last taken from it. */
  const isTyping = useRef(false)
  // The address changed by itself (the browser's back): the field follows.
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }

  /** Takes a day, or nothing at all; half a day and one that nobody means is not taken. */
  const take = (day: string): boolean => {
    const isHalf = field.current?.validity.badInput === true
    if (isHalf || (day !== '' && !isPlausibleDay(day))) return false
    isTyping.current = false
    // Compared with the address, not with what is shown of it: that may be a moment older.
    choose(day === '' ? undefined : day)
    return true
  }

  const isWaiting = draft !== value && isPlausibleDay(draft)
  return (
    <span className="relative flex min-w-0">
      {isWaiting && (
        <span
          role="status"
          className="pointer-events-none absolute top-full left-1/2 z-10 mt-1 -translate-x-1/2 rounded-md border border-line bg-panel px-2 py-0.5 text-xs whitespace-nowrap text-ink shadow-md"
        >
          Enter applies it
        </span>
      )}
      <input
        key={attempt}
        ref={field}
        type="date"
        aria-label={label}
        className={className}
        value={draft}
        onChange={({ target }) => {
          setDraft(target.value)
          if (!isTyping.current) take(target.value)
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take(draft)
          else if (/^(?:\d|Arrow\w+|Backspace|Delete)$/.test(key)) isTyping.current = true
        }}
        onBlur={() => {
          isTyping.current = false
          const isUntouched = draft === value && field.current?.validity.badInput !== true
          if (isUntouched || take(draft)) return
          setDraft(value)
          setAttempt(attempt + 1)
        }}
      />
    </span>
  )
}
