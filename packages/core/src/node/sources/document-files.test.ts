import { afterEach, beforeEach, expect, it } from '@jest/globals'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocumentFiles } from './document-files.ts'

let folder = ''
const root = () => join(folder, 'app')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-documents-'))
  mkdirSync(join(root(), 'bank'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('writes a new file with its folders, and one that is as it was, with its permissions', async () => {
  const files = createDocumentFiles(root())
  expect(await files.read('new/deep/a.md')).toEqual({ text: undefined })
  expect(await files.write('new/deep/a.md', undefined, 'one')).toBeUndefined()
  expect(await files.read('new/deep/a.md')).toEqual({ text: 'one' })
  chmodSync(join(root(), 'new/deep/a.md'), 0o640)
  expect(await files.write('new/deep/a.md', 'one', 'three')).toBeUndefined()
  expect(readFileSync(join(root(), 'new/deep/a.md'), 'utf8')).toBe('three')
  expect(statSync(join(root(), 'new/deep/a.md')).mode & 0o777).toBe(0o640)
  expect(readdirSync(join(root(), 'new/deep'))).toEqual(['a.md'])
})

it('leaves a file alone that was changed meanwhile, or made', async () => {
  const files = createDocumentFiles(root())
  writeFileSync(join(root(), 'bank/a.md'), 'theirs')
  expect(await files.write('bank/a.md', 'mine', 'new')).toBe('it was changed meanwhile')
  expect(await files.write('bank/a.md', undefined, 'new')).toBe('it was changed meanwhile')
  expect(readFileSync(join(root(), 'bank/a.md'), 'utf8')).toBe('theirs')
})

it('neither reads nor writes through links, nor what is no text', async () => {
  const files = createDocumentFiles(root())
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside/a.md'), 'secret')
  symlinkSync(join(folder, 'outside'), join(root(), 'out'))
  symlinkSync(join(folder, 'outside/a.md'), join(root(), 'bank/link.md'))
  symlinkSync(join(folder, 'nothing'), join(root(), 'dangling'))
  mkdirSync(join(root(), 'bank/folder.md'))
  writeFileSync(join(root(), 'bank/binary.md'), new Uint8Array([97, 0, 98]))
  writeFileSync(join(root(), 'bank/latin.md'), new Uint8Array([97, 0xe9, 98]))
  writeFileSync(join(root(), 'bank/file'), '')
  for (const [path, reason] of [
    ['out/a.md', 'its folder leads out of the project'],
    ['out/b.md', 'its folder leads out of the project'],
    ['out/new/b.md', 'its folder leads out of the project'],
    ['bank/link.md', 'it is a link'],
    ['dangling/a.md', 'its folder is a link to nothing'],
    ['bank/folder.md', 'it is no regular file'],
    ['bank/binary.md', 'it is no text'],
    ['bank/latin.md', 'it is no text in UTF-8'],
    ['bank/file/a.md', 'its folder is a file'],
  ] as const) {
    expect([path, await files.read(path)]).toEqual([path, { refused: reason }])
    expect(await files.write(path, undefined, 'x')).toBe(reason)
  }
  expect(readFileSync(join(folder, 'outside/a.md'), 'utf8')).toBe('secret')
  expect(existsSync(join(folder, 'nothing'))).toBe(false)
  expect(readdirSync(join(folder, 'outside'))).toEqual(['a.md'])
})
