'use client'
/** Says how many requests the shown period leaves out, with the way to all of them. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../trpc/client.tsx'
import type { FilterName } from './selection.ts'
import type { SelectionState } from './use-selection.ts'
import { useSelectionInput } from './use-selection-input.ts'

interface OutsideNoteProps {
  readonly state: SelectionState
  /** The filters that the page goes by; others of the address are left aside. */
  readonly filters: readonly FilterName[]
}

/**
 * One line on what there is outside the days that are selected, with a button that shows all time. It keeps its height
 * while it is asked for; nothing where all time is shown.
 */
export const OutsideNote = ({ state, filters }: OutsideNoteProps) => {
  const { selection, select } = state
  const input = useSelectionInput(state)
  const trpc = useTRPC()
  const isBounded = selection.period !== 'all' || selection.from !== undefined || selection.to !== undefined
  const asked =
    input === undefined || !isBounded
      ? skipToken
      : {
          ...input,
          filter: Object.fromEntries(
            Object.entries(input.filter).filter(([name]) => filters.some((one) => one === name)),
          ),
        }
  const { data } = useQuery(trpc.usage.outside.queryOptions(asked, { placeholderData: keepPreviousData }))
  if (!isBounded) return null
  return (
    <p className="min-h-5 text-xs leading-5 text-muted" data-outside="">
      {data !== undefined && data.text !== null && (
        <>
          {data.text}:{' '}
          <button
            type="button"
            onClick={() => select({ period: 'all', from: undefined, to: undefined })}
            className="text-accent underline underline-offset-4"
          >
            show all
          </button>
        </>
      )}
    </p>
  )
}
