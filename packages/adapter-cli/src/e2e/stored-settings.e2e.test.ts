/** Settings in the store, their tiers, what is taken over of other systems, and favourites, as processes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeSession } from '../testing/transcripts.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
/** A key's form, put together here so that no scanner takes this file for a leak. */
const KEY = `sk-ant-api03-${'Ab3'.repeat(30)}-x7QAA`

beforeAll(async () => {
  box = createSandbox()
  for (const [name, day] of [
    ['first', '2026-01-30'],
    ['second', '2026-01-31'],
  ] as const)
    box.file(`logs/${name}.jsonl`, claudeSession(name, day).replaceAll('/code/app', box.folder))
  await box.cairn('import', '--from', 'logs', ...STORE)
})
afterAll(() => box.remove())

const get = async (key: string, ...more: readonly string[]): Promise<unknown> =>
  box.json('config', 'get', key, ...more, ...STORE)

describe('settings in the store', () => {
  it('hold for the session before the project before all projects', async () => {
    expect(await box.json('config', 'set', 'language', 'English', ...STORE)).toEqual({
      key: 'language',
      value: 'English',
      scope: { tier: 'global' },
    })
    await box.cairn('config', 'set', 'language', 'German', '--workspace', ...STORE)
    await box.cairn('config', 'set', 'language', 'French', '--session', 'first', ...STORE)
    const origin = (tier: string) => ({ from: 'store', tier })
    expect(await get('language', '--session', 'first')).toEqual({
      key: 'language',
      value: 'French',
      origin: origin('session'),
    })
    expect(await get('language', '--session', 'second')).toMatchObject({ value: 'German', origin: origin('workspace') })
    // Without an id the current session is meant: the newest one.
    expect(await get('language', '--session')).toMatchObject({ value: 'German' })
    await box.cairn('session', 'switch', 'first', ...STORE)
    expect(await get('language', '--session')).toMatchObject({ value: 'French' })
    expect(await box.json('config', 'unset', 'language', '--session', 'first', ...STORE)).toMatchObject({
      before: 'French',
      scope: { tier: 'session', sessionId: 'claude-code:first' },
    })
    expect(await get('language', '--session')).toMatchObject({ value: 'German' })
    const { stdout } = await box.cairn('config', 'list', ...STORE)
    expect(stdout).toContain('language = German  (store, the project)\n')
  })

  it('are listed beside those in files; without a store there are none, and none is made', async () => {
    expect(await box.json('config', 'list', '--store', 'file:none.db')).toMatchObject({ stored: null, unusable: [] })
    expect(readdirSync(box.folder)).not.toContain('none.db')
    expect(await box.json('config', 'list', ...STORE)).toMatchObject({
      stored: expect.arrayContaining([
        { key: 'language', value: 'German', origin: { from: 'store', tier: 'workspace' } },
        { key: 'mode', value: null, origin: { from: 'default' } },
      ]),
    })
  })

  it.each([
    [['mode', 'sideways'], 'mode must be plan or act'],
    [['model', KEY], 'cairn secret set <provider>'],
    [['provider', 'antropic'], "There is no provider 'antropic'. Did you mean 'anthropic'? There are anthropic, "],
    [['plan.provider', 'nope'], "There is no provider 'nope'. There are anthropic, "],
    [['provider', KEY], 'cairn secret set <provider>'],
    [['team.person', 'Ann', '--workspace'], 'team.person counts only in your own settings'],
    [['trustedStores', 'file:x', '--workspace'], 'trustedStores counts only in your own settings'],
    [['model', 'x', '--user', '--workspace'], 'Give either --user or --workspace, not both.'],
    [['timezone', 'UTC', '--session'], "timezone lies in a settings file and can't be set for a session"],
    [['rules', 'a.md', '--session', 'first'], "rules can't be set for the session claude-code:first"],
  ] as const)('refuse %j', async (words, message) => {
    const { code, stderr } = await box.cairn('config', 'set', ...words, ...STORE)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(stderr).not.toContain(KEY)
  })

  it('of a file are taken back as well', async () => {
    await box.cairn('config', 'set', 'budget.day', '5', ...STORE)
    await box.cairn('config', 'set', 'budget.month', '90', ...STORE)
    expect(await box.json('config', 'unset', 'budget.day', ...STORE)).toMatchObject({ key: 'budget.day', before: 5 })
    expect(await box.json('config', 'unset', 'budget.day', ...STORE)).toMatchObject({ before: null })
    expect(await get('budget.day')).toMatchObject({ value: 0, origin: { from: 'default' } })
    expect(await get('budget.month')).toMatchObject({ value: 90 })
  })
})

