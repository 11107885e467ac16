/** Paths as people and agents write them: absolute, relative to a project, or only the end. */
import { parseCitation } from '../memory/staleness-citation.ts'

/** The path with forward slashes, trimmed, without a leading `./` or a trailing `/`. `..` stays. */
export const plainPath = (text: string): string =>
  text
    .trim()
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/$/, '')

/** Whether a path starts with `/` or a drive letter; `\` does not count. */
export const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:)/.test(path)

/**
 * Whether `path` is `tail`, or ends with it at a folder boundary: `src/a.ts` ends with `a.ts`, `src/ba.ts` does not.
 */
export const endsWithPath = (path: string, tail: string): boolean =>
  path === tail || path.endsWith(tail.startsWith('/') ? tail : `/${tail}`)

/**
 * Whether two paths may mean the same file: they are equal, or one is the end of the other at a folder boundary. Both
 * as returned by `plainPath`.
 */
export const mayBeSameFile = (left: string, right: string): boolean =>
  endsWithPath(left, right) || endsWithPath(right, left)

/**
 * The file that an example of a memory entry cites (`src/a.ts:3`) or is the bare path of; undefined for any other text.
 */
export const citedPath = (example: string): string | undefined => {
  const citation = parseCitation(example)
  if (citation !== undefined) return plainPath(citation.path)
  return looksLikePath(example) ? plainPath(example) : undefined
}

/** Whether a text looks like a path or file name (`src/a`, `a.ts`, `C:\\a.ts`) rather than a sentence or URL. */
export const looksLikePath = (text: string): boolean =>
  !/\s|:\/\//.test(text.trim()) && /[/\\]|[^.]\.[A-Za-z]\w{0,9}$/.test(text)
