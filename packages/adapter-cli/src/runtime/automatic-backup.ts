/**
 * Automatic backups: a separate process makes one at most once a day, so that nobody waits for it. Checking whether one
 * is due costs reading two folders.
 */
import { spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBackupDue } from '@cairn/core'
import { makeFolder } from '@cairn/core/node'
import { usableStore } from '../config/settings.ts'
import type { Settings } from '../config/settings.ts'

/** The command, next to the file that this one is built into. */
const COMMAND = './main.js'

/**
 * The file of the store that is backed up automatically: any SQLite store but one named with `--store`. Undefined for
 * that, for a server, and if automatic backups are turned off. Throws `usage` for a project's store that the user does
 * not trust.
 */
const fileOf = (settings: Settings): string | undefined => {
  const { store, 'backup.auto': auto } = settings
  if (!auto.value || store.origin.from === 'flag') return undefined
  const address = usableStore(settings)
  return address.startsWith('file:') ? address.slice('file:'.length) : undefined
}

/** Least time between two attempts, so that one that fails or takes long is not repeated at once. */
const ATTEMPT_MS = 60 * 60_000

/**
 * Returns whether an automatic backup is due; if so, the attempt is recorded so that no other process makes one too.
 * False for a store that does not exist yet.
 */
const isDue = async (file: string): Promise<boolean> => {
  const facts = statSync(file, { throwIfNoEntry: false })
  if (facts === undefined) return false
  const { backupFolder, listBackups } = await import('@cairn/storage-prisma/backups')
  const attempt = join(backupFolder(file), 'last-attempt')
  const attemptedAt = statSync(attempt, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - attemptedAt < ATTEMPT_MS) return false
  const newest = listBackups(file).find(({ kind }) => kind === 'manual' || kind === 'automatic' || kind === 'damaged')
  // Not every file system knows when a file was made.
  if (!isBackupDue(newest?.at, facts.birthtimeMs > 0 ? facts.birthtimeMs : facts.mtimeMs, Date.now())) return false
  makeFolder(dirname(attempt), 0o700)
  writeFileSync(attempt, '', { mode: 0o600 })
  return true
}

/**
 * Starts a backup of the store in a process of its own if one is due. Never fails: a missed backup is made later. Does
 * not wait for it. A store named with `--store`, one on PostgreSQL, and one that may not be used have none.
 */
export const startAutomaticBackup = async (
  settings: Settings,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  try {
    const file = fileOf(settings)
    if (file === undefined || !(await isDue(file))) return
    const script = fileURLToPath(new URL(COMMAND, import.meta.url))
    const child = spawn(process.execPath, [script, 'backup', '--automatic', '--store', `file:${file}`], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: { ...variables },
    })
    child.on('error', () => undefined)
    child.unref()
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // cairn doctor tells how old the newest backup is.
  }
}

/**
 * For long-running programs: starts a backup if one is due, now and every hour, as long as the process lives. Never
 * throws, and does not keep the process alive.
 */
export const keepBackingUp = (settings: Settings, variables: Readonly<Record<string, string | undefined>>): void => {
  const look = (): void => void startAutomaticBackup(settings, variables)
  look()
  setInterval(look, ATTEMPT_MS).unref()
}
