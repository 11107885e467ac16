/** Search over several shards. Each ranks by its own index, so that scores of two shards compare only roughly. */
import type {
  CorrectedQuery,
  FileList,
  FileListQuery,
  FileTouch,
  ListedFile,
  SearchHit,
  SearchIndex,
  FileUse,
} from '../ports/search-index.ts'
import { relativePath } from '../file-activity/index.ts'
import type { Store } from '../ports/store.ts'
import { fileOrder } from '../recall/file-list.ts'

const HITS = 10
const TOUCHES = 1_000
const FILES = 100

const newestFirst = (left: number | null, right: number | null): number =>
  (right ?? Number.NEGATIVE_INFINITY) - (left ?? Number.NEGATIVE_INFINITY) || 0

const bestFirst = (left: SearchHit, right: SearchHit): number =>
  right.score - left.score || newestFirst(left.at, right.at)

/** The newer use; of two at the same time that of the session whose id sorts first, as one store has it. */
const later = (one: FileUse | null, other: FileUse | null): FileUse | null => {
  if (one === null || other === null) return one ?? other
  const order = newestFirst(one.at, other.at) || (one.sessionId < other.sessionId ? -1 : 1)
  return order > 0 ? other : one
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:\/)/

/** A file's path with its folder, if it is relative to one. */
const wholePathOf = ({ path, workspace }: ListedFile): string =>
  workspace === null || ABSOLUTE.test(path) ? path : `${workspace.replaceAll('\\', '/').replace(/\/+$/, '')}/${path}`

const innermost = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other.length > one.length) ? other : one

/**
 * Search over shards: what is not limited by its own order is asked for as a whole. Hits come best first, touches newest
 * first, at most as many as one store gives. Rejects as any shard does.
 */
export const createCombinedSearch = (shards: readonly Store[]): SearchIndex => {
  const ask = <T>(question: (search: SearchIndex) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(shards.map(({ search }) => question(search)))
  return {
    search: async (query) =>
      (await ask((search) => search.search(query)))
        .flat()
        .sort(bestFirst)
        .slice(0, query.limit ?? HITS),
    sessions: async (query) =>
      (await ask((search) => search.sessions(query)))
        .flat()
        .sort((left, right) => right.score - left.score)
        .slice(0, query.limit ?? HITS),
    correct: async (query) => correction(await ask((search) => search.correct(query)), query.text),
    touches: async (query) =>
      (await ask((search) => search.touches(query)))
        .flat()
        .sort((left: FileTouch, right: FileTouch) => newestFirst(left.at, right.at))
        .slice(0, query.limit ?? TOUCHES),
    files: async (query = {}) =>
      combinedFiles(
        await ask((search) => search.files({ ...query, limit: Number.MAX_SAFE_INTEGER, offset: 0 })),
        query,
      ),
  }
}

/** The first shard's corrections, of words that all others correct, too: what one of them does not correct, it has. */
const correction = ([first, ...others]: readonly CorrectedQuery[], text: string): CorrectedQuery => {
  const isWrong = (word: string): boolean =>
    others.every(({ corrections }) => corrections.some((correction) => correction.word === word))
  const corrections = (first?.corrections ?? []).filter(({ word }) => isWrong(word))
  if (first === undefined || corrections.length === first.corrections.length) return first ?? { text, corrections }
  return { text: corrections.reduce((left, { word, instead }) => left.replace(word, () => instead), text), corrections }
}

/**
 * Lists as one: a file's calls in all shards are added up, under the innermost of the folders that it lies in. Sorted and cut
 * as the query says; `total` counts all files.
 */
const combinedFiles = (
  lists: readonly FileList[],
  { sort = 'edits', order = sort === 'path' ? 'ascending' : 'descending', limit = FILES, offset = 0 }: FileListQuery,
): FileList => {
  const files = new Map<string, ListedFile>()
  for (const file of lists.flatMap((list) => list.files)) {
    const whole = wholePathOf(file)
    const known = files.get(whole)
    if (known === undefined) {
      files.set(whole, file)
      continue
    }
    const workspace = innermost(known.workspace, file.workspace)
    files.set(whole, {
      path: relativePath(whole, workspace ?? undefined),
      workspace,
      edits: known.edits + file.edits,
      reads: known.reads + file.reads,
      sessions: known.sessions + file.sessions,
      lastEdit: later(known.lastEdit, file.lastEdit),
      lastRead: later(known.lastRead, file.lastRead),
    })
  }
  const sorted = [...files].map(([wholePath, file]) => ({ wholePath, file })).sort(fileOrder(sort, order))
  return { files: sorted.slice(offset, offset + limit).map(({ file }) => file), total: files.size }
}
