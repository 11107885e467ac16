/** `cairn context map`: the same bytes for the same files, changes since, wrong usage. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

let box: Sandbox
const WHERE = ['--workspace', 'app']

interface MapAnswer {
  readonly workspace: string
  readonly tree: string
  readonly files: number
  readonly complete: boolean
  readonly tokens: number
  readonly map: string
}

beforeAll(() => {
  box = createSandbox()
  mkdirSync(join(box.folder, 'app', '.git'), { recursive: true })
  box.file('app/package.json', '{}')
  box.file('app/src/index.ts', 'export const start = 1\nexport function stop() {}\n')
  box.file('app/src/parts/one.ts', '')
  box.file('app/src/parts/two.ts', '')
  box.file('app/secret/key.txt', '')
  box.file('app/.cairnignore', 'secret\n')
})
afterAll(() => box.remove())

const map = async (...args: readonly string[]): Promise<MapAnswer> =>
  (await box.json('context', 'map', ...args, ...WHERE)) as MapAnswer

describe('context map', () => {
  it('shows the project, without what is ignored, and needs no store', async () => {
    const { code, stdout, stderr } = await box.cairn('context', 'map', '--file', 'app/src/index.ts', ...WHERE)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('"app/src/index.ts" is no file') })
    expect(stdout).toBe('')
    const shown = await box.cairn('context', 'map', '--file', 'src/index.ts', ...WHERE)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(
      /^5 files\. Folders.*:\nsrc\/ 3 ts\n {2}parts\/ 2 ts\nRelated files:\nsrc\/index\.ts: start, stop\nManifests:\npackage\.json\nEntry points:\nsrc\/index\.ts\nTotal: about \d+ tokens · 5 files · tree [0-9a-f]{16}\n$/,
    )
  })

  it('is the same for the same files, within the tokens, and tells changes since', async () => {
    const first = await map('--tokens', '100')
    expect(first).toMatchObject({ workspace: expect.stringMatching(/app$/), files: 5, complete: true })
    expect(first.tokens).toBeLessThanOrEqual(100)
    const again = await map('--tokens', '100')
    expect([again.map, again.tree]).toEqual([first.map, first.tree])
    box.file('app/src/new.ts', '')
    box.file('app/src/parts/one.ts', 'changed')
    rmSync(join(box.folder, 'app/src/parts/two.ts'))
    const changes = await map('--since', first.tree)
    expect(changes).toMatchObject({
      added: ['src/new.ts'],
      removed: ['src/parts/two.ts'],
      changed: ['src/parts/one.ts'],
      text: 'added: src/new.ts\nremoved: src/parts/two.ts\nchanged: src/parts/one.ts\n',
    })
    const { stdout } = await box.cairn('context', 'map', '--since', changes.tree, ...WHERE)
    expect(stdout).toBe(`Total: 0 added files · 0 removed files · 0 changed files · tree ${changes.tree}\n`)
  })

  it('names the files that belong to a text, or else to the focus, with what they export', async () => {
    box.file('app/src/billing/invoice.ts', 'export const totalOfInvoice = 1\n')
    box.file('app/src/login/attempts.ts', 'export const mostAttempts = 5\n')
    const relatedOf = async (...args: readonly string[]): Promise<string> =>
      /\nRelated files:\n([^]*?)\nManifests:/.exec((await map(...args)).map)?.[1] ?? ''
    expect(await relatedOf()).toBe('')
    expect(await relatedOf('--text', 'attempts of the login')).toMatch(/^src\/login\/attempts\.ts: mostAttempts/)
    expect((await box.cairn('context', 'focus', 'src/billing/', ...WHERE)).code).toBe(0)
    expect(await relatedOf()).toMatch(/^src\/billing\/invoice\.ts: totalOfInvoice/)
    expect(await relatedOf('--file', 'src/index.ts')).toBe('src/index.ts: start, stop')
    expect(await relatedOf('--file', 'src/index.ts', '--text', 'login')).toMatch(
      /^src\/index\.ts: start, stop\nsrc\/login\/attempts\.ts/,
    )
    expect(await relatedOf('--incognito')).toBe('')
    const wrong = await box.cairn('context', 'map', '--text', 'the of', ...WHERE)
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no word to go by') })
    box.file('bad.db', 'no store')
    const without = await box.cairn('context', 'map', '--store', 'file:bad.db', ...WHERE)
    expect(without.code).toBe(0)
    expect(without.stderr).toMatch(/^The focus of the project is left out: [^\n]+\n$/)
    expect(without.stdout).toContain('Manifests:')
  })

  it.each([
    [['--tokens', '99'], 2, /^The tokens of a map must be a whole number from 100 to 100000, not 99\.\n$/],
    [['--since', 'abc'], 1, /^There is no map of the tree "abc", or no longer: make a new one\.\n$/],
    [
      ['--since', 'abc', '--text', 'login'],
      2,
      /^--since tells what changed since a map, [^\n]* leave out --text, [^\n]*\.\n$/,
    ],
    [['--since', 'abc', '--file', 'src/index.ts'], 2, /leave out --file, /],
    [['--file', 'src'], 2, /^src is a folder, not a file\.\n$/],
    [['--file', '../elsewhere.ts'], 2, /^\.\.\/elsewhere\.ts is outside of the project, or a link leads there\.\n$/],
    [['--file', 'nope.ts'], 1, /^"nope\.ts" is no file that the project has/],
    [['--workspace', 'none'], 2, /^"none" is no project's folder: call it in one, or name one with --workspace\.\n$/],
  ])('says what is wrong with %j', async (args, code, sentence) => {
    const answer = await box.cairn('context', 'map', ...(args[0] === '--workspace' ? args : [...args, ...WHERE]))
    expect(answer.code).toBe(code)
    expect(answer.stderr).toMatch(sentence)
  })
})
