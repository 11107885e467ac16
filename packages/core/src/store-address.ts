/** Addresses of stores, as they may be shown. */

/** Up to the last `@` before the query: a password may hold what ends one elsewhere. */
const IN_AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/[^:/?#@]*):(?:[^?#]*|.*)@/i
const IN_QUERY = /([?&](?:ssl)?password=)[^&#]*/gi

/** Between the addresses of a store of several databases. */
const BETWEEN = /\s+(?=(?:file:|postgres(?:ql)?:\/\/).)/

/** The addresses of a store's databases: several are separated by spaces. One address is returned as it is. */
export const storeAddresses = (address: string): readonly string[] => address.split(BETWEEN)

/** The address with `***` for its passwords, before the host and in the query (`?password=…`); others, also of files, as they are. */
export const withoutPassword = (address: string): string =>
  storeAddresses(address)
    .map((one) => (one.startsWith('file:') ? one : one.replace(IN_AUTHORITY, '$1:***@').replace(IN_QUERY, '$1***')))
    .join(' ')
