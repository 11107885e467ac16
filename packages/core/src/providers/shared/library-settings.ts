/** Settings that the providers' libraries share. */

/** What the libraries print is not for the user's screen: what matters of it is in the errors. */
export const SILENT = {
  logLevel: 'off',
  logger: { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined },
} as const

/** The longest wait that a timer can have, ms: our own watchdog ends requests. */
export const NEVER_MS = 2_147_483_647
