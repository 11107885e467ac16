import { describe, expect, it } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { FsTree } from 'nx/src/generators/tree.js'
import ts from 'typescript'
import cliCommand from './cli-command.mjs'
import coreModule from './core-module.mjs'
import dashboardFeature from './dashboard-feature.mjs'
import provider from './provider.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What a generator would write into this repository; nothing is written. */
const written = async (generator, options) => {
  const tree = new FsTree(root, false)
  await generator(tree, options)
  return new Map(tree.listChanges().map(({ path, content }) => [path, content?.toString() ?? '']))
}

/** What the compiler says of files as if they stood in this repository; they are not written. */
const typeErrors = (files) => {
  const contents = new Map([...files].map(([path, content]) => [`${root}${path}`, content]))
  const config = ts.getParsedCommandLineOfConfigFile(`${root}packages/core/tsconfig.spec.json`, {}, ts.sys)
  const options = { ...config.options, composite: false, incremental: false, noEmit: true, tsBuildInfoFile: undefined }
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.readFile = (path) => contents.get(path) ?? readFile(path)
  host.fileExists = (path) => contents.has(path) || fileExists(path)
  host.getSourceFile = (path, ...rest) =>
    contents.has(path) ? ts.createSourceFile(path, contents.get(path), ...rest) : getSourceFile(path, ...rest)
  const program = ts.createProgram([...contents.keys()], options, host)
  return [...contents.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start, messageText }) =>
        `${path.slice(root.length)}:${file.getLineAndCharacterOfPosition(start).line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
}

describe('the generators', () => {
  it('write a core module beside its test', async () => {
    const files = await written(coreModule, { name: 'session/idle-time' })
    expect([...files.keys()].sort()).toEqual([
      'packages/core/src/session/idle-time.test.ts',
      'packages/core/src/session/idle-time.ts',
    ])
    expect(files.get('packages/core/src/session/idle-time.ts')).toContain('export const idleTime = ')
  })

  it('give a new folder of core the level that is named, and ask for one', async () => {
    const files = await written(coreModule, { name: 'weather/forecast', level: 'session' })
    expect(files.get('tools/eslint/core-levels.mjs')).toMatch(/'session',\s+'weather'/)
    await expect(written(coreModule, { name: 'weather/forecast' })).rejects.toThrow(/--level=session/)
  })

  it('write a command and list it', async () => {
    const files = await written(cliCommand, { name: 'weather', summary: "tomorrow's weather" })
    expect(files.get('packages/adapter-cli/src/program.ts')).toContain("load: () => import('./commands/weather.ts')")
    expect(files.get('packages/adapter-cli/src/commands/weather.ts')).toContain('type WeatherOptions')
  })

  it('write a feature of the dashboard, its page and its way there', async () => {
    const files = await written(dashboardFeature, { name: 'cost-alerts' })
    expect(files.get('apps/dashboard/src/trpc/app-router.ts')).toContain('costAlerts: costAlertsRouter,')
    const pages = files.get('apps/dashboard/src/features/shell/page-names.ts')
    expect(pages).toContain("path: '/cost-alerts'")
    const keys = [...pages.matchAll(/key: '(.)'/g)].map(([, key]) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(files.has('apps/dashboard/src/app/cost-alerts/page.tsx')).toBe(true)
  })

  it.each([
    ['chat', 'create: (options) => createAcmeCloudModel(openAIOptions(options))'],
    ['own', 'create: createAcmeCloudModel'],
  ])('write a provider of the wire "%s", its contract suite, and its row', async (wire, create) => {
    const baseUrl = 'https://api.acme.example/v1/'
    const files = await written(provider, { name: 'acme-cloud', baseUrl, wire })
    expect([...files.keys()].sort()).toEqual([
      'packages/core/src/providers/acme-cloud.contract.test.ts',
      'packages/core/src/providers/acme-cloud.ts',
      'packages/core/src/providers/registry.ts',
    ])
    const source = files.get('packages/core/src/providers/acme-cloud.ts')
    expect(source).toContain("const BASE_URL = 'https://api.acme.example/v1'\n")
    expect(source).toContain('export const createAcmeCloudModel = ')
    expect(files.get('packages/core/src/providers/acme-cloud.contract.test.ts')).toContain("name: 'acme-cloud',")
    const registry = files.get('packages/core/src/providers/registry.ts')
    expect(registry).toContain("import { createAcmeCloudModel } from './acme-cloud.ts'\n")
    const [, row = ''] = /^ {2}'acme-cloud': \{([^}]*)\}/m.exec(registry) ?? []
    expect(row).toContain("title: 'Acme Cloud'")
    expect(row).toContain("keyNames: ['ACME_CLOUD_API_KEY']")
    expect(row).toContain(create)
  })

  it.each(['chat', 'own'])('write a provider of the wire "%s" without a type error', async (wire) => {
    const files = await written(provider, { name: 'acme', baseUrl: 'https://api.acme.example/v1', wire })
    expect(typeErrors(files)).toEqual([])
  })

  it.each(['acme', 'bark', 'groq', 'openai-d', 'zephyr'])('import a provider %s in order', async (name) => {
    const files = await written(provider, { name, wire: 'own' })
    const imports = /^(?:import .*\n)+/m.exec(files.get('packages/core/src/providers/registry.ts'))?.[0] ?? ''
    const names = [...imports.matchAll(/from '\.\/(.*)\.ts'$/gm)].map(([, file]) => file)
    expect(names).toContain(name)
    expect(names).toEqual([...names].sort())
  })

  it('write a provider of its own wire that asks one address, and sends its key nowhere else', async () => {
    const files = await written(provider, { name: 'acme', wire: 'own' })
    const source = files.get('packages/core/src/providers/acme.ts')
    expect(source).toContain("(options.baseUrl ?? BASE_URL).replace(/\\/+$/, '')")
    expect(source).toContain("redirect: 'manual'")
    expect(source).not.toMatch(/file of (?:its|their) own/)
  })

  it('name no provider twice', async () => {
    const options = { baseUrl: 'https://api.acme.example/v1' }
    await expect(written(provider, { name: 'ollama', ...options })).rejects.toThrow(/a provider ollama already/)
    await expect(written(provider, { name: 'lm-studio', ...options })).rejects.toThrow(/lm-studio already/)
    await expect(written(provider, { name: 'anthropic', ...options })).rejects.toThrow(/exists already/)
  })

  it('overwrite nothing', async () => {
    await expect(written(coreModule, { name: 'session/rewind' })).rejects.toThrow(/exists already/)
    await expect(written(cliCommand, { name: 'usage' })).rejects.toThrow(/exists already/)
    await expect(written(dashboardFeature, { name: 'sessions' })).rejects.toThrow(/exists already/)
  })
})
