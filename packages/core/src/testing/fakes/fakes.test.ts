import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { collect } from '../contracts/test-api.ts'
import { createTestClock } from './clock.ts'
import { createInMemoryFileSystem } from './file-system.ts'
import { createSequentialIds } from './ids.ts'

describe('test clock', () => {
  it('stands still until it is advanced', () => {
    const clock = createTestClock(100)
    expect([clock.now(), clock.now()]).toEqual([100, 100])
    clock.advance(5)
    expect(clock.now()).toBe(105)
    clock.set(7)
    expect(clock.now()).toBe(7)
  })
})

describe('sequential ids', () => {
  it('count up and sort in creation order', () => {
    const ids = createSequentialIds('x')
    const made = Array.from({ length: 12 }, () => ids.next())
    expect([made[0], [...made].sort()]).toEqual(['x-000001', made])
  })
})

describe('in-memory file system', () => {
  const files = () => createInMemoryFileSystem({ '/a/b/1.txt': 'one', '/a/b/2.txt': 'two', '/a/c.txt': 'three' })

  it('lists files and folders by name', async () => {
    expect((await files().list('/a')).map((file) => [file.path, file.kind, file.size])).toEqual([
      ['/a/b', 'directory', 0],
      ['/a/c.txt', 'file', 5],
    ])
    expect((await files().list('/')).map((file) => file.path)).toEqual(['/a'])
    expect(await files().list('/none')).toEqual([])
    expect(await files().stat('/a/b/none')).toBeUndefined()
  })

  it('reads from an offset, in chunks, and unpacked', async () => {
    const system = files()
    system.write('/large', new Uint8Array(2_500_000).fill(7))
    expect((await collect(system.read('/large'))).map((chunk) => chunk.length)).toEqual([1_048_576, 1_048_576, 402_848])
    expect(new TextDecoder().decode((await collect(system.read('/a/c.txt', 2)))[0])).toBe('ree')
    system.write('/packed', gzipSync('content'))
    expect(new TextDecoder().decode((await collect(system.read('/packed', 3, { unpack: 'gzip' })))[0])).toBe('tent')
    await expect(collect(system.read('/none'))).rejects.toMatchObject({ code: 'read-failed' })
    expect([await system.readText('/a/c.txt'), await system.readText('/none')]).toEqual(['three', undefined])
  })

  it('keeps the identity of a file that is written, appended to and renamed', async () => {
    const system = files()
    const before = (await system.stat('/a/c.txt'))?.identity
    await system.append('/a/c.txt', '!')
    system.rename('/a/c.txt', '/d.txt')
    expect(await system.stat('/d.txt')).toMatchObject({ identity: before, size: 6 })
    expect(await system.readText('/d.txt')).toBe('three!')
    expect(await system.stat('/a/c.txt')).toBeUndefined()
    system.remove('/d.txt')
    system.write('/d.txt', 'new')
    expect((await system.stat('/d.txt'))?.identity).not.toBe(before)
    system.linkToNowhere('/link')
    expect([(await system.stat('/link'))?.kind, await system.readText('/link')]).toEqual(['dangling-link', undefined])
  })
})
