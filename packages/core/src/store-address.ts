/** Addresses of stores, as they may be shown. */

/** Up to the last `@` before the query: a password may hold what ends one elsewhere. */
const IN_AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/[^:/?#@]*):(?:[^?#]*|.*)@/i
const IN_QUERY = /([?&](?:ssl)?password=)[^&#]*/gi

/** The address with `***` for its passwords, before the host and in the query (`?password=…`); others, also of files, as they are. */
export const withoutPassword = (address: string): string =>
  address.startsWith('file:') ? address : address.replace(IN_AUTHORITY, '$1:***@').replace(IN_QUERY, '$1***')
