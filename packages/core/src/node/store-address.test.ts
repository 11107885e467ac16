import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseStore, mayUseStore } from './store-address.ts'
import { settingsPaths } from './settings-paths.ts'
import type { Surroundings } from './settings-paths.ts'

const surroundings = (more: Partial<Surroundings> = {}): Surroundings => ({
  variables: {},
  platform: 'linux',
  home: '/home/ann',
  folder: '/code/shop/src',
  ...more,
})

describe('settingsPlaces', () => {
  const folders = (
    present: readonly string[],
    more: Partial<Surroundings> = {},
  ): readonly (readonly [string, string])[] =>
    settingsPaths(surroundings(more), (path) => present.includes(path)).map(({ from, file }) => [from, file])

  it('are those of the nearest workspace, then the user’s', () => {
    const user = ['user', '/home/ann/.config/cairn/config.json']
    expect(folders(['/code/shop/.git'])).toEqual([['workspace', '/code/shop/.cairn/config.json'], user])
    expect(folders(['/code/.cairn/config.json'])).toEqual([['workspace', '/code/.cairn/config.json'], user])
    expect(folders([])).toEqual([['workspace', '/code/shop/src/.cairn/config.json'], user])
    expect(folders([], { folder: undefined })).toEqual([user])
  })

  it('treats a file that is both as the user’s', () => {
    expect(folders([], { folder: '/home/ann', variables: { CAIRN_HOME: '/home/ann/.cairn' } })).toEqual([
      ['user', '/home/ann/.cairn/config.json'],
    ])
  })

  it('writes paths as the platform does', () => {
    const windows = surroundings({
      platform: 'win32',
      home: 'C:\\Users\\ann',
      folder: 'D:\\shop',
      variables: { LOCALAPPDATA: 'C:\\local' },
    })
    expect(settingsPaths(windows, () => false).map(({ file }) => file)).toEqual([
      'D:\\shop\\.cairn\\config.json',
      'C:\\local\\cairn\\config.json',
    ])
    expect(chooseStore(windows, [], 'file:data\\x.db').address).toBe('file:D:\\shop\\data\\x.db')
  })
})

describe('chooseStore', () => {
  const [workspace, user] = settingsPaths(surroundings(), (path) => path === '/code/shop/.git')
  const sources = [workspace, user].flatMap((settingsPath) =>
    settingsPath === undefined ? [] : [{ settingsPath, store: `file:${settingsPath.from}.db` }],
  )

  it('prefers the option, the environment, the files and the default, in this order', () => {
    const variables = { CAIRN_DATABASE_URL: 'postgresql://db/cairn' }
    expect(chooseStore(surroundings({ variables }), sources, 'file:x.db')).toEqual({
      address: 'file:/code/shop/src/x.db',
      origin: { from: 'flag' },
      workspace: undefined,
    })
    expect(chooseStore(surroundings({ variables }), sources, undefined).address).toBe('postgresql://db/cairn')
    expect(chooseStore(surroundings({ variables: { CAIRN_DATABASE_URL: '' } }), sources, undefined)).toMatchObject({
      address: 'file:/code/shop/workspace.db',
      workspace: '/code/shop',
    })
    expect(chooseStore(surroundings(), sources.slice(1), undefined)).toMatchObject({
      address: 'file:/home/ann/.config/cairn/user.db',
      workspace: undefined,
    })
    expect(chooseStore(surroundings(), [], undefined)).toMatchObject({
      address: 'file:/home/ann/.local/share/cairn/cairn.db',
      origin: { from: 'default' },
    })
  })
})

describe('mayUseStore', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-trust-'))
    mkdirSync(join(folder, 'shop'))
    mkdirSync(join(folder, 'shop-2'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const may = (address: string, trustedStores: readonly string[] = []): boolean => {
    const workspace = join(folder, 'shop')
    return mayUseStore(
      { address, origin: { from: 'workspace', file: join(workspace, '.cairn', 'config.json') }, workspace },
      { trustedStores },
    )
  }

  it('allows a workspace a store inside it, or one that the user trusts', () => {
    expect(may(`file:${join(folder, 'shop', 'data', 'x.db')}`)).toBe(true)
    for (const address of [
      `file:${join(folder, 'shop-2', 'x.db')}`,
      'file:/x.db',
      'postgresql://db/cairn',
      'nonsense',
    ]) {
      expect(may(address)).toBe(false)
      expect(may(address, [address])).toBe(true)
    }
  })

  it('allows several only if it allows each, and makes the path of each absolute', () => {
    const inside = `file:${join(folder, 'shop', 'x.db')}`
    expect(may(`${inside} file:${join(folder, 'shop', 'y.db')}`)).toBe(true)
    expect(may(`${inside} file:/home/ada/y.db`)).toBe(false)
    expect(may(`${inside} postgresql://db/cairn`)).toBe(false)
    expect(may('postgresql://a/x postgresql://b/x', ['postgresql://b/x'])).toBe(false)
    expect(may('postgresql://a/x postgresql://b/x', ['postgresql://b/x', 'postgresql://a/x'])).toBe(true)
    expect(chooseStore(surroundings(), [], 'postgresql://u:p@a/x  file:y.db').address).toMatch(
      /^postgresql:\/\/u:p@a\/x file:.*[\\/]y\.db$/,
    )
  })

  it('resolves links first', () => {
    symlinkSync(join(folder, 'shop-2'), join(folder, 'shop', 'data'))
    expect(may(`file:${join(folder, 'shop', 'data', 'x.db')}`)).toBe(false)
  })

  it('accepts any store that the user named', () => {
    expect(mayUseStore(chooseStore(surroundings(), [], 'postgresql://db/cairn'), { trustedStores: [] })).toBe(true)
  })
})
