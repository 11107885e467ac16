/** Secrets out of what is exported: what was stored before a pattern was known still holds them. */
import { redact } from '@cairn/core'

export interface ExportRedaction {
  /** A value of JSON without its secrets; the same object where it has none. */
  value<T>(value: T): T
  /** A text without its secrets. */
  text(text: string): string
  /** Secrets replaced so far. */
  readonly count: number
}

/** Counts over one export. */
export const createExportRedaction = (): ExportRedaction => {
  let total = 0
  return {
    value: <T>(value: T): T => {
      const { text, count } = redact(JSON.stringify(value))
      if (count === 0) return value
      total += count
      // Placeholders hold nothing that JSON escapes, so it is still the same shape.
      return JSON.parse(text) as T
    },
    text: (given) => {
      const { text, count } = redact(given)
      total += count
      return text
    },
    get count() {
      return total
    },
  }
}
