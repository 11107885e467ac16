/**
 * Cline, Roo and Kilo write the same files, so a task can be taken for another extension's: by the agent that the user
 * named, or by the folder that a copy of it lies in. Its session stays the one that it was first imported as, so that
 * nothing of it is counted twice and what it grows by is not missed.
 */
import type { ImportedFile } from '../ports/import-storage.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { ImportAgent, Importer } from './importer.ts'
import { IMPORTERS } from './registry.ts'

/** Ids that no two tasks share: times in milliseconds, and UUIDs. */
const UNIQUE_ID = /^(?:\d{13,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
/** Sessions of one id: one of each agent at most. */
const MOST = 20

/** The agent that a task belongs to, and a notice where that is not certain. */
export interface TaskOwner {
  readonly importer: Importer
  /** That the task is another agent's in the store, for the reader; undefined where it is not. */
  readonly notice?: string
}

/**
 * The importer that a file's task belongs to: the given one, unless the task was imported as another agent's: then that
 * agent's, with a notice. An earlier import of the file (`known`) decides before the store, which is asked only for an
 * id that can't occur by chance.
 */
export const findTaskOwner = async (
  path: string,
  importer: Importer,
  known: ImportedFile | undefined,
  sessions: Pick<SessionStorage, 'resolve'>,
): Promise<TaskOwner> => {
  const { shared } = importer
  if (shared === undefined) return { importer }
  const task = shared.taskOf(path)
  const found = UNIQUE_ID.test(task)
    ? (await sessions.resolve(task, MOST)).filter(({ externalId }) => externalId === task).map(({ agent }) => agent)
    : []
  const agents: readonly string[] = known === undefined ? found : [known.agent, ...found]
  if (agents.includes(importer.agent)) return { importer }
  const owner = IMPORTERS.find(({ agent }) => agents.includes(agent) && shared.agents.includes(agent))
  return owner === undefined ? { importer } : { importer: owner, notice: noticeOf(owner.agent, task, importer.agent) }
}

const noticeOf = (owner: ImportAgent, task: string, wanted: ImportAgent): string =>
  `is in the store as ${owner}:${task}: it stays there and is counted once, not as a task of ${wanted}`
