/** What a source file imports, as it says it: before anything is known of other files. */

/**
 * `static`: loaded with the file; `type`: disappears when types are stripped; `dynamic`: loaded only when the program
 * reaches the call.
 */
export type ImportKind = 'static' | 'type' | 'dynamic'

/** One import of a file. */
export interface FoundImport {
  /**
   * As the language writes it: `./a.js`, `crate::a::B`, `example.com/module/folder`. Python's `from .a import b` is
   * `.a:b`, Rust's `mod b;` is `mod b`, with the names of inline modules before: `mod tests::b`.
   */
  readonly specifier: string
  readonly kind: ImportKind
  /** From 1 on. */
  readonly line: number
}

/**
 * Returns a function that converts a character offset into a line number, from 1. Offsets must be passed in ascending
 * order; each character is read only once.
 */
export const createLineCounter = (text: string): ((offset: number) => number) => {
  let line = 1
  let next = text.indexOf('\n')
  return (offset) => {
    while (next !== -1 && next < offset) {
      line += 1
      next = text.indexOf('\n', next + 1)
    }
    return line
  }
}
