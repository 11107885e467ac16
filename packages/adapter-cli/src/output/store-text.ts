/** The name of a store for users, never with its password. */
import { withoutPassword } from '@cairn/core'

/** A store's address for people: a file's path, or the address with `***` for its password. */
export const storeName = (address: string): string =>
  address.startsWith('file:') ? address.slice('file:'.length) : withoutPassword(address)
