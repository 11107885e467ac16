import { afterAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { monthlyLimits } from './monthly-budgets.ts'

describe('monthlyLimits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-budgets-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = (path: string, text: string): string => {
    const whole = join(folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
    return whole
  }
  const project = (name: string, settings: string): string =>
    dirname(dirname(file(join(name, '.cairn', 'config.json'), settings)))
  const limits = (projects: readonly string[]) =>
    monthlyLimits(
      { variables: { CAIRN_HOME: join(folder, 'own') }, platform: process.platform, home: folder, folder },
      projects,
    )

  it('has none where nothing is set', () => {
    expect(limits([join(folder, 'nowhere'), 'unknown', 'relative/path'])).toEqual([])
  })

  it('takes the user’s for all projects and each project’s own, once', () => {
    file('own/config.json', '{"budget":{"day":3,"month":250.5}}')
    const shop = project('shop', '\uFEFF{"budget":{"month":40}}')
    const api = project('api', '{"budget":{"day":7}}')
    const site = project('site', '{"budget":{"month":1200}}')
    expect(limits([site, api, shop, site])).toEqual([
      { project: null, limitUsd: 250.5 },
      { project: site, limitUsd: 1200 },
      { project: shop, limitUsd: 40 },
    ])
  })

  it('passes over what is no budget, and the paths of other machines', () => {
    const wrong = [
      '{"budget":{"month":"40"}}',
      '{"budget":{"month":0}}',
      '{"budget":[40]}',
      '[',
      '',
      'null',
      '{"budget":{"month":1e999}}',
    ]
    const projects = wrong.map((text, index) => project(`wrong-${index}`, text))
    mkdirSync(join(folder, 'directory', '.cairn', 'config.json'), { recursive: true })
    const own = project('network', '{"budget":{"month":5}}')
    expect(limits([...projects, join(folder, 'directory'), 'C:\\work\\billing', `/${own}`])).toEqual([
      { project: null, limitUsd: 250.5 },
    ])
  })
})
