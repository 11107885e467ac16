import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { backupName, parseBackupName } from './backup-name.ts'
import type { BackupKind } from './backup-name.ts'
import { latestBackup, summariseBackups } from './backup-summary.ts'
import { DEFAULT_RETENTION, expiredBackups, isBackupDue } from './retention.ts'

const DAY = 86_400_000
/** A Wednesday, at noon. */
const NOW = Date.UTC(2026, 10, 25, 12)
const backup = (ageDays: number, kind: BackupKind = 'automatic', bytes = 10) => ({
  at: NOW - ageDays * DAY,
  kind,
  bytes,
})
const ages = (backups: readonly { readonly at: number }[]): readonly number[] =>
  backups.map(({ at }) => (NOW - at) / DAY)

describe('names of backups', () => {
  it('say when and why, and nothing else is taken for one', () => {
    expect(backupName(Date.UTC(2026, 10, 23, 1, 2, 3, 45), 'migration')).toBe('20261123T010203045Z-migration.db')
    for (const other of [
      '',
      'cairn.db',
      '20261123T010203045Z-other.db',
      '20261123T010203045Z-manual.db-wal',
      '20261123T010203045Z-manual.db.7.tmp',
      '20261341T010203045Z-manual.db',
      '../20261123T010203045Z-manual.db',
    ])
      expect(parseBackupName(other)).toBe(undefined)
  })

  it('are read back as they were made', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) }),
        fc.constantFrom<BackupKind>('manual', 'automatic', 'migration', 'damaged', 'replaced'),
        (at, kind) => expect(parseBackupName(backupName(at, kind))).toEqual({ at, kind }),
      ),
    )
  })
})

describe('retention', () => {
  it('keeps the last three, one a day for seven days and one a week for four weeks', () => {
    const each = Array.from({ length: 60 }, (_, day) => [backup(day), backup(day + 0.1), backup(day + 0.2)]).flat()
    const gone = new Set(expiredBackups(each, DEFAULT_RETENTION))
    // Weeks begin on Mondays: two days ago, nine, sixteen. The newest of a week is that of its Sunday.
    expect(ages(each.filter((one) => !gone.has(one)))).toEqual([0, 0.1, 0.2, 1, 2, 3, 4, 5, 6, 10, 17])
  })

  it('keeps all while there are few, and in whatever order they are given', () => {
    const few = [backup(30, 'manual'), backup(2), backup(300)]
    expect(expiredBackups(few, DEFAULT_RETENTION)).toEqual([])
    expect(expiredBackups([], DEFAULT_RETENTION)).toEqual([])
  })

  it('keeps three from before migrations beside the others, and never lets a replaced store go', () => {
    const several = [1, 5, 9, 13, 400].flatMap((age) => [backup(age, 'migration'), backup(age, 'replaced')])
    expect(expiredBackups(several, DEFAULT_RETENTION)).toEqual([backup(400, 'migration'), backup(13, 'migration')])
  })

  it('lets no copy of a damaged store take the turn of a sound one', () => {
    const copies = [0, 0.1, 0.2, 0.3].map((age) => backup(age, 'damaged'))
    expect(expiredBackups([...copies, backup(90), backup(91)], DEFAULT_RETENTION)).toEqual(copies.slice(1).toReversed())
  })

  it('keeps within a size, the newest one in any case', () => {
    const sized = [
      backup(0, 'manual', 70),
      backup(1, 'automatic', 20),
      backup(2, 'automatic', 30),
      backup(3, 'automatic', 1),
    ]
    const within = (maximumBytes: number) => ages(expiredBackups(sized, { ...DEFAULT_RETENTION, maximumBytes }))
    expect([within(121), within(120), within(90), within(5)]).toEqual([[], [3], [3, 2], [3, 2, 1]])
  })

  it('lets no backup go that a second look would keep', () => {
    const some = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 100 * DAY }),
        kind: fc.constantFrom<BackupKind>('manual', 'automatic', 'migration', 'damaged', 'replaced'),
        bytes: fc.integer({ min: 1, max: 1_000 }),
      }),
    )
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 5_000 }), (backups, maximumBytes) => {
        const retention = { ...DEFAULT_RETENTION, maximumBytes }
        const gone = new Set(expiredBackups(backups, retention))
        const kept = backups.filter((one) => !gone.has(one))
        expect(expiredBackups(kept, retention)).toEqual([])
        const rolling = backups.filter(({ kind }) => kind === 'manual' || kind === 'automatic')
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(1, rolling.length))
      }),
    )
  })
})

describe('an automatic backup', () => {
  it('is due a day after the last one, or after the store was made', () => {
    expect(isBackupDue(undefined, NOW - DAY + 1, NOW)).toBe(false)
    expect(isBackupDue(undefined, NOW - DAY, NOW)).toBe(true)
    expect(isBackupDue(NOW - DAY / 2, 0, NOW)).toBe(false)
    expect(isBackupDue(NOW - 2 * DAY, 0, NOW)).toBe(true)
  })
})

describe('backups at a glance', () => {
  const named = (ageDays: number, kind: BackupKind, bytes: number) => {
    const { at } = backup(ageDays)
    return { at, kind, bytes, name: backupName(at, kind), path: `/b/${backupName(at, kind)}` }
  }
  const summary = (...newestFirst: readonly ReturnType<typeof named>[]) => summariseBackups('/b', newestFirst, NOW)

  it('name the one that a restore takes, how it was checked, and what all of them take', () => {
    const all = [
      named(0.1, 'replaced', 900),
      named(0.2, 'damaged', 40),
      named(0.4, 'automatic', 35),
      named(2, 'damaged', 7),
      named(3, 'manual', 20),
    ] as const
    expect(summary(...all)).toEqual({
      folder: '/b',
      count: 5,
      bytes: 1_002,
      latest: { ...all[2], verified: 'content' },
      isDue: false,
      damagedSince: 1,
    })
    expect(latestBackup(all)).toBe(all[2])
  })

  it('say of one from before an update that only its pages were checked', () => {
    expect(summary(named(0.5, 'migration', 8), named(4, 'manual', 9)).latest).toMatchObject({
      kind: 'migration',
      verified: 'pages',
    })
  })

  it('are due when a day has passed since the last sound one, and where there is none', () => {
    const due = (...backups: readonly ReturnType<typeof named>[]) => summary(...backups).isDue
    expect([due(named(0.99, 'manual', 1)), due(named(1, 'manual', 1)), due(named(30, 'automatic', 1))]).toEqual([
      false,
      true,
      true,
    ])
    expect(due(named(0.1, 'damaged', 1), named(2, 'manual', 1))).toBe(true)
    expect(summary()).toEqual({ folder: '/b', count: 0, bytes: 0, latest: null, isDue: true, damagedSince: 0 })
    expect(summary(named(0, 'damaged', 3), named(1, 'replaced', 5))).toMatchObject({
      latest: null,
      isDue: true,
      damagedSince: 1,
      count: 2,
      bytes: 8,
    })
  })
})
