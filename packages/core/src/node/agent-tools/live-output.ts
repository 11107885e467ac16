/** Hands output on to whoever watches, in pieces of limited size and number. */

/** Between two pieces. */
const PIECE_MS = 50
/** Characters of a piece; of more only the last ones are handed on. */
const PIECE_CHARACTERS = 8_000

export interface LiveOutput {
  add(bytes: Uint8Array): void
  /** Hands on what is left. */
  end(): void
}

/**
 * Hands on what a command prints, as text, a piece at most every 50 ms; of more than a piece's length the last
 * characters, with how many are missing. `end` hands on the rest.
 */
export const createLiveOutput = (onOutput: (text: string) => void): LiveOutput => {
  const decoder = new TextDecoder()
  let [pending, dropped] = ['', 0]
  let timer: NodeJS.Timeout | undefined
  /** Hands on what is pending, with how many characters before it were dropped; nothing where nothing is. */
  const flush = (): void => {
    timer = undefined
    if (pending === '') return
    const text = dropped > 0 ? `… (${dropped} characters not shown)\n${pending}` : pending
    ;[pending, dropped] = ['', 0]
    onOutput(text)
  }
  return {
    /** Takes output; it is handed on within 50 ms. */
    add: (bytes) => {
      pending += decoder.decode(bytes, { stream: true })
      if (pending.length > PIECE_CHARACTERS) {
        dropped += pending.length - PIECE_CHARACTERS
        pending = pending.slice(-PIECE_CHARACTERS)
      }
      timer ??= setTimeout(flush, PIECE_MS)
    },
    end: () => {
      clearTimeout(timer)
      pending += decoder.decode()
      flush()
    },
  }
}
