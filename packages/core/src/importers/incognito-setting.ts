/**
 * Whether the settings make the sessions of a folder incognito (`hooks.incognito`): those of its project, which is found as for
 * all settings, by the folder's name and by where its links lead; then those of the repository that the project is a work
 * tree of; then the user's. Hooks and imports ask the same, as not every agent runs hooks.
 */
import { userSettingsOf, type DataFolderInput } from '../data-folder.ts'
import { CairnError, messageOf } from '../errors.ts'
import { isJsonObject, type JsonValue } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import { attempt, createWorkspaceResolver, isPathHere, joined, parentOf } from './workspace.ts'

/**
 * Whether sessions that work in a folder are incognito; without a folder only the user's settings count. Each folder and each
 * file is looked at once. Rejects with a CairnError `invalid-input` where settings are there and don't tell.
 */
export type IncognitoSetting = (folder: string | undefined) => Promise<boolean>

/** Settings are smaller; what is larger is something else, and not read. */
const LARGEST_BYTES = 1 << 20

/**
 * A lookup with a cache of its own; make a new one for each import, so that changed settings are seen. The strongest
 * file that says something wins: the project's, its repository's, then the user's. See {@link IncognitoSetting}. False
 * where no file says anything; a folder of another system counts as none.
 */
export const createIncognitoSetting = (
  fileSystem: Pick<FileSystem, 'stat' | 'readText' | 'realPath'>,
  environment: DataFolderInput,
): IncognitoSetting => {
  const repositoryOf = createWorkspaceResolver(fileSystem)
  const settingIn = remembered((file) => readSetting(file, fileSystem))

  const isProject = remembered(async (folder) => {
    for (const name of ['.cairn/config.json', '.git']) {
      const kind = (await attempt(() => fileSystem.stat(joined(folder, name))))?.kind
      if (kind === 'file' || kind === 'directory') return true
    }
    return false
  })
  /** The nearest folder, from this one up, that is a project; the folder itself where none is. */
  const projectOf = async (folder: string): Promise<string> => {
    let at = folder
    for (;;) {
      if (await isProject(at)) return at
      const above = parentOf(at)
      if (above === at) return folder
      at = above
    }
  }

  const settingOf = remembered(async (folder) => {
    const real = (await attempt(() => fileSystem.realPath(folder))) ?? folder
    const projects = new Set([await projectOf(folder), await projectOf(real), await repositoryOf(real)])
    for (const project of projects) {
      const value = await settingIn(joined(project, '.cairn/config.json'))
      if (value !== undefined) return value
    }
    return undefined
  })

  return async (folder) => {
    const own = folder !== undefined && isPathHere(folder, environment.platform) ? await settingOf(folder) : undefined
    return own ?? (await settingIn(userSettingsOf(environment))) ?? false
  }
}

/** A lookup that is made once for each path, also where it fails: the same promise is given again. */
const remembered = <T>(look: (path: string) => Promise<T>): ((path: string) => Promise<T>) => {
  const known = new Map<string, Promise<T>>()
  return (path) => {
    const found = known.get(path) ?? look(path)
    known.set(path, found)
    return found
  }
}

/**
 * What a settings file says of it; undefined where there is none, or it says nothing. Rejects with `invalid-input` if
 * that can't be told, so that nothing is imported by mistake. A file that can't be looked at counts as none.
 */
const readSetting = async (
  file: string,
  fileSystem: Pick<FileSystem, 'stat' | 'readText'>,
): Promise<boolean | undefined> => {
  const facts = await attempt(() => fileSystem.stat(file))
  if (facts?.kind !== 'file') return undefined
  if (facts.size > LARGEST_BYTES) throw unclear(file, 'they are larger than 1 MiB')
  let value: unknown
  try {
    value = JSON.parse((await fileSystem.readText(file)) ?? '{}')
  } catch (cause) {
    throw unclear(file, cause instanceof SyntaxError ? 'they are not valid JSON' : messageOf(cause), cause)
  }
  const hooks: JsonValue | undefined = isJsonObject(value) ? value['hooks'] : undefined
  const setting = isJsonObject(hooks) ? hooks['incognito'] : undefined
  if (setting === undefined || typeof setting === 'boolean') return setting
  throw unclear(file, "'hooks.incognito' is neither true nor false")
}

/**
 * The error for settings that can't be read for whether a session is incognito: nothing of it is imported. It is the
 * end of a sentence.
 */
const unclear = (file: string, why: string, cause?: unknown): CairnError =>
  new CairnError(
    'invalid-input',
    `the settings in ${file} don't tell whether it is incognito: ${why}; correct them, and import again`,
    { cause },
  )
