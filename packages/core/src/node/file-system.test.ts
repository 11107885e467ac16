import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ReadOptions } from '../ports/file-system.ts'
import { createFileSystem } from './file-system.ts'

const files = createFileSystem()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = async (path: string, offset?: number, options?: ReadOptions): Promise<Buffer> => {
  const parts: Buffer[] = []
  // Copied, as a chunk may be reused.
  for await (const chunk of files.read(path, offset, options)) parts.push(Buffer.from(chunk))
  return Buffer.concat(parts)
}

describe('the file system', () => {
  const content = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => index % 251))

  it('reads files of several chunks from any offset, plain and unpacked', async () => {
    const plain = join(folder, 'a')
    const packed = join(folder, 'a.gz')
    writeFileSync(plain, content)
    writeFileSync(packed, gzipSync(content))
    for (const offset of [0, 1, 1 << 20, 2_499_999, 2_500_000, 3_000_000]) {
      expect((await read(plain, offset)).equals(content.subarray(offset))).toBe(true)
      expect((await read(packed, offset, { unpack: 'gzip' })).equals(content.subarray(offset))).toBe(true)
    }
  })

  it('stops reading when the reader has enough', async () => {
    const path = join(folder, 'a.gz')
    writeFileSync(path, gzipSync(content))
    for await (const chunk of files.read(path, 0, { unpack: 'gzip' })) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
  })

  it('lists entries by kind, in order, with an identity that survives a move', async () => {
    writeFileSync(join(folder, 'b'), 'xyz')
    mkdirSync(join(folder, 'a'))
    symlinkSync(join(folder, 'b'), join(folder, 'c'))
    symlinkSync(join(folder, 'nothing'), join(folder, 'd'))
    const list = await files.list(folder)
    expect(
      list.map(({ path, kind, size }) => [path.slice(folder.length + 1), kind, kind === 'file' ? size : null]),
    ).toEqual([
      ['a', 'directory', null],
      ['b', 'file', 3],
      ['c', 'file', 3],
      ['d', 'dangling-link', null],
    ])
    expect(list[1]?.identity).toBe(list[2]?.identity)
    renameSync(join(folder, 'b'), join(folder, 'e'))
    expect((await files.stat(join(folder, 'e')))?.identity).toBe(list[1]?.identity)
    expect((await files.stat(join(folder, 'd')))?.kind).toBe('dangling-link')
  })

  it('resolves a path link by link, also when nothing exists there', async () => {
    const real = realpathSync(folder)
    mkdirSync(join(folder, 'project'))
    writeFileSync(join(folder, 'secret'), 'x')
    symlinkSync(join('..', 'secret'), join(folder, 'project', 'link'))
    symlinkSync('..', join(folder, 'project', 'up'))
    expect(await files.realPath(join(folder, 'project', 'link'))).toBe(join(real, 'secret'))
    expect(await files.realPath(join(folder, 'project', 'up', 'secret'))).toBe(join(real, 'secret'))
    expect(await files.realPath(join(folder, 'project', 'none', 'a.ts'))).toBe(join(real, 'project', 'none', 'a.ts'))
  })

  it("returns undefined for what does not exist, and a readable error for what can't be read", async () => {
    expect(await files.stat(join(folder, 'x'))).toBeUndefined()
    expect(await files.readText(join(folder, 'x'))).toBeUndefined()
    const missing = join(folder, 'x')
    await expect(read(missing)).rejects.toMatchObject({
      code: 'read-failed',
      message: `${missing}: no such file or folder`,
    })
    await expect(read(missing, 0, { unpack: 'gzip' })).rejects.toMatchObject({ code: 'read-failed' })
    await expect(files.list(missing)).rejects.toMatchObject({ code: 'read-failed' })
    await expect(files.readText(folder)).rejects.toMatchObject({
      code: 'read-failed',
      message: `${folder}: it is a folder`,
    })
    const damaged = join(folder, 'bad.gz')
    writeFileSync(damaged, 'not gzip')
    await expect(read(damaged, 0, { unpack: 'gzip' })).rejects.toMatchObject({
      message: `${damaged}: the compressed content is damaged`,
    })
    writeFileSync(damaged, gzipSync(content).subarray(0, 1000))
    await expect(read(damaged, 0, { unpack: 'gzip' })).rejects.toMatchObject({
      message: `${damaged}: the compressed content ends too early`,
    })
  })
})
