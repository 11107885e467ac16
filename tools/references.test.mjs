// What names a decision or links to a file of this repository names something that exists.
import { describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const DECISIONS = readdirSync(join(root, 'docs/decisions'))
const NUMBERS = new Set(DECISIONS.map((name) => name.slice(0, 3)))

/** Files under version control, or new and not ignored, with an ending that the pattern takes. */
const files = (pattern) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => pattern.test(path) && existsSync(join(root, path)))

/** Decisions that a text names and that are not there. */
const missingDecisions = (text) => [
  ...Array.from(text.matchAll(/\bdecisions? (\d{3})\b/gi), ([, number]) => number).filter(
    (number) => !NUMBERS.has(number),
  ),
  ...Array.from(text.matchAll(/\bdecisions\/(\d{3}[-\w]*(?:\.md)?)/g), ([, name]) => name).filter(
    (name) =>
      !DECISIONS.some((decision) => decision === name || decision.startsWith(`${name}-`) || decision === `${name}.md`),
  ),
]

/** Relative links of a Markdown text, code left out, whose file is not there. */
const brokenLinks = (path, text) => {
  const prose = text.replace(/^ {0,3}(```|~~~)[^]*?^ {0,3}\1/gm, '').replace(/`[^`\n]*`/g, '')
  const targets = [
    ...Array.from(prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g), ([, target]) => target),
    ...Array.from(prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm), ([, target]) => target),
    ...Array.from(prose.matchAll(/<(?:img|a|source)[^>]*?\b(?:src|href|srcset)="([^"\s]+)/g), ([, target]) => target),
  ]
  return targets.filter((target) => {
    if (/^(?:[a-z][a-z+.-]*:|#|\/\/)/i.test(target)) return false
    const file = decodeURIComponent(target.replace(/[?#].*$/, ''))
    return !existsSync(file.startsWith('/') ? join(root, file) : resolve(root, dirname(path), file))
  })
}

/** The files that a path, or the end of one, means: the file, or all in the folder. `<agent>` stands for any name. */
const filesNamed = (path, among) => {
  const pattern = path
    .replace(/\/$/, '')
    .replace(/[.*+?^${}()|\\]/g, '\\$&')
    .replace(/<[^>]+>/g, '[^/]+')
  const named = new RegExp(`(?:^|/)${pattern}(?:/|$)`)
  return among.filter((file) => named.test(file))
}

/** Whether a text in backticks is written as a path, rather than as a name in one. */
const isPath = (text) =>
  /^[\w.<>/-]+$/.test(text) && (text.includes('/') || /\.(?:ts|tsx|mjs|md|json|css|prisma)$/.test(text))

/**
 * What a line of the page of changes names and what is not there: a file, or a name that stands in none of its files. A
 * part between semicolons that names files has its names in them, or in a file of the parts before it.
 * @param {string} location
 * @param {readonly string[]} among paths of all files
 * @param {(path: string) => string} read
 */
const missingNames = (location, among, read) => {
  const before = []
  let isNamed = false
  return location.split(';').flatMap((part) => {
    const texts = Array.from(part.matchAll(/`([^`]+)`/g), ([, text]) => text).filter((text) => !/^np[mx] /.test(text))
    const named = texts.filter(isPath).map((path) => ({ path, found: filesNamed(path, among) }))
    const names = texts
      .filter((text) => !isPath(text) && /^[A-Za-z_$][\w$.]*$/.test(text))
      .flatMap((text) => text.split('.'))
    before.push(...named.flatMap(({ found }) => found))
    isNamed ||= named.length > 0
    return [
      ...named.filter(({ found }) => found.length === 0).map(({ path }) => path),
      ...(!isNamed ? [] : names.filter((name) => !before.some((path) => new RegExp(`\\b${name}\\b`).test(read(path))))),
    ]
  })
}

/** Where changes are made, by the lines of a page: what stands behind each change (`- **change**: where`), and each numbered item. */
const locationsIn = (text) =>
  text.split('\n').flatMap((line) => {
    const [, where] = /^- \*\*.+?\*\*: (.*)$/.exec(line) ?? []
    return where !== undefined ? [where] : /^\d+\. /.test(line) ? [line] : []
  })

/** Names in backticks behind each `In `folder`:` of a text, what is in brackets left out; a name has no space. */
const foldersNamed = (text) =>
  Array.from(text.matchAll(/^In `([^`]+)`: ([^]*?)(?=\n\n)/gm), ([, folder, names]) => ({
    folder,
    names: Array.from(names.replace(/\([^)]*\)/g, '').matchAll(/`([\w-]+)`/g), ([, name]) => name),
  }))

/** Names in the second column of the table of core's levels that end with a slash. */
const levelFolders = (text) =>
  Array.from(text.matchAll(/^\| (?:\d|out) +\| `([^`]+)`/gm), ([, names]) => names.split(' '))
    .flat()
    .filter((name) => name.endsWith('/'))
    .map((name) => name.slice(0, -1))

/** The folders in a folder that have a file under version control or a new one. */
const foldersIn = (folder, among) => [
  ...new Set(
    among
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1).split('/'))
      .flatMap(([first, ...rest]) => (rest.length > 0 ? [first] : [])),
  ),
]

const problemsIn = (paths, find) =>
  paths.flatMap((path) => find(path, readFileSync(join(root, path), 'utf8')).map((problem) => `${path}: ${problem}`))

describe('references', () => {
  it('name decisions that exist', () => {
    const paths = files(/\.(?:md|ts|tsx|mjs|cjs|js|css|prisma|json|ya?ml)$/).filter(
      (path) => path !== 'tools/references.test.mjs' && path !== 'package-lock.json',
    )
    expect(paths.length).toBeGreaterThan(500)
    expect(problemsIn(paths, (_, text) => missingDecisions(text))).toEqual([])
  })

  it('link to files that exist', () => {
    const paths = files(/\.md$/)
    expect(paths.length).toBeGreaterThan(20)
    expect(problemsIn(paths, brokenLinks)).toEqual([])
  })

  it('of typical changes name files, and what is in them', () => {
    const among = files(/./)
    const texts = new Map()
    const read = (path) => {
      if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'))
      return texts.get(path)
    }
    const pages = ['docs/architecture.md', ...among.filter((path) => path.startsWith('docs/typical-changes/'))]
    const locations = pages.flatMap((page) => locationsIn(read(page)))
    expect(locations.length).toBeGreaterThan(380)
    expect(locations.flatMap((location) => missingNames(location, among, read))).toEqual([])
  })

  it('of the architecture name every folder, and no other', () => {
    const among = files(/./)
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const named = [
      ...foldersNamed(text),
      { folder: 'packages/core/src', names: levelFolders(text) },
      {
        folder: 'packages/core/src/node',
        names: /^\| out +\| `node\/` .*: `([^`]+)`/m.exec(text)?.[1].split(' ') ?? [],
      },
    ]
    expect(named.map(({ folder }) => folder)).toEqual([
      'packages/adapter-cli/src',
      'packages/adapter-vscode/src',
      'apps/dashboard/src/features',
      'packages/storage-prisma/src',
      'packages/core/src',
      'packages/core/src/node',
    ])
    for (const { folder, names } of named)
      expect([folder, ...new Set(names.toSorted())]).toEqual([folder, ...foldersIn(folder, among).toSorted()])
  })

  it('of changes are reported when a file or a name is gone', () => {
    const among = ['packages/core/src/usage/totals.ts', 'packages/core/src/importers/codex-lines.ts', 'docs/privacy.md']
    const read = (path) => (path.endsWith('totals.ts') ? 'export const addTotals = () => sums.cost' : '')
    const missing = (location) => missingNames(location, among, read)
    expect(missing('`core/src/usage/totals.ts`: `addTotals`; `docs/privacy.md`; `npm run x`')).toEqual([])
    expect(missing('`<agent>-lines.ts`, `usage/`, `packages/core/src/usage`: `sums.cost`')).toEqual([])
    expect(missing('`core/src/usage/total.ts`: `addTotal`, `addTotals`')).toEqual([
      'core/src/usage/total.ts',
      'addTotal',
      'addTotals',
    ])
    expect(missing('`totals.ts`: `addTotal`, `sums.costs`')).toEqual(['addTotal', 'costs'])
    expect(missing('`docs/privacy.md`: `addTotals`; `usage/totals.ts`: `addTotals`')).toEqual(['addTotals'])
  })

  it('are reported when they lead nowhere', () => {
    expect(missingDecisions('see decision 999 and decisions/998-gone.md, not decision 001')).toEqual([
      '999',
      '998-gone.md',
    ])
    expect(
      brokenLinks(
        'docs/a.md',
        'A [b](nowhere.md#x), a [c](glossary.md), a [site](https://example.org), `[d](none.md)`',
      ),
    ).toEqual(['nowhere.md#x'])
  })
})
