import { describe, expect, it } from '@jest/globals'
import { Buffer } from 'node:buffer'
import { analyseFile } from './file-terms.ts'
import { decodeIndex, encodeIndex } from './index-file.ts'

const files = new Map([
  [
    'src/a.ts',
    { key: '12:1700000000.5', terms: analyseFile('export function readFile(path) { return read(path, readFile) }') },
  ],
  ['ü/leer.ts', { key: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', terms: analyseFile('') }],
  ['lib/b.py', { key: '7:3', terms: analyseFile('def parse_log(output):\n    return output.split()') }],
])
const plain = (read: ReturnType<typeof decodeIndex>) =>
  [...read].map(([path, { key, terms }]) => {
    const { table, from, size, contentLength, symbolLength } = terms
    const columns = [table.hashes, table.content, table.symbols].map((column) => [
      ...column.subarray(from, from + size),
    ])
    return [path, key, ...columns, contentLength, symbolLength]
  })

describe('the index as bytes', () => {
  it('is read as it was written, also from a buffer that lies somewhere in a larger one', () => {
    const bytes = encodeIndex(files)
    const shared = Buffer.concat([Buffer.from('abc'), bytes, Buffer.from('xyz')]).subarray(3, 3 + bytes.length)
    expect(plain(decodeIndex(bytes))).toEqual(plain(files))
    expect(plain(decodeIndex(shared))).toEqual(plain(files))
    expect(plain(files)[0]?.[2]).not.toHaveLength(0)
  })

  it('counts as empty where it is cut, of another version, or no index', () => {
    const bytes = encodeIndex(files)
    const text = new TextDecoder('latin1').decode(bytes)
    const other = Uint8Array.from(text.replace('"version":1', '"version":0'), (character) => character.charCodeAt(0))
    for (const damaged of [
      bytes.subarray(0, bytes.length - 1),
      other,
      new Uint8Array(),
      new TextEncoder().encode('{}\n'),
      new TextEncoder().encode('no\n'),
    ])
      expect(decodeIndex(damaged).size).toBe(0)
    expect(decodeIndex(Uint8Array.from(text, (character) => character.charCodeAt(0))).size).toBe(3)
  })
})
