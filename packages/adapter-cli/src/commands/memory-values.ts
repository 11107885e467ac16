/** Values that only memory commands take. */
import { CairnError, parseTime } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'

/**
 * Returns a function that reads an option's value as a number from 0 to 1, both included. It throws CairnError `usage`,
 * with the option's name, for anything else.
 */
export const share =
  (option: string) =>
  (text: string): number => {
    const value = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN
    if (!(value >= 0 && value <= 1))
      throw new CairnError('usage', `${option} takes a number from 0 to 1, not '${text}'.`)
    return value
  }

/**
 * Reads a commit's hash: 7 to 64 hexadecimal digits, returned in lower case.
 * @throws CairnError `usage` for anything else
 */
export const commitHash = (text: string): string => {
  const hash = text.trim().toLowerCase()
  if (!/^[0-9a-f]{7,64}$/.test(hash))
    throw new CairnError('usage', `--commit takes a commit's hash of 7 to 64 hexadecimal digits, not '${text}'.`)
  return hash
}

/**
 * Returns the time (ms) of `--as-of` or `--at`; a day means its end. Undefined if the option was not given. Rejects
 * with `usage` for an invalid time.
 */
export const instantOf = async (
  text: string | undefined,
  options: CommonOptions,
  context: Context,
): Promise<number | undefined> => {
  if (text === undefined) return undefined
  const { timezone } = await context.settings(options)
  return parseTime(text, timezone.value, 'until', context.now())
}
