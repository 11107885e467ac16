/** The system's own store of secrets: the login keychain, the Secret Service, the Credential Manager. */
export interface Keyring {
  /** What people call it, in sentences: `the macOS keychain`. */
  readonly title: string
  /** Undefined where it has none of that name. @throws KeyringUnavailable */
  get(name: string): Promise<string | undefined>
  /** Replaces a former value. @throws KeyringUnavailable */
  set(name: string, value: string): Promise<void>
  /** Does nothing where there is none of that name. @throws KeyringUnavailable */
  delete(name: string): Promise<void>
}

/** The keyring can't be reached, or does not open. The message completes "… can't be used: "; it holds no secret. */
export class KeyringUnavailable extends Error {}
