/** Random folders with all that a disk may hold, and what is in one, byte by byte. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** A random number generator whose numbers repeat (mulberry32). */
export const seeded = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Names that are awkward for something: quoting, globs, encodings, git, options. */
const NAMES = [
  'a.txt',
  'b',
  'ü.md',
  'u\u0308.md',
  '日本',
  'with space',
  'tab\tname',
  'new\nline',
  'quote"\\back',
  '-rf',
  '#x',
  '!y',
  'st*r',
  '[set]',
  '{}',
  '.hidden',
  '.gitattributes',
  '.gitmodules',
  'CON',
  '\u{1f600}',
  ' lead',
  'trail.',
  Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x78]),
  Buffer.from([0xe9, 0x74, 0xe9]),
] as const

const bytesOf = (name: string | Buffer): Buffer => (typeof name === 'string' ? Buffer.from(name) : name)
const under = (folder: Buffer, name: string | Buffer): Buffer =>
  Buffer.concat([folder, Buffer.from('/'), bytesOf(name)])

const content = (random: (below: number) => number): Buffer => {
  switch (random(7)) {
    case 0:
      return Buffer.alloc(0)
    case 1:
      return Buffer.from('one line\n'.repeat(1 + random(300)))
    case 2:
      return Buffer.from('mixed\r\nline\nends\r\n')
    case 3:
      return Buffer.from(Array.from({ length: random(5_000) }, () => random(256)))
    case 4:
      return Buffer.from('\ufeffbom without end of line')
    case 5:
      return Buffer.from('version https://git-lfs.github.com/spec/v1\n$Id$\n')
    default:
      return Buffer.from(`#!/bin/sh\necho ${random(1_000)}\n`)
  }
}

const MODES = [0o644, 0o644, 0o644, 0o755, 0o600, 0o664, 0o444, 0o700] as const
const FOLDER_MODES = [0o755, 0o755, 0o755, 0o775, 0o700] as const

const put = (path: Buffer, random: (below: number) => number): void => {
  if (random(8) === 0) {
    symlinkSync(['a.txt', '../outside', '/nowhere', '日本', 'd0'][random(5)] ?? 'b', path)
    return
  }
  writeFileSync(path, content(random))
  chmodSync(path, MODES[random(MODES.length)] ?? 0o644)
}

/** Fills a folder that exists. */
export const makeTree = (root: string, random: (below: number) => number): void => {
  const open: Buffer[] = [Buffer.from(root)]
  let folders = 0
  for (const folder of open) {
    for (let count = random(6); count > 0; count--) {
      const path = under(folder, NAMES[random(NAMES.length)] ?? 'b')
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) put(path, random)
    }
    for (let count = random(3); count > 0 && folders < 12; count--) {
      folders += 1
      const path = under(folder, random(2) === 0 ? `d${random(4)}` : (NAMES[random(NAMES.length)] ?? 'b'))
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
      mkdirSync(path)
      chmodSync(path, FOLDER_MODES[random(FOLDER_MODES.length)] ?? 0o755)
      open.push(path)
    }
  }
}

/** Changes a folder: files written, removed, renamed to folders and back, permissions, more. */
export const changeTree = (root: string, random: (below: number) => number): void => {
  for (const path of pathsIn(root)) {
    if (!existsPlain(path) || random(3) !== 0) continue
    const facts = lstatSync(path)
    const change = random(5)
    if (change === 0) rmSync(path, { recursive: true })
    else if (change === 1 && !facts.isDirectory()) {
      rmSync(path)
      mkdirSync(path)
      if (random(2) === 0) put(under(path, 'inside'), random)
    } else if (change === 2) {
      rmSync(path, { recursive: true })
      put(path, random)
    } else if (change === 3 && facts.isFile()) {
      chmodSync(path, 0o644)
      writeFileSync(path, content(random))
    } else if (!facts.isSymbolicLink())
      chmodSync(path, (facts.isDirectory() ? FOLDER_MODES[random(5)] : MODES[random(8)]) ?? 0o755)
  }
  makeTree(root, random)
}

/** Whether something is there that no change before has replaced by a file. */
const existsPlain = (path: Buffer): boolean => {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

const pathsIn = (root: string): readonly Buffer[] => {
  const found: Buffer[] = []
  const open: Buffer[] = [Buffer.from(root)]
  for (const folder of open)
    for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const path = under(folder, entry.name)
      found.push(path)
      if (entry.isDirectory()) open.push(path)
    }
  return found
}

/** Every file, link and folder under a root with its permissions and content, by its path in bytes. */
export const everythingIn = (root: string): Readonly<Record<string, string>> => {
  const base = Buffer.from(root).length + 1
  const rows = pathsIn(root).map((path): readonly [string, string] => {
    const facts = lstatSync(path)
    const mode = (facts.mode & 0o7777).toString(8)
    const what = facts.isSymbolicLink()
      ? `link ${readlinkSync(path, 'latin1')}`
      : facts.isFile()
        ? `${mode} ${readFileSync(path, 'latin1')}`
        : `${mode} folder`
    return [path.subarray(base).toString('latin1'), what]
  })
  return Object.fromEntries(rows.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Writes files by their paths under a root. */
export const writeFiles = (root: string, files: Readonly<Record<string, string | Buffer>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
