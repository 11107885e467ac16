import { describe, expect, it } from '@jest/globals'
import { completionOf } from './completion.ts'
import { contextOver, emptyEngine, heardTerminal } from './scripted-agent.fixture.ts'
import { SLASH_COMMANDS } from './slash/registry.ts'

const FILES = ['README.md', 'src/a.ts', 'src/app/main.ts', 'src/app/my notes.md', 'src/bad\u001b.ts', 'test/a.test.ts']

const complete = async (line: string) => {
  const engine = emptyEngine()
  const { terminal } = heardTerminal()
  const chat = {
    engine,
    context: contextOver(engine, terminal, '/code/app'),
    options: {},
    workspace: '/code/app',
    session: undefined as never,
    isPlain: false,
  }
  return completionOf(line, { commands: SLASH_COMMANDS, chat, files: async () => FILES })
}

describe('completion', () => {
  it.each([
    ['/mem', ['/memory '], '/mem'],
    ['/M', ['/memory ', '/model ', '/mode '], '/M'],
    ['/memory s', ['search '], 's'],
    ['/memory search s', [], 's'],
    ['/mode ', ['plan ', 'act '], ''],
    ['/help un', ['undo'], 'un'],
    ['Look at @', ['@git', '@git:branch', '@session', '@memory', '@README.md', '@src/', '@test/'], '@'],
    ['Look at @src/', ['@src/a.ts', '@src/app/'], '@src/'],
    ['(@src/app/m', ['@src/app/main.ts', '@"src/app/my notes.md"'], '@src/app/m'],
    ['see @"src/app/my', ['@"src/app/my notes.md"'], '@"src/app/my'],
    ['me@example', [], 'me@example'],
    ['plain words', [], 'plain words'],
    ['/memory add see @RE', ['@README.md'], '@RE'],
  ])('of %j', async (line, found, end) => {
    expect(await complete(line)).toEqual([found, end])
  })

  it('offers the models that are known', async () => {
    const [found] = await complete('/model claude-sonnet-')
    expect(found).toContain('claude-sonnet-5')
  })
})
