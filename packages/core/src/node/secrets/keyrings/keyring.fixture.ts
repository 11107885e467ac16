/** A keyring in memory, which can be taken away. */
import { KeyringUnavailable, type Keyring } from '../../../ports/keyring.ts'

export interface FakeKeyring extends Keyring {
  readonly values: Map<string, string>
  /** Why it can't be used; undefined: it can. */
  problem: string | undefined
}

export const createFakeKeyring = (problem?: string): FakeKeyring => {
  const keyring: FakeKeyring = {
    title: 'the test keyring',
    values: new Map(),
    problem,
    get: async (name) => opened().get(name),
    set: async (name, value) => void opened().set(name, value),
    delete: async (name) => void opened().delete(name),
  }
  const opened = (): Map<string, string> => {
    if (keyring.problem !== undefined) throw new KeyringUnavailable(keyring.problem)
    return keyring.values
  }
  return keyring
}
