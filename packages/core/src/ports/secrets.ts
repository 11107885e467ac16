/** Secrets of the user by name, such as keys of providers. A value is given to nobody but who asks for it by name. */

export interface StoredSecret {
  readonly name: string
  /** The system's keyring, or an encrypted file of Cairn's. */
  readonly keptIn: 'keyring' | 'file'
}

export interface Secrets {
  /** Of what is kept, the names, sorted. Neither unlocks a file nor asks the keyring. @throws CairnError for a file that can't be read */
  list(): Promise<readonly StoredSecret[]>
  /** Undefined where none of that name is kept. @throws CairnError where it is kept and can't be read */
  get(name: string): Promise<string | undefined>
}
