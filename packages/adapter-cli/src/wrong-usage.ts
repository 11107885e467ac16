/** Arguments that the engine finds wrong are wrong usage of the command: exit code 2. */
import { CairnError } from '@cairn/core'

/** What the engine answers; its `invalid-input` becomes `usage`. For calls whose input was typed by the user. */
export const asUsage = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    if (CairnError.is(error) && error.code === 'invalid-input') throw new CairnError('usage', error.message, { cause: error })
    throw error
  }
}
