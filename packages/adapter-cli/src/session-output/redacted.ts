/** Replaces secrets in exports: entries that were stored before a pattern was known may still hold them. */
import { redact } from '@cairn/core'

/** Replaces the secrets in one export. */
export interface ExportRedaction {
  /** A JSON value without its secrets; the same object where it has none. */
  value<T>(value: T): T
  /** A text without its secrets. */
  text(text: string): string
  /** Secrets replaced so far. */
  readonly count: number
}

/** Creates a redaction that replaces known kinds of secrets in texts, and in all strings of values, and counts them. */
export const createExportRedaction = (): ExportRedaction => {
  let total = 0
  return {
    value: <T>(value: T): T => {
      const { text, count } = redact(JSON.stringify(value))
      if (count === 0) return value
      total += count
      // Placeholders hold no character that JSON escapes, so the shape stays the same.
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
