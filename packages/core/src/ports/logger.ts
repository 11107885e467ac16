/** Diagnostics for contributors; never a user's data. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}
