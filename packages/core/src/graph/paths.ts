/** Paths as people and agents write them: absolute, relative to a project, or only their end. */
import { citationOf } from '../memory/staleness-citation.ts'

/** With slashes, without `./` before it and `/` behind it. */
export const plainPath = (text: string): string =>
  text
    .trim()
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/$/, '')

export const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:)/.test(path)

/** Whether a path is the other one, or ends with it from a `/` on. */
export const endsWithPath = (path: string, tail: string): boolean =>
  path === tail || path.endsWith(tail.startsWith('/') ? tail : `/${tail}`)

/** Whether two paths may mean the same file: one is the end of the other. */
export const mayBeSame = (left: string, right: string): boolean =>
  endsWithPath(left, right) || endsWithPath(right, left)

/** The file that an example of a memory entry cites; undefined when it is any other text. */
export const citedPath = (example: string): string | undefined => {
  const citation = citationOf(example)
  if (citation !== undefined) return plainPath(citation.path)
  return looksLikePath(example) ? plainPath(example) : undefined
}

/** `src/a`, `a.ts`, `C:\a.ts`; no sentence, no address. */
export const looksLikePath = (text: string): boolean =>
  !/\s|:\/\//.test(text.trim()) && /[/\\]|[^.]\.[A-Za-z]\w{0,9}$/.test(text)
