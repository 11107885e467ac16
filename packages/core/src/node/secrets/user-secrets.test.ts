import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Surroundings } from '../settings-paths.ts'
import { openUserSecrets } from './user-secrets.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cairn-user-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Without a PATH there is no program of a keyring. */
const at = (variables: Readonly<Record<string, string>> = {}): Surroundings => ({
  variables: { PATH: join(home, 'none'), ...variables },
  platform: 'linux',
  home,
  folder: home,
})
const files = (): readonly string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort()

describe("the user's secrets", () => {
  it('lie in the data folder, and their key beside the settings', async () => {
    await openUserSecrets(at()).set('anthropic', 'sk-value-1')
    expect(files()).toEqual(['.config/cairn/secrets.key', '.local/share/cairn/secrets.enc'])
    expect(await openUserSecrets(at()).get('anthropic')).toBe('sk-value-1')
    expect(await openUserSecrets(at({ CAIRN_HOME: 'other' })).list()).toEqual([])
  })

  it('take a key file that is named, from the working folder on', async () => {
    const named = at({ CAIRN_SECRETS_KEY_FILE: 'keys/own.key' })
    await openUserSecrets(named).set('anthropic', 'sk-value-1')
    expect(files()).toContain('keys/own.key')
    await expect(openUserSecrets(at()).get('anthropic')).rejects.toThrow('CAIRN_SECRETS_KEY_FILE')
    expect(await openUserSecrets(named).get('anthropic')).toBe('sk-value-1')
  })

  it('take the passphrase of the environment, else ask for it', async () => {
    const asked: boolean[] = []
    const ask =
      (answer: string | undefined) =>
      (_file: string, isNew: boolean): Promise<string | undefined> => {
        asked.push(isNew)
        return Promise.resolve(answer)
      }
    const lock = { lock: 'passphrase' } as const
    await expect(openUserSecrets(at()).set('openai', 'sk-value-2', lock)).rejects.toThrow(
      /A passphrase shall lock .*secrets\.enc, and there is no terminal/,
    )
    await expect(openUserSecrets(at(), ask('short')).set('openai', 'sk-value-2', lock)).rejects.toThrow('at least 8')
    await expect(openUserSecrets(at(), ask(undefined)).set('openai', 'sk-value-2', lock)).rejects.toThrow('was given')
    await openUserSecrets(at(), ask('correct horse')).set('openai', 'sk-value-2', lock)
    expect(asked).toEqual([true, true, true])
    expect(await openUserSecrets(at(), ask('correct horse')).get('openai')).toBe('sk-value-2')
    expect(asked).toEqual([true, true, true, false])
    const variable = at({ CAIRN_SECRETS_PASSPHRASE: 'correct horse' })
    expect(await openUserSecrets(variable, ask('never asked')).get('openai')).toBe('sk-value-2')
    expect(asked.length).toBe(4)
    await expect(openUserSecrets(at()).get('openai')).rejects.toThrow(/A passphrase locks .*: set CAIRN_SECRETS_PASS/)
  })
})
