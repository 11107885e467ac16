/** What was said three weeks ago, in another agent's session, does a task of today. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer, type Reply } from '@cairn/core/testing'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'

const DAY_MS = 86_400_000
const FACT = /PGPORT=(\d+)/

/** A model that knows nothing but what its request holds: it writes the port down when it sees it, or asks once what was said. */
const replyFrom = (body: Readonly<Record<string, unknown>>): Reply => {
  const request = JSON.stringify(body)
  const port = FACT.exec(request)?.[1]
  const hasTool = (name: string): boolean => request.includes(`"name":"${name}"`)
  const hasCalled = (name: string): boolean => request.includes(`"tool_use"`) && request.includes(`called ${name}`)
  if (hasCalled('write_file')) return { blocks: [{ type: 'text', text: 'Done.' }] }
  if (port !== undefined)
    return {
      blocks: [
        { type: 'text', text: 'I called write_file.' },
        { type: 'tool-call', name: 'write_file', input: { path: '.env.test', content: `PGPORT=${port}\n` } },
      ],
    }
  if (hasTool('recall') && !hasCalled('recall'))
    return {
      blocks: [
        { type: 'text', text: 'I called recall.' },
        { type: 'tool-call', name: 'recall', input: { query: 'integration tests database connect' } },
      ],
    }
  return { blocks: [{ type: 'text', text: 'Nothing tells me the port.' }] }
}

describe('cairn run with what was said weeks ago', () => {
  let box: Sandbox
  let server: ModelServer
  beforeEach(async () => {
    box = createSandbox({ ANTHROPIC_API_KEY: 'test-key' })
    box.file('project/.git/HEAD', 'ref: refs/heads/main\n')
    box.file('project/README.md', '# A project\n\nRun the integration tests with `npm run it`.\n')
    const spoken = (session: string, daysAgo: number, role: string, text: string): string =>
      JSON.stringify({
        session,
        role,
        text,
        at: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
        workspace: join(box.folder, 'project'),
      })
    const lines = [
      spoken('old', 21, 'user', 'The integration tests can not connect to the database on this machine.'),
      spoken(
        'old',
        21,
        'assistant',
        'Another server has the usual port: PGPORT=54329 in .env.test, then they connect.',
      ),
    ]
    for (let day = 20; day > 0; day -= 1)
      lines.push(
        spoken(`other-${day}`, day, 'user', `Give the button of page ${day} a larger margin.`),
        spoken(`other-${day}`, day, 'assistant', `The margin of page ${day} is ${day + 8} pixels now.`),
      )
    box.file('history.jsonl', `${lines.join('\n')}\n`)
    expect((await box.cairn('import', '--from', 'history.jsonl', '--agent', 'generic')).code).toBe(0)
    server = await startModelServer({ makeReply: ({ body }) => replyFrom(body) })
  })
  afterEach(async () => {
    await server.close()
    box.remove()
  })

  const run = (...options: readonly string[]) =>
    box.cairn(
      'run',
      'Make the integration tests connect to the database here',
      ...['--approve', 'edits', '--model', 'claude-sonnet-5', '--base-url', server.url, '--workspace', 'project'],
      ...options,
    )
  const written = (): string | undefined => {
    const path = join(box.folder, 'project/.env.test')
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  }

  it('does the task with it, and not without', async () => {
    expect(await run('--incognito')).toMatchObject({ code: 0, stdout: 'Nothing tells me the port.\n' })
    expect(written()).toBeUndefined()
    expect(server.requests.some(({ body }) => FACT.test(JSON.stringify(body)))).toBe(false)
    expect(await run()).toMatchObject({ code: 0, stdout: 'Done.\n' })
    expect(written()).toBe('PGPORT=54329\n')
  }, 120_000)
})
