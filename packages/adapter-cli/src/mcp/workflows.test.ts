/** Workflow files of a project on disk as prompts of the server. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { PromptListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { createEngine } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { createWorkspaceFiles } from '@cairn/core/node/sources'
import { createInMemoryStore } from '@cairn/core/testing'
import { clientOf, contextFor, serverOver } from './conversation.fixture.ts'

const OWN = ['recall-before-work', 'remember-what-we-learnt']

let folder = ''
let engine: Engine
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-workflows-')))
  const clock = createSystemClock()
  engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
  })
  put('app/package.json', '{}')
  put('app/.clinerules/workflows/release.md', '# Makes a release\n\nTag it, then publish.\n')
  put('app/.claude/commands/issue.md', '---\ndescription: Mends an issue\n---\nMend $ARGUMENTS, with a test.\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const roots = (): readonly string[] => [pathToFileURL(join(folder, 'app')).href]

/** The prompts, with those of the project: a list that did not come in time is asked for again once the client is told. */
const promptsOf = async (client: Client) => {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(PromptListChangedNotificationSchema, () => resolve())
    })
    const { prompts } = await client.listPrompts()
    if (prompts.length > OWN.length) return prompts
    await changed
  }
}
const namesOf = async (client: Client): Promise<readonly string[]> => (await promptsOf(client)).map(({ name }) => name)

describe('workflows', () => {
  it("are prompts of the client's project, with what the user types, as long as they are on", async () => {
    const client = await clientOf(serverOver({ engine }), roots())
    expect((await promptsOf(client)).map(({ name, title }) => [name, title]).slice(2)).toEqual([
      ['issue', 'Mends an issue'],
      ['release', 'Makes a release'],
    ])
    const { messages } = await client.getPrompt({ name: 'issue', arguments: { input: 'number 12' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Mend number 12, with a test.' } }])
    const workspace = join(folder, 'app')
    const files = createWorkspaceFiles([workspace])
    await engine.rules.switchFile({ workspace, home: '/home/u', files }, '.claude/commands/issue.md', false)
    expect(await namesOf(client)).toEqual([...OWN, 'release'])
    await expect(client.getPrompt({ name: 'releases' })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('release'),
    })
    await client.close()
  })

  it('are none where the client works in no project, and incognito', async () => {
    const lost = await clientOf(serverOver({ engine, context: contextFor(join(folder, 'nowhere')) }))
    expect((await lost.listPrompts()).prompts.map(({ name }) => name)).toEqual(OWN)
    await lost.close()
    const privacy = { incognito: true, longTermMemory: true }
    const hidden = await clientOf(serverOver({ engine, privacy }), roots())
    expect((await hidden.listPrompts()).prompts.map(({ name }) => name)).toEqual(OWN)
    expect(JSON.stringify(await hidden.getPrompt({ name: 'release' }))).toContain('--incognito')
    await hidden.close()
  })

  it('are told of where the store opens only after the list was asked for', async () => {
    let open: (engine: Engine) => void = () => undefined
    const opened = new Promise<Engine>((resolve) => {
      open = resolve
    })
    const client = await clientOf(serverOver({ engine, open: () => opened }), roots())
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(OWN)
    const all = namesOf(client)
    open(engine)
    expect(await all).toEqual([...OWN, 'issue', 'release'])
    await client.close()
  })
})
