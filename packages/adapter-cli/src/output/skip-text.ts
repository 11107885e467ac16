/** What an import skipped, on one line. */
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Lines of a file that an import skipped. */
export interface SkipRow {
  readonly file: string
  readonly line?: number
  readonly reason: string
  /** How many lines of the file the row stands for, beginning with `line`. */
  readonly count: number
}

/**
 * Returns a skipped line in words, safe to print: `a.jsonl:3: not valid JSON`, or `a.jsonl: not valid JSON (from line
 * 119 on, 2 times)`.
 */
export const skipText = ({ file, line, reason, count }: SkipRow): string => {
  const path = neutraliseLine(file)
  if (count === 1) return `${path}${line === undefined ? '' : `:${line}`}: ${neutraliseLine(reason)}`
  return `${path}: ${neutraliseLine(reason)} (${line === undefined ? '' : `from line ${line} on, `}${count} times)`
}
