import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { readStatCache, removeStatCache, writeStatCache } from './stat-cache.ts'
import type { CachedFile, StatCache } from './stat-cache.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-stat-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const usual = { file: 0o644, executable: 0o755, folder: 0o755 }
const file = (number: number): CachedFile => ({
  stamp: number % 7 === 0 ? '' : `${number} ${number * 1.5}`,
  blob: String(number).padStart(40, '0'),
  gitMode: number % 5 === 0 ? '100755' : '100644',
  size: number * number,
})
const filesOf = (count: number): Map<BytePath, CachedFile> =>
  new Map(Array.from({ length: count }, (_, number) => [`d${number % 9}/\u00e2 ${number}`, file(number)]))
const kept = (): StatCache => {
  const cache = readStatCache(folder)
  if (cache === undefined) throw new Error('there is no cache')
  return cache
}
const since = (): string => join(folder, 'cairn-files-since')
/** Changes what is kept: some other, some removed, some new; as a capture does. */
const change = (cache: StatCache, commit: string, paths: ReadonlyMap<BytePath, CachedFile | undefined>): void => {
  for (const [path, fact] of paths) {
    if (fact === undefined) cache.files.delete(path)
    else cache.files.set(path, fact)
    cache.whole.changed.add(path)
  }
  writeStatCache(folder, { ...cache, commit, tree: `tree of ${commit}` })
}

describe('the cache of what was found of each file', () => {
  it('keeps what changed in a large folder beside the rest, and reads both as one', () => {
    const files = filesOf(2_500)
    writeStatCache(folder, { commit: 'a', tree: 'tree of a', usual, files })
    const whole = readFileSync(join(folder, 'cairn-files'))
    const expected = new Map(files)
    change(
      kept(),
      'b',
      new Map([
        ['d1/\u00e2 1', file(9_001)],
        ['d2/\u00e2 2', undefined],
        ['new', file(3)],
      ]),
    )
    change(
      kept(),
      'c',
      new Map([
        ['d3/\u00e2 3', file(77)],
        ['d2/\u00e2 2', file(5)],
        ['new', undefined],
      ]),
    )
    expected.set('d1/\u00e2 1', file(9_001)).set('d3/\u00e2 3', file(77)).set('d2/\u00e2 2', file(5))
    expect(readFileSync(join(folder, 'cairn-files'))).toEqual(whole)
    const cache = kept()
    expect([cache.commit, cache.tree, cache.usual]).toEqual(['c', 'tree of c', usual])
    expect([...cache.files].sort()).toEqual([...expected].sort())
  })

  it('is written as a whole where it is small or much changed; what lay beside it then counts no longer', () => {
    writeStatCache(folder, { commit: 'a', tree: undefined, usual, files: filesOf(40) })
    change(kept(), 'b', new Map([['new', file(1)]]))
    expect([existsSync(since()), kept().commit, kept().files.size]).toEqual([false, 'b', 41])

    writeStatCache(folder, { commit: 'c', tree: undefined, usual, files: filesOf(3_000) })
    change(kept(), 'd', new Map([['new', file(1)]]))
    const left = readFileSync(since())
    change(kept(), 'e', new Map([...filesOf(400)].map(([path], index) => [path, file(index + 1)])))
    // As after a crash before the file beside it was removed.
    writeFileSync(since(), left)
    const cache = kept()
    expect([cache.commit, cache.files.get('d5/\u00e2 5'), cache.files.has('new')]).toEqual(['e', file(6), true])
  })

  it('is no cache when either file is damaged or missing in part', () => {
    writeStatCache(folder, { commit: 'a', tree: 't', usual, files: filesOf(2_500) })
    change(kept(), 'b', new Map([['d1/\u00e2 1', undefined]]))
    const text = readFileSync(since())
    for (const damaged of [text.subarray(0, -1), text.subarray(0, 40), Buffer.from('')]) {
      writeFileSync(since(), damaged)
      expect(readStatCache(folder)).toBeUndefined()
    }
    writeFileSync(since(), text)
    expect(kept().commit).toBe('b')
    writeFileSync(since(), text.toString('latin1').replace('"count":2499', '"count":2498'), 'latin1')
    expect(readStatCache(folder)).toBeUndefined()
    removeStatCache(folder)
    expect([readStatCache(folder), readdirSync(folder)]).toEqual([undefined, []])
  })
})
