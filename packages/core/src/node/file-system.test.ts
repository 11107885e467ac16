import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
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

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const)('stops reading %s when the reader has enough', async (unpack, pack) => {
    const path = join(folder, 'a')
    writeFileSync(path, pack(content))
    for await (const chunk of files.read(path, 0, { unpack })) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
  })

  it('unpacks zstd of any size and from any offset, and says how it is damaged', async () => {
    const path = join(folder, 'a.zst')
    // Several frames, one of which holds what does not shrink: several chunks, packed too.
    const noise = randomBytes(2_500_000)
    const small = Buffer.from('a small frame')
    const parts = [small, noise, small, content, small]
    writeFileSync(path, Buffer.concat(parts.map((part) => zstdCompressSync(part))))
    const whole = Buffer.concat(parts)
    for (const offset of [0, 1, 1 << 20, 2_500_000, 4_999_999, 5_000_026, whole.length, whole.length + 1])
      expect((await read(path, offset, { unpack: 'zstd' })).equals(whole.subarray(offset))).toBe(true)
    // Frames that end where a piece or a chunk of what is read does.
    const stored = zstdCompressSync(randomBytes((1 << 20) - 200))
    const filler = Buffer.alloc(8 + (1 << 20) - stored.length - 8)
    filler.writeUInt32LE(0x184d2a50, 0)
    filler.writeUInt32LE(filler.length - 8, 4)
    writeFileSync(path, Buffer.concat([filler, stored, zstdCompressSync(small)]))
    expect((await read(path, (1 << 20) - 200, { unpack: 'zstd' })).toString()).toBe(small.toString())
    const packed = zstdCompressSync(content)
    for (const [bytes, reason] of [
      [Buffer.from('not zstd at all'), 'the compressed content is damaged'],
      [packed.subarray(0, packed.length - 5), 'the compressed content ends too early'],
      [Buffer.concat([packed, packed.subarray(0, 9)]), 'the compressed content ends too early'],
      [Buffer.concat([packed, Buffer.from('not zstd')]), 'the compressed content is damaged'],
      [Buffer.alloc(0), 'the compressed content ends too early'],
    ] as const) {
      writeFileSync(path, bytes)
      await expect(read(path, 0, { unpack: 'zstd' })).rejects.toMatchObject({ message: `${path}: ${reason}` })
    }
    await expect(read(join(folder, 'x'), 0, { unpack: 'zstd' })).rejects.toMatchObject({ code: 'read-failed' })
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
