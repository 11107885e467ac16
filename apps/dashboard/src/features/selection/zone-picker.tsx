'use client'
/** Chooses the zone in which days begin: typed and searched, because there are hundreds. */
import { useId, useMemo, useState } from 'react'
import type { ChangeEvent } from 'react'
import { zoneName, zoneNames, zoneOf } from './time-zones.ts'
import { isTimeZone } from './selection.ts'
import type { SelectionState } from './use-selection.ts'

interface ZoneDraft {
  /** What is in the field. */
  readonly draft: string
  readonly isUnknown: boolean
  readonly type: (text: string) => void
  /** Takes a zone; undefined: the browser's. */
  readonly choose: (zone: string | undefined) => void
  /** Takes what was typed, where it is a zone or finds one. */
  readonly take: () => void
}

/**
 * Returns the text of the field, which follows the address unless it is ahead of it. `take` selects what was typed, ''
 * the browser's zone; what is no zone gives way to the last choice. `isUnknown` says that it is none.
 */
const useZoneDraft = ({ selection, select }: SelectionState, names: readonly string[]): ZoneDraft => {
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
  const choose = (zone: string | undefined): void => {
    setDraft(zone ?? '')
    setChosen(zone ?? '')
    if ((zone ?? '') !== value) select({ zone })
  }
  return {
    draft,
    isUnknown: typed !== '' && typed !== value && zoneOf(typed, names) === undefined && !isTimeZone(typed),
    type: setDraft,
    choose,
    take: () => {
      if (typed === '') choose(undefined)
      else choose(zoneOf(typed, names) ?? (isTimeZone(typed) ? typed : chosen === '' ? undefined : chosen))
    },
  }
}

/**
 * A field for the time zone; empty means the browser’s. A name from the list is taken at once, a typed one by Enter or
 * when the field is left.
 */
export const ZonePicker = (state: SelectionState) => {
  const { browserZone } = state
  const listId = useId()
  const names = useMemo(() => (browserZone === undefined ? [] : zoneNames()), [browserZone])
  const { draft, isUnknown, type, choose, take } = useZoneDraft(state, names)
  const change = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>): void => {
    // A choice from the list comes at once, and as a whole; letters come one by one.
    const isTyped = nativeEvent instanceof InputEvent && nativeEvent.inputType !== 'insertReplacementText'
    if (!isTyped && (target.value === '' || names.includes(target.value)))
      choose(target.value === '' ? undefined : target.value)
    else type(target.value)
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
        onChange={change}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take()
        }}
        onBlur={take}
        className={`w-full min-w-0 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink placeholder:text-muted sm:w-62 ${isUnknown ? 'border-danger' : 'border-line'}`}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
