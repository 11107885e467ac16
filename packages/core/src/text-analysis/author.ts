/** The hash of an author: people are named by their first name. */
import { foldText } from './characters.ts'
import { hashText } from './hash.ts'

/** Hash of the first word of a name, whatever its case and accents; 0 for a name without letters, digits, marks or `_`. */
export const authorHash = (name: string): number => {
  const first = /[\p{L}\p{N}\p{M}_]+/u.exec(name)?.[0]
  return first === undefined ? 0 : hashText(foldText(first))
}
