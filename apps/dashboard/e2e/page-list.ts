/** Every page of the dashboard, over a store with the synthetic usage and the long session. */
import { FILES_SESSION } from './files-session.ts'
import { LONG_SESSION } from './sample-session.ts'

export const SESSION_PATH = `sessions/${encodeURIComponent(LONG_SESSION)}`
export const FILES_PATH = `sessions/${encodeURIComponent(FILES_SESSION)}`

export interface ListedPage {
  readonly name: string
  readonly path: string
  /** A selector of what is there when the page is. */
  readonly ready: string
}

/** Above it there is another table where there are subagents. */
const IN_LOG = 'section[aria-label="The session’s log"] table'

export const PAGES: readonly ListedPage[] = [
  { name: 'overview', path: '?period=90d', ready: 'table' },
  { name: 'now', path: 'now', ready: 'main h2' },
  { name: 'insights', path: 'insights?period=90d', ready: 'table' },
  { name: 'sessions', path: 'sessions?period=90d', ready: 'table' },
  { name: 'session', path: SESSION_PATH, ready: 'article' },
  { name: 'session-requests', path: `${SESSION_PATH}?view=requests`, ready: IN_LOG },
  { name: 'session-files', path: `${SESSION_PATH}?view=files`, ready: IN_LOG },
  { name: 'session-many-files', path: `${FILES_PATH}?view=files`, ready: IN_LOG },
  {
    name: 'session-no-such-files',
    path: `${SESSION_PATH}?view=files&state=removed`,
    ready: 'section[aria-label="The session’s log"] p[role=status]',
  },
  { name: 'session-checkpoints', path: `${FILES_PATH}?view=checkpoints`, ready: IN_LOG },
  {
    name: 'session-no-checkpoints',
    path: 'sessions/codex%3Aa-session-312?view=checkpoints',
    ready: '[role=status] code',
  },
  { name: 'files', path: 'files?period=all', ready: 'table' },
  { name: 'no-files', path: 'files?period=all&q=nowhere-to-be-found', ready: 'main h2' },
  {
    name: 'file',
    path: `files/history?${new URLSearchParams({ path: 'packages/search/src/module-1.ts', folder: '/home/ann/code/checkout' }).toString()}`,
    ready: 'table',
  },
  { name: 'no-such-file', path: 'files/history?path=nowhere.ts', ready: 'main h2' },
  { name: 'checkpoints', path: 'checkpoints', ready: 'table' },
  { name: 'no-checkpoints', path: 'checkpoints?project=nowhere', ready: 'main [role=status]' },
  { name: 'memory', path: 'memory', ready: 'main ul[aria-label="Entries"]' },
  { name: 'memory-nothing', path: 'memory?q=nowhere-to-be-found', ready: 'main h2' },
  { name: 'memory-suggestions', path: 'memory?view=suggestions', ready: 'main h2' },
  { name: 'memory-notes', path: 'memory?view=notes', ready: 'main ul[aria-label="Notes"]' },
  { name: 'memory-profile', path: 'memory?view=profile', ready: 'main ul[aria-label="Profile"]' },
  { name: 'health', path: 'health', ready: 'table' },
  { name: 'settings', path: 'settings', ready: 'table' },
  { name: 'models', path: 'models?period=90d', ready: 'table' },
  { name: 'projects', path: 'projects?period=90d', ready: 'table' },
  { name: 'branches', path: 'branches?period=90d', ready: 'table' },
  { name: 'agents', path: 'agents?period=90d', ready: 'table' },
  { name: 'day', path: '?period=today', ready: 'table' },
  { name: 'wrong-address', path: '?from=2026-02-30&zone=Mars', ready: 'table' },
  { name: 'nothing', path: 'models?period=90d&project=nowhere', ready: 'main [role=status]' },
  { name: 'no-such-session', path: 'sessions/nobody', ready: 'main h1' },
  { name: 'no-such-page', path: 'nowhere', ready: 'main h1' },
]

/** Not over a session of any length: its thousands of requests are all replayed. */
export const REPLAY_PAGE: ListedPage = {
  name: 'session-replay',
  path: `${SESSION_PATH}?policy=cline&window=64k&rewrite=1`,
  ready: '[data-total="Misses"]',
}
