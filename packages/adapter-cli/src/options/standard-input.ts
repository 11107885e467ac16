/** Texts that are given on the command line, or with "-" on standard input. */
import { buffer } from 'node:stream/consumers'
import { CairnError } from '@cairn/core'

/** Standard input as it is, to its last byte. Rejects with `usage` when it is no text in UTF-8. */
const standardInput = async (): Promise<string> => {
  const bytes = await buffer(process.stdin)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new CairnError('usage', 'Standard input is not UTF-8 text; nothing was written.', { cause })
  }
}

/** The text that was given; for "-" what comes from standard input. Rejects with `usage` when nothing comes from there. */
export const givenText = async (given: string): Promise<string> => {
  if (given !== '-') return given
  const text = await standardInput()
  if (text.trim() === '') throw new CairnError('usage', 'Standard input was empty; nothing was written.')
  return text
}
