import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ContentBlock, Engine, EntryWrite } from '@cairn/core'
import type { Chat } from '../chat.ts'
import { openChatSession } from '../chat-session.ts'
import { contextOver, emptyEngine, heardTerminal, scriptedAgents } from '../scripted-agent.fixture.ts'
import { SLASH_COMMANDS } from './registry.ts'
import { helpLines } from './help.ts'
import { isSlash, runSlash } from './slash-command.ts'

let folder: string
let engine: Engine
let chat: Chat
let heard: () => string
let turns: (string | undefined)[]
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'chat-slash-')))
  engine = emptyEngine()
  const { terminal, text } = heardTerminal()
  heard = text
  turns = []
  const session = await openChatSession(
    { engine, makeAgent: scriptedAgents([]).makeAgent, onEvent: async () => undefined },
    {},
  )
  const context = contextOver(engine, terminal, folder)
  const parts = { engine, context, options: { workspace: folder }, workspace: folder, session, isPlain: false }
  chat = { ...parts, leave: () => undefined, turn: async (message) => void turns.push(message) }
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a line shows. */
const typed = async (line: string): Promise<string> => {
  const before = heard().length
  await runSlash(line, SLASH_COMMANDS, chat)
  return heard().slice(before)
}

const store = async (id: string, title: string, text: string): Promise<void> => {
  await engine.sessions.append({ id, agent: 'cairn', externalId: id, workspace: folder }, 0, [
    { entry: { kind: 'message', at: 1_000, id: `${id}-m1`, role: 'user', content: [{ type: 'text', text }] } },
    { entry: { kind: 'title', at: 1_001, title } },
  ])
}

describe('slash commands', () => {
  it('are lines that begin with a slash and a word', () => {
    const lines = ['/help', ' /memory list', '/etc/hosts is wrong', '//x', '/ x', 'and /help', '/']
    expect(lines.filter(isSlash)).toEqual(['/help', ' /memory list'])
  })

  it('keep, find and end what is remembered, and notes', async () => {
    expect(await typed('/memory add Tests need --redis on "6380"')).toMatch(/^Remembered\./)
    expect(await typed('/memory add failure Node 20 has no execve')).toMatch(/failure/)
    const found = await engine.memory.search(folder, 'redis')
    expect(found.map(({ entry: { kind, text } }) => [kind, text])).toEqual([
      ['discovery', 'Tests need --redis on "6380"'],
    ])
    expect(await typed('/memory search redis')).toContain('Tests need --redis')
    expect(await typed(`/memory forget ${found[0]?.entry.id ?? ''}`)).toMatch(/^Forgotten/)
    expect(await typed('/memory')).not.toContain('redis')
    expect(await typed('/memory note set deploy Fridays only')).toMatch(/^Noted: deploy/)
    expect(await typed('/memory note get deploy')).toContain('Fridays only')
    expect(await typed('/memory note')).toContain('deploy')
  })

  it('switch, name and begin sessions', async () => {
    await store('cairn:one', 'The first', 'Hello.')
    expect(await typed('/session list')).toContain('The first')
    expect(await typed('/session switch cairn:o')).toContain('Going on with cairn:one (The first), 1 message.')
    expect(chat.session.id).toBe('cairn:one')
    expect(await typed('/session name Another title')).toContain('Another title')
    expect(await typed('/session')).toContain('This is cairn:one (Another title)')
    expect(await typed('/context')).toMatch(/^▰?▱+ \d+ %\nAbout \d+ of [\d,]+ tokens/)
    expect(await typed('/cost')).toMatch(/^Total: 0 requests/)
    await typed('/session continue')
    expect(turns).toEqual([undefined])
    await typed('/session new')
    expect(chat.session.id).toBeUndefined()
  })

  it('take the conversation back to before a change also where no checkpoint was made', async () => {
    await store('cairn:one', 'The first', 'Hello.')
    const facts = { id: 'cairn:one', agent: 'cairn', externalId: 'cairn:one' }
    const message = (id: string, role: 'user' | 'assistant', content: readonly ContentBlock[]): EntryWrite => ({
      entry: { kind: 'message', at: 2_000, id, role, content: [...content] },
    })
    await engine.sessions.append(facts, 2, [
      message('m2', 'user', [{ type: 'text', text: 'Tidy up.' }]),
      message('m3', 'assistant', [{ type: 'tool_call', id: 'c1', name: 'run_command', input: { command: 'rm x' } }]),
      { entry: { kind: 'tool-start', at: 2_001, callId: 'c1' } },
    ])
    await typed('/session switch cairn:one')
    for (const line of ['/undo', '/undo both'])
      expect(await typed(line)).toMatch(/^No checkpoint was made before that turn[^]*\/undo\s+conversation/)
    expect(await typed('/undo conversation')).toMatch(
      /^3 entries of the conversation would leave[^]*\/session rewind undo/,
    )
    expect((await engine.sessions.log('cairn:one')).at(-1)).toMatchObject({ kind: 'rewind', toSeq: 1 })
    expect(await typed('/undo conversation')).toMatch(/^No turn of this conversation has changed files yet/)
  })

  it.each([
    ['/memroy', /^There is no \/memroy\. Did you mean '\/memory'\?/],
    ['/memory lst', /^There is no \/memory lst\. Did you mean 'list'\?/],
    ['/memory add', /^What is to be remembered\?/],
    ['/memory note drop x', /^There is no \/memory note drop/],
    ['/memory forget nothing', /./],
    ['/session switch nobody', /^There is no session whose id is, or starts with, "nobody"/],
    ['/session rewind #1', /^The session begins with your first message/],
    ['/context', /^The session begins with your first message/],
    ['/context pin x', /^The session begins with your first message/],
    ['/checkpoint diff', /^Since which one\?/],
    ['/undo', /^No turn of this conversation has changed files yet/],
    ['/mode fly', /^There is no \/mode fly/],
    ['/model none', /^There is no model 'none'/],
    ['/help me', /^There is no \/me\./],
  ])('%s says in a sentence what is wrong', async (line, sentence) => {
    const text = await typed(line)
    expect(text).toMatch(sentence)
    expect(text.split(/[.?] /).length).toBeLessThan(5)
  })

  it('are all in the help, within the width', () => {
    for (const width of [40, 80]) {
      const lines = helpLines(SLASH_COMMANDS, { width, style: (_, text) => text })
      expect(lines.filter((line) => line.length > width)).toEqual([])
      for (const { name } of SLASH_COMMANDS) expect(lines.some((line) => line.startsWith(`/${name}`))).toBe(true)
    }
  })
})
