/** Secrets over a keyring in memory and a real file. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { CairnError } from '../../errors.ts'
import { createFakeKeyring, type FakeKeyring } from './keyrings/keyring.fixture.ts'
import { readKeyFile } from './file-key.ts'
import { readSecretsFile, writeSecretsFile } from './secrets-file.ts'
import { createSecrets, type SecretsStore } from './secrets.ts'

const NO_KEYRING = 'there is no desktop session here'
let folder: string
let passphrase: string | undefined
let asked: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-secrets-'))
  passphrase = undefined
  asked = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keyFile = (): string => join(folder, 'config', 'secrets.key')
const over = (keyring: FakeKeyring): SecretsStore =>
  createSecrets({
    folder: join(folder, 'data'),
    keyFile: keyFile(),
    keyring,
    askPassphrase: (_file, isNew) => {
      asked.push(isNew ? 'new' : 'known')
      if (passphrase === undefined) throw new CairnError('usage', 'nobody can be asked')
      return Promise.resolve(passphrase)
    },
  })
const withoutKeyring = (): SecretsStore => over(createFakeKeyring(NO_KEYRING))
const errorOf = async (promise: Promise<unknown>): Promise<CairnError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!CairnError.is(thrown)) throw new Error(`no CairnError: ${String(thrown)}`)
  return thrown
}
/** All bytes below the folder, as text. */
const everything = (): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describe('secrets in the keyring', () => {
  it('go there, and only their names are written down', async () => {
    const keyring = createFakeKeyring()
    const secrets = over(keyring)
    expect(await secrets.set('openai', 'sk-value-2')).toEqual({ name: 'openai', keptIn: 'keyring' })
    await secrets.set('anthropic', 'sk-value-1')
    expect(await over(keyring).list()).toEqual([
      { name: 'anthropic', keptIn: 'keyring' },
      { name: 'openai', keptIn: 'keyring' },
    ])
    expect(await over(keyring).get('anthropic')).toBe('sk-value-1')
    expect(await secrets.get('google')).toBeUndefined()
    expect(everything()).not.toContain('sk-value')
    expect(await secrets.delete('openai')).toBe(true)
    expect(await secrets.delete('openai')).toBe(false)
    expect([...keyring.values.keys()]).toEqual(['anthropic'])
  })

  it('are listed without asking the keyring, which may be locked', async () => {
    const keyring = createFakeKeyring()
    await over(keyring).set('anthropic', 'sk-value-1')
    keyring.problem = 'it is locked'
    expect(await over(keyring).list()).toEqual([{ name: 'anthropic', keptIn: 'keyring' }])
    expect((await errorOf(over(keyring).get('anthropic'))).message).toBe(
      "'anthropic' can't be read, because the test keyring can't be used: it is locked.",
    )
    expect((await errorOf(over(keyring).delete('anthropic'))).message).toContain("'anthropic' is still there")
    expect(await over(keyring).list()).toHaveLength(1)
  })

  it.each([
    ['{"version":2,"names":[],"more":1}', 'newer version of Cairn'],
    ['{"version":1}', "can't be understood"],
    ['', "can't be understood"],
  ])('are not forgotten when their list is not understood: %s', async (text, sentence) => {
    const keyring = createFakeKeyring()
    await over(keyring).set('anthropic', 'sk-value-1')
    const file = join(folder, 'data', 'keyring-names.json')
    writeFileSync(file, text)
    for (const call of [
      over(keyring).list(),
      over(keyring).get('anthropic'),
      over(keyring).set('openai', 'sk-value-2'),
    ])
      expect((await errorOf(call)).message).toContain(sentence)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect([...keyring.values.keys()]).toEqual(['anthropic'])
  })

  it('do not stay in the keyring when that can not be written down', async () => {
    const keyring = createFakeKeyring()
    writeFileSync(join(folder, 'data'), 'no folder')
    expect((await errorOf(over(keyring).set('openai', 'sk-value-2'))).message).toContain('Nothing was kept')
    expect(keyring.values.size).toBe(0)
  })

  it('are asked for again when somebody else took them out of the keyring', async () => {
    const keyring = createFakeKeyring()
    await over(keyring).set('anthropic', 'sk-value-1')
    keyring.values.clear()
    expect((await errorOf(over(keyring).get('anthropic'))).message).toContain('set it again')
  })

  it('go into the file when the keyring gives back something else than it was given', async () => {
    const keyring = { ...createFakeKeyring(), get: () => Promise.resolve(undefined) }
    expect(await over(keyring).set('anthropic', 'sk-value-1')).toMatchObject({ keptIn: 'file' })
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-1')
    expect(keyring.values.size).toBe(0)
  })
})

