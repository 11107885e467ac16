import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import { createImportIndex, type FileImports } from '../../sources/imports/import-index.ts'
import { openImportIndex } from './open-import-index.ts'
import { loadImportParser } from './parse-imports.ts'
import { createWorkspaceFiles } from './workspace-files.ts'

let folder = ''
let root = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-imports-'))
  root = join(folder, 'project')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const parts = (about: FileImports | undefined) =>
  about && {
    imports: about.imports.map(({ to, kind }) => `${to} ${kind}`),
    importers: about.importers.map(({ from }) => from),
    cycles: about.cycles.map(({ files }) => files.join(' ')),
    notices: about.notices,
  }
/** The files, and which of their contents were asked for. */
const watched = (): { readonly files: WorkspaceFiles; readonly read: string[] } => {
  const files = createWorkspaceFiles([root])
  const read: string[] = []
  return {
    read,
    files: { ...files, read: (path, maxBytes) => (read.push(path), files.read(path, maxBytes)) },
  }
}

describe('the import index', () => {
  it('tells imports, importers and circles of a file that is named by its path or its end', async () => {
    put('src/a.ts', `import './b.js'\nimport type { C } from './c.ts'`)
    put('src/b.ts', `import './a'`)
    put('src/c.ts', `export type { A } from './a'`)
    put('lib/a.py', 'import os')
    const index = openImportIndex(createWorkspaceFiles([root]))
    const expected = {
      imports: ['src/b.ts static', 'src/c.ts type'],
      importers: ['src/b.ts', 'src/c.ts'],
      cycles: ['src/a.ts src/b.ts', 'src/a.ts src/c.ts'],
      notices: [],
    }
    expect(parts(await index.about(['gone.ts', 'src/a.ts']))).toEqual(expected)
    expect(parts(await index.about(['a.ts']))).toEqual(expected)
    expect(await index.about(['gone.ts', ''])).toBeUndefined()
    put('other/a.ts', '')
    await expect(index.about(['a.ts'])).rejects.toMatchObject({
      code: 'ambiguous',
      message: '2 files end in "a.ts" (other/a.ts, src/a.ts): say more of the path.',
    })
  })

  it('reads only what has changed, also in the next process, and does without its cache', async () => {
    put('a.ts', `import './b'`)
    put('b.ts', `import './c'`)
    put('c.ts', '')
    const dataFolder = join(folder, 'data')
    const open = () => {
      const { files, read } = watched()
      return { read, index: openImportIndex(files, { dataFolder }) }
    }
    const first = open()
    await first.index.graph()
    expect(first.read).toEqual(['a.ts', 'b.ts', 'c.ts'])
    put('b.ts', `import './c'; import './a'`)
    first.read.length = 0
    expect((await first.index.graph()).importersOf('a.ts')).toMatchObject([{ from: 'b.ts' }])
    expect(first.read).toEqual(['b.ts'])

    const second = open()
    rmSync(join(root, 'c.ts'))
    expect((await second.index.graph()).importsOf('b.ts')).toMatchObject([{ to: 'a.ts' }])
    expect(second.read).toEqual([])

    const cache = join(dataFolder, 'cache', 'imports')
    const [name = ''] = readdirSync(cache)
    const text = readFileSync(join(cache, name), 'utf8')
    for (const damaged of [text.slice(0, -9), '{"format":1,"files":[["a.ts","v",[[1,2,3]]]]}', '[]', '{"format":0}']) {
      writeFileSync(join(cache, name), damaged)
      const { index, read } = open()
      expect((await index.graph()).importsOf('a.ts')).toMatchObject([{ to: 'b.ts' }])
      expect(read).toEqual(['a.ts', 'b.ts'])
    }
    rmSync(dataFolder, { recursive: true })
    writeFileSync(dataFolder, 'a file where the folder should be')
    expect((await open().index.graph()).sources).toEqual(['a.ts', 'b.ts'])
  })

  it('makes sure of circles with a parser, which also finds what was missed', async () => {
    // A quote in the text of JSX hides an import; without types, `<` begins one in a comparison that never was.
    put('page.tsx', `const x = <p>it's</p>; import('./next'); const y = <p>it's</p>\nimport './start'`)
    put('next.ts', `import './page'`)
    put('start.ts', `import './page'`)
    const exact = await openImportIndex(createWorkspaceFiles([root])).about(['page.tsx'])
    expect(parts(exact)?.cycles).toEqual(['page.tsx next.ts', 'page.tsx start.ts'])
    const without = await createImportIndex({ files: createWorkspaceFiles([root]) }).about(['page.tsx'])
    expect(parts(without)).toMatchObject({
      cycles: ['page.tsx start.ts'],
      notices: ['The parser of JavaScript is not there for this system: a circle may be missing, or be none.'],
    })
  })

  it('says in one sentence what it could not read', async () => {
    put('film.ts', new Uint8Array([0x47, 0, 0, 1, 0]))
    put('picture.svg', '<svg/>')
    put('large.js', `import './a'\n${'/'.repeat(2 * 1024 * 1024)}`)
    put('a.ts', `import './film'; import './picture.svg'`)
    const index = openImportIndex(createWorkspaceFiles([root]))
    const about = async (path: string) => parts(await index.about([path]))
    expect(await about('film.ts')).toMatchObject({
      importers: ['a.ts'],
      notices: ['film.ts is binary and was not read for imports.'],
    })
    expect(await about('large.js')).toMatchObject({
      imports: [],
      notices: ['large.js is too large to be read for imports.'],
    })
    expect(await about('picture.svg')).toMatchObject({
      importers: ['a.ts'],
      notices: ['picture.svg is not read for imports: only TypeScript, JavaScript, Python, Go and Rust are.'],
    })
  })
})

describe('the parser', () => {
  it('sees what the faster search sees, in the same order', async () => {
    const parse = await loadImportParser()
    const text = `import type { A } from './a'
import { type B, type C } from './b'
import { type D, e } from './c'
export * from './d'
export type { F } from './e'
export { type G } from './f'
import old = require('./g')
const h = require(\`./h\`)
let i: import('./i').I
const j = import('./j')
const s = "import './no'"
import './k'`
    expect(parse?.('x.ts', text)?.map(({ specifier, kind, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '1 type ./a',
      '2 type ./b',
      '3 static ./c',
      '4 static ./d',
      '5 type ./e',
      '6 type ./f',
      '7 static ./g',
      '8 static ./h',
      '9 type ./i',
      '10 dynamic ./j',
      '12 static ./k',
    ])
  })

  it('gives nothing for a text that it cannot parse', async () => {
    const parse = await loadImportParser()
    expect(parse?.('x.ts', 'import {{{ from')).toBeUndefined()
  })
})
