import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import type { JsonValue } from '../json.ts'
import { redact } from '../redaction/index.ts'
import { createTestTimer } from '../testing/fakes/timer.ts'
import { createSettings } from './create-settings.ts'
import { legacySettings } from './legacy-settings.ts'
import { SETTING_KEYS } from './setting-keys.ts'
import { STORED_SETTINGS } from './setting-names.ts'

const GLOBAL = { tier: 'global' } as const
const WORKSPACE = { tier: 'workspace', workspace: '/w' } as const
const SESSION = { tier: 'session', sessionId: 'pi:1' } as const
/** Forms of keys, put together here so that no scanner takes this file for a leak. */
const ANTHROPIC_KEY = `sk-ant-api03-${'Ab3'.repeat(30)}-${'x7Q'.repeat(3)}AA`
const OTHER_KEY = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const isSecret = (text: string): boolean => redact(text).count > 0

const setUp = (store = createInMemoryStore()) => ({
  store,
  settings: createSettings({ storage: store.state, timer: createTestTimer(), now: () => 42, isSecret }),
})

describe('settings in the store', () => {
  it('have a schema each, in the order of their names', () => {
    expect(SETTING_KEYS.map(({ name }) => name)).toEqual(Object.keys(STORED_SETTINGS))
  })

  it('are stored when they are set, and hold for the nearest tier', async () => {
    const { store, settings } = setUp()
    expect(await settings.set('model', GLOBAL, ' opus ')).toBe('opus')
    await settings.set('model', SESSION, 'haiku')
    await settings.set('rules', WORKSPACE, 'a.md, b.md=false')
    await settings.set('todo.remindEvery', WORKSPACE, '6')
    expect(new Map(await store.state.all(WORKSPACE))).toEqual(
      new Map<string, JsonValue>([
        ['rules', { 'a.md': true, 'b.md': false }],
        ['todo.remindEvery', 6],
      ]),
    )
    // Another program's settings over the same store.
    const other = setUp(store).settings
    expect(await other.get('model', { workspace: '/w', sessionId: 'pi:1' })).toEqual({
      name: 'model',
      value: 'haiku',
      from: 'session',
    })
    await settings.set('model', WORKSPACE, 'sonnet')
    expect(await settings.unset('model', SESSION)).toBe('haiku')
    expect(await settings.unset('model', SESSION)).toBeUndefined()
    expect(await other.get('model', { workspace: '/w', sessionId: 'pi:1' })).toMatchObject({ value: 'sonnet' })
    expect(await other.get('language', {})).toEqual({ name: 'language', value: null, from: 'default' })
  })

  it.each([
    ['mode', 'sideways', 'mode must be plan or act, and what was given is not; it is as it was.'],
    ['todo.enabled', 'yes', 'todo.enabled must be true or false'],
    ['todo.remindEvery', '0', 'a whole number from 1'],
    ['baseUrl', 'file:///etc/passwd', 'an address that begins with http:// or https://'],
    ['model', '   ', 'a text of at most 1,000 characters'],
    ['model', ANTHROPIC_KEY, 'cairn secret set <provider>'],
    ['rules', `${OTHER_KEY}=false`, 'looks like a key or a password'],
  ] as const)('refuse for %s what it does not take: %s', async (name, text, message) => {
    const { store, settings } = setUp()
    await expect(settings.set(name, GLOBAL, text)).rejects.toThrow(message)
    await expect(settings.set(name, GLOBAL, text)).rejects.not.toThrow(/sk-ant|ghp_/)
    expect((await store.state.all(GLOBAL)).size).toBe(0)
  })

  it('refuse a tier that a setting does not have', async () => {
    const { settings } = setUp()
    await expect(settings.set('rules', SESSION, 'a.md')).rejects.toThrow("rules can't be set for the session pi:1")
  })

  it('name what another version wrote, and list the rest', async () => {
    const { store, settings } = setUp()
    await store.state.set(
      WORKSPACE,
      new Map<string, JsonValue>([
        ['mode', 'later'],
        ['model', 'opus'],
      ]),
    )
    const { settings: all, unusable } = await settings.list({ workspace: '/w' })
    expect(unusable).toEqual([{ name: 'mode', scope: WORKSPACE, reason: 'invalid' }])
    expect(all.find(({ name }) => name === 'model')).toEqual({ name: 'model', value: 'opus', from: 'workspace' })
    expect((await settings.list({})).unusable).toEqual([])
    await settings.set('mode', WORKSPACE, 'plan')
    expect((await settings.list({ workspace: '/w' })).unusable).toEqual([])
  })
})

