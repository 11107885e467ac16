/** How a store is named to users: never with its password. */
import { withoutPassword } from '@cairn/core'

/** The address without `file:`, its password replaced by `***`. */
export const storeName = (address: string): string =>
  address.startsWith('file:') ? address.slice('file:'.length) : withoutPassword(address)