describe('secrets in the file', () => {
  it('go there without a keyring, and it is said why', async () => {
    expect(await withoutKeyring().set('anthropic', 'sk-value-1')).toEqual({
      name: 'anthropic',
      keptIn: 'file',
      file: join(folder, 'data', 'secrets.enc'),
      keyringProblem: NO_KEYRING,
    })
    await withoutKeyring().set('openai', 'sk-value-2')
    await withoutKeyring().set('anthropic', 'sk-value-3')
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-3')
    expect(await withoutKeyring().get('openai')).toBe('sk-value-2')
    expect(everything()).not.toContain('sk-value')
    for (const path of [withoutKeyring().file, keyFile()]) expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(asked).toEqual([])
  })

  it('stay where they are, so that of two values the newer one counts', async () => {
    const keyring = createFakeKeyring()
    await over(keyring).set('anthropic', 'sk-old')
    keyring.problem = NO_KEYRING
    await over(keyring).set('anthropic', 'sk-new')
    keyring.problem = undefined
    expect(await over(keyring).get('anthropic')).toBe('sk-new')
    expect(await over(keyring).set('anthropic', 'sk-newest')).toMatchObject({ keptIn: 'file' })
    expect(await over(keyring).list()).toEqual([{ name: 'anthropic', keptIn: 'file' }])
    await over(keyring).delete('anthropic')
    expect([...keyring.values.keys()]).toEqual([])
    expect(existsSync(withoutKeyring().file)).toBe(false)
  })

  it('are written through a link, and are gone from behind it when the last one is deleted', async () => {
    const behind = join(folder, 'synced', 'my.enc')
    mkdirSync(join(folder, 'synced'))
    mkdirSync(join(folder, 'data'))
    symlinkSync(behind, withoutKeyring().file)
    await withoutKeyring().set('anthropic', 'sk-value-1')
    expect(statSync(behind).mode & 0o777).toBe(0o600)
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-1')
    await withoutKeyring().delete('anthropic')
    expect(existsSync(behind)).toBe(false)
    await withoutKeyring().set('openai', 'sk-value-2')
    expect(existsSync(behind)).toBe(true)
  })

  it('are not removed with the last one that was known, when a program that takes no lock has added others', async () => {
    await withoutKeyring().set('anthropic', 'sk-value-1')
    const { file } = withoutKeyring()
    const before = readSecretsFile(file)
    const key = readKeyFile(keyFile())
    writeSecretsFile(file, new Map([['openai', 'sk-value-2']]), key, before)
    expect(() => writeSecretsFile(file, new Map(), key, before)).toThrow(
      `Another program has changed ${file} meanwhile, and nothing was removed: run this again.`,
    )
    expect(await withoutKeyring().get('openai')).toBe('sk-value-2')
  })

  it('never begin with the same bytes, even for the same secrets', async () => {
    const texts = new Set<string>()
    for (let round = 0; round < 3; round++) {
      await withoutKeyring().set('anthropic', 'sk-value-1')
      texts.add(readFileSync(withoutKeyring().file, 'utf8').split('\n')[1] ?? '')
    }
    expect(new Set([...texts].map((text) => text.slice(0, 16))).size).toBe(3)
  })

  it('are all kept when several are set at once', async () => {
    const names = ['anthropic', 'openai', 'google', 'azure', 'openrouter']
    await Promise.all(names.map((name) => withoutKeyring().set(name, `sk-${name}`)))
    for (const name of names) expect(await withoutKeyring().get(name)).toBe(`sk-${name}`)
  })

  it('open with the passphrase alone, in whatever form of Unicode it is typed', async () => {
    passphrase = 'gr\u00fcn 42'
    await withoutKeyring().set('anthropic', 'sk-value-1', { lock: 'passphrase' })
    expect(asked).toEqual(['new'])
    expect(existsSync(keyFile())).toBe(false)
    passphrase = undefined
    expect(await withoutKeyring().list()).toEqual([{ name: 'anthropic', keptIn: 'file' }])
    passphrase = 'gru\u0308n 42'
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-1')
    passphrase = 'gr\u00fcn 43'
    // One after the other: a rejection that nobody waits for yet would end the test.
    for (const attempt of [() => withoutKeyring().get('anthropic'), () => withoutKeyring().set('openai', 'sk-value-2')])
      expect(await errorOf(attempt())).toMatchObject({
        code: 'auth',
        message: `That is not the passphrase of ${withoutKeyring().file}; try again.`,
      })
  })

  it('can be locked in another way later', async () => {
    await withoutKeyring().set('anthropic', 'sk-value-1')
    passphrase = 'one'
    await withoutKeyring().set('openai', 'sk-value-2', { lock: 'passphrase' })
    rmSync(keyFile())
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-1')
    await withoutKeyring().set('google', 'sk-value-3', { lock: 'key-file' })
    passphrase = undefined
    expect(await withoutKeyring().get('openai')).toBe('sk-value-2')
  })
})

