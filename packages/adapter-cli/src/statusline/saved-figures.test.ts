import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, UsageQuery } from '@cairn/core'
import { localStarts } from './local-starts.ts'
import { savedFigures, saveFigures } from './saved-figures.ts'
import { statusLine } from './status-line.ts'

/** Nobody answers there. */
const STORE = 'postgresql://ada:secret@127.0.0.1:1/cairn'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-figures-'))
  mkdirSync(join(folder, 'data'))
  mkdirSync(join(folder, 'project', '.git'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const surroundings = (address = STORE) => ({
  variables: { CAIRN_HOME: join(folder, 'data'), CAIRN_DATABASE_URL: address, NO_COLOR: '1' },
  platform: process.platform,
  home: folder,
  folder,
})

/** A store that has a cost for the day, one for the month, and one for each project. */
const engine = (): Pick<Engine, 'usage'> => {
  const costOf = ({ since, filter }: UsageQuery): bigint => {
    if (filter?.workspace !== undefined) return BigInt(filter.workspace.length) * 1_000_000_000n
    return since === localStarts(Date.now(), undefined).month && new Date().getDate() > 1
      ? 40_000_000_000n
      : 2_500_000_000n
  }
  const report = (query: UsageQuery) => Promise.resolve({ rows: [], total: { costNano: costOf(query) } })
  return { usage: { report, reprice: () => Promise.resolve({ priced: 0 }) } } as unknown as Pick<Engine, 'usage'>
}

const starts = () => localStarts(Date.now(), undefined)
const project = (): string => join(folder, 'project')
const save = () => saveFigures(engine(), surroundings(), STORE, starts(), project())
const line = (address = STORE): Promise<string> =>
  statusLine(
    { agent: 'claude-code', store: undefined, colours: false },
    JSON.stringify({ cwd: project(), model: 'm' }),
    surroundings(address),
  )

describe('figures of a store that is a server', () => {
  it('are those of the last import, and the line asks no server', async () => {
    expect(await line()).toBe('m · project\n')
    await save()
    expect(await line()).toBe(`m · today $2.50 · project $${project().length.toFixed(2)} · project\n`)
  })

  it('are not shown for another store, another day, another month', async () => {
    await save()
    expect(await line('postgresql://ada:secret@127.0.0.1:1/other')).toBe('m · project\n')
    const later = { day: starts().day + 86_400_000, month: starts().month }
    const known = savedFigures(surroundings(), STORE, later, project())
    expect(known.todayNano).toBeUndefined()
    expect(known.monthNano).toBeGreaterThan(0n)
    expect(savedFigures(surroundings(), STORE, { ...later, month: 0 }, '/none')).toEqual({
      todayNano: undefined,
      monthNano: undefined,
      projectNano: undefined,
    })
  })

  it('hold no password, and no project for ever', async () => {
    for (let index = 0; index < 60; index += 1)
      await saveFigures(engine(), surroundings(), STORE, starts(), `/p/${index}`)
    const text = readFileSync(join(folder, 'data', 'status-figures.json'), 'utf8')
    expect(text).not.toMatch(/secret|ada/)
    const { projects } = JSON.parse(text) as { projects: object }
    expect(Object.keys(projects)).toEqual(Array.from({ length: 50 }, (_, index) => `/p/${index + 10}`))
    expect(readdirSync(join(folder, 'data'))).toEqual(['status-figures.json'])
  })

  it.each(['', '{', '[]', '{"store":7}', '{"projects":{"__proto__":1}}'])(
    'are none where the file says %j',
    async (text) => {
      writeFileSync(join(folder, 'data', 'status-figures.json'), text)
      expect(await line()).toBe('m · project\n')
    },
  )
})
