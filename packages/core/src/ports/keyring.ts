/** The operating system's store for secrets: the login keychain, the Secret Service, the Credential Manager. */
export interface Keyring {
  /** Its name in sentences: `the macOS keychain`. */
  readonly title: string
  /** Undefined if there is none of that name. @throws KeyringUnavailable */
  get(name: string): Promise<string | undefined>
  /** Replaces an earlier value. @throws KeyringUnavailable */
  set(name: string, value: string): Promise<void>
  /** Does nothing if there is none of that name. @throws KeyringUnavailable */
  delete(name: string): Promise<void>
}

/** The keyring can't be reached or unlocked. The message completes "… can't be used: " and contains no secret. */
export class KeyringUnavailable extends Error {}
