/**
 * What the settings of the user and of projects say, without a checker: a file that can't be read says nothing;
 * `cairn config` says what is wrong with it.
 */
import { readFileSync, statSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../json.ts'
import { pathsOf, userConfigPath, workspaceConfigPath, type Surroundings } from './settings-paths.ts'

/** No settings are larger, bytes. */
const LARGEST_FILE = 1_048_576

interface ProjectSettings {
  /** A project by its path; null: all of them, by the user's own file. */
  readonly project: string | null
  readonly settings: JsonObject
}

/**
 * The settings files that there are: first the user's, then those of projects, in the order in which these are given,
 * each once; a project's file that is the user's own is not repeated. Read anew at each call; never throws.
 * @param projects paths as the store has them; one that is not absolute here, or is the network's (`//…`), is left out
 */
export const settingsByProject = (
  surroundings: Surroundings,
  projects: readonly string[],
): readonly ProjectSettings[] => {
  const { platform } = surroundings
  const userFile = userConfigPath(surroundings)
  const own = settingsIn(userFile)
  const found: ProjectSettings[] = own === undefined ? [] : [{ project: null, settings: own }]
  for (const project of new Set(projects)) {
    // A store may hold paths of other machines; one of the network would be waited for.
    if (!pathsOf(platform).isAbsolute(project) || /^[\\/]{2}/.test(project)) continue
    const file = workspaceConfigPath(project, platform)
    const settings = file === userFile ? undefined : settingsIn(file)
    if (settings !== undefined) found.push({ project, settings })
  }
  return found
}

/**
 * The settings in a file; undefined where it is missing, no plain file, larger than `LARGEST_FILE`, can't be read, or
 * holds no JSON object.
 */
const settingsIn = (file: string): JsonObject | undefined => {
  try {
    const facts = statSync(file, { throwIfNoEntry: false })
    // A pipe would be waited for.
    if (facts?.isFile() !== true || facts.size > LARGEST_FILE) return undefined
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    return isJsonObject(settings) ? settings : undefined
  } catch {
    return undefined
  }
}
