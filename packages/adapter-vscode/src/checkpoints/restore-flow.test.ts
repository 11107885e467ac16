import type { CheckpointPreview } from '@cairn/core'
import { MINUTE, START, createTestProject } from './project.fixture.ts'
import type { TestProject } from './project.fixture.ts'
import { restoreCheckpoint } from './restore-flow.ts'
import type { RestoreDialogs } from './restore-flow.ts'
import { restoreDetail, restoreQuestion, restoredText } from './restore-text.ts'

let project: TestProject
beforeEach(() => {
  project = createTestProject()
})
afterEach(() => project.close())

/** Dialogs that note what they are asked, and answer as they are told. */
const dialogsThat = (more: Partial<RestoreDialogs> = {}): RestoreDialogs & { readonly asked: CheckpointPreview[] } => {
  const asked: CheckpointPreview[] = []
  return {
    asked,
    unsaved: () => [],
    settleUnsaved: async () => 'left',
    agree: async (preview) => {
      asked.push(preview)
      return true
    },
    withProgress: (_title, action) => action(() => undefined),
    ...more,
  }
}

describe('a restore', () => {
  it('does what the user agreed to, keeps what was there, and can be undone', async () => {
    project.write({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' })
    await project.edited('a.ts', 'codex:one')
    const checkpoint = await project.checkpoint('one', 'codex:one')
    project.write({ 'a.ts': '2', 'b.ts': '2', 'new.ts': '2' })
    project.remove('c.ts')
    await project.edited('a.ts', 'codex:one')
    const dialogs = dialogsThat()
    const result = await restoreCheckpoint(project.engine, { checkpoint }, dialogs)
    if (result.kind !== 'restored') throw new Error(result.kind)
    expect(restoredText(result.outcome, result.preview)).toEqual({
      text: 'Restored: 3 files written, 1 file removed.',
      isWhole: true,
    })
    expect(['a.ts', 'b.ts', 'c.ts'].map(project.read)).toEqual(['1', '1', '1'])
    const [preview] = dialogs.asked
    if (preview === undefined) throw new Error('nobody was asked')
    expect(restoreQuestion(preview, 'Restore “one”?')).toBe('Restore “one”? 3 files lose what they hold now.')
    expect(restoreDetail(preview, START + 8 * MINUTE).split('\n')).toEqual([
      'Removed, as they came since:',
      '    new.ts',
      '',
      'Get their former content:',
      '    a.ts (codex, 5 min ago)',
      '    b.ts',
      '',
      'Come back:',
      '    c.ts',
      '',
      'Without a name: changed by a person, a program, git, or an agent that Cairn does not know.',
      'What is there now is kept in a checkpoint first, so that this can be undone.',
    ])
    expect(await project.engine.files.warnings('codex:one')).toEqual([
      expect.objectContaining({ paths: ['a.ts', 'b.ts', 'c.ts', 'new.ts'] }),
    ])
    const undo = await project.engine.checkpoints.lastUndo(project.root)
    await restoreCheckpoint(project.engine, { checkpoint: undo }, dialogs)
    expect(['a.ts', 'new.ts'].map(project.read)).toEqual(['2', '2'])
  }, 60_000)

  it('changes nothing when the user does not agree, and when nothing differs', async () => {
    project.write({ 'a.ts': '1' })
    const checkpoint = await project.checkpoint('one')
    const never = dialogsThat({ agree: async () => Promise.reject(new Error('asked')) })
    expect(await restoreCheckpoint(project.engine, { checkpoint }, never)).toEqual({ kind: 'same' })
    project.write({ 'a.ts': '2' })
    const no = dialogsThat({ agree: async () => false })
    expect(await restoreCheckpoint(project.engine, { checkpoint }, no)).toEqual({ kind: 'cancelled' })
    expect(project.read('a.ts')).toBe('2')
  }, 60_000)

  it('restores one file alone', async () => {
    project.write({ 'a.ts': '1', 'sub/b.ts': '1' })
    const checkpoint = await project.checkpoint('one')
    project.write({ 'a.ts': '2', 'sub/b.ts': '2' })
    const dialogs = dialogsThat()
    await restoreCheckpoint(project.engine, { checkpoint, paths: ['sub/b.ts'] }, dialogs)
    expect(dialogs.asked[0]?.files.map(({ path }) => path)).toEqual(['sub/b.ts'])
    expect(['a.ts', 'sub/b.ts'].map(project.read)).toEqual(['2', '1'])
  }, 60_000)

  it('tells of unsaved editors before it asks, of files that it would change only', async () => {
    project.write({ 'a.ts': '1', 'b.ts': '1' })
    const checkpoint = await project.checkpoint('one')
    project.write({ 'a.ts': '2' })
    const told: (readonly string[])[] = []
    const answering = (answer: 'saved' | 'left' | 'cancelled') =>
      dialogsThat({
        unsaved: () => ['a.ts', 'b.ts', 'elsewhere.ts'],
        settleUnsaved: async (paths) => {
          told.push(paths)
          if (answer === 'saved') project.write({ 'a.ts': 'from the editor' })
          return answer
        },
      })
    expect(await restoreCheckpoint(project.engine, { checkpoint }, answering('cancelled'))).toEqual({
      kind: 'cancelled',
    })
    expect(project.read('a.ts')).toBe('2')
    // What was saved meanwhile is what the user agrees to lose, and what an undo gives back.
    const saved = await restoreCheckpoint(project.engine, { checkpoint }, answering('saved'))
    expect(saved.kind).toBe('restored')
    expect(project.read('a.ts')).toBe('1')
    const undo = await project.engine.checkpoints.lastUndo(project.root)
    await restoreCheckpoint(project.engine, { checkpoint: undo }, dialogsThat())
    expect(project.read('a.ts')).toBe('from the editor')
    expect(told).toEqual([['a.ts'], ['a.ts']])
  }, 60_000)

  it('changes nothing when files change while the user is asked', async () => {
    project.write({ 'a.ts': '1' })
    const checkpoint = await project.checkpoint('one')
    project.write({ 'a.ts': '2' })
    const slow = dialogsThat({
      agree: async () => {
        project.write({ 'a.ts': '3' })
        return true
      },
    })
    await expect(restoreCheckpoint(project.engine, { checkpoint }, slow)).rejects.toMatchObject({
      code: 'file-conflict',
    })
    expect(project.read('a.ts')).toBe('3')
  }, 60_000)
})

describe('the text of a restore', () => {
  it('names some of very many files, makes names harmless, and says what stayed', async () => {
    project.write({ 'a\u202e\u001b.ts': '1' })
    const checkpoint = await project.checkpoint('one')
    project.write(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`new-${index}.ts`, ''])))
    project.remove('a\u202e\u001b.ts')
    const preview = await project.engine.checkpoints.preview(project.root, checkpoint.id)
    const lines = restoreDetail(preview, START).split('\n')
    expect(lines).toContain('    … 3 more')
    expect(lines).toContain('    a\ufffd␛.ts')
    const outcome = {
      checkpoint,
      restored: 1,
      removed: 10,
      paths: [],
      untouched: [{ path: 'x', why: 'it was\nlocked' }],
      undo: null,
    }
    expect(restoredText(outcome, preview)).toEqual({
      text: 'Restored: 1 file written, 10 files removed. Left as they are: x (it was locked).',
      isWhole: false,
    })
  }, 60_000)
})