describe('config import', () => {
  const CLINE = JSON.stringify({
    actModeApiProvider: 'openrouter',
    actModeOpenRouterModelId: 'qwen/qwen3',
    clineVersion: '3.26.0',
    taskHistory: [{ id: '1', task: 'x', isFavorited: true }],
    helperToken: 'words-that-look-like-nothing',
  })

  it('takes over what has a counterpart, names the rest, and changes nothing in a dry run', async () => {
    const file = box.file('globalState.json', CLINE)
    const report = {
      system: 'cline',
      settings: [
        { from: 'actModeApiProvider', key: 'provider', value: 'openrouter', kept: false },
        { from: 'actModeOpenRouterModelId', key: 'model', value: 'qwen/qwen3', kept: false },
      ],
      secrets: [],
      favourites: { marked: 0, already: 0, missing: 1 },
      aside: ['clineVersion'],
      leftSecrets: ['helperToken'],
    }
    expect(await box.json('config', 'import', '--from', file, '--dry-run', ...STORE)).toEqual({
      ...report,
      dryRun: true,
    })
    expect(await get('model')).toMatchObject({ value: null })
    expect(await box.json('config', 'import', '--from', file, ...STORE)).toEqual({ ...report, dryRun: false })
    expect(await get('model')).toMatchObject({ value: 'qwen/qwen3' })
    expect(await get('imported.cline')).toEqual({ key: 'imported.cline', value: [{ clineVersion: '3.26.0' }] })
    expect(readFileSync(file, 'utf8')).toBe(CLINE)
  })

  it('keeps keys where cairn secret does, and nowhere else', async () => {
    const file = box.file('clio.json', JSON.stringify({ provider: 'anthropic', api_keys: { anthropic: KEY } }))
    const first = await box.cairn('config', 'import', '--from', file, ...STORE)
    expect([first.code, first.stdout + first.stderr]).toEqual([0, expect.not.stringContaining(KEY)])
    expect(await box.json('secret', 'list')).toMatchObject({
      secrets: expect.arrayContaining([expect.objectContaining({ name: 'anthropic' })]),
    })
    expect(await box.json('config', 'import', '--from', file, ...STORE)).toMatchObject({
      secrets: [{ from: 'api_keys.anthropic', provider: 'anthropic', kept: true }],
    })
    for (const name of readdirSync(box.folder).filter((each) => each.startsWith('s.db')))
      expect(readFileSync(join(box.folder, name)).includes(KEY)).toBe(false)
  })

  it.each([
    ['{"a": ', 'it is not JSON'],
    ['{"compilerOptions":{}}', 'not a settings file that is known'],
  ])('says in a sentence what is wrong with %s', async (text, message) => {
    const { code, stderr } = await box.cairn('config', 'import', '--from', box.file('odd.json', text), ...STORE)
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr.trim().split('\n').length).toBe(1)
  })

  it('reads a pipe, and no device without an end', async () => {
    const { stdout } = await box.shell(
      `cairn config import --dry-run --from <(echo '{"mode":"plan","apiProvider":"x","taskHistory":[]}') ${STORE.join(' ')}`,
    )
    expect(stdout).toContain('Total: 1 setting of Cline')
    const endless = await box.cairn('config', 'import', '--from', '/dev/zero', ...STORE)
    expect([endless.code, endless.stderr]).toEqual([1, expect.stringContaining('is too large for settings')])
  })
})

describe('favourites', () => {
  it('are listed by themselves', async () => {
    expect(await box.json('session', 'list', '--favourites', ...STORE)).toMatchObject({ total: 0, sessions: [] })
    await box.cairn('session', 'favourite', 'second', ...STORE)
    expect(await box.json('session', 'list', '--favourites', ...STORE)).toMatchObject({
      total: 1,
      sessions: [expect.objectContaining({ favourite: true })],
    })
  })
})
