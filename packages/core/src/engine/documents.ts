/**
 * The engine's part for context documents: combines what the store, the files and git say about a project into plans of
 * its documents.
 */
import { CairnError } from '../errors.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { assertName } from '../input.ts'
import { focusOf } from '../context/workspace-focus.ts'
import type { Memory } from '../memory/memory.ts'
import type { GitFacts } from '../ports/git-facts.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { Store } from '../ports/store.ts'
import type { WorkspaceFiles } from '../ports/workspace-files.ts'
import { todoList } from '../session/todo.ts'
import { manifestFacts, readmeFacts } from '../sources/documents/document-facts.ts'
import type { DocumentFacts } from '../sources/documents/document-facts.ts'
import { changedLayout, layoutFrom } from '../sources/documents/document-layout.ts'
import type { DocumentId, DocumentLayout, LayoutChange } from '../sources/documents/document-layout.ts'
import { planDocuments } from '../sources/documents/plan-documents.ts'
import type { DocumentMode, DocumentPlan, ExistingDocument } from '../sources/documents/plan-documents.ts'

export interface DocumentsInput {
  readonly workspace: string
  readonly mode: DocumentMode
  readonly layout: DocumentLayout
  readonly files: WorkspaceFiles
  readonly git: GitFacts
  /** The current file at a path relative to the project. */
  readonly read: (path: string) => Promise<ExistingDocument>
}

export interface EngineDocuments {
  /** The layout of a workspace's documents. Rejects with `usage` for changes that result in an invalid layout. */
  layout(workspace: string, change?: LayoutChange): Promise<DocumentLayout>
  /** Stores a layout for the workspace; stored when the promise resolves. */
  keepLayout(workspace: string, layout: DocumentLayout): Promise<void>
  /** What would be written to each document. Read-only. Rejects if the store fails. */
  plan(input: DocumentsInput): Promise<readonly DocumentPlan[]>
}

export interface DocumentDeps {
  readonly store: Pick<Store, 'sessions' | 'search' | 'notes' | 'state'>
  readonly memory: Pick<Memory, 'list'>
  readonly hasher: Hasher
}

const KEY = 'context.documents'
const HASH_LENGTH = 12
const MOST_SESSIONS = 15
const MOST_TOUCHES = 1_000
const LARGEST_READ = 256 * 1024
const LARGEST_DIFF = 1024 * 1024
const README = /^readme(?:\.(?:md|markdown|txt|rst))?$/i

const scopeOf = (workspace: string): StateScope => ({ tier: 'workspace', workspace })

/**
 * Creates the engine's part for context documents; nothing is read before a method is called. See {@link
 * EngineDocuments}. `plan` writes no file; `layout` is the stored one with the change, not stored. Calls reject with
 * `invalid-input` for a missing workspace.
 */
export const createEngineDocuments = (deps: DocumentDeps): EngineDocuments => ({
  layout: async (workspace, change = {}) => {
    assertName(workspace, 'The workspace')
    return changedLayout(layoutFrom(await deps.store.state.get(scopeOf(workspace), KEY)), change)
  },
  keepLayout: (workspace, { folder, names }) =>
    deps.store.state.set(scopeOf(workspace), new Map([[KEY, { folder, names: { ...names } }]])),
  /** Reads the facts and the six current documents, and plans each; nothing is written. */
  plan: async ({ workspace, mode, layout, files, git, read }) => {
    assertName(workspace, 'The workspace')
    const pathOf = (document: DocumentId): string => `${layout.folder}/${layout.names[document]}`
    const [facts, projectbrief, productContext, activeContext, systemPatterns, techContext, progress] =
      await Promise.all([
        factsOf(deps, { workspace, layout, files, git }),
        read(pathOf('projectbrief')),
        read(pathOf('productContext')),
        read(pathOf('activeContext')),
        read(pathOf('systemPatterns')),
        read(pathOf('techContext')),
        read(pathOf('progress')),
      ])
    return planDocuments({
      layout,
      facts,
      mode,
      existing: { projectbrief, productContext, activeContext, systemPatterns, techContext, progress },
      hash: (text) => deps.hasher.sha256(text).slice(0, HASH_LENGTH),
    })
  },
})

type FactsInput = Pick<DocumentsInput, 'workspace' | 'layout' | 'files' | 'git'>

/**
 * What the documents are written from: the paths of the workspace's files (without the documents themselves), focus,
 * git, sessions, notes and memory. Of the files only a readme and `package.json` are read, up to `LARGEST_READ` bytes;
 * the newest `MOST_SESSIONS` sessions count, and the todo list of the newest that has one.
 */
