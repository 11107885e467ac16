/** The disjoint classes of tokens in the order in which bars are stacked and tables have their columns, with names and colours. */
import type { TokenClass as CoreTokenClass } from '@cairn/core'
import type { PointView } from '../overview/overview-view.ts'

/** A class of tokens, as charts show it. */
export interface TokenClass {
  readonly field: CoreTokenClass['field']
  readonly name: string
  readonly color: string
  readonly meaning: string
}

/** Cache reads, usually the most, at the bottom: so the expensive classes are seen on top. */
export const TOKEN_CLASSES: readonly TokenClass[] = [
  {
    field: 'cacheReadTokens',
    name: 'Cache read',
    color: 'var(--class-cache-read)',
    meaning: 'Input that the provider had in its cache',
  },
  {
    field: 'cacheWrite5mTokens',
    name: 'Cache write, 5 min',
    color: 'var(--class-cache-write-5m)',
    meaning: 'Input that was put into the provider’s cache for five minutes',
  },
  {
    field: 'cacheWrite1hTokens',
    name: 'Cache write, 1 h',
    color: 'var(--class-cache-write-1h)',
    meaning: 'Input that was put into the provider’s cache for an hour',
  },
  {
    field: 'cacheWrite30mTokens',
    name: 'Cache write, 30 min',
    color: 'var(--class-cache-write-30m)',
    meaning: 'Input that was put into the provider’s cache for half an hour',
  },
  {
    field: 'cacheWrite12hTokens',
    name: 'Cache write, 12 h',
    color: 'var(--class-cache-write-12h)',
    meaning: 'Input that was put into the provider’s cache for twelve hours',
  },
  {
    field: 'inputTokens',
    name: 'Uncached input',
    color: 'var(--class-input)',
    meaning: 'Input that was neither read from the cache nor written to it',
  },
  {
    field: 'outputTokens',
    name: 'Output',
    color: 'var(--class-output)',
    meaning: 'What models wrote, reasoning included',
  },
]

/** Returns the token classes that any of the points has tokens of, in the order of {@link TOKEN_CLASSES}. */
export const usedClasses = (points: readonly PointView[]): readonly TokenClass[] =>
  TOKEN_CLASSES.filter(({ field }) => points.some((point) => point[field] > 0))
