/** Nested ignore files against git itself, on trees that are put together at random. */
import { expect, it } from '@jest/globals'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layeredIgnores } from './layered-ignores.ts'

const PATTERNS = ['*.log', '!*.log', 'b/', '!b/', '/a', '!/a', 'a/b', '**/c', 'a/**', '!a/**', '*', '!*', '!*/', '/*', 'b/*/c', 'é', '[a-b]', '![ab].log', '?', 'a.*', '!c', '/b/c/', '**/b/**', '!é.log'] // prettier-ignore
const NAMES = ['a', 'b', 'c', 'é', 'a.log', 'b.log', 'é.log']
const FOLDERS = ['', 'a', 'b', 'a/b', 'b/c', 'a/b/c']
/** 5,000 paths by default would be a minute of git's starts on a slow machine; CAIRN_RUNS raises it. */
const TREES = Number(process.env['CAIRN_RUNS'] ?? 25)

/** mulberry32: the same numbers in each run. */
const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

it('decides as git does on random trees with nested ignore files', () => {
  const random = seeded(7)
  const pick = (texts: readonly string[]): string => texts[random(texts.length)] ?? ''
  let ignored = 0
  for (let tree = 0; tree < TREES; tree++) {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-layers-'))
    try {
      execFileSync('git', ['init', '-q', '--template=', folder])
      for (const path of FOLDERS) {
        mkdirSync(join(folder, path), { recursive: true })
        const lines = Array.from({ length: random(4) }, () => pick(PATTERNS))
        if (lines.length > 0) writeFileSync(join(folder, path, '.gitignore'), lines.join('\n'))
      }
      const paths = Array.from({ length: 40 }, () => Array.from({ length: 1 + random(4) }, () => pick(NAMES)).join('/'))
      const { stdout } = spawnSync('git', ['check-ignore', '-z', '--stdin', '--no-index'], {
        cwd: folder,
        input: paths.join('\0'),
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder },
      })
      const byGit = new Set(stdout.split('\0'))
      const ignores = layeredIgnores(folder, '.gitignore')
      for (const path of new Set(paths)) {
        // Git looks at the disk: what is a folder there is one for it, anything else is a file.
        const isFolder = FOLDERS.includes(path)
        expect([tree, path, ignores.isLeftOut(path, isFolder)]).toEqual([tree, path, byGit.has(path)])
        if (byGit.has(path)) ignored += 1
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  expect(ignored).toBeGreaterThan(TREES)
})
