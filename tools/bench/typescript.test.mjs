import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { typeScriptProblem } from './typescript.mjs'

const script = (name) => fileURLToPath(new URL(name, import.meta.url))
const start = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8' })
/** Makes a Node unable to load TypeScript, as an old one is. */
const OLD = '--no-experimental-strip-types'

describe('benchmarks and checks', () => {
  it.each([
    ['../checks/index.mjs', 'npm run checks'],
    ['index.mjs', 'npm run bench'],
  ])('%s say how to start them when Node can’t load TypeScript', (name, command) => {
    const { status, stdout, stderr } = start(OLD, script(name))
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd()).toBe(typeScriptProblem(undefined, process.versions.node, command))
    expect(stderr).toContain(`"${command}"`)
  })

  it.each(['../checks/index.mjs', 'index.mjs'])('%s have help, and a sentence for an unknown option', (name) => {
    const help = start(script(name), '--help')
    expect([help.status, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toMatch(/^npm run (?:bench|checks) /)
    const wrong = start(script(name), '--fast')
    expect([wrong.status, wrong.stdout]).toEqual([2, ''])
    expect(wrong.stderr).toMatch(/^Unknown option '--fast'.*--help lists .*\.\n$/)
  })

  it('run on a Node that loads TypeScript', () => {
    expect(typeScriptProblem('strip', '24.0.0', 'npm run bench')).toBeUndefined()
  })
})
