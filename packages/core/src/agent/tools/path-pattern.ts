/** Patterns of paths: `*.ts` at any depth, `src/**` from the top, `*.{ts,tsx}`. Matching takes time in proportion to the path. */
import { bytePathOf } from '../../checkpoints/byte-path.ts'
import { matchesGlob, parseGlob } from '../../checkpoints/ignore-glob.ts'
import { refused } from './tool-input.ts'

/** What braces may stand for. */
const MOST_ALTERNATIVES = 64

/**
 * A test for paths with `/`, relative to where the pattern begins. A pattern without `/` is one of names in any
 * folder; one that ends with `/` is all below the folder; `{a,b}` are alternatives.
 * @throws CairnError `invalid-input` for a pattern that can't match: with a bracket that is not closed, or too many
 * alternatives
 */
export const pathPattern = (pattern: string): ((path: string) => boolean) => {
  const tests = alternatives(pattern.replace(/^\.?\//, '')).map((one) => {
    const segments = parseGlob(bytePathOf(one.endsWith('/') ? `${one}**` : one))
    if (segments === undefined)
      throw refused(`The pattern ${JSON.stringify(pattern.slice(0, 80))} can’t match any path.`)
    const isName = !one.includes('/')
    return (path: string): boolean => {
      const names = bytePathOf(path).split('/')
      return matchesGlob(segments, isName ? names.slice(-1) : names)
    }
  })
  return (path) => tests.some((test) => test(path))
}

/** What a pattern with braces stands for; `{a}` and a brace that is not closed stand for themselves. */
const alternatives = (pattern: string): readonly string[] => {
  const done: string[] = []
  const left = [pattern]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(next) ?? []
    if (whole === undefined || inner === undefined) done.push(next)
    else for (const one of inner.split(',')) left.push(next.replace(whole, () => one))
    if (done.length + left.length > MOST_ALTERNATIVES)
      throw refused(`A pattern may stand for at most ${MOST_ALTERNATIVES} others, and this one stands for more.`)
  }
  return done
}