describe('a file of secrets that can not be opened', () => {
  beforeEach(async () => {
    await withoutKeyring().set('anthropic', 'sk-value-1')
  })
  const messageOfGet = async (): Promise<string> => (await errorOf(withoutKeyring().get('anthropic'))).message
  const write = (text: string): void => writeFileSync(withoutKeyring().file, text)

  it('is refused when one character of it was changed, wherever it stands, and is left as it is', async () => {
    const { file } = withoutKeyring()
    const text = readFileSync(file, 'utf8')
    for (let at = 0; at < text.length; at += 3) {
      const other = text[at] === 'A' ? 'B' : 'A'
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      write(changed)
      // Of a name that was changed, nothing is known any more; nothing else is ever given.
      const given = await withoutKeyring()
        .get('anthropic')
        .catch((error: unknown) => (CairnError.is(error) ? undefined : error))
      expect(given).toBeUndefined()
      const { message } = await errorOf(withoutKeyring().set('anthropic', 'sk-value-9'))
      expect(message).toContain(file)
      expect(readFileSync(file, 'utf8')).toBe(changed)
    }
    write(text)
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-1')
  })

  it.each([
    ['empty', () => ''],
    ['cut', (text: string) => text.slice(0, -20)],
    ['without its second line', (text: string) => text.split('\n')[0] ?? ''],
    ['no JSON', () => 'hello\nworld\n'],
    [
      'costly',
      (text: string) =>
        text.replace(/"key":\{[^}]*\}/, '"key":{"kind":"passphrase","salt":"AAAA","N":1073741824,"r":8,"p":1}'),
    ],
  ])('says that it is damaged: %s', async (_what, change) => {
    write(change(readFileSync(withoutKeyring().file, 'utf8')))
    expect(await messageOfGet()).toContain(`The secrets in ${withoutKeyring().file} can't be read`)
  })

  it('says that it is from a newer version', async () => {
    write(readFileSync(withoutKeyring().file, 'utf8').replace('"version":1', '"version":2'))
    expect(await messageOfGet()).toContain('newer version of Cairn')
    expect((await errorOf(withoutKeyring().list())).message).toContain('newer version of Cairn')
  })

  const onPosix = process.platform === 'win32' ? it.skip : it
  onPosix.each([
    ['the file', () => withoutKeyring().file],
    ['its key', keyFile],
  ])('says that others may read %s', async (_what, path) => {
    chmodSync(path(), 0o644)
    expect(await messageOfGet()).toBe(
      `${path()} may be read by others on this machine (mode 644), so it is not used: chmod 600 ${path()}`,
    )
  })

  it('says that the key file is missing, is another, or is none', async () => {
    const key = readFileSync(keyFile(), 'utf8')
    await withoutKeyring().check()
    rmSync(keyFile())
    expect((await errorOf(withoutKeyring().check())).message).toBe(await messageOfGet())
    expect(await messageOfGet()).toContain(`The key file ${keyFile()}, which opens the stored secrets, is not there`)
    expect((await errorOf(withoutKeyring().set('openai', 'sk-value-2'))).message).toContain('is not there')
    writeFileSync(keyFile(), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
    expect(await messageOfGet()).toContain('The key file is not the one that locked')
    writeFileSync(keyFile(), 'hunter2\n')
    expect(await messageOfGet()).toContain('holds no key')
    writeFileSync(keyFile(), key)
    expect(await withoutKeyring().get('anthropic')).toBe('sk-value-1')
  })
})
