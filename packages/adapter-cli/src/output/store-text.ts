/** How a store is named to people: an address never with its password. */
import { withoutPassword } from '@cairn/core'

/** `file:` goes, a password becomes `***`. */
export const storeName = (address: string): string =>
  address.startsWith('file:') ? address.slice('file:'.length) : withoutPassword(address)
