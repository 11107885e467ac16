/** The code of what the system says went wrong: `ENOENT`, `EEXIST`, …; empty where there is none. */
export const systemCode = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : ''
