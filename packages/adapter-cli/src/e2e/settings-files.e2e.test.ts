/** Settings files that are broken, missing or another folder's; and commands that only read, which leave nothing behind. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const DATA = 'data'
const path = (name: string): string => join(box.folder, name)

describe('a settings file', () => {
  it('with one wrong value is corrected by set and unset, and with another one that is named', async () => {
    const file = box.file(`${DATA}/config.json`, '{"timezone":"Nowhere/Land","hooks":{"recall":false}}')
    const broken = await box.cairn('usage')
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("'timezone'")])
    expect((await box.cairn('config', 'set', 'timezone', 'Europe/Berlin')).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ timezone: 'Europe/Berlin', hooks: { recall: false } })
    box.file(`${DATA}/config.json`, '{"timezone":"Nowhere/Land","backup":{"auto":"perhaps"}}')
    const other = await box.cairn('config', 'set', 'hooks.recall', 'false')
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("'timezone'")])
    expect((await box.cairn('config', 'unset', 'timezone')).code).toBe(0)
    expect((await box.cairn('config', 'unset', 'backup.auto')).code).toBe(0)
    expect((await box.cairn('usage')).code).toBe(0)
    const wrong = await box.cairn('config', 'set', 'hooks.recall', 'maybe')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("'maybe' is not")])
  }, 60_000)

  it('that is cut or no object is named by doctor, and by doctor --repair, and stays', async () => {
    for (const text of ['{"timezone":"UTC"', '[]', '', '{"timezone":"UTC"}\u0000']) {
      const file = box.file(`${DATA}/config.json`, text)
      for (const args of [['doctor'], ['doctor', '--repair']]) {
        const { code, stdout, stderr } = await box.cairn(...args)
        expect([code, stdout]).toEqual([1, ''])
        expect(stderr).toContain(file)
        expect(stderr).not.toMatch(/\n\s+at /)
      }
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  }, 60_000)

  it('is made in a data folder that only its user can read', async () => {
    expect((await box.cairn('config', 'set', 'timezone', 'UTC')).code).toBe(0)
    expect(statSync(path(DATA)).mode & 0o777).toBe(0o700)
    expect((await box.cairn('config', 'set', 'timezone', 'UTC', '--workspace')).code).toBe(0)
    expect(statSync(path('.cairn')).mode & 0o077).not.toBe(0)
  })

  it('of the folder that --workspace names is the one that counts', async () => {
    mkdirSync(path('app/.git'), { recursive: true })
    box.file('app/.cairn/config.json', '{"checkpoints":{"enabled":false}}')
    box.file('app/a.txt', 'a')
    const refused = await box.cairn('checkpoint', 'create', '--workspace', 'app')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('checkpoints.enabled is false')])
    mkdirSync(path('lib/.git'), { recursive: true })
    const made = await box.cairn('checkpoint', 'create', '--workspace', 'lib')
    expect([made.code, made.stderr]).toEqual([0, ''])
  }, 60_000)
})

describe('commands that only read', () => {
  it.each([
    ['usage'],
    ['session list'],
    ['recall hello'],
    ['memory list'],
    ['doctor'],
    ['config list'],
    ['config import --from cline.json --dry-run'],
  ])('leave no store: %s', async (line) => {
    box.file('cline.json', '{"mode":"plan","apiProvider":"x","taskHistory":[]}')
    const { code, stdout } = await box.cairn(...line.split(' '))
    expect(code).toBe(0)
    expect(existsSync(path(`${DATA}/cairn.db`))).toBe(false)
    if (line === 'doctor') expect(stdout).toContain('cairn.db')
  })
})

describe('doctor --repair', () => {
  it('makes again what is derived, and is content then', async () => {
    await box.cairn('note', 'set', 'a', 'text', '--workspace', box.folder)
    const { DatabaseSync } = await import('node:sqlite')
    box.file(
      'logs/a.jsonl',
      `${JSON.stringify({ session: 'a', role: 'user', text: 'hello', at: '2026-01-31T08:00:00Z' })}\n`,
    )
    await box.cairn('import', '--agent', 'generic', '--from', 'logs')
    const database = new DatabaseSync(path(`${DATA}/cairn.db`))
    database.exec('DELETE FROM search_tail')
    database.close()
    expect((await box.cairn('doctor')).code).toBe(1)
    const repaired = await box.cairn('doctor', '--repair')
    expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining('Derived tables were rebuilt.')])
    expect((await box.cairn('doctor')).code).toBe(0)
  }, 60_000)
})
