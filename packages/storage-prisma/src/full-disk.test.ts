/** A disk that is full: what does not fit is refused in a sentence, what was acknowledged stays, and a purge can run. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import type { EntryWrite } from '@cairn/core'
import { openStore } from './open-store.ts'

const KIB = 1024
const DISK_KIB = 12 * KIB
const MESSAGES = 24
const session = { id: 'cairn:s', agent: 'cairn', externalId: 's' }
/** Of no pattern: it takes half of its length on the disk. */
const message = (id: string, length: number): EntryWrite => ({
  entry: {
    kind: 'message',
    id,
    at: 1,
    role: 'user',
    content: [{ type: 'text', text: randomBytes(length / 2).toString('hex') }],
  },
})

const folder = mkdtempSync(join(tmpdir(), 'cairn-full-'))
/** Only who may mount has a small disk. */
let isMounted = false

beforeAll(() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KIB}k`, 'tmpfs', folder], { stdio: 'ignore' })
    isMounted = true
  } catch {
    isMounted = false
  }
})

afterAll(() => {
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

const fillUpTo = (freeKib: number): void => {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'other'), Buffer.alloc(Math.max(0, bavail * bsize - freeKib * KIB)))
}

describe('a store on a full disk', () => {
  it('keeps acknowledged writes, refuses what does not fit, and can be emptied', async () => {
    if (!isMounted) {
      console.warn('skipped: this user may not mount a small disk')
      return
    }
    const path = join(folder, 's.db')
    const store = await openStore(`file:${path}`)
    for (let index = 0; index < MESSAGES; index += 1)
      expect((await store.sessions.append(session, index, [message(`m${index}`, 200 * KIB)])).ok).toBe(true)
    await store.close()
    // Less than what is in the store, enough for the files that SQLite needs beside it.
    const freeKib = 1_000
    expect(statSync(path).size).toBeGreaterThan(2 * freeKib * KIB)
    fillUpTo(freeKib)
    const full = await openStore(`file:${path}`)
    const refused: unknown = await full.sessions.append(session, MESSAGES, [message('large', 4_000 * KIB)]).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(CairnError.is(refused) && [refused.code, refused.message]).toEqual([
      'storage-failed',
      expect.stringMatching(/full.*Free some space/),
    ])
    expect((await full.sessions.read('cairn:s')).length).toBe(MESSAGES)
    await full.purge()
    expect((await full.statistics()).sessions).toBe(0)
    expect(statSync(path).size).toBeLessThan(freeKib * KIB)
    expect((await full.sessions.append(session, 0, [message('new', KIB)])).ok).toBe(true)
    await full.close()
  })
})

describe('a purge that was stopped before the file was rewritten', () => {
  it('leaves no bytes of deleted content once purge has run again', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cairn-purge-')), 's.db')
    const store = await openStore(`file:${path}`)
    const external = 'a-walrus-of-its-own'
    expect((await store.sessions.append({ ...session, externalId: external }, 0, [message('m', 2 * KIB)])).ok).toBe(
      true,
    )
    await store.close()
    const stopped = new Sqlite(path)
    stopped.pragma('secure_delete = OFF')
    for (const table of ['entry', 'session']) stopped.prepare(`DELETE FROM ${table}`).run()
    stopped.close()
    expect(readFileSync(path).includes(external)).toBe(true)
    const again = await openStore(`file:${path}`)
    await again.purge()
    await again.close()
    expect(readFileSync(path).includes(external)).toBe(false)
    rmSync(dirname(path), { recursive: true })
  })
})
