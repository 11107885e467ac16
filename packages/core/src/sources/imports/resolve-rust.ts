/** From Rust's paths to the files of modules: by the layout of files, and by the crates that `Cargo.toml` files name. */
import { parse } from 'smol-toml'
import { baseName, folderOf, foldersUpwards, joinPath, type PathIndex } from './path-index.ts'
import type { ProjectSettings } from './project-settings.ts'
import type { ResolveImport } from './resolve-javascript.ts'

/**
 * Creates the resolver for Rust: a path means the file of its longest prefix that is a module in a file of its own.
 * Empty for crates outside of the workspace and for the importer itself.
 */
export const createRustResolver = (paths: PathIndex, { texts }: ProjectSettings): ResolveImport => {
  const crates = cratesIn(paths, texts)
  const modules = createModules(paths, crates)
  return (importer, { specifier }) => {
    const file = specifier.startsWith('mod ')
      ? modules.declared(importer, specifier.slice(4))
      : modules.named(importer, specifier.split('::'))
    return file === undefined || file === importer ? [] : [file]
  }
}

/** The crates of a workspace by their `Cargo.toml`. */
interface Crates {
  /** Files of libraries by the name that code uses. */
  readonly byName: ReadonlyMap<string, string>
  /** The library, or else the program, of a package's folder. */
  readonly rootByFolder: ReadonlyMap<string, string>
  readonly roots: ReadonlySet<string>
}

/** Reads the crates from all `Cargo.toml` texts; manifests without a package name are ignored. */
const cratesIn = ({ has }: PathIndex, texts: ReadonlyMap<string, string>): Crates => {
  const byName = new Map<string, string>()
  const rootByFolder = new Map<string, string>()
  const roots = new Set<string>()
  for (const [path, text] of texts) {
    if (baseName(path) !== 'Cargo.toml') continue
    const folder = folderOf(path)
    const manifest = tableIn(text)
    const packageName = textOf(tableOf(manifest.package).name)
    if (packageName === undefined) continue
    const { name, path: libraryPath } = tableOf(manifest.lib)
    const library = joinPath(folder, textOf(libraryPath) ?? 'src/lib.rs') ?? ''
    const program = joinPath(folder, 'src/main.rs') ?? ''
    if (has(library)) byName.set((textOf(name) ?? packageName).replaceAll('-', '_'), library)
    const root = [library, program].find(has)
    if (root !== undefined) rootByFolder.set(folder, root)
    for (const each of [library, program]) roots.add(each)
    for (const table of ['bin', 'test', 'example', 'bench'])
      for (const target of listOf(manifest[table])) {
        const own = textOf(tableOf(target).path)
        if (own !== undefined) roots.add(joinPath(folder, own) ?? '')
      }
  }
  return { byName, rootByFolder, roots }
}

interface Modules {
  /** The file of `mod a::b;` or `mod "path";` in a file. */
  readonly declared: (file: string, name: string) => string | undefined
  readonly named: (file: string, segments: readonly string[]) => string | undefined
}

/**
 * Returns lookups of modules by declaration and by path; both return undefined if there is no such file. `named` gives
 * the deepest file on the path.
 */
const createModules = (paths: PathIndex, { byName, rootByFolder, roots }: Crates): Modules => {
  /** A crate's first file: its modules lie beside it. */
  const isRoot = (file: string): boolean => roots.has(file) || isRootByLayout(file, rootByFolder)
  const childFolder = (file: string): string =>
    baseName(file) === 'mod.rs' || isRoot(file) ? folderOf(file) : file.slice(0, -'.rs'.length)
  const childOf = (file: string, name: string): string | undefined => moduleAt(childFolder(file), name, paths)
  /** The file of the module around that of a file; undefined for a crate's first file, and where none is found. */
  const parentOf = (file: string): string | undefined => {
    if (isRoot(file)) return undefined
    const folder = baseName(file) === 'mod.rs' ? folderOf(folderOf(file)) : folderOf(file)
    const above = ['mod.rs', 'lib.rs', 'main.rs'].map((name) => joinPath(folder, name) ?? name)
    return [...above, `${folder}.rs`, rootByFolder.get(folderOf(folder)) ?? ''].find(
      (each) => each !== file && paths.has(each) && childFolder(each) === folder,
    )
  }
  /**
   * The first file of a file's crate: the topmost module above it, else that of the nearest package's folder; undefined
   * where there is none.
   */
  const rootOf = (file: string): string | undefined => {
    let top = file
    for (let up = parentOf(top); up !== undefined && up !== top; up = parentOf(top)) top = up
    if (isRoot(top)) return top
    return foldersUpwards(folderOf(file))
      .map((folder) => rootByFolder.get(folder))
      .find((root) => root !== undefined)
  }
  /**
   * The file that names of modules lead to from one, as far as each has a file of its own; undefined without one to
   * start at.
   */
  const walk = (from: string | undefined, segments: readonly string[]): string | undefined => {
    let file = from
    for (const segment of segments) {
      const next = file === undefined ? undefined : childOf(file, segment)
      if (next === undefined) break
      file = next
    }
    return file
  }
  return {
    declared: (file, name) => {
      if (name.startsWith('"')) {
        const path = joinPath(folderOf(file), name.slice(1, -1))
        return path !== undefined && paths.has(path) ? path : undefined
      }
      const segments = name.split('::')
      const folder = joinPath(childFolder(file), segments.slice(0, -1).join('/'))
      return folder === undefined ? undefined : moduleAt(folder, segments.at(-1) ?? '', paths)
    },
    named: (file, [first = '', ...rest]) => {
      if (first === 'crate' || first === '$crate') return walk(rootOf(file), rest)
      if (first === 'self') return walk(file, rest)
      if (first === 'super') {
        let parent = parentOf(file)
        while (rest[0] === 'super' && parent !== undefined) {
          parent = parentOf(parent)
          rest = rest.slice(1)
        }
        return walk(parent, rest)
      }
      if (first === '') return walk(byName.get(rest[0] ?? ''), rest.slice(1))
      const child = childOf(file, first)
      return child === undefined ? walk(byName.get(first), rest) : walk(child, rest)
    },
  }
}

/**
 * Whether Cargo treats a file as the root of a crate by its location: tests, examples, benchmarks, programs,
 * `build.rs`. `packages`: by the folder of a package.
 */
const isRootByLayout = (file: string, packages: ReadonlyMap<string, string>): boolean => {
  const name = baseName(file)
  const folder = folderOf(file)
  if (name === 'lib.rs' || name === 'main.rs') return true
  if (name === 'build.rs' && packages.has(folder)) return true
  return /(?:^|\/)(?:tests|examples|benches|src\/bin)$/.test(folder) && name !== 'mod.rs'
}

/** `name.rs` or `name/mod.rs` in a folder, whichever exists; otherwise undefined. */
const moduleAt = (folder: string, name: string, { has }: PathIndex): string | undefined =>
  [joinPath(folder, `${name}.rs`), joinPath(folder, `${name}/mod.rs`)].find((path) => path !== undefined && has(path))

type Table = Readonly<Record<string, unknown>>

/** The value if it is a table, otherwise an empty one. */
const tableOf = (value: unknown): Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Parses TOML; an empty table if it is invalid. */
const tableIn = (text: string): Table => {
  try {
    return parse(text)
  } catch {
    return {}
  }
}
