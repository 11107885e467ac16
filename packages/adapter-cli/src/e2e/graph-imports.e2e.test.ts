/** `cairn graph` of files on disk: imports, importers, circles. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const WHERE = ['--workspace', 'app', ...STORE]

beforeAll(async () => {
  box = createSandbox()
  mkdirSync(join(box.folder, 'app', '.git'), { recursive: true })
  box.file('app/tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }')
  box.file('app/src/login.ts', `import { store } from '@/store'\nimport type { User } from './user'\n`)
  box.file('app/src/store.ts', `import './login.js'\nawait import('./user')\n`)
  box.file('app/src/user.ts', `export const x = "import './login'"\n`)
  box.file('app/ignored/copy.ts', `import '../src/user'\n`)
  box.file('app/.cairnignore', 'ignored\n')
  box.file('outside.ts', '')
  const message = { session: 'one', id: '1', at: '2026-01-10T08:00:00Z', role: 'assistant', text: 'Editing' }
  const tool = { name: 'Edit', path: 'src/user.ts', kind: 'edit' }
  box.file('t.jsonl', `${JSON.stringify({ ...message, tool, workspace: join(box.folder, 'app') })}\n`)
  expect((await box.cairn('import', '--from', 't.jsonl', '--agent', 'generic', ...STORE)).code).toBe(0)
}, 120_000)
afterAll(() => box.remove())

describe('graph of a file on disk', () => {
  it('has what it imports, what imports it, and circles', async () => {
    expect(await box.json('graph', 'src/login.ts', ...WHERE)).toEqual({
      node: { kind: 'file', id: 'src/login.ts', label: 'src/login.ts', at: null },
      links: [],
      left: 0,
      imports: [
        { path: 'src/store.ts', kind: 'static', line: 1, specifier: '@/store' },
        { path: 'src/user.ts', kind: 'type', line: 2, specifier: './user' },
      ],
      importers: [{ path: 'src/store.ts', kind: 'static', line: 1 }],
      cycles: [{ files: ['src/login.ts', 'src/store.ts'], typeOnly: false }],
      cyclesLeft: 0,
      notices: [],
    })
    const { code, stdout } = await box.cairn('graph', 'login.ts', ...WHERE)
    expect(code).toBe(0)
    expect(stdout).toBe(`file src/login.ts

Imports
  src/store.ts  line 1
  src/user.ts   line 2  types only

Imported by
  src/store.ts  line 1

Import cycles
  src/login.ts → src/store.ts → src/login.ts

Total: 2 imports · 1 importer · 1 import cycle
`)
  })

  it('stands beside what sessions know, and not where only a time or other kinds are asked for', async () => {
    const { stdout } = await box.cairn('graph', 'src/user.ts', ...WHERE)
    expect(stdout).toMatch(
      /Edited in sessions\n.*\n\nImported by\n {2}src\/login\.ts +line 2 +types only\n {2}src\/store/,
    )
    expect(stdout).toMatch(/\nTotal: 1 link · 0 imports · 2 importers\n$/)
    for (const options of [
      ['--since', '2026-01-01'],
      ['--kinds', 'session'],
    ])
      expect(await box.json('graph', 'src/user.ts', ...options, ...WHERE)).not.toHaveProperty('imports')
    expect(await box.json('graph', 'session:one', ...STORE)).not.toHaveProperty('imports')
  })

  it.each([
    ['gone.ts', /^Nothing is known about "gone.ts"/],
    ['../outside.ts', /^"\.\.\/outside\.ts" lies outside of the project \S+, and no session knows it\.\n$/],
    ['src/', /^"src\/" is a folder: name a file in it\.\n$/],
    ['ignored/copy.ts', /^"ignored\/copy\.ts" is no file that the project has: it is ignored, or no regular file\.\n$/],
  ])('says in a sentence why there is nothing about %s', async (name, sentence) => {
    const { code, stdout, stderr } = await box.cairn('graph', name, ...WHERE)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})
