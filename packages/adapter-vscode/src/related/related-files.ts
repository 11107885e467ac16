/** The files that belong to what is selected in an editor, as items of a list. */
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { RelatedFile } from '@cairn/core/sources'
import { neutraliseLine, shorten } from '../text/neutralise.ts'

/** What related files are looked for. */
export interface RelatedQuestion {
  /** The folder whose files are ranked, absolute. */
  readonly root: string
  /** Its project, as the store names it. */
  readonly project: string
  /** What is selected, or was typed. */
  readonly text: string
  /** The file that it is selected in, relative to the folder, with `/`. */
  readonly file?: string | undefined
}

/** A related file as a row of a list. */
export interface RelatedItem {
  readonly label: string
  /** The file's folder. */
  readonly description: string
  /** Why it belongs to the text. */
  readonly detail: string
  /** Relative to the folder. */
  readonly path: string
}

const MOST_FILES = 30
const DETAIL_SHOWN = 200

/**
 * Returns the files that are related to the question, best first; if the file is not a source file, by the text alone.
 * Rejects with `invalid-input` for a text without words. Files that the index does not hold yet are indexed afterwards,
 * which is not waited for.
 */
export const relatedItems = async (
  { related }: Pick<Engine, 'related'>,
  { root, project, text, file }: RelatedQuestion,
  signal?: AbortSignal,
): Promise<readonly RelatedItem[]> => {
  const query = { roots: [root], workspace: project, text, limit: MOST_FILES }
  const beside = file === undefined ? undefined : await orNone(related.find({ ...query, file }, signal))
  const { files, unindexed } = beside ?? (await related.find(query, signal))
  if (unindexed > 0) void related.index([root]).catch(() => undefined)
  return files.map(itemOf)
}

/** Resolves as the answer; undefined if it rejects with `invalid-input`, as for a file that is no source file. */
const orNone = async <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await answer
  } catch (error) {
    if (CairnError.is(error) && error.code === 'invalid-input') return undefined
    throw error
  }
}

/** Returns the row of a related file: its name, its folder ('' for the root), and the reasons, cut. */
const itemOf = ({ path, why }: RelatedFile): RelatedItem => {
  const slash = path.lastIndexOf('/')
  return {
    label: neutraliseLine(path.slice(slash + 1)),
    description: neutraliseLine(path.slice(0, Math.max(0, slash))),
    detail: shorten(neutraliseLine(why.join(' · ')), DETAIL_SHOWN),
    path,
  }
}
