/** `cairn mcp` as a process: conversations with the SDK's client over both transports, and its end. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { callTool } from '../mcp/conversation.fixture.ts'
import { createSandbox } from '../testing/run-cli.ts'
import { until } from '../testing/run-hook.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeSession } from '../testing/transcripts.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const SESSION = 'claude-code:alpha-1'

let box: Sandbox
let project: string
const closing: (() => unknown)[] = []

const environment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(box.folder, 'home'),
  USERPROFILE: join(box.folder, 'home'),
  CAIRN_HOME: join(box.folder, 'data'),
  TZ: 'UTC',
  ...extra,
})

beforeAll(async () => {
  box = createSandbox()
  project = join(box.folder, 'project')
  mkdirSync(project)
  box.file('logs/alpha.jsonl', claudeSession('alpha-1'))
  await box.cairn('import', '--from', 'logs')
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => box.remove())

/** A client that has started `cairn mcp` and is connected to it. */
const start = async (
  ...args: readonly string[]
): Promise<{ readonly client: Client; readonly pid: number; readonly errors: () => string }> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    cwd: project,
    env: environment(),
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const client = new Client({ name: 'claude-code', version: '0.1.0' })
  closing.push(() => client.close())
  await client.connect(transport)
  return { client, pid: transport.pid ?? 0, errors: () => errors }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const raw = (...args: readonly string[]): ChildProcessWithoutNullStreams => {
  const child = spawn(process.execPath, [BIN, 'mcp', ...args], { cwd: project, env: environment() })
  closing.push(() => child.kill('SIGKILL'))
  return child
}

const ended = (
  child: ChildProcessWithoutNullStreams,
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly stdout: string }> =>
  new Promise((resolve) => {
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.on('close', (code, signal) => resolve({ code, signal, stdout }))
  })

const errorOutputMatching = (child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const match = pattern.exec(text)
      if (match !== null) resolve(match)
    })
    child.on('close', () => reject(new Error(`It ended and said: ${text}`)))
  })

const message = (id: number, method: string, params: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
const HELLO = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})

