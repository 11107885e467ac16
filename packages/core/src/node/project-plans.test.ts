import { afterAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectPlans } from './project-plans.ts'

describe('projectPlans', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-plans-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (path: string, settings: unknown): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(settings))
    return dirname(dirname(file))
  }
  const plans = (projects: readonly string[]) =>
    projectPlans(
      { variables: { CAIRN_HOME: join(folder, 'own') }, platform: process.platform, home: folder, folder },
      projects,
    ).map(({ project, subscriptions, discounts }) => [
      project,
      subscriptions.map(({ name }) => name),
      discounts.map(({ percent }) => percent),
    ])
  const max = { name: 'Max', monthlyUsd: 100, since: '2026-01-31' }

  it('has none where nothing is set', () => {
    expect(plans([join(folder, 'nowhere'), 'unknown'])).toEqual([])
  })

  it('takes the user’s for all projects and each project’s own, and passes over what is wrong', () => {
    write('own/config.json', { subscriptions: { anthropic: [max] }, discounts: { openai: [{ percent: 12.5 }] } })
    const shop = write('shop/.cairn/config.json', { discounts: { openai: [{ percent: 40 }] } })
    const site = write('site/.cairn/config.json', { budget: { month: 7 } })
    const half = write('half/.cairn/config.json', {
      subscriptions: { anthropic: [{ ...max, since: 'soon' }] },
      discounts: { openai: [{ percent: 3 }] },
    })
    expect(plans([site, half, shop, shop])).toEqual([
      [null, ['Max'], [12.5]],
      [half, [], [3]],
      [shop, [], [40]],
    ])
  })
})
