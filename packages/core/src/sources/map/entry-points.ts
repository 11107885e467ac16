/** Files that say what a project is made of, and files that its programs and libraries begin with. */
import { folderOf } from '../imports/path-index.ts'
import { isKeptClosed } from './open-folders.ts'

const MANIFEST =
  /^(?:package\.json|pnpm-workspace\.yaml|nx\.json|turbo\.json|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|Pipfile|tox\.ini|go\.(?:mod|work)|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|.+\.(?:csproj|fsproj|sln|slnx|gemspec|cabal)|Gemfile|composer\.json|mix\.exs|Package\.swift|pubspec\.yaml|CMakeLists\.txt|Makefile|justfile|Dockerfile|compose\.ya?ml|docker-compose\.ya?ml)$/
/** By base name; whether such a file is an entry point also depends on its folder. */
const ENTRY_POINT =
  /^(?:(?:main|index|cli|app|server|extension)\.[cm]?[jt]sx?|mod\.ts|(?:main|lib)\.rs|main\.(?:go|c|cc|cpp|swift|dart|kt)|(?:__main__|main|manage|app|wsgi|asgi|cli)\.py|Program\.cs|Main\.java)$/
/** Folders of a project in which its programs and libraries start. */
const ENTRY_FOLDERS = /^(?:|src|app|src\/main|cmd\/[^/]+)$/
/** Python packages have their entry points in a folder of their own. */
const PYTHON_FOLDERS = /^(?:src\/)?[^/]+$/
const TEST = /(?:^|[./_-])(?:tests?|specs?|__tests__|e2e|examples?|bench(?:es|marks)?|docs?)(?:[./_-]|$)/i

/** Paths of manifests and entry points, each sorted by depth, then by name. */
export interface EntryPoints {
  readonly manifests: readonly string[]
  readonly entryPoints: readonly string[]
}

/**
 * Returns the manifests and the entry points (files in a manifest's folder in which a program or library starts), those
 * nearest to the root first. Leaves out tests, examples, documentation and folders that the map does not open. Both
 * lists are empty if there is no manifest.
 */
export const findEntryPoints = (paths: readonly string[]): EntryPoints => {
  const shown = paths.filter((path) => {
    return !TEST.test(path) && !isKeptClosed({ name: folderOf(path) })
  })
  const manifests = shown.filter((path) => MANIFEST.test(path.slice(path.lastIndexOf('/') + 1)))
  const projects = manifests.map(folderOf)
  return {
    manifests: manifests.toSorted(byDepth),
    entryPoints: shown.filter((path) => projects.some((project) => beginsProject(path, project))).toSorted(byDepth),
  }
}

/** Whether a file is an entry point of the project in a folder ('' for the root). By its name and folder alone. */
const beginsProject = (path: string, project: string): boolean => {
  if (project !== '' && !path.startsWith(`${project}/`)) return false
  const inside = project === '' ? path : path.slice(project.length + 1)
  const folder = folderOf(inside)
  const name = inside.slice(inside.lastIndexOf('/') + 1)
  if (/^(?:src\/)?bin$/.test(folder)) return true
  if (!ENTRY_POINT.test(name)) return false
  return ENTRY_FOLDERS.test(folder) || (name.endsWith('.py') && PYTHON_FOLDERS.test(folder))
}

const depthOf = (path: string): number => path.split('/').length
/** Sorts paths by depth, then by name. */
const byDepth = (left: string, right: string): number => depthOf(left) - depthOf(right) || (left < right ? -1 : 1)

/**
 * Shortens a list of paths: those that differ only in the name of their folder become one,
 * `packages/{a,b}/package.json`. In the order of the first of each.
 */
export const joinedPaths = (paths: readonly string[]): readonly string[] => {
  const groups = Map.groupBy(paths, (path) => {
    const parts = path.split('/')
    const varying = parts.length - 2
    return varying < 1 ? path : [...parts.slice(0, varying), '*', ...parts.slice(varying + 1)].join('/')
  })
  return [...groups].map(([pattern, group]) => {
    const [only = ''] = group
    if (group.length === 1) return only
    const names = group.map((path) => path.split('/').at(-2) ?? '')
    return pattern.replace('*', () => `{${names.join(',')}}`)
  })
}