/** The bytes of every file of the data folder. */
const contents = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(box.folder, 'data'), { recursive: true, encoding: 'utf8' })
      .map((name): readonly [string, string] => [name, join(box.folder, 'data', name)])
      .filter(([, path]) => statSync(path).isFile())
      .map(([name, path]) => [name, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )

describe('over standard input and output', () => {
  it('marks an entry whose cited lines changed, in tool, resource and session_context', async () => {
    box.file('project/src/limit.ts', 'one\nexport const limit = 14\n')
    const added = ['memory', 'add', 'discovery', 'The limit is fourteen', '--example', 'src/limit.ts:2']
    expect((await box.cairn(...added, '--workspace', project)).code).toBe(0)
    const { client } = await start()
    const told = async (): Promise<readonly string[]> => [
      (await callTool(client, 'memory', { operation: 'list' })).text,
      (await callTool(client, 'memory', { operation: 'search', query: 'limit' })).text,
      (await callTool(client, 'session_context', {})).text,
    ]
    for (const text of await told())
      expect([text.includes('fourteen'), text.includes('out of date?')]).toEqual([true, false])
    box.file('project/src/limit.ts', 'one\nexport const limit = await settings()\n')
    for (const text of await told()) expect(text).toContain('out of date? src/limit.ts:2')
    // The other tests expect an empty memory.
    const [id = ''] = /\w{26}/.exec((await callTool(client, 'memory', { operation: 'list' })).text) ?? []
    expect((await box.cairn('memory', 'forget', id)).code).toBe(0)
  })

  it('says at its start that neither disk nor store has the folder of --workspace', async () => {
    const { client, errors } = await start('--workspace', '/no/such/folder')
    await client.listTools()
    await until('the folder is told', () => errors().includes('There is no folder /no/such/folder'))
    const everywhere = await start('--workspace', '*')
    expect((await callTool(everywhere.client, 'recall', { query: 'something said' })).isError).toBe(false)
    expect(everywhere.errors()).toBe('')
  })

  it('answers calls of every tool, and ends with its client', async () => {
    const { client, pid, errors } = await start()
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'session_context',
      'recall',
      'get_message',
      'get_session',
      'memory',
      'remember',
      'notes',
      'files',
      'project_map',
      'related_files',
    ])
    const [, hit = ''] = /1\. (\S+)/.exec((await callTool(client, 'recall', { query: 'flaky login clock' })).text) ?? []
    expect(hit).toContain(`${SESSION}#`)
    expect((await callTool(client, 'get_message', { id: hit })).text).toContain('login test')
    expect((await callTool(client, 'get_session', { id: 'alpha-1' })).text).toContain('Why is the login test flaky?')
    expect(
      (await callTool(client, 'remember', { operation: 'add_discovery', text: 'The login test waits for a clock' }))
        .text,
    ).toContain(`Remembered for ${project}`)
    const [id] = /\w{26}/.exec((await callTool(client, 'memory', { operation: 'list' })).text) ?? []
    expect((await callTool(client, 'memory', { operation: 'get', id })).text).toContain('by agent:claude-code')
    expect((await callTool(client, 'notes', { operation: 'set', key: 'plan', text: 'first the clock' })).isError).toBe(
      false,
    )
    expect((await callTool(client, 'session_context', { request: 'mend the login test' })).text).toContain(
      'waits for a clock',
    )
    expect((await callTool(client, 'files', { path: `session:${SESSION}` })).isError).toBe(false)
    expect(await callTool(client, 'recall', { query: '' })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32_602 })
    expect((await client.listResources()).resources.length).toBeGreaterThan(1)
    expect(
      JSON.stringify(await client.getPrompt({ name: 'recall-before-work', arguments: { task: 'the clock' } })),
    ).toContain('waits for a clock')
    await client.close()
    expect(isRunning(pid)).toBe(false)
    expect(errors()).toBe('')
    expect(JSON.stringify(await box.json('memory', 'list', '--workspace', project))).toContain('waits for a clock')
  })

  it('answers requests sent before the input ended, prints nothing else, and ends', async () => {
    const child = raw()
    const end = ended(child)
    child.stdin.end(HELLO + message(2, 'tools/list') + message(3, 'ping'))
    const { code, stdout } = await end
    expect(code).toBe(0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly jsonrpc: string; readonly id: number })
    expect(lines.map(({ id }) => id).sort()).toEqual([1, 2, 3])
    expect(lines.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  })

  it('ends while calls are under way, and when its output is closed', async () => {
    const child = raw()
    const end = ended(child)
    child.stdin.write(HELLO)
    for (let id = 2; id < 60; id++)
      child.stdin.write(
        message(id, 'tools/call', { name: 'recall', arguments: { query: 'flaky login', workspace: '*' } }),
      )
    child.stdin.end()
    expect((await end).code).toBe(0)
    const deaf = raw()
    const over = ended(deaf)
    deaf.stdout.destroy()
    deaf.stdin.on('error', () => undefined)
    deaf.stdin.write(HELLO + message(2, 'tools/list'))
    expect((await over).code).toBe(0)
  })

  it('continues after invalid lines, and reports an overlong one', async () => {
    const child = raw()
    const end = ended(child)
    const told = errorOutputMatching(child, /A message may have at most 4194304 bytes; one of 5242880 was left out\./)
    child.stdin.write(`nonsense\n{"jsonrpc":"1.0"}\n${HELLO}${'x'.repeat(5 * 1024 * 1024)}\n${message(2, 'ping')}`)
    await told
    child.stdin.end()
    const { code, stdout } = await end
    expect(code).toBe(0)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly id: number }).id),
    ).toEqual([1, 2])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends at %s', async (signal) => {
    const child = raw()
    const end = ended(child)
    child.stdin.write(HELLO)
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill(signal)
    expect(await end).toMatchObject({ signal })
  })

  it('leaves the store byte for byte as it was under --incognito', async () => {
    const before = contents()
    const { client } = await start('--incognito')
    for (const [tool, args] of [
      ['recall', { query: 'flaky' }],
      ['remember', { operation: 'add_discovery', text: 'a secret plan' }],
      ['notes', { operation: 'set', key: 'k', text: 'a secret plan' }],
      ['session_context', { request: 'flaky' }],
    ] as const) {
      expect((await callTool(client, tool, args)).text).toContain('--incognito')
    }
    await client.close()
    expect(contents()).toEqual(before)
  })

  it('reports that the store is gone, and works again when it is back', async () => {
    cpSync(join(box.folder, 'data', 'cairn.db'), join(box.folder, 'moved.db'))
    const store = join(box.folder, 'moved.db')
    const { client } = await start('--store', `file:${store}`)
    expect((await callTool(client, 'recall', { query: 'flaky' })).isError).toBe(false)
    renameSync(store, `${store}.away`)
    for (const suffix of ['-wal', '-shm']) rmSync(`${store}${suffix}`, { force: true })
    expect(await callTool(client, 'recall', { query: 'flaky' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is gone'),
    })
    renameSync(`${store}.away`, store)
    expect((await callTool(client, 'recall', { query: 'flaky' })).isError).toBe(false)
  })

  it('refuses wrong options', async () => {
    expect(await box.cairn('mcp', '--port', '4000')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--http'),
    })
    expect(await box.cairn('mcp', '--http', '--port', '99999')).toMatchObject({ code: 2 })
    expect(await box.cairn('mcp', '--http', '--allowed-host', 'http://x/')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--allowed-host'),
    })
    expect(await box.cairn('mcp', '--http', '--host', '203.0.113.7')).toMatchObject({ code: 2 })
  })
})

describe('over HTTP', () => {
  it('prints address and token, answers clients that have it, and ends at a signal', async () => {
    const child = raw('--http', '--port', '0', '--json')
    const end = ended(child)
    const [, url = '', token = '', file = ''] = await errorOutputMatching(
      child,
      /MCP server: (\S+)\nToken: (\S+) \(kept in (.+)\)\n/,
    )
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect(statSync(file).mode & 0o077).toBe(0)
    const client = new Client({ name: 'cursor', version: '0.1.0' })
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    })
    await client.connect(transport)
    expect((await client.listTools()).tools).toHaveLength(10)
    expect((await callTool(client, 'recall', { query: 'flaky login' })).text).toContain(SESSION)
    const [added] =
      /\w{26}/.exec(
        (await callTool(client, 'remember', { operation: 'add_pattern', text: 'Tests set their clock' })).text,
      ) ?? []
    expect((await callTool(client, 'memory', { operation: 'get', id: added })).text).toContain('by agent:cursor')
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    expect(
      (
        await fetch(url, {
          method: 'POST',
          body: '{}',
          headers: { Authorization: `Bearer ${token}`, Origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(403)
    await client.close()
    child.kill('SIGTERM')
    const { code, stdout } = await end
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ url, token, tokenFile: file, pid: child.pid })
  })
})
