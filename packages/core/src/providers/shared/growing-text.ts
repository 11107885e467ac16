/** A text that comes in many small pieces: kept as few flat strings, where adding to one string would keep every piece. */
export class GrowingText {
  /** Pieces, many of them joined, and those behind them. */
  #joined: string[] = []
  #pieces: string[] = []

  /** Adds a piece at the end. */
  add(piece: string): void {
    if (this.#pieces.push(piece) < MOST_PIECES) return
    this.#joined.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** The whole text so far; may be asked at any time. */
  toString(): string {
    return this.#joined.join('') + this.#pieces.join('')
  }
}

/** Pieces that are joined at a time. */
const MOST_PIECES = 256