const factsOf = async (deps: DocumentDeps, { workspace, layout, files, git }: FactsInput): Promise<DocumentFacts> => {
  const { store } = deps
  const own = `${layout.folder}/`
  const paths = (await files.list()).files.map(({ path }) => path).filter((path) => !path.startsWith(own))
  const text = async (path: string | undefined): Promise<string | undefined> => {
    const answer = path === undefined ? undefined : await files.read(path, LARGEST_READ)
    return answer !== undefined && 'content' in answer ? new TextDecoder().decode(answer.content) : undefined
  }
  const [readme, manifest, focus, gitFacts, sessions, edited, notes, memory] = await Promise.all([
    text(paths.find((path) => README.test(path))),
    text(paths.find((path) => path === 'package.json')),
    focusOf(store.state, workspace),
    factsOfGit(git, own),
    store.sessions.list({ workspace, limit: MOST_SESSIONS }),
    editedFiles(store, workspace, new Set(paths)),
    store.notes.list(workspace),
    memoryOf(deps.memory, workspace),
  ])
  return {
    name:
      workspace
        .replaceAll('\\', '/')
        .split('/')
        .findLast((part) => part !== '') ?? workspace,
    ...(manifest === undefined ? { scripts: [] } : manifestFacts(manifest)),
    ...(readme === undefined ? {} : { readme: readmeFacts(readme) }),
    paths,
    ...(focus === undefined ? {} : { focus }),
    ...(gitFacts === undefined ? {} : { git: gitFacts }),
    sessions: sessions.sessions.map(({ title, agent, updatedAt }) => ({ title: title ?? '', agent, at: updatedAt })),
    edited,
    notes: notes.map(({ key }) => key),
    todo: await latestTodo(
      store,
      sessions.sessions.map(({ id }) => id),
    ),
    memory,
  }
}

/**
 * Branch, commits and changes; undefined if git has nothing about the folder. Documents themselves are not among the
 * changes.
 */
const factsOfGit = async (git: GitFacts, own: string): Promise<DocumentFacts['git']> => {
  const [branch, changes] = await Promise.all([git.branch(LARGEST_DIFF), git.changes(LARGEST_DIFF)])
  if ('refused' in branch) return undefined
  const [head = '', ...log] = branch.text.split('\n')
  const [diff = '', fresh = ''] = 'refused' in changes ? [] : changes.text.split(/^New files, not in git yet:\n/m)
  const changed = [...diff.matchAll(/^diff --git a\/.* b\/(.*)$/gm)].map(([, path = '']) => path)
  return {
    branch: head,
    commits: log.filter((line) => line !== ''),
    changed: [...new Set([...changed, ...fresh.split('\n')])].filter((path) => path !== '' && !path.startsWith(own)),
  }
}

/**
 * Files of the project edited by sessions, newest first. Of the newest `MOST_TOUCHES` operations; files that no longer
 * exist are left out. `paths`: the files there are, relative to the project.
 */
const editedFiles = async (
  { search }: Pick<Store, 'search'>,
  workspace: string,
  paths: ReadonlySet<string>,
): Promise<DocumentFacts['edited']> => {
  const files = new Map<string, { path: string; edits: number; at: number | null }>()
  for (const { path, operation, at } of await search.touches({ workspace, limit: MOST_TOUCHES })) {
    const name = relativePath(path, workspace)
    if (operation !== 'edit' || !paths.has(name)) continue
    const known = files.get(name)
    if (known === undefined) files.set(name, { path: name, edits: 1, at })
    else known.edits += 1
  }
  return [...files.values()]
}

/**
 * The todo list of the first of these sessions that has one; empty if none has. The caller gives them newest first. A
 * list that was rewound does not count.
 */
const latestTodo = async (
  { sessions }: Pick<Store, 'sessions'>,
  ids: readonly string[],
): Promise<DocumentFacts['todo']> => {
  for (const id of ids) {
    const list = todoList(await sessions.read(id, { kinds: ['todo', 'rewind'] }))
    if (list.length > 0) return list.map(({ text, status }) => ({ text, isDone: status === 'completed' }))
  }
  return []
}

/** Memory entries, most certain first; empty if long-term memory is off. Rejects for other faults. */
const memoryOf = async (memory: Pick<Memory, 'list'>, workspace: string): Promise<DocumentFacts['memory']> => {
  try {
    const entries = await memory.list(workspace)
    return entries
      .toSorted((left, right) => right.confidence - left.confidence || (left.id < right.id ? -1 : 1))
      .map(({ kind, text }) => ({ kind, text }))
  } catch (error) {
    if (CairnError.is(error) && error.code === 'unsupported') return []
    throw error
  }
}