/** A global state of Cline with a model a mode. */
const CLINE: JsonValue = {
  planModeApiProvider: 'openrouter',
  planModeOpenRouterModelId: 'anthropic/claude-opus-5',
  actModeApiProvider: 'anthropic',
  actModeApiModelId: 'claude-sonnet-5',
  anthropicBaseUrl: 'https://proxy.example/v1',
  mode: 'act',
  preferredLanguage: 'Deutsch',
  autoApprovalSettings: {
    enabled: true,
    maxRequests: 20,
    actions: { readFiles: true, editFiles: false, useMcp: true },
  },
  focusChainSettings: { enabled: true, remindClineInterval: 6 },
  globalClineRulesToggles: { '/home/u/rules/a.md': true },
  taskHistory: [
    { id: '1756000000000', ts: 1, task: 'x', isFavorited: true },
    { id: '1756000000001', ts: 2, task: 'y' },
  ],
  clineVersion: '3.26.0',
  browserSettings: { viewport: { width: 900 }, remoteToken: 'plain text, but a token by its name' },
  openAiHeaders: { Authorization: 'Basic dXNlcjpwYXNz' },
  notes: `remember ${OTHER_KEY}`,
  planModeThinkingBudgetTokens: 1024,
}

describe('settings of Cline', () => {
  it('are told apart: counterparts, favourites, the rest, and secrets by their names and forms', () => {
    const { settings, favourites, aside, leftSecrets, secrets } = legacySettings(CLINE, isSecret)
    expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      baseUrl: 'https://proxy.example/v1',
      'plan.provider': 'openrouter',
      'plan.model': 'anthropic/claude-opus-5',
      mode: 'act',
      language: 'Deutsch',
      'approvals.read': true,
      'approvals.edit': false,
      'approvals.mcp': true,
      'approvals.maximumRequests': 20,
      'todo.enabled': true,
      'todo.remindEvery': 6,
      rules: { '/home/u/rules/a.md': true },
    })
    expect(favourites).toEqual(['1756000000000'])
    expect(secrets).toEqual([])
    expect(leftSecrets.toSorted()).toEqual(['browserSettings.remoteToken', 'notes', 'openAiHeaders.Authorization'])
    expect(aside).toEqual({
      autoApprovalSettings: {
        enabled: true,
        maxRequests: 20,
        actions: { readFiles: true, editFiles: false, useMcp: true },
      },
      focusChainSettings: { enabled: true, remindClineInterval: 6 },
      clineVersion: '3.26.0',
      browserSettings: { viewport: { width: 900 } },
      planModeThinkingBudgetTokens: 1024,
    })
  })

  it.each([
    [false, 'claude-3-7', 'claude-3-7'],
    [true, 'gpt-4o', 'claude-3-7'],
  ])('of a version with one model for both modes (separate: %s) become one a mode', (isSeparate, act, plan) => {
    const { settings } = legacySettings(
      {
        apiProvider: 'anthropic',
        apiModelId: 'claude-3-7',
        previousModeApiProvider: 'openai-native',
        previousModeModelId: 'gpt-4o',
        planActSeparateModelsSetting: isSeparate,
      },
      isSecret,
    )
    const byName = Object.fromEntries(settings.map(({ name, value }) => [name, value]))
    expect([byName['model'], byName['plan.model']]).toEqual([act, plan])
    expect([byName['provider'], byName['plan.provider']]).toEqual([isSeparate ? 'openai' : 'anthropic', 'anthropic'])
  })

  it('are taken over once, never over what is set here, and leave no secret in the store', async () => {
    const { store, settings } = setUp()
    await settings.set('language', GLOBAL, 'English')
    const dry = await settings.takeOver(CLINE, { scope: GLOBAL, isDry: true })
    expect((await store.state.all(GLOBAL)).size).toBe(1)
    const report = await settings.takeOver(CLINE, { scope: GLOBAL, isDry: false })
    expect(report).toEqual(dry)
    expect(report.taken.filter(({ isKept }) => isKept)).toEqual([
      { from: 'preferredLanguage', name: 'language', value: 'Deutsch', isKept: true },
    ])
    expect(await settings.get('language', {})).toMatchObject({ value: 'English' })
    expect(await settings.get('model', {})).toMatchObject({ value: 'claude-sonnet-5' })
    await settings.takeOver(CLINE, { scope: GLOBAL, isDry: false })
    const aside = await settings.aside('cline')
    expect(aside.length).toBe(1)
    const everything = JSON.stringify([...(await store.state.all(GLOBAL))])
    expect(everything).toContain('3.26.0')
    for (const secret of [OTHER_KEY, 'dXNlcjpwYXNz', 'plain text']) expect(everything).not.toContain(secret)
  })

  it('take a model, its provider and its address over together or not at all', async () => {
    const { settings } = setUp()
    await settings.set('model', GLOBAL, 'haiku')
    const { taken } = await settings.takeOver(CLINE, { scope: GLOBAL, isDry: false })
    expect(taken.filter(({ isKept }) => isKept).map(({ name }) => name)).toEqual(['provider', 'model', 'baseUrl'])
    const { settings: all } = await settings.list({})
    expect(all.slice(0, 3).map(({ value }) => value)).toEqual(['haiku', null, null])
    expect(await settings.get('plan.model', {})).toMatchObject({ value: 'anthropic/claude-opus-5' })
  })

  it('keep aside what a tier does not take', async () => {
    const { settings } = setUp()
    const report = await settings.takeOver(
      { localClineRulesToggles: { 'a.md': false } },
      { scope: SESSION, isDry: false },
    )
    expect([report.taken, report.aside]).toEqual([[], ['localClineRulesToggles']])
    expect(await settings.aside('cline')).toEqual([{ localClineRulesToggles: { 'a.md': false } }])
  })
})

