/** The user's secrets by name, such as provider keys. A value is returned only to a caller who asks for its name. */

export interface StoredSecret {
  readonly name: string
  /** The system's keyring, or Cairn's encrypted file. */
  readonly keptIn: 'keyring' | 'file'
}

export interface Secrets {
  /**
   * The names of stored secrets, sorted. Neither unlocks a file nor accesses the keyring. @throws CairnError for an
   * unreadable file
   */
  list(): Promise<readonly StoredSecret[]>
  /** Undefined if there is none of that name. @throws CairnError if it exists but can't be read */
  get(name: string): Promise<string | undefined>
}
