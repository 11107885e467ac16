'use client'
/** Chooses the zone in which days begin: typed and searched, because there are hundreds. */
import { useId, useMemo, useState } from 'react'
import { zoneName, zoneNames, zoneOf } from './time-zones.ts'
import { isTimeZone } from './selection.ts'
import type { SelectionState } from './use-selection.ts'

export const ZonePicker = ({ selection, browserZone, select }: SelectionState) => {
  const listId = useId()
  const names = useMemo(() => (browserZone === undefined ? [] : zoneNames()), [browserZone])
  const value = selection.zone === undefined ? '' : zoneName(selection.zone)
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  /** What was chosen last, here or by the address, which follows a choice a moment later. */
  const [chosen, setChosen] = useState(value)
  // The address changed by itself (the browser's back): the field follows, unless it led.
  if (shown !== value) {
    setShown(value)
    if (value !== chosen) {
      setChosen(value)
      setDraft(value)
    }
  }
  const typed = draft.trim()
  const isUnknown = typed !== '' && typed !== value && zoneOf(typed, names) === undefined && !isTimeZone(typed)

  const choose = (zone: string | undefined): void => {
    setDraft(zone ?? '')
    setChosen(zone ?? '')
    if ((zone ?? '') !== value) select({ zone })
  }
  const take = (): void => {
    if (typed === '') choose(undefined)
    else choose(zoneOf(typed, names) ?? (isTimeZone(typed) ? typed : chosen === '' ? undefined : chosen))
  }
  return (
    <>
      <input
        type="search"
        list={listId}
        aria-label="Time zone"
        aria-invalid={isUnknown}
        title={
          isUnknown
            ? 'There is no such time zone'
            : 'Where days begin; type to search, empty for the time of this browser'
        }
        placeholder={browserZone === undefined ? 'Local time' : `Local: ${zoneName(browserZone)}`}
        value={draft}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        onChange={({ target, nativeEvent }) => {
          // A choice from the list comes at once, and as a whole; letters come one by one.
          const isTyped = nativeEvent instanceof InputEvent && nativeEvent.inputType !== 'insertReplacementText'
          if (!isTyped && (target.value === '' || names.includes(target.value)))
            choose(target.value === '' ? undefined : target.value)
          else setDraft(target.value)
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take()
        }}
        onBlur={take}
        className={`w-full min-w-0 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink placeholder:text-muted sm:w-72 ${isUnknown ? 'border-danger' : 'border-line'}`}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
