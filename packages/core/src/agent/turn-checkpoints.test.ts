import { describe, expect, it } from '@jest/globals'
import { textOfBlock } from '../messages.ts'
import type { Checkpoint } from '../checkpoints/checkpoints.ts'
import { CairnError } from '../errors.ts'
import { ModelError } from '../ports/language-model.ts'
import type { AgentOptions } from './agent-options.ts'
import { createAgent } from './create-agent.ts'
import { call, createBench, scriptedModel, text, type ScriptedReply } from './scripted-agent.fixture.ts'
import { changingTurns } from './turn-checkpoints.ts'

const write = (path: string): ScriptedReply => ({ blocks: [call(`w ${path}`, 'write', { path, text: path })] })
const shell = (command: string): ScriptedReply => ({ blocks: [call(`s ${command}`, 'shell', { command })] })
const done: ScriptedReply = { blocks: [text('So.')] }

/** Checkpoints that are only counted: as in a folder, one is new where something changed since the one before. */
const keeping = () => {
  const bench = createBench()
  const engine = bench.engine()
  let made = 0
  let ranAtLast = -1
  const create: AgentOptions['engine']['checkpoints']['create'] = async ({ root, sessionId = '' }) => {
    const isNew = bench.ran.length !== ranAtLast
    ranAtLast = bench.ran.length
    if (isNew) made += 1
    const checkpoint: Checkpoint = {
      id: `cp-${made}`,
      root,
      sessionId,
      at: bench.clock.now(),
      kind: 'manual',
      label: null,
      files: 1,
      bytes: 1,
      paths: null,
    }
    if (isNew) {
      const facts = { id: sessionId, agent: 'cairn', externalId: sessionId.replace(/^cairn:/, '') }
      const entry = { kind: 'checkpoint', at: checkpoint.at, checkpointId: checkpoint.id } as const
      await engine.sessions.append(facts, 'end', [{ entry }])
    }
    return { checkpoint, isNew, changed: 0, leftOut: [] }
  }
  const turn = async (
    message: string,
    replies: readonly ScriptedReply[],
    session?: string,
    more: Partial<AgentOptions> = {},
  ) =>
    createAgent(
      bench.options(scriptedModel([...replies, done]), {
        engine: { ...engine, checkpoints: { create } },
        checkpoints: true,
        ...(session === undefined ? {} : { session }),
        ...more,
      }),
    ).run(message)
  const found = async (session: string) =>
    changingTurns(await engine.sessions.log(session), '/w').map(({ checkpointId, message, changed }) => [
      checkpointId,
      message.content.map(textOfBlock).join(''),
      changed,
    ])
  return { bench, engine, turn, found }
}

describe('turns that changed something', () => {
  it('have the checkpoint before their first change, and all that was changed since', async () => {
    const { bench, engine, turn, found } = keeping()
    const { sessionId } = await turn('One', [write('b.ts'), write('/w/a.ts'), write('../out.ts'), write('/etc/x')])
    await turn('Nothing', [], sessionId)
    await turn('Two', [write('c.ts')], sessionId)
    expect(await found(sessionId)).toEqual([
      ['cp-1', 'One', ['a.ts', 'b.ts', 'c.ts']],
      ['cp-2', 'Two', ['c.ts']],
    ])
    expect(bench.events.filter(({ type }) => type === 'checkpoint')).toEqual([
      { type: 'checkpoint', checkpointId: 'cp-1', root: '/w' },
      { type: 'checkpoint', checkpointId: 'cp-2', root: '/w' },
    ])
    await turn('Build', [shell('make')], sessionId)
    await turn('Three', [write('d.ts')], sessionId)
    expect((await found(sessionId)).map(([, message, changed]) => [message, changed])).toEqual([
      ['One', undefined],
      ['Two', undefined],
      ['Build', undefined],
      ['Three', ['d.ts']],
    ])
    const log = await engine.sessions.log(sessionId)
    const [, two] = changingTurns(log, '/w')
    await engine.sessions.rewind(sessionId, { entry: (two?.message.seq ?? 0) - 1 })
    expect(await found(sessionId)).toEqual([['cp-1', 'One', ['a.ts', 'b.ts']]])
  })

  it('have a checkpoint that was there already, where nothing had changed since', async () => {
    const { turn, found } = keeping()
    const broken: Partial<AgentOptions> = {
      approvals: { preset: 'all' },
      tools: [
        {
          definition: { name: 'write', description: 'Fails.', inputSchema: { type: 'object' } },
          prepare: async () => ({
            effect: 'files',
            title: 'write',
            paths: ['a.ts'],
            run: async () => ({ content: [{ type: 'text', text: 'No.' }], isError: true }),
          }),
        },
      ],
    }
    const { sessionId } = await turn('Fail', [write('a.ts')], undefined, broken)
    await turn('Again', [write('a.ts')], sessionId)
    expect(await found(sessionId)).toEqual([
      ['cp-1', 'Fail', ['a.ts']],
      ['cp-1', 'Again', ['a.ts']],
    ])
  })

  it('have no checkpoint that the user made after a turn that broke off behind its calls', async () => {
    const { engine, turn, found } = keeping()
    const error = new ModelError('bad-request', 'No.')
    const look: ScriptedReply = { blocks: [call('r', 'read', { path: 'a.ts' })] }
    const { sessionId, end } = await turn('Look', [look, { error }])
    expect(end).toBe('failed')
    const facts = { id: sessionId, agent: 'cairn', externalId: sessionId.replace(/^cairn:/, '') }
    await engine.sessions.append(facts, 'end', [{ entry: { kind: 'checkpoint', at: 1, checkpointId: 'own' } }])
    expect(await found(sessionId)).toEqual([])
    await turn('Write', [write('a.ts')], sessionId)
    expect(await found(sessionId)).toEqual([['cp-1', 'Write', ['a.ts']]])
  })

  it('end where no checkpoint can be made, or go on and say so, as it is wished', async () => {
    const { bench, engine, turn, found } = keeping()
    const refusing = {
      ...engine,
      checkpoints: { create: () => Promise.reject(new CairnError('storage-failed', 'git is not installed.')) },
    }
    const ended = await turn('Go', [write('a.ts')], undefined, { engine: refusing })
    expect(ended).toMatchObject({ end: 'failed', reason: 'git is not installed.' })
    expect(bench.ran).toEqual([])
    const replies = [write('a.ts'), write('b.ts')]
    const gone = await turn('Go', replies, undefined, { engine: refusing, checkpoints: 'where-possible' })
    expect(gone.end).toBe('done')
    expect(bench.ran).toEqual(['write a.ts', 'write b.ts'])
    expect(await found(gone.sessionId)).toEqual([[undefined, 'Go', ['a.ts', 'b.ts']]])
    expect(bench.events.filter(({ type }) => type === 'notice')).toEqual([
      {
        type: 'notice',
        text: 'The files are not kept, so what this turn changes can’t be taken back: git is not installed.',
      },
    ])
  })
})
