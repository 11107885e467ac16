/** For tests: a workspace in memory, and sources around it. */
import type { FileContent, WorkspaceFiles } from '../../ports/workspace-files.ts'
import type { MentionSources } from './mention-sources.ts'

/** What lies at a path: a content, or why it can't be read. */
export type FakeFile = string | Uint8Array | Exclude<FileContent, { readonly content: unknown }>

export const fakeFiles = (entries: Readonly<Record<string, FakeFile>>): WorkspaceFiles => {
  const bytesOf = (path: string): Uint8Array | undefined => {
    const entry = Object.hasOwn(entries, path) ? entries[path] : undefined
    if (typeof entry === 'string') return new TextEncoder().encode(entry)
    return entry instanceof Uint8Array ? entry : undefined
  }
  return {
    roots: ['/ws'],
    list: () =>
      Promise.resolve({
        files: Object.keys(entries)
          .sort()
          .flatMap((path) => {
            const content = bytesOf(path)
            return content === undefined ? [] : [{ path, bytes: content.length, mtimeMs: 1 }]
          }),
        isComplete: true,
      }),
    read: (path, maxBytes, choice) => {
      const content = bytesOf(path)
      const entry = Object.hasOwn(entries, path) ? entries[path] : undefined
      if (content === undefined) {
        const isFolder = Object.keys(entries).some((name) => name.startsWith(`${path}/`))
        const isRefusal = typeof entry === 'object' && 'refused' in entry
        return Promise.resolve(isRefusal ? entry : { refused: isFolder ? 'not-a-file' : 'gone' })
      }
      if (content.length > maxBytes) return Promise.resolve({ refused: 'too-large' })
      if (content.includes(0) && choice?.isBinaryWanted !== true) return Promise.resolve({ refused: 'binary' })
      return Promise.resolve({ content })
    },
  }
}

export const fakeSources = (
  entries: Readonly<Record<string, FakeFile>>,
  more: Partial<MentionSources> = {},
): MentionSources => ({
  files: fakeFiles(entries),
  git: {
    changes: () => Promise.resolve({ text: 'diff --git a/x b/x\n-old\n+new\n', isCut: false }),
    commit: (revision) =>
      Promise.resolve(
        revision === 'abc1234' || revision === 'v1.0'
          ? { text: `commit ${revision}\n\n    A change\n`, isCut: false }
          : { refused: `there is no commit ${revision}` },
      ),
    branch: () => Promise.resolve({ text: 'On branch main\n', isCut: false }),
  },
  session: (id) =>
    Promise.resolve(id === undefined || id === '0ccf1a04' ? { name: id ?? 'newest', text: 'user: hello' } : undefined),
  memory: () => Promise.resolve('<long_term_memory>\n- Redis must run\n</long_term_memory>'),
  ...more,
})
