// The command and the dashboard inside of the extension as it is packaged: no other cairn and no Node on the PATH, in a stub
// of the editor. Run by the e2e target.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { LIMIT_MS, installPackaged, openStub, packageManifest, temporaryFolders } from './packaged.mjs'

const { folder, home, installed, opened, variables: own, remove } = temporaryFolders()
const variables = { ...own, PATH: '/nowhere' }
const inHome = (path) => join(folder, path)
const SETTINGS = '{\n  "model": "opus"\n}\n'

describe('the extension alone', () => {
  let editor
  let bin

  /** Runs `cairn` as a terminal of the editor does. */
  const cairn = (...words) =>
    spawnSync(join(bin, 'cairn'), words, { cwd: opened, env: variables, encoding: 'utf8', timeout: LIMIT_MS })
  const messages = async (text) => editor.printed(({ message }) => message === text)

  before(async () => {
    installPackaged(installed)
    mkdirSync(opened)
    mkdirSync(inHome('.claude'))
    writeFileSync(inHome('.claude/settings.json'), SETTINGS)
    writeFileSync(inHome('.claude.json'), '{"numStartups": 1}\n')
    editor = openStub({ installed, opened, variables, settings: { watch: false } })
    const { value } = await editor.printed(({ variable }) => variable === 'PATH')
    bin = value.slice(1)
  })
  after(async () => {
    assert.equal(await editor.end(), 0)
    remove()
  })

  it('has the command in its terminals, which runs on the Node of the editor', () => {
    const { stdout, stderr } = cairn('--version')
    assert.equal(stdout.trim(), packageManifest().version, stderr)
    const doctor = cairn('doctor', '--json')
    assert.ok(doctor.stdout.includes(home), doctor.stderr)
    assert.equal(existsSync(home), false)
  })

  it('serves the dashboard', async () => {
    editor.run('cairn.openDashboard')
    const { external } = await editor.printed(({ external }) => external !== undefined)
    const entered = await fetch(external, { redirect: 'manual' })
    const cookie = entered.headers.getSetCookie().map((each) => each.split(';')[0])
    const page = await fetch(new URL('/', external), { headers: { Cookie: cookie.join('; ') } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<title>[^<]*Cairn/)
  })

  it('shows what setup would change, and writes nothing without a yes', async () => {
    editor.run('cairn.setUpAgents')
    const { changes, sides } = await editor.printed(({ changes }) => changes !== undefined)
    assert.equal(changes, 'Set up your agents: what would be written')
    assert.equal(sides.length, 2)
    const [before, after] = sides.find(([text]) => text === SETTINGS)
    assert.equal(before, SETTINGS)
    assert.match(after, /"model": "opus"[^]*SessionStart/)
    await messages('Nothing was written.')
    editor.run('stub.answer', ['Claude Code'], 'no')
    editor.run('cairn.setUpAgents')
    await editor.printed(({ asked }) => asked?.startsWith('Change 2 files?\n'))
    assert.equal(readFileSync(inHome('.claude/settings.json'), 'utf8'), SETTINGS)
  })

  it('writes what was shown, and what it writes starts the command from where it stays', async () => {
    editor.run('stub.answer', ['Claude Code'], 'Write')
    editor.run('cairn.setUpAgents')
    await messages('Cairn wrote 2 files.')
    const { document } = await editor.printed(({ document }) => document?.startsWith('# Your agents are set up'))
    assert.ok(document.includes(inHome('.claude/settings.json')))
    const { hooks } = JSON.parse(readFileSync(inHome('.claude/settings.json'), 'utf8'))
    const { command } = hooks.SessionStart[0].hooks[0]
    assert.ok(command.includes(`${bin}/cairn-node`), command)
    assert.ok(!command.includes(installed), command)
    const server = JSON.parse(readFileSync(inHome('.claude.json'), 'utf8')).mcpServers.cairn
    assert.deepEqual([server.command, ...server.args], [join(bin, 'cairn-node'), join(bin, 'cairn.js'), 'mcp'])
    editor.run('cairn.setUpAgents')
    await messages('Everything is set up already.')

    const runHook = (event) =>
      spawnSync('/bin/sh', ['-c', command.replace('session-start', event)], {
        env: variables,
        encoding: 'utf8',
        input: JSON.stringify({ session_id: 'one', cwd: opened, hook_event_name: 'SessionStart', source: 'startup' }),
        timeout: LIMIT_MS,
      })
    assert.deepEqual(
      [cairn('memory', 'add', 'discovery', 'The till rounds down').status, runHook('session-start').status],
      [0, 0],
    )
    assert.match(runHook('session-start').stdout, /The till rounds down/)
  })

  it('tells agents nothing, and the user in a sentence, once the extension is gone', () => {
    const { hooks } = JSON.parse(readFileSync(inHome('.claude/settings.json'), 'utf8'))
    rmSync(join(installed, 'dist', 'cairn'), { recursive: true, force: true })
    const hook = spawnSync('/bin/sh', ['-c', hooks.Stop[0].hooks[0].command], {
      env: variables,
      encoding: 'utf8',
      input: '{}',
    })
    assert.deepEqual([hook.status, hook.stdout, hook.stderr], [0, '', ''])
    const { status, stderr } = cairn('usage')
    assert.equal(status, 1)
    assert.match(stderr, /^cairn: the extension that this command came with is not there any more\. .*\n$/)
  })
})
