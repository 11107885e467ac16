/** Reads on a replica that its server's changes got in the way of. */
import { errorCode } from '../sql/error-code.ts'

/** How often a read is repeated that a replica gave up. */
const READS = 5
/**
 * Reads again, up to `READS` times in all and without a pause, what a replica gave up: where its server removes row
 * versions that a read may need, it waits for the read only so long. Rejects with anything else at once.
 */
export const readAgain = async <T>(read: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (errorCode(error) !== '40001' || attempt === READS) throw error
    }
  }
}
