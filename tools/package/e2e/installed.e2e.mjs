// The tarball as a user has it: installed globally with npm, with an empty home and away from the repository, where a file
// that it lacks would be found by accident. Run by the e2e target, after `npm run package`.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { zipEntries } from './zip-entries.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tarball = join(root, 'dist', `cairn-memory-${version}.tgz`)
const isWindows = process.platform === 'win32'
const folder = mkdtempSync(join(tmpdir(), 'cairn-installed-'))
const home = join(folder, 'home')
const work = join(folder, 'work')

/** Folders of PATH that are not the repository's own. */
const ownPath = (process.env.PATH ?? '').split(delimiter).filter((entry) => entry !== '' && !entry.startsWith(root))

/** Variables of npm, Nx and Cairn that a fresh user does not have; how npm reaches its registry stays. */
const FOREIGN =
  /^(npm_(?!config_(registry|proxy|https_proxy|noproxy|cafile|strict_ssl)$)|nx_|cairn_|node_(options|env|path)$|xdg_|init_cwd)/i

const environment = (nodeFolder) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name))),
  HOME: home,
  USERPROFILE: home,
  APPDATA: join(home, 'AppData', 'Roaming'),
  LOCALAPPDATA: join(home, 'AppData', 'Local'),
  PATH: [nodeFolder, ...ownPath].join(delimiter),
})

/** Where a tarball was installed, and how it is run. */
const install = (name, nodeFolder, ...options) => {
  const prefix = join(folder, name)
  const env = environment(nodeFolder)
  const args = ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', ...options, tarball]
  const startedAt = Date.now()
  const { status, stderr } = spawnSync('npm', args, { cwd: work, env, encoding: 'utf8', shell: isWindows })
  assert.equal(status, 0, stderr)
  console.log(`installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s (${name})`)
  const program = join(prefix, isWindows ? 'cairn.cmd' : 'bin/cairn')
  const modules = join(prefix, isWindows ? 'node_modules' : 'lib/node_modules', 'cairn-memory')
  // A process that is signalled is started without a shell in between.
  const start = (...words) =>
    spawn(join(nodeFolder, isWindows ? 'node.exe' : 'node'), [join(modules, 'bin', 'cairn.js'), ...words], {
      cwd: work,
      env,
    })
  const run = (...words) => spawnSync(program, words, { cwd: work, env, encoding: 'utf8', shell: isWindows })
  const json = (...words) => {
    const { stdout, stderr: messages, status: code } = run(...words, '--json')
    assert.equal(code, 0, `cairn ${words.join(' ')}: ${messages}${stdout}`)
    return JSON.parse(stdout)
  }
  return { modules, run, json, start }
}

/** The folder of a Node on PATH that is older than the command needs. */
const oldNodeFolder = () =>
  ownPath.find((entry) => {
    const program = join(entry, isWindows ? 'node.exe' : 'node')
    if (!existsSync(program)) return false
    const [major, minor] = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .stdout.split('.')
      .map(Number)
    return major < 22 || (major === 22 && minor < 15)
  })

