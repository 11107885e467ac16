/** How well files fit the focus of a workspace: they lie below a path that it names, or else have its words. */
import { questionTerms } from './question.ts'
import type { QuestionTerm } from './question.ts'
import { textScores } from './text-scores.ts'
import type { RankedFile } from './text-scores.ts'

/** A focus as it is understood. */
export interface ReadFocus {
  /** Files and folders that it names, without `/` at the end. */
  readonly paths: readonly string[]
  /** Its words; none where it names paths, which say more. */
  readonly terms: readonly QuestionTerm[]
}

const AROUND_PATH = /^[`"'(@]+|[`"'),.;:!?/]+$/g
const FROM_HERE = /^(?:\.?\/)+/

/**
 * Understands a focus. A word is a path where a file is called so or lies below it; one without `/` only where it is a
 * file's whole path or the whole focus, as "tests" is a word in most sentences. Paths may begin with a root.
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
 * Scores of all files by their number: 1 for those that a path of the focus means and 0 for others; without paths by
 * its words, as {@link textScores} (not scaled).
 */
export const focusScores = (files: readonly RankedFile[], { paths, terms }: ReadFocus): Float64Array =>
  paths.length === 0
    ? textScores(files, terms).text
    : Float64Array.from(files, ({ path }) =>
        paths.some((named) => path === named || path.startsWith(`${named}/`)) ? 1 : 0,
      )
