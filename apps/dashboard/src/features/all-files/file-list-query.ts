/** Asks the store for a page of the files that agents used: it sorts, filters, searches and cuts. */
import type { FileListQuery, FileUse, ListedFile, Store } from '@cairn/core'
import { workspacesOfProject } from '@cairn/core/projects'
import { z } from 'zod'
import { lastPage } from '../../components/pager.tsx'
import { ORDERS } from '../../components/sorting.ts'
import { spanOf } from '../selection/period.ts'
import { selectionInput } from '../selection/selection-input.ts'
import { rowName } from '../usage/dimension.ts'
import type { ProjectNames } from '../usage/project-names.ts'
import { projectNames } from '../usage/store-project-names.ts'
import type { NamedStore } from '../usage/store-project-names.ts'
import { FILE_PAGE_ROWS } from './page-sizes.ts'
import { FILE_SORTS } from './sorts.ts'

/** Which files are asked for, as the procedure takes it. A filter by model narrows nothing: files carry none. */
export const fileListInput = z.object({
  selection: selectionInput,
  sort: z.enum(FILE_SORTS),
  order: z.enum(ORDERS),
  text: z.string().max(200),
  page: z.int().min(1).max(1_000_000),
})
/** Which files are asked for. */
export type FileListInput = z.infer<typeof fileListInput>

/** A file as a row of the table. */
export interface FileRow extends Pick<ListedFile, 'path' | 'edits' | 'reads' | 'sessions'> {
  /** The same path in two folders is two rows. */
  readonly key: string
  readonly workspace: string | null
  /** The name of `workspace`. */
  readonly project: string
  /** Null if it was only read. */
  readonly lastEdit: FileUse | null
}

/** A page of files. */
export interface FileListPage {
  readonly rows: readonly FileRow[]
  /** From 1. */
  readonly page: number
  /** Of all pages. */
  readonly count: number
}

/**
 * Returns a page of the files that agents read or edited within a selection. A page beyond the last is the last.
 * @param now ms
 */
export const fileListPage = async (
  store: Pick<Store, 'search'> & NamedStore,
  input: FileListInput,
  now: number,
): Promise<FileListPage> => {
  const query = await fileQuery(store, input, now)
  const askFor = (page: number) =>
    store.search.files({ ...query, limit: FILE_PAGE_ROWS, offset: (page - 1) * FILE_PAGE_ROWS })
  const wanted = await askFor(input.page)
  const page = Math.min(input.page, lastPage(FILE_PAGE_ROWS, wanted.total))
  const { files, total } = page === input.page ? wanted : await askFor(page)
  const names = await projectNames(store)
  return { rows: files.map((file) => fileRow(file, names)), page, count: total }
}

/**
 * The query for the list of files: the selection's days, project, agent and branch, and a text if it is not blank.
 * `now` in ms. The end of the days is not included.
 */
const fileQuery = async (
  { projects }: Pick<Store, 'projects'>,
  { selection, sort, order, text }: FileListInput,
  now: number,
): Promise<FileListQuery> => {
  const { period, from, to, timeZone, filter } = selection
  const { since, until } = spanOf({ period, from, to }, timeZone, now)
  const { project, agent, branch } = filter
  const wanted = text.trim()
  return {
    sort,
    order,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
    ...(project === undefined ? {} : { workspaces: [...workspacesOfProject(project, await projects.workspaces())] }),
    ...(wanted === '' ? {} : { text: wanted }),
  }
}

/** A file as a row; its key is made of its folder and path. */
const fileRow = ({ path, workspace, edits, reads, sessions, lastEdit }: ListedFile, names: ProjectNames): FileRow => ({
  key: JSON.stringify([workspace, path]),
  ...{ path, workspace, edits, reads, sessions, lastEdit },
  project: workspace === null ? '' : rowName('project', workspace, names).label,
})
