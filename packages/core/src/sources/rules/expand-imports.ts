/** `@path` in a rules file: that file takes its place, with what it imports itself, five files deep. */
import { visibleName } from '../mentions/delimited.ts'
import { parseMentions } from '../mentions/parse-mentions.ts'

/** What an import leads to: a text with an id that identifies it, or why there is none. */
export type ImportedText =
  | { readonly id: string; readonly text: string }
  /** Nothing is there: then it is no import. */
  | { readonly missing: true }
  | { readonly refused: string }

/** Reads what `path` means in the file `from`. */
export type ReadImport = (path: string, from: string) => Promise<ImportedText>

/**
 * A text with its imports, the paths of the imported files in order, and a sentence for each import that was not
 * followed.
 */
export interface WithImports {
  readonly text: string
  readonly imports: readonly string[]
  readonly notices: readonly string[]
}

const DEEPEST = 5
/** Files that one rules file may import. */
const MOST_IMPORTS = 50

/**
 * Returns the text of the file `id` with the files it imports (`@path`) inserted, and those that these import, up to 5
 * levels and 50 files. An import that is not followed stays as written and adds a notice; if there is no such file, it
 * is not an import. Rejects if `read` does.
 */
export const withImports = async (id: string, text: string, read: ReadImport): Promise<WithImports> => {
  const imports: string[] = []
  const notices: string[] = []

  /**
   * The text with each file that it mentions, and that may be read, in place of its mention; why others are refused is
   * noted.
   */
  const expanded = async (from: string, given: string, above: readonly string[]): Promise<string> => {
    const parts: string[] = []
    let at = 0
    for (const { start, readings } of parseMentions(given)) {
      for (const { end, target } of readings) {
        if (target.kind !== 'path' || target.lines !== undefined || target.path.endsWith('/')) continue
        const found = await read(target.path, from)
        if ('missing' in found) continue
        const reason = 'refused' in found ? found.refused : reasonAgainst(found.id, above)
        if (reason !== undefined) refuse(from, reason)
        else if ('id' in found) {
          parts.push(given.slice(at, start), await take(found, above))
          at = end
        }
        break
      }
    }
    return parts.join('') + given.slice(at)
  }

  const refuse = (from: string, reason: string): void => {
    notices.push(`${visibleName(from)} imports a file that is not taken: ${reason}`)
  }

  /** Why a file is not taken in; undefined where it is. */
  const reasonAgainst = (id: string, above: readonly string[]): string | undefined => {
    if (above.includes(id)) return `${visibleName(id)} imports itself${above.length > 1 ? ', by way of others' : ''}.`
    if (above.length > DEEPEST) return `${visibleName(id)} would be more than ${DEEPEST} imports deep.`
    return imports.length >= MOST_IMPORTS ? `there are more than ${MOST_IMPORTS} imports.` : undefined
  }

  /** Notes a file as imported; gives its text, with what it imports itself, between two comments that name it. */
  const take = async (
    found: { readonly id: string; readonly text: string },
    above: readonly string[],
  ): Promise<string> => {
    imports.push(found.id)
    const inside = await expanded(found.id, found.text, [...above, found.id])
    return `${beginOf(found.id)}\n${inside.trimEnd()}\n${endOf(found.id)}`
  }

  return { text: await expanded(id, text, [id]), imports, notices }
}

const beginOf = (id: string): string => `<!-- from ${visibleName(id)} -->`
const endOf = (id: string): string => `<!-- end of ${visibleName(id)} -->`

/**
 * Returns the text with the part imported from the file `id` replaced by a pointer to the file `holder`, which has the
 * same text; unchanged if it is not imported.
 */
export const withoutImport = (text: string, id: string, holder: string): string => {
  const start = text.indexOf(`${beginOf(id)}\n`)
  const end = text.indexOf(endOf(id), start)
  if (start === -1 || end === -1) return text
  return `${text.slice(0, start)}<!-- ${visibleName(id)}: see ${visibleName(holder)} -->${text.slice(end + endOf(id).length)}`
}
