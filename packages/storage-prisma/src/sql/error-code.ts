/** The `code` that drivers and Node put on their errors; empty for anything else. Not by `instanceof`: errors cross realms. */
export const errorCode = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : ''
