/** Which folder on disk a client works in: where its files are, which in a linked worktree is not the repository's. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { sourceFolder } from '../options/source-folder.ts'
import { EVERYWHERE } from './projects.ts'
import type { AskRoots } from './projects.ts'
import { named } from './quoted.ts'

/** Finds a project's folder by its name or path. */
type FindProject = (asked: string) => Promise<string>

/**
 * Returns the top folder of the project asked for, otherwise of `--workspace`, of the client's folders, or of the
 * server's own; the first that is a project. Rejects with `not-found` if the project asked for is not on this disk, and
 * with `invalid-input` if none is asked for and there is none.
 */
export const sourceFolderOf = async (
  asked: string | undefined,
  { options, context, askRoots, findProject }: SourceFolderParts,
): Promise<string> => {
  const folderAt = (workspace: string): string | undefined => sourceFolder({ workspace }, context)?.root
  if (asked !== undefined) {
    const found = folderAt(asked) ?? folderAt(await findProject(asked))
    if (found !== undefined) return found
    throw new CairnError('not-found', `${named(asked)} is no project with a folder on this machine.`)
  }
  const candidates = [
    ...(options.workspace === undefined || options.workspace === EVERYWHERE ? [] : [options.workspace]),
    ...((await askRoots().catch(() => undefined)) ?? []).flatMap(pathOf),
    context.surroundings.folder,
  ]
  for (const candidate of candidates) {
    const found = folderAt(candidate)
    if (found !== undefined) return found
  }
  throw new CairnError(
    'invalid-input',
    'Which project? This server was not started in one: give "workspace", a folder or a project\'s name.',
  )
}

/** Where projects are looked up. */
export interface SourceFolderParts {
  readonly options: CommonOptions
  readonly context: Pick<Context, 'surroundings'>
  readonly askRoots: AskRoots
  readonly findProject: FindProject
}

/**
 * The folder of a `file:` URL, as a list of one; empty for any other text, or if there is no such folder on this
 * machine.
 */
const pathOf = (uri: string): readonly string[] => {
  try {
    const path = resolve(fileURLToPath(uri))
    return existsSync(path) && statSync(path).isDirectory() ? [path] : []
  } catch {
    return []
  }
}
