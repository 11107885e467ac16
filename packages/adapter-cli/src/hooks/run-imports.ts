/** The process started by hooks: imports what is queued, then exits. It uses the command's import and store. */
import { homedir } from 'node:os'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { discover, findImporter, importAgents } from '@cairn/core/importers'
import { LEASE_RENEWED_MS, createFileSystem } from '@cairn/core/node'
import { loadSettings, usableStore } from '../config/settings.ts'
import type { Surroundings } from '../config/locations.ts'
import { startAutomaticBackup } from '../runtime/automatic-backup.ts'
import { importEnvironment } from '../runtime/import-environment.ts'
import { openEngine } from '../runtime/open-engine.ts'
import { localStarts } from '../statusline/local-starts.ts'
import { saveFigures } from '../statusline/saved-figures.ts'
import { logTrouble } from './hook-log.ts'
import {
  hasRequests,
  keepImportLock,
  releaseImportLock,
  renewImportLock,
  takeImportLock,
  takeRequests,
} from './import-queue.ts'
import type { ImportRequest } from './import-queue.ts'
import { repositoryOf } from './folder-facts.ts'
import { gitBranch } from './git-branch.ts'
import { readTold, removeOldTold } from './told-changes.ts'
import { lookForSuggestions } from './waiting-suggestions.ts'

/**
 * Gemini CLI names a chat's file by the beginning of its session's id, and the folder of its subagents by the whole id.
 */
const NAMED_BY_BEGINNING = /^session-.*-([0-9a-f]{8})\.jsonl$/

/**
 * Returns the folders of a transcript's subagents that exist: the one named as the transcript is without `.jsonl`; for
 * Gemini CLI those beside it whose names begin as its session's id does. Throws as the file system does.
 */
const subagentFolders = (transcript: string): readonly string[] => {
  const beginning = NAMED_BY_BEGINNING.exec(basename(transcript))?.[1]
  if (beginning === undefined)
    return [transcript.replace(/\.jsonl$/, '')].filter((path) => path !== transcript && existsSync(path))
  return readdirSync(dirname(transcript), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(beginning))
    .map(({ name }) => join(dirname(transcript), name))
}

/** The transcript and the folders of its subagents; undefined if the file is not one of the agent's transcripts. */
const transcriptsOf = async (
  agent: string,
  transcript: string,
  surroundings: Surroundings,
): Promise<readonly string[] | undefined> => {
  const environment = importEnvironment(surroundings)
  const { files } = await discover(createFileSystem(), { from: [transcript], environment, known: new Map() })
  if (!files.some(({ importer }) => importer.agent === agent)) return undefined
  return [transcript, ...subagentFolders(transcript)]
}

/** Removes the file warnings that the agent was told about; nothing for a session that is not in the store. */
const acknowledge = async (sessionId: string, { files, store }: Engine, surroundings: Surroundings): Promise<void> => {
  if ((await store.sessions.get(sessionId)) === undefined) return
  const told = readTold(surroundings, sessionId)
  for (const { id } of await files.warnings(sessionId)) if (told.has(id)) await files.acknowledge(sessionId, id)
}

/**
 * Looks for suggestions in a folder's project and stores them for the start of the next session; unless `isEnd` (of a
 * session) says so, only if the last look was long enough ago.
 */
const findSuggestions = async (
  { suggestions }: Engine,
  folder: string,
  isEnd: boolean,
  surroundings: Surroundings,
): Promise<void> => {
  const branch = gitBranch(folder)
  const project = { workspace: await repositoryOf(folder), ...(branch === undefined ? {} : { branch }) }
  await lookForSuggestions((workspace, query) => suggestions.list(workspace, query), project, isEnd, surroundings)
}

/**
 * Runs one request, then acknowledges the warnings that the agent was told, saves the status line's figures (PostgreSQL
 * only), starts a backup and looks for suggestions where due. Rejects if the file is no transcript or the import fails;
 * does nothing if the file is gone or the agent can't be imported.
 */
const importOne = async (request: ImportRequest, around: Surroundings): Promise<void> => {
  const { agent, transcript, folder, told, isEnd = false } = request
  // Of agents that are not read yet there is nothing to import.
  if (!importAgents().some((known) => known === agent)) return
  const surroundings = { ...around, folder: folder ?? around.home }
  const from = transcript === undefined ? undefined : await transcriptsOf(agent, transcript, surroundings)
  if (transcript !== undefined && from === undefined) {
    if (!existsSync(transcript)) return
    throw new Error(`${transcript} is no transcript of ${findImporter(agent).agent}; nothing of it was read`)
  }
  const settings = await loadSettings(surroundings, {})
  const address = usableStore(settings)
  const engine = await openEngine(address, { prices: settings.prices.value })
  try {
    await engine.imports.run({
      agent,
      environment: importEnvironment(surroundings),
      ...(from === undefined ? {} : { from }),
    })
    if (told !== undefined) await acknowledge(told, engine, around)
    if (!address.startsWith('file:'))
      await saveFigures(
        engine,
        surroundings,
        address,
        localStarts(Date.now(), settings.timezone.value),
        folder === undefined ? undefined : await repositoryOf(folder),
      )
    await startAutomaticBackup(settings, surroundings.variables)
    if (folder !== undefined && settings['hooks.suggestions'].value)
      await findSuggestions(engine, folder, isEnd, surroundings)
  } finally {
    await engine.close()
  }
}

/**
 * Runs the waiting imports and those that arrive meanwhile, one after another; failures are logged, and such an import
 * is lost.
 */
const importWaiting = async (surroundings: Surroundings): Promise<void> => {
  for (;;) {
    const requests = takeRequests(surroundings)
    if (requests.length === 0) return
    for (const request of requests) {
      try {
        await importOne(request, surroundings)
      } catch (error) {
        logTrouble(surroundings, { hook: `import ${request.agent}`, message: messageOf(error) })
      }
    }
  }
}

/**
 * Runs all imports under the lock, which the caller has taken, and releases it. A request that arrives while the lock
 * is released is caught by one more look.
 */
const runImports = async (surroundings: Surroundings): Promise<void> => {
  do {
    keepImportLock(surroundings)
    try {
      await importWaiting(surroundings)
    } finally {
      releaseImportLock(surroundings)
    }
  } while (hasRequests(surroundings) && takeImportLock(surroundings))
}

const home = homedir()
const own: Surroundings = { variables: process.env, platform: process.platform, home, folder: dirname(home) }
// An import may take minutes, and not every system tells when a process has started: one that is silent counts as gone.
setInterval(() => renewImportLock(own), LEASE_RENEWED_MS).unref()
removeOldTold(own, Date.now())
await runImports(own)
