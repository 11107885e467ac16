/** Reads texts that are given on the command line, or on standard input where that says "-". */
import { buffer } from 'node:stream/consumers'
import { CairnError } from '@cairn/core'

/** Returns all of standard input. Rejects with `usage` if it is not valid UTF-8. */
const standardInput = async (): Promise<string> => {
  const bytes = await buffer(process.stdin)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new CairnError('usage', 'Standard input is not UTF-8 text; nothing was written.', { cause })
  }
}

/**
 * Returns the given text; for "-" all of standard input. Rejects with `usage` if that is blank or not UTF-8; `remedy`
 * says what follows or what to do.
 */
export const givenText = async (given: string, remedy = 'nothing was written'): Promise<string> => {
  if (given !== '-') return given
  const text = await standardInput()
  if (text.trim() === '') throw new CairnError('usage', `Standard input was empty; ${remedy}.`)
  return text
}
