/** The Secret Service of Linux desktops (GNOME Keyring, KWallet, KeePassXC), through libsecret's `secret-tool`. */
import { KeyringUnavailable, type Keyring } from '../../../ports/keyring.ts'
import type { ProgramResult, RunProgram } from './run-program.ts'

/** What `secret-tool` says, and what it means, in words for a person. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/not provided|ServiceUnknown|not activatable/i, 'no program here provides the Secret Service'],
  [/locked|dismissed|prompt/i, 'it is locked, and was not unlocked'],
  [/bus|connect|DISPLAY/i, 'there is no desktop session here (no D-Bus)'],
]

/**
 * The Secret Service on Linux (GNOME Keyring, KWallet, …), through the program `secret-tool`. A secret that is not
 * there is undefined to `get` and no error to `delete`; all reject with KeyringUnavailable where it can't be asked.
 * @param service groups the entries; the same name under another service is another secret
 */
export const createSecretServiceKeyring = (service: string, run: RunProgram): Keyring => {
  const attributes = (name: string): readonly string[] => ['service', service, 'account', name]
  /** Runs `secret-tool` with a verb. Where it is not installed, the error names its packages. */
  const call = async (verb: string, args: readonly string[], input?: string): Promise<ProgramResult> => {
    try {
      return await run({ program: 'secret-tool', args: [verb, ...args], ...(input === undefined ? {} : { input }) })
    } catch (error) {
      if (!(error instanceof KeyringUnavailable) || !error.message.endsWith('is not installed')) throw error
      throw new KeyringUnavailable('secret-tool is not installed (package libsecret-tools, or libsecret)', {
        cause: error,
      })
    }
  }
  return {
    title: "the system's keyring",
    get: async (name) => {
      const { code, stdout, stderr } = await call('lookup', attributes(name))
      // Not found is exit code 1 without a word.
      if (code === 0) return stdout === '' ? undefined : stdout
      if (code === 1 && stderr.trim() === '') return undefined
      throw unavailable(stderr)
    },
    set: async (name, value) => {
      const { code, stderr } = await call('store', [`--label=Cairn: ${name}`, ...attributes(name)], value)
      if (code !== 0) throw unavailable(stderr)
    },
    delete: async (name) => {
      const { code, stderr } = await call('clear', attributes(name))
      if (code !== 0 && stderr.trim() !== '') throw unavailable(stderr)
    },
  }
}

const unavailable = (stderr: string): KeyringUnavailable =>
  new KeyringUnavailable(REASONS.find(([words]) => words.test(stderr))?.[1] ?? 'secret-tool failed')
