/** Context documents over a store with a session, its todo list and edits. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEngine } from '../engine.ts'
import type { Engine, Privacy } from '../engine.ts'
import { createFileSystem, createHasher, createIds } from '../node/index.ts'
import { createDocumentFiles, createWorkspaceFiles } from '../node/sources/index.ts'
import type { GitFacts } from '../ports/git-facts.ts'
import type { DocumentId } from '../sources/documents/document-layout.ts'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-engine-documents-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const engineWith = async (privacy: Privacy = {}): Promise<Engine> => {
  const clock = createTestClock()
  const engine = createEngine({
    store: createInMemoryStore(),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
    privacy,
  })
  const edit = (id: string, path: string) =>
    ({ type: 'tool_call', id, name: 'Edit', input: { file_path: path, old_string: 'a', new_string: 'b' } }) as const
  const session = { id: 'cairn:a', agent: 'cairn', externalId: 'a', workspace: folder, title: 'Brew it longer' }
  const appended = await engine.sessions.append(session, 0, [
    { entry: { kind: 'message', id: 'm1', role: 'user', at: 1, content: [{ type: 'text', text: 'Brew it longer' }] } },
    {
      entry: { kind: 'message', id: 'm2', role: 'assistant', at: 2, content: [edit('c1', join(folder, 'src/tea.ts'))] },
    },
    { entry: { kind: 'message', id: 'm3', role: 'assistant', at: 3, content: [edit('c2', 'gone.ts')] } },
    { entry: { kind: 'message', id: 'm4', role: 'assistant', at: 4, content: [edit('c3', 'src/tea.ts')] } },
    {
      entry: {
        kind: 'todo',
        at: 5,
        items: [
          { text: 'Boil', status: 'completed' },
          { text: 'Pour', status: 'pending' },
        ],
      },
    },
  ])
  expect(appended.ok).toBe(true)
  return engine
}
const refused = { refused: 'this folder is in no git repository' }
const NO_GIT: GitFacts = { changes: async () => refused, commit: async () => refused, branch: async () => refused }
const GIT: GitFacts = {
  changes: async () => ({
    text: 'diff --git a/src/tea.ts b/src/tea.ts\n+x\n\nNew files, not in git yet:\nmemory-bank/progress.md\nsrc/new.ts\n',
    isCut: false,
  }),
  commit: async () => refused,
  branch: async () => ({ text: 'main...origin/main\n\n1a2b3c4 Black tea\n5d6e7f8 Green tea\n', isCut: false }),
}
const textsOf = async (engine: Engine, git: GitFacts): Promise<(document: DocumentId) => string> => {
  const documents = createDocumentFiles(folder)
  const plans = await engine.documents.plan({
    workspace: folder,
    mode: 'init',
    layout: await engine.documents.layout(folder),
    files: createWorkspaceFiles([folder]),
    git,
    read: (path) => documents.read(path),
  })
  return (document) => plans.find((plan) => plan.document === document)?.after ?? ''
}

describe('context documents', () => {
  it('hold the todo list and the files that sessions edited and that are there', async () => {
    put('src/tea.ts', '')
    put('memory-bank/other.md', 'not a file of the project')
    const text = await textsOf(await engineWith(), NO_GIT)
    expect(text('progress')).toContain('- [x] Boil\n- [ ] Pour\n')
    expect(text('progress')).toContain('_There are no commits._')
    expect(text('activeContext')).toMatch(/- `src\/tea\.ts` 2 edits \(1970-01-01\)/)
    expect(text('activeContext')).not.toContain('gone.ts')
    expect(text('activeContext')).toContain('_There is no git repository._')
    expect(text('projectbrief')).toContain('\n1 file.\n')
  })

  it('hold what git says, without the documents themselves', async () => {
    put('src/tea.ts', '')
    const text = await textsOf(await engineWith(), GIT)
    expect(text('activeContext')).toContain(
      'Branch: main...origin/main\n\nNot committed:\n\n- `src/tea.ts`\n- `src/new.ts`\n<!-- cairn:end work -->',
    )
    expect(text('progress')).toContain('- 1a2b3c4 Black tea\n- 5d6e7f8 Green tea\n')
  })

  it('are written without a memory that is switched off, and where a layout is kept', async () => {
    const engine = await engineWith({ longTermMemory: false })
    expect((await textsOf(engine, NO_GIT))('systemPatterns')).toContain('_Nothing is remembered yet')
    const layout = await engine.documents.layout(folder, { folder: 'docs/bank', names: { progress: 'status.md' } })
    expect((await engine.documents.layout(folder)).folder).toBe('memory-bank')
    await engine.documents.keepLayout(folder, layout)
    expect(await engine.documents.layout(folder)).toEqual(layout)
    expect((await engine.documents.layout(`${folder}-other`)).folder).toBe('memory-bank')
    await expect(engine.documents.layout(folder, { folder: '..' })).rejects.toMatchObject({ code: 'usage' })
  })
})
