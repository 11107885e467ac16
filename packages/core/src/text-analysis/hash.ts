/** Hashes of terms in the index. A change here makes every stored index unreadable. */

/** A hash of 32 bits: FNV-1a over the code units, with the finaliser of MurmurHash3. Never 0, which means "none". */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return finishHash(hash)
}

/** What {@link hashText} gives for a text, from the FNV-1a of its code units (see `extendHash`). */
export const finishHash = (state: number): number => {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0 || 1
}
