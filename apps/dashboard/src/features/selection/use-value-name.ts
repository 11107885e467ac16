'use client'
/** What the values of filters are called. */
import { useQuery } from '@tanstack/react-query'
import { visibleText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { DIMENSION_NAMES } from '../usage/dimension.ts'
import type { FilterName } from './selection.ts'

/**
 * Returns how a value of a filter is called on every page, safe to show; the value itself until that is known. Projects
 * may be named by a folder.
 */
export const useValueName = (): ((name: FilterName, value: string) => string) => {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.usage.choices.queryOptions())
  return (name, value) => {
    const known = [...(data?.[name] ?? []), ...(name === 'project' ? (data?.folders ?? []) : [])]
    return visibleText(known.find((choice) => choice.value === value)?.label ?? value)
  }
}

/** Returns how a filter with its value is called in a sentence: `project shop`. */
export const useFilterName = (): ((name: FilterName, value: string) => string) => {
  const valueName = useValueName()
  return (name, value) => `${DIMENSION_NAMES[name].one.toLowerCase()} ${valueName(name, value)}`
}
