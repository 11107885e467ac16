/** Keeps the user's secrets on this machine. */
export { KeyringUnavailable } from '../../ports/keyring.ts'
export { createSystemKeyring } from './keyrings/system-keyring.ts'
export {
  createSecrets,
  type SecretsLock,
  type SecretsOptions,
  type SecretsStore,
  type SetOptions,
  type SetResult,
} from './secrets.ts'
export { openUserSecrets, type AskPassphrase } from './user-secrets.ts'
