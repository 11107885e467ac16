/** Keys and passwords: the OS keyring, an editor's secret storage or an encrypted file. */
export interface Secrets {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  /** True if it was there. */
  delete(name: string): Promise<boolean>
  /** Names only, sorted. */
  list(): Promise<readonly string[]>
}
