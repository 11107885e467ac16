'use client'
/** Narrows usage down to a project, model, agent or branch. */
import { useQuery } from '@tanstack/react-query'
import { visibleText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { DIMENSION_NAMES } from '../usage/dimension.ts'
import type { FilterName } from './selection.ts'
import type { SelectionState } from './use-selection.ts'
import { useValueName } from './use-value-name.ts'

const ALL = ''

/**
 * A list to choose from for each filter, and a button that clears all filters, also those of other pages. A chosen
 * value that is not known any more stays in its list.
 */
export const FilterPickers = ({
  state: { selection, select },
  filters,
}: {
  readonly state: SelectionState
  readonly filters: readonly FilterName[]
}) => {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.usage.choices.queryOptions())
  const nameOf = useValueName()
  const isFiltered = filters.some((name) => selection.filter[name] !== undefined)
  return (
    <>
      {filters.map((name) => {
        const value = selection.filter[name]
        const choices = data?.[name] ?? []
        const choose = (chosen: string): void => {
          const { [name]: _before, ...others } = selection.filter
          select({ filter: chosen === ALL ? others : { ...others, [name]: chosen } })
        }
        return (
          <select
            key={name}
            aria-label={DIMENSION_NAMES[name].one}
            value={value ?? ALL}
            onChange={(event) => choose(event.target.value)}
            title={value === undefined ? undefined : visibleText(value)}
            dir="auto"
            className={`w-full min-w-0 sm:w-34 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink ${value === undefined ? 'border-line' : 'border-accent'}`}
          >
            <option value={ALL}>All {DIMENSION_NAMES[name].many.toLowerCase()}</option>
            {value !== undefined && !choices.some((choice) => choice.value === value) && (
              <option value={value}>{nameOf(name, value)}</option>
            )}
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {visibleText(choice.label)}
              </option>
            ))}
          </select>
        )
      })}
      {isFiltered && (
        <button
          type="button"
          onClick={() => select({ filter: {} })}
          className="rounded-md px-2 py-1.5 text-sm text-accent hover:underline"
        >
          Clear filters
        </button>
      )}
    </>
  )
}
