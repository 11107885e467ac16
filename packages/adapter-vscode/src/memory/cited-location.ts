/** Where the lines are that a memory entry cites. */
import { isAbsolute, join, relative, sep } from 'node:path'
import { parseCitation } from '@cairn/core'

/** Lines of a file that an entry cites. */
export interface CitedLocation {
  /** Absolute. */
  readonly path: string
  /** From 0, both included. */
  readonly from: number
  readonly to: number
}

/** Returns whether a path lies below the project's folder; false for the folder itself. */
const isBelow = (project: string, path: string): boolean => {
  const rest = relative(project, path)
  return rest !== '' && rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest)
}

/** Returns the lines that an example cites; undefined if it cites none, or a path outside the project. */
export const citedLocation = (project: string, example: string): CitedLocation | undefined => {
  const citation = parseCitation(example)
  if (citation === undefined || !isAbsolute(project)) return undefined
  const path = isAbsolute(citation.path) ? citation.path : join(project, citation.path)
  return isBelow(project, path) ? { path, from: citation.from - 1, to: citation.to - 1 } : undefined
}
