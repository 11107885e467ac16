/** A SQLite store, opened briefly for reading: for hooks and status lines, which an agent waits for. */
export { openReadingStore } from './open-reading-store.ts'
export type { ReadingStore } from './open-reading-store.ts'
export { ReadingDatabase } from './reading-database.ts'
export { usageFigures } from './usage-figures.ts'
export type { FiguresQuery, UsageFigures } from './usage-figures.ts'
