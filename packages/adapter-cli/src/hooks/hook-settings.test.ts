import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Surroundings } from '../config/locations.ts'
import { loadSettings, usableStore } from '../config/settings.ts'
import { readHookSettings } from './hook-settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-hook-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const surroundings = (variables: Readonly<Record<string, string>> = {}): Surroundings => ({
  variables: { CAIRN_HOME: join(folder, 'data'), ...variables },
  platform: 'linux',
  home: folder,
  folder: join(folder, 'project'),
})

const write = (path: string, value: unknown): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value))
}

const settings = (variables?: Readonly<Record<string, string>>) => readHookSettings(surroundings(variables), undefined)

describe('the settings of hooks', () => {
  it('select the store that every other command uses', async () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['data/config.json', {}],
      ['data/config.json', { store: 'file:user.db' }],
      ['project/.cairn/config.json', { store: 'file:team.db' }],
      ['data/config.json', { store: 'file:user.db', trustedStores: ['postgresql://team.example/cairn'] }],
      ['project/.cairn/config.json', { store: 'postgresql://team.example/cairn' }],
    ]
    for (const [path, value] of cases) {
      write(path, value)
      for (const variables of [{}, { CAIRN_DATABASE_URL: 'postgresql://db/cairn' }])
        expect(settings(variables).store).toBe(usableStore(await loadSettings(surroundings(variables), {})))
    }
  })

  it('ignore a store that a repository names and the user has not trusted', () => {
    write('project/.cairn/config.json', { store: 'postgresql://evil.example/cairn' })
    expect(settings().store).toBeUndefined()
    write('project/.cairn/config.json', { store: 'file:../elsewhere.db', trustedStores: ['file:../elsewhere.db'] })
    expect(settings().store).toBeUndefined()
  })

  it('prefer the workspace to the user, and ignore invalid values', () => {
    write('data/config.json', { hooks: { recall: false, context: false }, budget: { day: 5 }, timezone: 'Asia/Tokyo' })
    write('project/.cairn/config.json', { hooks: { context: true, import: 'no' }, budget: { day: -1 } })
    expect(settings()).toMatchObject({
      recalls: false,
      givesContext: true,
      imports: true,
      budgetDay: 5,
      timeZone: 'Asia/Tokyo',
      isIncognito: false,
    })
    write('project/.cairn/config.json', '{"hooks":')
    expect(settings()).toMatchObject({ recalls: false, givesContext: false })
  })

  it.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['off', false],
    ['', false],
  ])('read CAIRN_INCOGNITO=%s', (value, expected) => {
    expect(settings({ CAIRN_INCOGNITO: value }).isIncognito).toBe(expected)
  })

  it.each([
    ['off', false],
    ['0', false],
    ['on', true],
    ['', true],
  ])('read CAIRN_HOOKS=%s', (value, expected) => {
    expect(settings({ CAIRN_HOOKS: value }).isEnabled).toBe(expected)
  })
})
