import { describe, expect, it } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { FsTree } from 'nx/src/generators/tree.js'
import cliCommand from './cli-command.mjs'
import coreModule from './core-module.mjs'
import dashboardFeature from './dashboard-feature.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What a generator would write into this repository; nothing is written. */
const written = async (generator, options) => {
  const tree = new FsTree(root, false)
  await generator(tree, options)
  return new Map(tree.listChanges().map(({ path, content }) => [path, content?.toString() ?? '']))
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
    expect(files.get('apps/dashboard/src/features/shell/nav.tsx')).toContain("path: '/cost-alerts'")
    expect(files.has('apps/dashboard/src/app/cost-alerts/page.tsx')).toBe(true)
  })

  it('overwrite nothing', async () => {
    await expect(written(coreModule, { name: 'session/rewind' })).rejects.toThrow(/exists already/)
    await expect(written(cliCommand, { name: 'usage' })).rejects.toThrow(/exists already/)
    await expect(written(dashboardFeature, { name: 'sessions' })).rejects.toThrow(/exists already/)
  })
})
