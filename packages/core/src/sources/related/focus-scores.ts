/** How well files fit the focus of a workspace: they lie below a path that it names, or else have its words. */
import { questionTerms } from './question.ts'
import type { QuestionTerm } from './question.ts'
import { textScores } from './text-scores.ts'
import type { RankedFile } from './text-scores.ts'

/** A focus as it was understood. */
export interface ReadFocus {
  /** Files and folders that it names, without `/` at the end. */
  readonly paths: readonly string[]
  /** Its words; none where it names paths, which say more. */
  readonly terms: readonly QuestionTerm[]
}

const AROUND_PATH = /^[`"'(@]+|[`"'),.;:!?/]+$/g
const FROM_HERE = /^(?:\.?\/)+/

/**
 * Splits a focus into paths and words. A word is a path if a file has this path or lies below it; a word without `/`
 * only if it is a file's whole path or the whole focus, because "tests" is a word in most sentences. Paths may start
 * with one of the roots. If there are paths, `terms` is empty.
 */
export const readFocus = (focus: string, files: readonly string[], roots: readonly string[]): ReadFocus => {
  const words = focus.trim().split(/\s+/)
  const paths = words.flatMap((word) => {
    const bare = word.replaceAll(AROUND_PATH, '')
    const root = roots.find((folder) => bare.startsWith(`${folder}/`))
    const path = root === undefined ? bare.replace(FROM_HERE, '') : bare.slice(root.length + 1)
    const isFolderNamed = words.length === 1 || word.includes('/')
    const isThere = path !== '' && files.some((file) => file === path || (isFolderNamed && file.startsWith(`${path}/`)))
    return isThere ? [path] : []
  })
  // The words of a path that is gone, such as `src`, would fit everything.
  const text = words.filter((word) => !word.endsWith('/')).join(' ')
  return { paths, terms: paths.length > 0 ? [] : questionTerms(text) }
}

/**
 * Returns a score per file number: with paths, 1 for files that they mean and 0 for others; without, how well the
 * focus's words fit, as {@link textScores} (not normalised).
 */
export const focusScores = (files: readonly RankedFile[], { paths, terms }: ReadFocus): Float64Array =>
  paths.length === 0
    ? textScores(files, terms).text
    : Float64Array.from(files, ({ path }) =>
        paths.some((named) => path === named || path.startsWith(`${named}/`)) ? 1 : 0,
      )
