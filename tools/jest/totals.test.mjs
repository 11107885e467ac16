import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const jest = createRequire(import.meta.url).resolve('jest/bin/jest')

const OUTER = `describe('outer', () => {
  it('works', () => {})
  it('fails', () => { throw new Error('first line\\nsecond line') })
  it.skip('is left out', () => {})
})`

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-totals-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const totalsOf = (files, args) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const file = join(folder, 'totals')
  writeFileSync(file, '')
  // Without this run's own settings of the test runners.
  const env = { ...process.env, NODE_OPTIONS: '', CAIRN_TEST_TOTALS: file, FORCE_COLOR: '1' }
  const { stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  if (lines.length !== 1 || lines[0] === '') throw new Error(`No totals: ${stderr}`)
  return JSON.parse(lines[0])
}

describe('totals of a run', () => {
  it('of Jest name failed tests, and suites that could not run', () => {
    const config = JSON.stringify({
      displayName: 'shop',
      testMatch: ['<rootDir>/*.test.cjs'],
      moduleFileExtensions: ['js', 'cjs'],
      reporters: [here('totals-reporter.mjs')],
      maxWorkers: 1,
    })
    const { passed, failed } = totalsOf(
      {
        'a.test.cjs': OUTER,
        'b.test.cjs': "throw new Error('cannot load')",
        'package.json': '{}',
        'jest.config.json': config,
      },
      [jest, '--config', 'jest.config.json'],
    )
    expect(passed).toBe(1)
    expect([...failed].sort()).toEqual([
      'shop a.test.cjs › outer › fails: Error: first line second line',
      'shop b.test.cjs: cannot load',
    ])
  })

  it('of "node --test" name them as well, each once', () => {
    const name = folder.split(/[\\/]/).at(-1)
    const { passed, failed } = totalsOf(
      { 'a.mjs': `import { describe, it } from 'node:test'\n${OUTER}`, 'b.mjs': "throw new Error('cannot load')" },
      ['--test', `--test-reporter=${here('node-totals-reporter.mjs')}`, 'a.mjs', 'b.mjs'],
    )
    expect(passed).toBe(1)
    expect([...failed].sort()).toEqual([
      `${name} a.mjs › fails: first line second line`,
      `${name} b.mjs › b.mjs: test failed`,
    ])
  })
})
