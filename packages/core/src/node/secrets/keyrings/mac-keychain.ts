/** The login keychain of macOS, through `security`. */
import { KeyringUnavailable, type Keyring } from '../../../ports/keyring.ts'
import type { ProgramResult, RunProgram } from './run-program.ts'

const PROGRAM = '/usr/bin/security'
/** `security` ends with the last byte of the system's error. */
const NOT_FOUND = 44
const NO_INTERACTION = 36
const CANCELLED = 128
/** `security` reads its commands in lines of 4096 bytes. */
const LONGEST_LINE = 4000

/**
 * The user's keychain on macOS, through the program `security`. A secret that is not there is undefined to `get` and no
 * error to `delete`; all reject with KeyringUnavailable where it can't be asked, and `set` where the value is too long.
 * @param service groups the entries; the same name under another service is another secret
 */
export const createMacKeychain = (service: string, run: RunProgram): Keyring => {
  const entry = (name: string): readonly string[] => ['-s', service, '-a', name]
  return {
    title: 'the macOS keychain',
    get: async (name) => {
      const result = await run({ program: PROGRAM, args: ['find-generic-password', ...entry(name), '-w'] })
      if (result.code === NOT_FOUND) return undefined
      if (result.code !== 0) throw unavailable(result)
      return Buffer.from(result.stdout.trim(), 'base64').toString('utf8')
    },
    set: async (name, value) => {
      // As a line of its own input; in base64 because that line is split like a shell's.
      const encoded = Buffer.from(value).toString('base64')
      const line = `add-generic-password -U -s ${quoted(service)} -a ${quoted(name)} -w ${encoded}\n`
      if (Buffer.byteLength(line) > LONGEST_LINE) throw new KeyringUnavailable('the value is too long for the keychain')
      const result = await run({ program: PROGRAM, args: ['-i'], input: line })
      if (result.code !== 0) throw unavailable(result)
    },
    delete: async (name) => {
      const result = await run({ program: PROGRAM, args: ['delete-generic-password', ...entry(name)] })
      if (result.code !== 0 && result.code !== NOT_FOUND) throw unavailable(result)
    },
  }
}

/** A text as a word of the tool's own command line. */
const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`

/** Why the keychain can't be used, of how its program ended. */
const unavailable = ({ code }: ProgramResult): KeyringUnavailable => {
  if (code === NO_INTERACTION) return new KeyringUnavailable('it is locked, and nobody can be asked for its password')
  if (code === CANCELLED) return new KeyringUnavailable('it was not unlocked')
  return new KeyringUnavailable(`security ended with ${code === null ? 'a signal' : `code ${code}`}`)
}
