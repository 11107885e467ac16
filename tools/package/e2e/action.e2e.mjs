// The action's script as a runner starts it, over the sample sessions.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const made = []
after(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Runs the script in a folder of its own; what it left there. */
const runAction = (inputs, variables = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-action-'))
  made.push(folder)
  const output = join(folder, 'output')
  const summary = join(folder, 'summary')
  for (const file of [output, summary]) writeFileSync(file, '')
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'action', 'report.mjs')], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      SystemRoot: process.env.SystemRoot,
      HOME: folder,
      USERPROFILE: folder,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      INPUT_COMMAND: join(root, 'packages', 'adapter-cli', 'bin', 'cairn.js'),
      ...inputs,
      ...variables,
    },
  })
  const outputs = Object.fromEntries(
    [...readFileSync(output, 'utf8').matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [
      name,
      value,
    ]),
  )
  const table = existsSync(outputs.table ?? '') ? readFileSync(outputs.table, 'utf8') : undefined
  return { status, stdout, outputs, table, summary: readFileSync(summary, 'utf8') }
}

const samples = { INPUT_FROM: `${join(root, 'samples', 'pi')}\n${join(root, 'samples', 'claude-code')}\n` }

describe('the action', () => {
  it('writes what the agents cost, and passes within the budget', () => {
    const { status, outputs, table, summary } = runAction({ ...samples, INPUT_MAX_COST: '31' })
    assert.equal(status, 0)
    assert.ok(Number(outputs.cost) > 30 && Number(outputs.cost) < 31)
    assert.equal(outputs['over-budget'], 'false')
    assert.match(table, /\| \*\*Total\*\* \| 460 \|.*\| \$30\.67 \|/)
    assert.match(table, /Within budget: \$30\.67 of \$31\.00\./)
    assert.equal(summary.trim(), table.trim())
  })

  it('fails above the budget with 3 and a sentence', () => {
    const { status, stdout, outputs, table } = runAction({ ...samples, INPUT_MAX_COST: '20.5' })
    assert.equal(status, 3)
    assert.match(stdout, /^::error::Over budget: \$30\.67 of \$20\.50, \$10\.17 too much\.$/m)
    assert.match(table, /\*\*Over budget/)
    assert.equal(outputs['over-budget'], 'true')
  })

  it('counts one agent when one is named', () => {
    const { status, table } = runAction({ ...samples, INPUT_AGENT: 'pi' })
    assert.equal(status, 0)
    assert.match(table, /\| \*\*Total\*\* \| 439 \|/)
  })

  it('passes where nothing was found, and says so', () => {
    const { status, stdout, outputs, table } = runAction({ INPUT_MAX_COST: '1' })
    assert.equal(status, 0)
    assert.equal(outputs.cost, '0')
    assert.match(stdout, /^::notice::Cairn found no request/m)
    assert.match(table, /No request of an agent was found/)
  })

  for (const [what, inputs, sentence] of [
    ['a budget that is no amount', { INPUT_MAX_COST: '$5; rm' }, /^::error::max-cost is no amount of USD: "\$5; rm"/m],
    ['a path that is not there', { INPUT_FROM: 'no/such/place' }, /^::(error|warning)::.*no\/such\/place/m],
    ['an agent that is none', { INPUT_AGENT: 'nobody\n::warning::x' }, /^::error::.*nobody/m],
  ])
    it(`reports ${what}`, () => {
      const { status, stdout } = runAction(inputs)
      assert.equal(status, 1, stdout)
      assert.match(stdout, sentence)
      assert.doesNotMatch(stdout, /^ {4}at /m)
      assert.doesNotMatch(stdout, /^::warning::x/m)
    })

  it('treats the name of a branch as text', () => {
    const hostile = 'a|b`@team`<img/src=x>](http://x)\n::error::$(touch hacked)\u202e'
    const { status, stdout, table } = runAction(samples, { GITHUB_HEAD_REF: hostile })
    assert.equal(status, 0)
    const [title, , head] = table.split('\n')
    assert.match(title, /^### What the agent cost: <code>[\p{L}\p{N} ./&#;-]+<\/code>$/u)
    assert.match(head, /^\| model/)
    assert.doesNotMatch(stdout, /hacked/)
  })
})
