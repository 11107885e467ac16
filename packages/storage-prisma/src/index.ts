/** Cairn's storage ports on SQLite and PostgreSQL. */
export { openStore } from './open-store.ts'
export type { DatabaseStore, StoreOptions } from './open-store.ts'
export type { Erasure, ErasureReport, ErasureScope } from './erasure/erasure.ts'
export type { IndexingProgress } from './search/backfill.ts'
export { teamRolesSql, type TeamRoles } from './roles/team-roles.ts'
