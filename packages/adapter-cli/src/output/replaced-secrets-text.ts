/** Sentences about secrets in texts that the user gave. */
import { redact } from '@cairn/core'
import { counted } from '../terminal/format.ts'

/** Returns how many secrets in these texts are replaced before they are stored; undefined texts count 0. */
export const secretsIn = (texts: readonly (string | undefined)[]): number =>
  texts.reduce((sum, text) => sum + (text === undefined ? 0 : redact(text).count), 0)

/** Returns ` 2 secrets were replaced first.`, with a leading space; empty for 0. */
export const secretsText = (count: number): string =>
  count === 0 ? '' : ` ${counted(count, 'secret')} ${count === 1 ? 'was' : 'were'} replaced first.`
