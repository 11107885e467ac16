/** What a source file imports, as it says it: before anything is known of other files. */

/** `type`: gone once the types are stripped. `dynamic`: loaded when the program gets there, and not before. */
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

/** Gives the line, from 1 on, of offsets that are asked for in ascending order, each character looked at once. */
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
