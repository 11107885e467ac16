/** Hashes under which terms stand in the index. A change of anything here makes every stored index unreadable. */

/** 32 bits of a text's code units: FNV-1a, mixed once more so that all bits differ. Never 0, which means "none". */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0 || 1
}
