/** Source files and commits in memory, with what was asked of them. */
import type { SourceAccess } from '../../ports/source-access.ts'
import type { WorkspaceFile } from '../../ports/workspace-files.ts'

export interface InMemorySources extends SourceAccess {
  /** The text of each file; a change needs another number of bytes. */
  readonly texts: Map<string, string>
  /** Newest first: subject and changed paths, `old>new` for a rename. */
  commits: (readonly [subject: string, ...paths: string[]])[]
  /** Paths in the order in which they were read. */
  readonly reads: string[]
  readonly cached: Map<string, Uint8Array>
  /** What {@link SourceAccess.importNeighbours} gives, by path. */
  readonly neighbours: Map<string, readonly string[]>
}

const HEX = 16

/** Sources of one root. All files are old enough for their time of change to be certain. */
export const createInMemorySources = (texts: Readonly<Record<string, string>>): InMemorySources => {
  const sources: InMemorySources = {
    texts: new Map(Object.entries(texts)),
    commits: [],
    reads: [],
    cached: new Map(),
    neighbours: new Map(),
    importNeighbours: async (_, path) => sources.neighbours.get(path) ?? [],
    files: (roots) => ({
      roots: roots.map((folder) => ({ folder, prefix: '' })),
      list: async () => ({
        files: [...sources.texts].map(([path, text]): WorkspaceFile => ({
          path,
          bytes: new TextEncoder().encode(text).length,
          mtimeMs: 1_000,
        })),
        isComplete: true,
      }),
      read: async (path) => {
        sources.reads.push(path)
        const text = sources.texts.get(path)
        return text === undefined ? { refused: 'gone' } : { content: new TextEncoder().encode(text) }
      },
    }),
    head: async () => (sources.commits.length === 0 ? undefined : idOf(sources.commits.length)),
    log: async () => logOf(sources.commits),
    cache: {
      read: async (name) => {
        const bytes = sources.cached.get(name)
        return bytes === undefined ? undefined : { bytes, version: String(bytes.length) }
      },
      version: async (name) => sources.cached.get(name)?.length.toString(),
      write: async (name, bytes) => {
        sources.cached.set(name, bytes)
        return String(bytes.length)
      },
    },
    pause: async () => undefined,
  }
  return sources
}

const idOf = (number: number): string => number.toString(HEX).padStart(40, '0')

/** As git prints it with the options of `commits.ts`. */
const logOf = (commits: InMemorySources['commits']): string =>
  commits
    .map(([subject, ...paths], age) => {
      const files = paths.map((path) => {
        const [from, to] = path.split('>')
        return to === undefined ? `M\0${path}\0` : `R090\0${from}\0${to}\0`
      })
      return `\x1e${idOf(commits.length - age)}\0${subject}\0\0\n${files.join('')}`
    })
    .join('')
