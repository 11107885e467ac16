import { StorageError } from '@cairn/core'
import { asStorageError, reasonOf } from './storage-error.ts'

const sqliteError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

describe('SQLite’s messages in a sentence', () => {
  it.each([
    ['database disk image is malformed', 'database disk image is malformed'],
    [
      'malformed database schema (usage_fact) - near "(": syntax error',
      'malformed database schema (usage_fact) - near "(": syntax error',
    ],
    ['malformed database schema (#\u0011\n\u0012.\u0011) - invalid rootpage', 'malformed database schema'],
    ["no such table: 'caf\u00e9\u0000'", 'no such table'],
    ['\u0000\u0001', 'SQLite names no reason'],
  ])('%j', (message, reason) => {
    expect(reasonOf(new Error(message))).toBe(reason)
  })

  it('are truncated', () => {
    expect(reasonOf(new Error('word '.repeat(1000)))).toHaveLength(119)
  })

  it('leave the sentence intact: what was kept and what to do are on its one line', () => {
    const error = asStorageError(sqliteError('SQLITE_CORRUPT', 'malformed database schema (#\u0011\n\u0012)'), 's.db')
    expect(error).toBeInstanceOf(StorageError)
    expect((error as Error).message).toBe(
      'The store s.db is damaged (malformed database schema); it was left as it is. cairn doctor --repair takes what can be read into a new file and keeps this one; or restore a copy: cairn restore-backup latest.',
    )
  })

  it('report a damaged store where the format of its schema is none that there is', () => {
    const error = asStorageError(sqliteError('SQLITE_ERROR', 'unsupported file format'), 's.db')
    expect(error).toMatchObject({ code: 'storage-corrupt' })
  })

  it('report a store that was replaced as that, not as read-only', () => {
    const error = asStorageError(sqliteError('SQLITE_READONLY_DBMOVED', 'attempt to write a readonly database'), 's.db')
    expect(error).toMatchObject({
      code: 'storage-unavailable',
      message: 'The store s.db was removed or replaced while it was in use; nothing was changed. Do it again.',
    })
  })

  it('report a damaged store where the record of migrations is damaged and a column would be added twice', () => {
    const error = asStorageError(sqliteError('SQLITE_ERROR', 'duplicate column name: checksum'), 's.db')
    expect(error).toMatchObject({ code: 'storage-corrupt' })
  })
})
