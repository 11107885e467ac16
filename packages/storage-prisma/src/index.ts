/** Cairn's storage ports on SQLite and PostgreSQL. */
export { openStore } from './open-store.ts'
export type { DatabaseStore } from './open-store.ts'
