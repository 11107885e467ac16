/** What the editor keeps of a page that it throws away: where one reads, and what is open. */
import type { KeptFolds } from './folds.ts'

/** What is saved of the page for when it is loaded again. */
export interface KeptState {
  readonly seq: number
  /** px of the entry above the upper edge. */
  readonly offset: number
  readonly folds: KeptFolds
  readonly showsOutline: boolean
}

/** Whether a value is an object. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Returns the saved state; undefined if the value is none. */
export const keptState = (value: unknown): KeptState | undefined => {
  if (!isObject(value) || !isObject(value['folds'])) return undefined
  const { seq, offset, showsOutline } = value
  const { isOpen, others } = value['folds']
  if (typeof seq !== 'number' || typeof offset !== 'number' || typeof isOpen !== 'boolean') return undefined
  if (typeof showsOutline !== 'boolean' || !Array.isArray(others)) return undefined
  const keys = others.filter((each) => typeof each === 'string')
  return { seq, offset, showsOutline, folds: { isOpen, others: keys } }
}
