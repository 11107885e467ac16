import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { dataFolder, userConfigPath, workspaceFolder } from '@cairn/core/node'
import { readConfig, removeConfigValue, writeConfigValue } from './config-file.ts'
import { problemOf } from './config-schema.ts'
import { SEGMENT_NAMES } from '../statusline/segment-names.ts'
import type { Surroundings } from './locations.ts'
import { SETTING_KEYS, loadSettings, parseSetting, shownKey, usableStore } from './settings.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-config-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const surroundings = (variables: Readonly<Record<string, string>> = {}): Surroundings => ({
  variables: { CAIRN_HOME: join(folder, 'data'), ...variables },
  platform: 'linux',
  home: join(folder, 'home'),
  folder: join(folder, 'project', 'src'),
})

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const workspaceFile = (): string => join(folder, 'project', '.cairn', 'config.json')

describe('loadSettings', () => {
  it('prefers flag, environment, workspace file, user file and default, in this order', async () => {
    const store = async (
      variables: Readonly<Record<string, string>>,
      flag?: string,
    ): Promise<readonly [string, string]> => {
      const { value, origin } = (await loadSettings(surroundings(variables), { store: flag })).store
      return [value, origin.from]
    }
    expect(await store({})).toEqual([`file:${join(folder, 'data', 'cairn.db')}`, 'default'])
    write(userConfigPath(surroundings()), '{"store":"file:user.db","timezone":"Asia/Tokyo"}')
    expect(await store({})).toEqual([`file:${join(folder, 'data', 'user.db')}`, 'user'])
    write(workspaceFile(), '{"store":"file:.cairn/team.db"}')
    expect(await store({})).toEqual([`file:${join(folder, 'project', '.cairn', 'team.db')}`, 'workspace'])
    expect(await store({ CAIRN_DATABASE_URL: 'postgresql://db/cairn' })).toEqual([
      'postgresql://db/cairn',
      'environment',
    ])
    expect(await store({ CAIRN_DATABASE_URL: 'postgresql://db/cairn' }, 'file:s.db')).toEqual([
      `file:${join(folder, 'project', 'src', 's.db')}`,
      'flag',
    ])
    // Settings that the workspace does not have come from the user's file.
    expect((await loadSettings(surroundings(), {})).timezone.value).toBe('Asia/Tokyo')
  })

  it('lets a repository name a store outside of it only if the user trusts that store', async () => {
    const usable = async (flag?: string): Promise<string> =>
      usableStore(await loadSettings(surroundings(), { store: flag }))
    write(workspaceFile(), '{"store":"file:.cairn/team.db"}')
    expect(await usable()).toBe(`file:${join(folder, 'project', '.cairn', 'team.db')}`)
    for (const address of [
      'postgresql://evil.example/cairn',
      'file:../elsewhere.db',
      `file:${folder}/project-of-another/x.db`,
    ]) {
      write(workspaceFile(), JSON.stringify({ store: address, trustedStores: [address] }))
      await expect(usable()).rejects.toThrow(workspaceFile())
      expect(await usable('file:mine.db')).toBe(`file:${join(folder, 'project', 'src', 'mine.db')}`)
    }
    write(workspaceFile(), '{"store":"postgresql://team.example/cairn"}')
    write(userConfigPath(surroundings()), '{"trustedStores":["postgresql://team.example/cairn"]}')
    expect(await usable()).toBe('postgresql://team.example/cairn')
  })

  it("follows a repository's links before it accepts a store as inside", async () => {
    const usable = async (): Promise<string> => usableStore(await loadSettings(surroundings(), {}))
    const project = join(folder, 'project')
    mkdirSync(join(folder, 'outside'))
    write(workspaceFile(), '{"store":"file:.cairn/data/team.db"}')
    symlinkSync(join(folder, 'outside'), join(project, '.cairn', 'data'))
    await expect(usable()).rejects.toThrow(/outside of the repository/)
    // Nor by a file that is a link, whether its target exists or not.
    write(workspaceFile(), '{"store":"file:team.db"}')
    symlinkSync('../outside/not-there-yet.db', join(project, 'team.db'))
    await expect(usable()).rejects.toThrow(/outside of the repository/)
    write(workspaceFile(), '{"store":"file:inside/team.db"}')
    symlinkSync('.cairn', join(project, 'inside'))
    expect(await usable()).toBe(`file:${join(project, 'inside', 'team.db')}`)
  })

  it("says which settings of a project's file count only in the user's own, and has them from there", async () => {
    const told: string[] = []
    const read = () => loadSettings(surroundings(), {}, undefined, (sentence) => told.push(sentence))
    const text = '{"retention":{"text":"90d"},"team":{"person":"Ada"},"budget":{"day":1}}'
    write(userConfigPath(surroundings()), text.replace('90d', '30d'))
    expect((await read())['retention.text'].value).toBe('30d')
    expect(told).toEqual([])
    write(workspaceFile(), text)
    expect((await read())['retention.text'].value).toBe('30d')
    expect(told).toEqual([
      `team.person, retention.text in ${workspaceFile()} have no effect: only your own settings can say them (cairn config set).`,
    ])
  })

  it('merges prices of both files, the workspace first', async () => {
    write(userConfigPath(surroundings()), '{"prices":{"a":{"input":1,"output":2},"b":{"input":3,"output":4}}}')
    write(workspaceFile(), '{"prices":{"a":{"input":5,"output":6}}}')
    expect((await loadSettings(surroundings(), {})).prices.value).toEqual({
      a: { input: 5, output: 6 },
      b: { input: 3, output: 4 },
    })
  })

  it.each([
    ['{"store":', /not valid JSON \(line 1/],
    ['{\n  "store": "file:a.db",\n  oops\n}', /not valid JSON \(line 3, column 3\)/],
    ['{"stroe":"file:a.db"}', /'stroe' is not a known setting/],
    ['{"dashboard":{"port":"x"}}', /'dashboard\.port' must be a whole number from 0 to 65535;/],
    ['{"dashboard":{"watch":"maybe"}}', /'dashboard\.watch' must be true or false;/],
    ['{"watch":{"exclude":"codex"}}', /'watch\.exclude' must be names of agents;/],
    ['{"hooks":5}', /'hooks' must be an object of settings;/],
    ['{"statusline":{"segments":["model","x"]}}', /'statusline\.segments' must be one or more of model, /],
    ['{"prices":{"m":{"input":1}}}', /'prices\.m\.output' must be USD per million tokens/],
    ['{"timezone":"Mars/Olympus"}', /'timezone' must be the name of a time zone/],
    ['[]', /not valid: they must be a JSON object;/],
  ])('names file and position of a broken setting: %s', async (text, problem) => {
    write(workspaceFile(), text)
    await expect(loadSettings(surroundings(), {})).rejects.toThrow(problem)
    await expect(loadSettings(surroundings(), {})).rejects.toThrow(workspaceFile())
  })

  it('says of every single setting what it takes', () => {
    for (const key of Object.keys(SETTING_KEYS).filter((name) => shownKey(name) === name)) {
      const wrong = key.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), { of: 'another kind' })
      expect(problemOf(wrong)).toEqual({ name: key, what: expect.not.stringContaining('an object of settings') })
    }
  })

  it('refuses a flag that is not an address', async () => {
    await expect(loadSettings(surroundings(), { store: 'a.db' })).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('locations', () => {
  it('are those that each system uses', () => {
    const base = { folder: '/w', home: '/h' }
    expect(dataFolder({ ...base, platform: 'linux', variables: {} })).toBe('/h/.local/share/cairn')
    expect(dataFolder({ ...base, platform: 'linux', variables: { XDG_DATA_HOME: '/x' } })).toBe('/x/cairn')
    expect(dataFolder({ ...base, platform: 'darwin', variables: {} })).toBe('/h/Library/Application Support/cairn')
    expect(userConfigPath({ ...base, platform: 'linux', variables: {} })).toBe('/h/.config/cairn/config.json')
    expect(dataFolder({ ...base, platform: 'linux', variables: { CAIRN_HOME: 'here' } })).toBe('/w/here')
  })

  it('finds the workspace above a folder', () => {
    write(workspaceFile(), '{}')
    expect(workspaceFolder(join(folder, 'project', 'src'))).toBe(join(folder, 'project'))
  })

  it('finds no workspace where git was told to stop looking, or above', () => {
    write(workspaceFile(), '{}')
    const before = process.env['GIT_CEILING_DIRECTORIES']
    process.env['GIT_CEILING_DIRECTORIES'] = [join(folder, 'other'), join(folder, 'project')].join(delimiter)
    try {
      expect(workspaceFolder(join(folder, 'project', 'src', 'deep'))).toBe(join(folder, 'project', 'src', 'deep'))
      expect(workspaceFolder(join(folder, 'project'))).toBe(join(folder, 'project'))
    } finally {
      process.env['GIT_CEILING_DIRECTORIES'] = before
    }
  })
})

describe('writing settings', () => {
  it('keeps the other settings and leaves no temporary file', async () => {
    const path = userConfigPath(surroundings())
    await writeConfigValue(path, ['timezone'], 'Europe/Berlin')
    await writeConfigValue(path, ['dashboard', 'port'], 4100)
    await writeConfigValue(path, ['prices', 'gpt-5.3-x'], { input: 1, output: 2 })
    expect(await readConfig(path)).toEqual({
      timezone: 'Europe/Berlin',
      dashboard: { port: 4100 },
      prices: { 'gpt-5.3-x': { input: 1, output: 2 } },
    })
    expect(readdirSync(dirname(path))).toEqual(['config.json'])
  })

  it('keeps a link, and changes the file that it leads to', async () => {
    const path = userConfigPath(surroundings())
    const real = join(folder, 'dotfiles', 'cairn.json')
    write(real, '{"timezone":"Asia/Tokyo"}')
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(real, path)
    await writeConfigValue(path, ['dashboard', 'port'], 4100)
    expect(readlinkSync(path)).toBe(real)
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ timezone: 'Asia/Tokyo', dashboard: { port: 4100 } })
    expect(await removeConfigValue(path, ['timezone'])).toBe('Asia/Tokyo')
    expect(readlinkSync(path)).toBe(real)
  })

  it('follows no link to nothing, and none out of the project', async () => {
    const path = workspaceFile()
    const [project, outside] = [join(folder, 'project'), join(folder, 'outside.json')]
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(outside, path)
    const set = () => writeConfigValue(path, ['timezone'], 'UTC', project)
    await expect(set()).rejects.toThrow('it is a link to a file that is not there; they are as they were.')
    write(outside, '{}')
    await expect(set()).rejects.toThrow(`it is a link out of the project, to ${realpathSync(outside)}`)
    expect([readlinkSync(path), readFileSync(outside, 'utf8')]).toEqual([outside, '{}'])
    rmSync(path)
    write(join(project, 'shared.json'), '{}')
    symlinkSync('../shared.json', path)
    await set()
    expect(await readConfig(join(project, 'shared.json'))).toMatchObject({ timezone: 'UTC' })
  })

  it('reads a file that begins with a byte order mark, and waits for no pipe', async () => {
    const path = userConfigPath(surroundings())
    write(path, '\uFEFF{\r\n  "timezone": "Asia/Tokyo"\r\n}\r\n')
    expect(await readConfig(path)).toMatchObject({ timezone: 'Asia/Tokyo' })
    await writeConfigValue(path, ['dashboard', 'port'], 4100)
    expect(await readConfig(path)).toMatchObject({ timezone: 'Asia/Tokyo', dashboard: { port: 4100 } })
    if (process.platform === 'win32') return
    rmSync(path)
    execFileSync('mkfifo', [path])
    await expect(readConfig(path)).rejects.toThrow("can't be read: it is no file.")
  })

  it('keeps what other processes set at the same time', async () => {
    const path = userConfigPath(surroundings())
    const [processes, settings] = [3, 20]
    const module = new URL('config-file.ts', import.meta.url).href
    const script = (name: number): string => `
      const { writeConfigValue } = await import(${JSON.stringify(module)})
      for (let count = 0; count < ${settings}; count++)
        await writeConfigValue(${JSON.stringify(path)}, ['prices', \`m${name}-\${count}\`], { input: count, output: ${name} })`
    const ends = Array.from({ length: processes }, (_, name) => {
      const parameters = ['--conditions=@cairn/source', '--input-type=module', '--eval', script(name)]
      const child = spawn(process.execPath, parameters, { stdio: 'ignore', env: { ...process.env, NODE_OPTIONS: '' } })
      return new Promise((resolve) => child.once('close', resolve))
    })
    expect(await Promise.all(ends)).toEqual(Array.from({ length: processes }, () => 0))
    expect(Object.keys((await readConfig(path))?.prices ?? {})).toHaveLength(processes * settings)
    expect(readdirSync(dirname(path))).toEqual(['config.json'])
  })

  it('refuses invalid values and unknown keys', async () => {
    const set = (key: string, text: string): Promise<void> => {
      const { path, value } = parseSetting(key, text)
      return writeConfigValue(userConfigPath(surroundings()), path, value)
    }
    const refused = {
      'dashboard.port 70000': "dashboard.port must be a whole number from 0 to 65535, and '70000' is not.",
      'budget.day -3': "budget.day must be an amount in USD above 0, and '-3' is not.",
      'budget.month much': "budget.month must be an amount in USD above 0, and 'much' is not.",
      'hooks.enabled yes': "hooks.enabled must be true or false, and 'yes' is not.",
      'timezone Mars': "timezone must be the name of a time zone, such as Europe/Berlin, and 'Mars' is not.",
      'statusline.segments model,x': `statusline.segments must be one or more of ${SEGMENT_NAMES.join(', ')}, and 'model,x' is not.`,
      'prices.m 1,99999':
        'prices.m must be USD per million tokens, 0 to 10,000, by name: input and output at least, and \'{"input":1,"output":99999}\' is not.',
      'store a.db': "store must be file:<path> or postgresql://…, and 'a.db' is not.",
    }
    for (const [words, message] of Object.entries(refused)) {
      const [key = '', text = ''] = words.split(' ')
      await expect(set(key, text)).rejects.toMatchObject({ code: 'usage', message })
    }
    expect(() => parseSetting('stor', 'x')).toThrow(/There is no setting 'stor'.*Did you mean 'store'/)
    expect(parseSetting('statusline.segments', 'model, today,model')).toMatchObject({ value: ['model', 'today'] })
    for (const wrong of ['1', '1,2,3,4,5,6,7,8', '1,x'])
      expect(() => parseSetting('prices.m', wrong)).toThrow(
        `'${wrong}' is not a price: give two to 7 amounts of USD per million tokens, in this order: input, output, cacheRead, cacheWrite5m, cacheWrite1h, cacheWrite30m, cacheWrite12h; e.g. 3,15,0.3.`,
      )
    expect(() => parseSetting('prices.__proto__', '1,2')).toThrow(/can't be the name of a model/)
    expect(parseSetting('prices.m.v1', '3,15,0.3')).toEqual({
      path: ['prices', 'm.v1'],
      value: { input: 3, output: 15, cacheRead: 0.3 },
    })
  })
})
