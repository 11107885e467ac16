/** The name of a store for users, never with its password. */
import { withoutPassword } from '@cairn/core'

/** Returns a store's address for people: the path of a file, or a URL with `***` for its password. */
export const storeName = (address: string): string =>
  address.startsWith('file:') ? address.slice('file:'.length) : withoutPassword(address)
