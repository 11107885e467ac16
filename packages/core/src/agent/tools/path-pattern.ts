/**
 * Path patterns: `*.ts` at any depth, `src/**` from the top, `*.{ts,tsx}`. Matching takes time proportional to the
 * path.
 */
import { bytePathOf } from '../../checkpoints/byte-path.ts'
import { matchesGlob, parseGlob } from '../../checkpoints/ignore-glob.ts'
import { refused } from './tool-input.ts'

/** Maximum number of alternatives from braces. */
const MOST_ALTERNATIVES = 64

/**
 * Creates a test for paths with `/`, relative to where the pattern starts. A pattern without `/` matches names in any
 * folder (a leading `/` or `./` does not count), any other the whole path; one that ends with `/` matches everything
 * below that folder; `{a,b}` are alternatives.
 * @throws CairnError `invalid-input` for a pattern that can't match, such as one with an unclosed bracket, and for more
 * than `MOST_ALTERNATIVES` alternatives
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

/**
 * Expands the braces of a pattern; `{a}` and an unclosed brace are literal. Throws a refusal beyond
 * `MOST_ALTERNATIVES`.
 */
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
