/**
 * Typing errors: what one or two of them make of a word, and how many lie between two words. An error is a letter too
 * few, too many or wrong, or two neighbours swapped (F. Damerau, 1964; "optimal string alignment").
 */
import { finishHash } from './hash.ts'
import { HASH_SEED, extendHash } from './word-cache.ts'

const LETTERS = Uint8Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => letter.charCodeAt(0))

/**
 * Every text that one typing error makes of a word: a letter left out, added (a to z), replaced, or two neighbours swapped.
 * Some come twice; the word itself does not.
 */
export function* editedWords(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    if (at < word.length) yield before + after.slice(1)
    if (at + 1 < word.length && after[0] !== after[1]) yield before + after.charAt(1) + after.charAt(0) + after.slice(2)
    for (const code of LETTERS) {
      const letter = String.fromCharCode(code)
      yield before + letter + after
      if (at < word.length && letter !== after[0]) yield before + letter + after.slice(1)
    }
  }
}

/**
 * Calls back with the hash (as of `hashText`) of each text that two errors make of a word, behind its first letter;
 * many come more than once. For a word of sixteen letters 350,000 times, so the texts themselves are never made.
 */
export const eachTwiceEditedHash = (word: string, visit: (hash: number) => void): void => {
  const codes = Uint16Array.from(word, (letter) => letter.charCodeAt(0))
  const finish = (from: number, state: number): void => {
    let hash = state
    for (let at = from; at < codes.length; at++) hash = extendHash(hash, codes[at] as number)
    visit(finishHash(hash))
  }
  /** Makes one more error at `from` or behind; `state` is the hash of what stands before. */
  const edit = (from: number, state: number, then: (from: number, state: number) => void): void => {
    let before = state
    for (let at = from; at <= codes.length; at++) {
      const code = codes[at] as number
      for (const letter of LETTERS) {
        const added = extendHash(before, letter)
        then(at, added)
        if (at < codes.length && letter !== code) then(at + 1, added)
      }
      if (at === codes.length) return
      then(at + 1, before)
      if (at + 1 < codes.length && codes[at + 1] !== code)
        then(at + 2, extendHash(extendHash(before, codes[at + 1] as number), code))
      before = extendHash(before, code)
    }
  }
  edit(1, extendHash(HASH_SEED, codes[0] ?? 0), (from, state) => edit(from, state, finish))
}

/**
 * How many errors lie between two words; `most` + 1 when there are more than `most`. An error: a letter more, less or
 * another, or two neighbours swapped.
 */
export const editDistance = (left: string, right: string, most: number): number => {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let twoBefore: number[] = []
  let before = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const now = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      let least = Math.min(
        (before[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        least = Math.min(least, (twoBefore[column - 2] ?? 0) + 1)
      now.push(least)
    }
    ;[twoBefore, before] = [before, now]
  }
  return Math.min(before[right.length] ?? 0, most + 1)
}