before(() => {
  for (const made of [home, work]) mkdirSync(made, { recursive: true })
  cpSync(join(root, 'samples'), join(work, 'samples'), { recursive: true })
})
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** A session of Claude Code with one message, where it keeps that below a home folder; the path. */
const writeTranscript = (below, sessionId, content) => {
  const path = join(below, '.claude', 'projects', '-work', `${sessionId}.jsonl`)
  const line = { type: 'user', uuid: 'u1', sessionId, timestamp: '2026-01-31T08:00:00.000Z', cwd: work }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ ...line, message: { role: 'user', content } })}\n`)
  return path
}

describe('the installed package', () => {
  let cairn
  let session

  before(() => {
    // Without the network: everything is in the tarball.
    cairn = install('new', dirname(process.execPath), '--offline')
  })

  it('says its version', () => {
    assert.equal(cairn.run('--version').stdout.trim(), version)
  })

  it('imports, and prints what it cost', () => {
    const imported = cairn.json('import', '--from', 'samples')
    assert.equal(imported.sessions, 2)
    assert.ok(imported.requests > 400)
    assert.equal(cairn.json('usage').total.requests, imported.requests)
    assert.equal(cairn.run('usage', '--max-cost', '1').status, 3)
    assert.equal(cairn.json('import', '--from', 'samples').messages, 0)
  })

  it("keeps its data in the user's home folder", () => {
    assert.ok(globSync('**/*.db', { cwd: home }).length + globSync('.*/**/*.db', { cwd: home }).length > 0)
  })

  it('finds messages', () => {
    const { results } = cairn.json('recall', 'theme colors')
    assert.ok(results.length > 0)
    session = results[0].sessionId
  })

  it('serves every kind of page of the dashboard behind its token, without a build, and stops', async () => {
    const server = cairn.start('dashboard', '--no-open', '--json')
    let messages = ''
    server.stderr.on('data', (data) => (messages += data))
    try {
      const [line] = await Promise.race([
        once(createInterface({ input: server.stdout }), 'line'),
        once(server, 'exit').then(() => assert.fail(messages)),
      ])
      const { url } = JSON.parse(line)
      const address = new URL(url)
      assert.equal((await fetch(address.origin)).status, 401)
      const entered = await fetch(url, { redirect: 'manual' })
      const cookie = entered.headers
        .getSetCookie()
        .map((one) => one.split(';', 1)[0])
        .join('; ')
      const pages = [
        '',
        'sessions',
        `sessions/${encodeURIComponent(session)}`,
        'models',
        'projects',
        'branches',
        'agents',
      ]
      for (const page of pages) {
        const answer = await fetch(`${address.origin}/${page}`, { headers: { cookie } })
        const text = await answer.text()
        assert.equal(answer.status, 200, page)
        assert.match(text, /<main/, page)
        const [style] = /\/_next\/static\/[^"]+\.css/.exec(text) ?? []
        assert.ok(style !== undefined, page)
        assert.equal((await fetch(address.origin + style, { headers: { cookie } })).status, 200)
      }
      assert.doesNotMatch(messages, /Building|Cannot find/)
      server.kill()
      await once(server, 'exit')
      await assert.rejects(fetch(address.origin))
    } finally {
      server.kill('SIGKILL')
    }
  })

  it('knows models and their prices', () => {
    const { models } = cairn.json('models', 'claude-opus-4-5')
    assert.match(models[0]?.id, /^claude-opus-4-5/)
    assert.ok(models[0].prices.input > 0)
  })

  it('speaks MCP over standard input and output', async () => {
    const server = cairn.start('mcp')
    const lines = createInterface({ input: server.stdout })
    const ask = async (id, method, params) => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      const [line] = await once(lines, 'line')
      return JSON.parse(line).result
    }
    try {
      const clientInfo = { name: 'test', version: '1' }
      const hello = await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      assert.equal(hello.serverInfo.name, 'cairn')
      const { tools } = await ask(2, 'tools/list', {})
      assert.ok(tools.length > 2)
      server.stdin.end()
      await once(server, 'exit')
    } finally {
      server.kill('SIGKILL')
    }
  })

  it('sets up an agent in an empty home, whose hooks and status line then run as its settings say, and takes it out again', () => {
    // Without Cairn's own data, and what npm keeps.
    const listing = () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/cairn[\\/]|\.npm|_cache/.test(name))
        .sort()
    const before = listing()
    const found = cairn.json('setup')
    assert.equal(found.written, false)
    assert.deepEqual(
      found.agents.filter((agent) => agent.found),
      [],
    )
    assert.equal(cairn.json('setup', 'claude-code', '--yes').written, true)
    const { hooks, statusLine } = JSON.parse(readFileSync(join(home, '.claude', 'settings.json'), 'utf8'))
    const answer = (command, input) => {
      const { status, stdout, stderr } = spawnSync(command, {
        cwd: work,
        env: environment(dirname(process.execPath)),
        encoding: 'utf8',
        input: JSON.stringify(input),
        shell: true,
      })
      assert.deepEqual([status, stderr], [0, ''], command)
      return stdout
    }
    cairn.run('memory', 'add', 'pattern', 'Write plainly', '--workspace', work)
    const given = JSON.parse(
      answer(hooks.SessionStart[0].hooks[0].command, { session_id: 's', cwd: work, source: 'startup' }),
    )
    assert.match(given.hookSpecificOutput.additionalContext, /Write plainly/)
    const prompt = 'What does the hook take in?'
    const transcript = writeTranscript(work, '7b7a2f54-3a52-4a52-a7a0-0e6dd0a2d9f3', prompt)
    const stopped = { session_id: '7b7a2f54-3a52-4a52-a7a0-0e6dd0a2d9f3', transcript_path: transcript, cwd: work }
    assert.equal(answer(hooks.Stop[0].hooks[0].command, stopped), '')
    // A process of its own imports it, after the hook has ended.
    const isIn = () => cairn.json('session', 'list').sessions.some(({ title }) => title === prompt)
    let looks = 0
    while (!isIn() && looks < 100) looks++
    assert.ok(looks < 100)
    assert.match(answer(statusLine.command, { model: { display_name: 'Opus' } }), /^Opus/)
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))
    assert.ok(mcpServers.cairn.args.every((word) => word === 'mcp' || existsSync(word)))
    assert.equal(cairn.json('setup', '--remove', '--yes').written, true)
    assert.deepEqual(listing(), before)
  })

  it('follows what an agent writes until it is told to end', { timeout: 120_000 }, async () => {
    const watch = cairn.start('watch', '--json')
    const events = []
    let notice = () => undefined
    createInterface({ input: watch.stdout }).on('line', (line) => {
      events.push(JSON.parse(line))
      notice()
    })
    const until = async (isThere) => {
      while (!events.some(isThere)) await new Promise((resolve) => (notice = resolve))
    }
    const ended = once(watch, 'exit')
    try {
      await until(({ event }) => event === 'following')
      writeTranscript(home, '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11', 'What is followed?')
      await until(({ event, messages }) => event === 'import' && messages === 1)
      watch.kill('SIGTERM')
      const [code] = await ended
      if (!isWindows) assert.equal(code, 0)
    } finally {
      watch.kill('SIGKILL')
    }
  })

  it('has help for every command that it lists, and every file that the build made', () => {
    const commands = [...cairn.run('--help').stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name)
    assert.ok(commands.length > 10, commands.join())
    // The newest ones, where they are: what an agent's settings call.
    for (const name of ['mcp', 'setup', 'hook', 'statusline'].filter((one) => commands.includes(one)))
      assert.equal(cairn.run(name, '--help').status, 0, name)
    const built = globSync('{bin,dist}/**/*.js', { cwd: join(root, 'packages', 'adapter-cli') })
    assert.deepEqual(
      built.filter((file) => !existsSync(join(cairn.modules, file))),
      [],
    )
  })

  it('names exact versions, fetches nothing, and holds no trace of the build machine', () => {
    const manifest = JSON.parse(readFileSync(join(cairn.modules, 'package.json'), 'utf8'))
    for (const [name, wanted] of Object.entries(manifest.dependencies)) assert.match(wanted, /^\d+\.\d+\.\d+/, name)
    assert.deepEqual(manifest.bundleDependencies, Object.keys(manifest.dependencies))
    assert.equal(manifest.devDependencies, undefined)
    const texts = globSync('**/*.{js,cjs,mjs,json,txt,css,html}', { cwd: cairn.modules, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const own = texts.filter((file) => readFileSync(file, 'utf8').includes(root))
    assert.deepEqual(own, [])
  })
})

describe('where Node is too old', { skip: oldNodeFolder() === undefined && 'there is no old Node on PATH' }, () => {
  it('says so in one sentence when the installation could bring none', () => {
    const { status, stderr } = install('bare', oldNodeFolder(), '--ignore-scripts').run('--version')
    assert.equal(status, 1)
    assert.match(stderr, /^cairn needs Node 22\.15 or newer, and this is \S+: install a newer one\.\n$/)
  })

  it('runs on the Node that the installation brought', () => {
    const cairn = install('old', oldNodeFolder())
    assert.equal(cairn.run('--version').stdout.trim(), version)
    assert.ok(cairn.json('usage').total.requests > 400)
  })
})

describe('the extension beside it', () => {
  it('holds its code, native modules of this platform, and nothing else', () => {
    const [file, ...others] = globSync(`cairn-*-${version}.vsix`, { cwd: join(root, 'dist') })
    assert.deepEqual(others, [])
    const entries = zipEntries(readFileSync(join(root, 'dist', file))).map((name) => name.replace(/^extension\//, ''))
    for (const needed of ['package.json', 'dist/extension.cjs', 'LICENSE.txt'])
      assert.ok(entries.includes(needed), `${needed} of ${entries.join()}`)
    // The command and the dashboard are inside of it, as they are in the tarball.
    const [own, command] = [false, true].map((isInside) =>
      entries.filter((name) => name.startsWith('dist/cairn/') === isInside),
    )
    assert.ok(command.includes('dist/cairn/bin/cairn.js'))
    assert.equal(command.filter((name) => name.endsWith('.node')).length, 2)
    assert.equal(own.filter((name) => name.endsWith('.node')).length, 1)
    assert.equal(own.filter((name) => name.endsWith('.wasm.br')).length, 2)
    assert.deepEqual(
      own.filter((name) => /node_modules|\.(map|ts|mjs|tsbuildinfo)$|(^|\/)src\//.test(name)),
      [],
    )
  })
})
