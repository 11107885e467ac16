/** Backups of SQLite stores: made, listed, put back. */
export { listBackups, backupFolder } from './backup-folder.ts'
export type { BackupFile } from './backup-folder.ts'
export { backUpStore } from './back-up-store.ts'
export type { BackupOptions, BackupProgress, BackupReport } from './back-up-store.ts'
export { findBackup, planRestore, restoreBackup } from './restore-backup.ts'
export type { RestorePlan } from './restore-backup.ts'
export { repairStore } from '../repair/repair-store.ts'
export type { RepairReport } from '../repair/repair-store.ts'
