/** What is written into files of cases. */
export const CODE = 'export const add = (a, b) => a + b\n'
export const FORMATTED = 'export const add = (\n  a,\n  b,\n) => a + b;\n'
export const OTHER = 'export const subtract = (a, b) => a - b // by hand\n'

/** A formatter needs about so long, ms. */
export const FORMATTER_PAUSE_MS = 40
