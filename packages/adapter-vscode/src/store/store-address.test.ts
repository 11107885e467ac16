import { unsupportedHost } from './host-support.ts'
import { ownPrices, settingsFiles } from './settings-files.ts'
import { shownAddress, storeAddress } from './store-address.ts'
import type { AddressSources } from './store-address.ts'

const sources = (more: Partial<AddressSources> = {}, files: Readonly<Record<string, string>> = {}): AddressSources => ({
  setting: '',
  variables: {},
  platform: 'linux',
  home: '/home/ann',
  folder: '/code/shop',
  exists: (path) => path in files,
  readText: (path) => files[path],
  realPath: (path) => path,
  ...more,
})

describe('the store’s address', () => {
  it('is where the command keeps it, on each system', () => {
    expect(storeAddress(sources())).toBe('file:/home/ann/.local/share/cairn/cairn.db')
    expect(storeAddress(sources({ variables: { XDG_DATA_HOME: '/data' } }))).toBe('file:/data/cairn/cairn.db')
    expect(storeAddress(sources({ variables: { CAIRN_HOME: '/cairn' } }))).toBe('file:/cairn/cairn.db')
    expect(storeAddress(sources({ platform: 'darwin', home: '/Users/ann' }))).toBe(
      'file:/Users/ann/Library/Application Support/cairn/cairn.db',
    )
    expect(
      storeAddress(sources({ platform: 'win32', home: 'C:\\Users\\ann', variables: { LOCALAPPDATA: 'D:\\local' } })),
    ).toBe('file:D:\\local\\cairn\\cairn.db')
  })

  it('comes from the setting, the environment, the workspace or the user, in this order', () => {
    const files = {
      '/code/shop/.cairn/config.json': '{"store":"file:team.db"}',
      '/home/ann/.config/cairn/config.json': '{"store":"file:mine.db"}',
    }
    const variables = { CAIRN_DATABASE_URL: 'postgresql://db/cairn' }
    expect(storeAddress(sources({ setting: ' file:/x.db ', variables }, files))).toBe('file:/x.db')
    expect(storeAddress(sources({ variables }, files))).toBe('postgresql://db/cairn')
    expect(storeAddress(sources({}, files))).toBe('file:/code/shop/team.db')
    expect(storeAddress(sources({ folder: undefined }, files))).toBe('file:/home/ann/.config/cairn/mine.db')
  })

  it('ignores settings files that do not set it, and names a broken one, as the command does', () => {
    const file = '/code/shop/.cairn/config.json'
    for (const text of ['{"store":7}', '{"store":""}', '{"timezone":"UTC"}']) {
      expect(storeAddress(sources({}, { [file]: text }))).toBe('file:/home/ann/.local/share/cairn/cairn.db')
    }
    for (const text of ['{', '[]', 'null']) {
      expect(() => storeAddress(sources({}, { [file]: text }))).toThrow(`${file} are not valid JSON`)
      expect(storeAddress(sources({ setting: 'file:/x.db' }, { [file]: text }))).toBe('file:/x.db')
    }
  })

  it('is not taken from a folder whose links lead out of it', () => {
    const files = { '/code/shop/.cairn/config.json': '{"store":"file:data/team.db"}' }
    const realPath = (path: string): string => path.replace('/code/shop/data', '/home/ann/elsewhere')
    expect(() => storeAddress(sources({ realPath }, files))).toThrow('outside of this folder')
  })

  it('does not come from folders above the repository, as for the command', () => {
    const files = { '/code/.cairn/config.json': '{"store":"file:team.db"}', '/code/shop/.git': '' }
    expect(storeAddress(sources({ folder: '/code/shop/src' }, files))).toBe(
      'file:/home/ann/.local/share/cairn/cairn.db',
    )
  })

  it('is not taken from a folder that names a store elsewhere, unless the user trusts that store', () => {
    const server = 'postgresql://elsewhere.example/all'
    for (const store of [server, 'file:/elsewhere.db', 'file:../shop-2/x.db']) {
      expect(() =>
        storeAddress(
          sources({}, { '/code/shop/.cairn/config.json': JSON.stringify({ store, trustedStores: [store] }) }),
        ),
      ).toThrow('trustedStores')
    }
    const files = {
      '/code/shop/.cairn/config.json': JSON.stringify({ store: server }),
      '/home/ann/.config/cairn/config.json': JSON.stringify({ trustedStores: [server] }),
    }
    expect(storeAddress(sources({}, files))).toBe(server)
    expect(
      storeAddress(
        sources({ setting: 'file:/mine.db' }, { '/code/shop/.cairn/config.json': JSON.stringify({ store: server }) }),
      ),
    ).toBe('file:/mine.db')
  })

  it('is found from a part of a repository, and with it the user’s own prices', () => {
    const files = {
      '/code/shop/.cairn/config.json': JSON.stringify({
        store: 'file:team.db',
        prices: { a: { input: 1, output: 2, cacheRead: 0.1 }, broken: { input: -1 } },
      }),
      '/home/ann/.config/cairn/config.json': JSON.stringify({
        prices: { a: { input: 9, output: 9 }, b: { input: 3, output: 4 } },
      }),
    }
    const part = sources({ folder: '/code/shop/packages/cart' }, files)
    expect(storeAddress(part)).toBe('file:/code/shop/team.db')
    expect(ownPrices(settingsFiles(part))).toEqual({
      a: { input: 1, output: 2, cacheRead: 0.1 },
      b: { input: 3, output: 4 },
    })
  })

  it('is shown without its password', () => {
    expect(shownAddress('file:/a b/s.db')).toBe('/a b/s.db')
    expect(shownAddress('postgresql://ann:secret@db/cairn?password=secret')).toBe('postgresql://ann@db/cairn')
    expect(shownAddress('postgresql://secret@[broken')).not.toContain('secret')
  })
})

describe('the editor', () => {
  it('is told apart by the Node-API version that SQLite needs', () => {
    expect(unsupportedHost({ napi: '10', node: '22.15.1' })).toBeUndefined()
    expect(unsupportedHost({ napi: '9', node: '20.19.0' })).toContain('VS Code 1.101 or newer')
    expect(unsupportedHost({ node: '20.19.0' })).toContain('20.19.0')
  })
})
