/** Cairn's storage ports on SQLite and PostgreSQL. */
export { openStore } from './open-store.ts'
