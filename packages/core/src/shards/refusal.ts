/** What a store over several databases says to a write that it does not take. */
import { CairnError } from '../errors.ts'

/** Rejects, whatever was to be written. */
export type Refusal = () => Promise<never>

/** Rejects with `usage`, naming the databases. */
export const refusalOf =
  (location: string): Refusal =>
  () =>
    Promise.reject(
      new CairnError(
        'usage',
        `Several databases at once (${location}) are read, and take in what cairn sync sends; anything else is written to a store of one.`,
      ),
    )
