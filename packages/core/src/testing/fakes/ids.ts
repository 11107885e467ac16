/** Ids that count up: `id-000001`, `id-000002`, … They sort in the order in which they were made. */
import type { Ids } from '../../ports/ids.ts'

/** Ids that count up from 1: `id-000001`, `id-000002`, … */
export const createSequentialIds = (prefix = 'id'): Ids => {
  let count = 0
  return {
    next: () => {
      count += 1
      return `${prefix}-${String(count).padStart(6, '0')}`
    },
  }
}
