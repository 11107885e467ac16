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
