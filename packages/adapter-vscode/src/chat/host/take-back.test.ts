import { createAgent } from '@cairn/core/agent'
import { createAgentTools } from '@cairn/core/node/agent-tools'
import { createLanguageModel } from '@cairn/core/providers'
import { startModelServer, type ModelServer, type ReplyBlock } from '@cairn/core/testing'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { CheckpointPreview } from '@cairn/core'
import { createTestProject, type TestProject } from '../../checkpoints/project.fixture.ts'
import { logEvents } from '../conversation/log-events.ts'
import { EMPTY_CHAT } from '../conversation/chat-state.ts'
import { reduceAll } from '../conversation/reduce.ts'
import { takeBackTurn, type TakeBackDialogs, type TakenPart } from './take-back.ts'

jest.setTimeout(120_000)

const write = (path: string, content: string): ReplyBlock => ({
  type: 'tool-call',
  name: 'write_file',
  input: { path, content },
})
const run = (command: string): ReplyBlock => ({ type: 'tool-call', name: 'run_command', input: { command } })

describe('taking a turn back', () => {
  let project: TestProject
  let server: ModelServer
  let sessionId: string | undefined
  beforeEach(async () => {
    project = createTestProject()
    server = await startModelServer()
    sessionId = undefined
  })
  afterEach(async () => {
    await server.close()
    project.close()
  })

  /** A turn whose replies have these calls, and then an end. */
  const turn = async (message: string, ...replies: readonly (readonly ReplyBlock[])[]): Promise<string> => {
    server.script(...replies.map((blocks) => ({ reply: { blocks } })), {
      reply: { blocks: [{ type: 'text', text: 'Done.' }] },
    })
    const { engine, root } = project
    const troubles: unknown[] = []
    const agent = createAgent({
      engine,
      languageModel: createLanguageModel({ provider: 'anthropic', apiKey: 'test-key', baseUrl: server.url }),
      model: 'claude-sonnet-5',
      workspace: root,
      tools: createAgentTools({ roots: [root], entries: (id) => engine.sessions.log(id) }),
      approvals: { preset: 'all' },
      checkpoints: 'where-possible',
      learns: false,
      onEvent: (event) => {
        if (event.type === 'notice' || (event.type === 'request' && event.event.type === 'retry')) troubles.push(event)
      },
      ...(sessionId === undefined ? {} : { session: sessionId }),
    })
    const outcome = await agent.run(message)
    expect({ end: outcome.end, troubles }).toEqual({ end: 'done', troubles: [] })
    sessionId = outcome.sessionId
    return sessionId
  }
  /** What the chat shows of the session: each message of the user, and its checkpoint. */
  const messages = async (): Promise<readonly (readonly [string, string | undefined])[]> => {
    const { items } = reduceAll(EMPTY_CHAT, logEvents(await project.engine.sessions.log(sessionId ?? '')))
    return items.flatMap((item) => (item.kind === 'user' ? [[item.text, item.checkpointId] as const] : []))
  }
  interface Asked {
    readonly previews: CheckpointPreview[]
    readonly questions: string[]
  }
  const dialogs = (part: TakenPart | undefined, asked: Asked, isAgreed = true): TakeBackDialogs => ({
    choose: async () => part,
    agree: async (question) => {
      asked.questions.push(question)
      return isAgreed
    },
    restore: (title) => ({
      unsaved: () => [],
      settleUnsaved: async () => 'left',
      agree: async (preview) => {
        asked.questions.push(title)
        asked.previews.push(preview)
        return isAgreed
      },
      withProgress: (_title, action) => action(() => undefined),
    }),
  })
  const takeBack = async (message: string, part: TakenPart | undefined, isAgreed = true) => {
    const asked: Asked = { previews: [], questions: [] }
    const found = (await messages()).find(([text]) => text === message)
    const request = { sessionId: sessionId ?? '', folder: project.root, checkpointId: found?.[1] ?? '', fromEnd: 0 }
    const result = await takeBackTurn(project.engine, request, dialogs(part, asked, isAgreed))
    return { ...asked, result }
  }

  it('gives back the files alone: what tools changed since, and nothing of the user', async () => {
    project.write({ 'a.ts': 'a0', 'mine.ts': 'mine' })
    await turn('One', [write('new.ts', 'n1')])
    await turn('What is it?')
    await turn('Two', [write('new.ts', 'n2')])
    project.write({ 'mine.ts': 'mine, changed' })
    expect((await messages()).map(([text, checkpoint]) => [text, checkpoint !== undefined])).toEqual([
      ['One', true],
      ['What is it?', false],
      ['Two', true],
    ])
    const { result, previews, questions } = await takeBack('One', 'files')
    expect(questions).toEqual(['Give back the files as they were before “One”?'])
    expect(previews[0]?.files.map(({ path, change }) => [path, change])).toEqual([['new.ts', 'removed']])
    expect(result).toMatchObject({ kind: 'done', part: 'files', files: { outcome: { removed: 1 } } })
    expect(() => project.read('new.ts')).toThrow('ENOENT')
    expect(project.read('mine.ts')).toBe('mine, changed')
    expect(await messages()).toHaveLength(3)
  })

  it('takes the conversation back alone, and both', async () => {
    project.write({ 'a.ts': 'a0' })
    await turn('One', [run('echo one > a.ts')])
    await turn('Two', [run('echo two > a.ts')])
    const alone = await takeBack('Two', 'conversation')
    expect(alone.questions).toEqual(['Take the conversation back to before “Two”? 3 messages would leave it.'])
    expect(alone.result).toMatchObject({ kind: 'done', part: 'conversation', files: undefined, message: 'Two' })
    expect(project.read('a.ts')).toBe('two\n')
    expect((await messages()).map(([text]) => text)).toEqual(['One'])
    expect(await project.engine.files.warnings(sessionId ?? '')).toEqual([])
    const both = await takeBack('One', 'both')
    expect(both.questions).toEqual([
      'Give back the files as they were before “One”, and take the conversation back by 3 messages?',
    ])
    expect(both.result).toMatchObject({ kind: 'done', part: 'both', message: 'One' })
    expect(project.read('a.ts')).toBe('a0')
    expect(await messages()).toEqual([])
    // The session goes on as if nothing had been said.
    await turn('Three')
    expect((await messages()).map(([text]) => text)).toEqual(['Three'])
    expect(server.requests.at(-1)?.text).not.toContain('One')
  })

  it('gives back what the user said, whatever it begins with', async () => {
    project.write({ 'a.ts': 'a0' })
    const words = '<file_changes> what is that?'
    await turn(words, [write('b.ts', 'b1')])
    expect((await takeBack(words, 'conversation')).result).toMatchObject({ kind: 'done', message: words })
  })

  it('changes nothing where the user does not want it, or the turn is gone', async () => {
    project.write({ 'a.ts': 'a0' })
    await turn('One', [write('b.ts', 'b1')])
    for (const part of ['files', 'conversation', 'both'] as const)
      expect((await takeBack('One', part, false)).result).toEqual({ kind: 'cancelled' })
    expect((await takeBack('One', undefined)).result).toEqual({ kind: 'cancelled' })
    expect((await takeBack('Never said', 'both')).result).toEqual({ kind: 'gone' })
    expect(project.read('b.ts')).toBe('b1')
    expect(await messages()).toHaveLength(1)
  })

  it('asks about the conversation where the files are as they were already', async () => {
    project.write({ 'a.ts': 'a0' })
    await turn('One', [write('b.ts', 'b1')])
    project.remove('b.ts')
    const { result, previews, questions } = await takeBack('One', 'both')
    expect(previews).toEqual([])
    expect(questions).toHaveLength(1)
    expect(result).toMatchObject({ kind: 'done', part: 'both', files: undefined })
    expect(await messages()).toEqual([])
  })
})
