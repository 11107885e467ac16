import { describe, expect, it } from '@jest/globals'
import { createAttribution } from './attribution.ts'
import type { FileLook } from './attribution-types.ts'
import { textShape } from './text-shape.ts'

const PATH = '/w/a.ts'
const look = (at: number, hash: string | null, more: Partial<FileLook> = {}): FileLook => ({
  path: PATH,
  at,
  content: hash === null ? null : { hash, shape: hash.toLowerCase() },
  modifiedAt: at,
  changedAt: at,
  ...more,
})
const begun = () => {
  const attribution = createAttribution()
  attribution.begin(look(0, 'first'))
  return attribution
}

describe('attribution', () => {
  it('gives a change of form to the formatter until three seconds after the agent, then to a person', () => {
    for (const [pause, verdict] of [
      [3_000, 'formatter'],
      [3_001, 'person'],
    ] as const) {
      const attribution = begun()
      attribution.intend(PATH, { hash: 'a', shape: 'a' }, 'codex', 1_000)
      expect(attribution.judge(look(1_000, 'a'))).toMatchObject({ verdict: 'agent', author: 'codex', at: 1_000 })
      expect(attribution.judge(look(1_000 + pause, 'A')).verdict).toBe(verdict)
    }
  })

  it('does not take an announced write for done before its bytes are there, nor after it was withdrawn', () => {
    const attribution = begun()
    attribution.intend(PATH, { hash: 'a' }, 'codex', 1_000)
    expect(attribution.judge(look(1_001, 'first')).verdict).toBe('nothing')
    attribution.withdraw(PATH)
    expect(attribution.judge(look(9_000, 'a')).verdict).toBe('person')
  })

  it('forgets an announced write after half a minute', () => {
    const attribution = begun()
    attribution.intend(PATH, { hash: 'a' }, 'codex', 1_000)
    expect(attribution.judge(look(31_001, 'a')).verdict).toBe('person')
  })

  it('gives to git what git knows, and is unsure of anything else that changed meanwhile', () => {
    for (const [isKnownToGit, verdict] of [
      [true, 'git'],
      [false, 'unsure'],
    ] as const) {
      const attribution = begun()
      const end = attribution.command({ kind: 'git', agent: 'me', paths: ['/w'], startedAt: 1_000 })
      expect(attribution.asksGit(PATH)).toBe(true)
      end(1_500)
      expect(attribution.judge(look(1_501, 'b', { modifiedAt: 1_200, isKnownToGit })).verdict).toBe(verdict)
      expect(attribution.asksGit(PATH)).toBe(false)
    }
  })

  it('puts nothing down to a command before it began, outside of its paths, or well after it ended', () => {
    const command = { kind: 'shell', agent: 'codex', startedAt: 10_000 } as const
    const before = begun()
    before.command({ ...command, paths: ['/w/'] })
    expect(before.judge(look(10_500, 'b', { modifiedAt: 9_000 })).verdict).toBe('person')
    const beside = begun()
    beside.command({ ...command, paths: ['/w/a.t', '/w/a.ts.map'] })
    expect(beside.judge(look(10_500, 'b')).verdict).toBe('person')
    const after = begun()
    after.command({ ...command, paths: [PATH] })(11_000)
    expect(after.judge(look(11_000, 'first')).verdict).toBe('nothing')
    expect(after.judge(look(11_100, 'b')).verdict).toBe('unsure')
    expect(after.judge(look(11_900, 'c')).verdict).toBe('person')
  })

  it('goes by the time of the last change of anything where the time of writing was set back', () => {
    const attribution = begun()
    attribution.command({ kind: 'shell', agent: 'codex', paths: [PATH], startedAt: 10_000 })
    expect(attribution.judge(look(10_500, 'b', { modifiedAt: -9_000, changedAt: 10_200 }))).toMatchObject({
      verdict: 'agent-tool',
      at: 10_200,
    })
  })

  it('takes the history along when a file gets another name', () => {
    const attribution = begun()
    attribution.intend(PATH, { hash: 'a' }, 'codex', 1_000)
    attribution.judge(look(1_000, 'a'))
    attribution.judge(look(5_000, null))
    attribution.move(PATH, '/w/b.ts')
    expect(attribution.judge({ ...look(5_100, 'a'), path: '/w/b.ts' })).toMatchObject({
      verdict: 'restored',
      author: 'codex',
    })
    expect(() => attribution.judge(look(6_000, 'a'))).toThrow(RangeError)
  })
})

describe('the shape of a text', () => {
  it('is the same for what formatters change, and only for that', () => {
    const shape = textShape(`const f = a => ['x', "y"]\n`)
    expect(textShape(`const f = (a) => [\r\n  "x",\n  'y',\n];\n`)).toBe(shape)
    expect(textShape(`\uFEFFconst f = a => ['x', "y"]`)).toBe(shape)
    expect(textShape(`const f = a => ['x', "z"]\n`)).not.toBe(shape)
    expect(textShape(`const f = a => {'x', "y"}\n`)).not.toBe(shape)
  })

  it('of nothing but separators is they themselves', () => {
    expect(textShape('( )\n')).toBe('()')
    expect(textShape(' \n')).toBe('')
    expect(textShape(';')).not.toBe(textShape(''))
  })
})
