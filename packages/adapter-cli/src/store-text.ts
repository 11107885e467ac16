/** How a store is named to people: an address never with its password. */

/** `file:` goes, a password becomes `***`. */
export const storeName = (address: string): string =>
  address.startsWith('file:') ? address.slice('file:'.length) : address.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@/]*@/, '$1:***@').replace(/([?&]password=)[^&]*/i, '$1***')
