/** Addresses of the pages, to which what was selected goes along. */
import { writeSelection } from '../selection/selection.ts'
import type { Selection } from '../selection/selection.ts'

/** Pages of single folders, to which a project of several does not go along. */
const FOLDER_PAGES: readonly string[] = ['/memory', '/checkpoints']
const FOLDER = /^(?:[\\/]|[A-Za-z]:[\\/])/

/**
 * Returns the address of a page with the selection; for pages that show single folders without a project whose key is
 * no folder's path, as it may have several.
 */
export const pageHref = (path: string, selection: Selection): string => {
  const { project, ...others } = selection.filter
  const isLeftOut = project !== undefined && FOLDER_PAGES.includes(path) && !FOLDER.test(project)
  return `${path}${writeSelection(isLeftOut ? { ...selection, filter: others } : selection)}`
}
