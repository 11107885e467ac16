/** What a restore does to each file, and what it leaves. */
import { describe, expect, it } from '@jest/globals'
import { NO_ATTRIBUTES } from './attributes.ts'
import type { LeftOut } from './left-out.ts'
import { isEmptyPlan, planRestore, remainingPlan } from './restore-plan.ts'
import type { RestoreEnd } from './restore-plan.ts'
import type { SnapshotChange, SnapshotEntry } from './snapshot-changes.ts'

const entry = (blob: string, mode = 0o644): SnapshotEntry => ({ gitMode: '100644', mode, blob })
const end = (leftOut: readonly LeftOut[] = [], emptyFolders: readonly string[] = []): RestoreEnd => ({
  attributes: { ...NO_ATTRIBUTES, emptyFolders },
  leftOut,
})
const left = (path: string, isFolder: boolean): LeftOut => ({ path, isFolder, reason: 'ignored' })
const came: SnapshotChange = { path: 'd/new', before: entry('1') }
const changed: SnapshotChange = { path: 'a', before: entry('2'), after: entry('3') }
const gone: SnapshotChange = { path: 'b/c', after: entry('4') }

describe('A planned restore', () => {
  it('removes what came, writes what changed or went, and removes folders only once they are empty', () => {
    const plan = planRestore([changed, gone, came], end(), end())
    expect(plan.remove).toEqual([{ path: 'd/new', before: entry('1') }])
    expect(plan.write.map(({ path }) => path)).toEqual(['a', 'b/c'])
    expect(plan.foldersToRemove).toEqual(['d'])
    expect([isEmptyPlan(plan), isEmptyPlan(planRestore([], end(), end()))]).toEqual([false, true])
  })

  it('keeps what the checkpoint left out, and what can not be captured now', () => {
    const plan = planRestore([gone, came], end([left('b', false)]), end([left('d', true)]))
    expect([plan.remove, plan.write]).toEqual([[], []])
    expect(plan.keep.map(({ path }) => path)).toEqual(['b/c', 'd/new'])
  })

  it.each([
    '../x',
    '/x',
    'a/../x',
    '.git/hooks/post-checkout',
    'sub/.GIT/config',
    'sub/git~1/x',
    '.git. /x',
    'a//b',
    'a/\0',
  ])('writes and removes nothing at %j', (path) => {
    const plan = planRestore(
      [
        { path, after: entry('5') },
        { path, before: entry('6') },
      ],
      end(),
      end(),
    )
    expect([plan.remove, plan.write, plan.keep.length]).toEqual([[], [], 2])
  })

  it('makes and removes empty folders', () => {
    const plan = planRestore([], end([], ['old/deep', 'same']), end([], ['new', 'same', 'old']))
    expect([plan.foldersToMake, plan.foldersToRemove]).toEqual([['new', 'old'], ['old/deep']])
  })

  it('goes on after an interruption with what nobody changed meanwhile', () => {
    const plan = planRestore([changed, gone, came], end(), end())
    const rest = remainingPlan(plan, [
      { path: 'a', before: entry('2'), after: entry('3') },
      { path: 'b/c', after: entry('7') },
    ])
    expect(rest.write).toEqual([])
    expect(rest.remove).toEqual(plan.remove)
    expect(rest.keep).toEqual([{ path: 'b/c', why: 'it was changed after the restore was interrupted' }])
  })
})