describe('settings of CLIO', () => {
  it('give their keys to whoever keeps secrets, and name those of providers that are not known', () => {
    const found = legacySettings(
      {
        provider: 'openrouter',
        model: 'openrouter/qwen/qwen3-coder',
        api_key: OTHER_KEY,
        api_keys: { openrouter: OTHER_KEY, anthropic: ANTHROPIC_KEY, minimax: 'm-1' },
        api_bases: { openrouter: 'https://or.example/v1', 'llama.cpp': 'http://localhost:9090' },
        max_iterations: 7,
        redact_level: 'pii',
        serpapi_key: 's-1',
      },
      isSecret,
    )
    expect(found).toEqual({
      system: 'clio',
      settings: [
        { from: 'provider', name: 'provider', value: 'openrouter' },
        { from: 'model', name: 'model', value: 'qwen/qwen3-coder' },
        { from: 'api_bases.openrouter', name: 'baseUrl', value: 'https://or.example/v1' },
        { from: 'max_iterations', name: 'approvals.maximumRequests', value: 7 },
      ],
      secrets: [
        { from: 'api_keys.openrouter', provider: 'openrouter', value: OTHER_KEY },
        { from: 'api_keys.anthropic', provider: 'anthropic', value: ANTHROPIC_KEY },
      ],
      favourites: [],
      aside: {
        api_bases: { openrouter: 'https://or.example/v1', 'llama.cpp': 'http://localhost:9090' },
        redact_level: 'pii',
      },
      leftSecrets: ['api_keys.minimax', 'serpapi_key'],
    })
  })

  it.each([[null], ['text'], [[]], [{ compilerOptions: {} }], [[{ id: 1 }]]])('are not %j', (content) => {
    expect(() => legacySettings(content, isSecret)).toThrow(/not a settings file that is known/)
  })

  it('are refused when they are nested without end', () => {
    let deep: JsonValue = 'x'
    for (let level = 0; level < 5_000; level += 1) deep = { a: deep }
    expect(() => legacySettings({ api_key: '', deep }, isSecret)).toThrow(/nested too deeply/)
  })
})
