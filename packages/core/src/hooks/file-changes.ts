/**
 * What the next prompt tells an agent about files it has read: changes since, and pending warnings. Each is told once,
 * in a few words.
 */
import { escapedLine } from '../memory/section-text.ts'
import type { GitRecords } from '../ports/git-records.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import { wrapInTag } from '../summary/markup.ts'
import { contentOfFile, findFile } from '../watching/compare-file.ts'
import type { FileCompareDeps, FoundFile } from '../watching/compare-file.ts'
import { NO_EVIDENCE, checkOnDisk } from '../watching/file-on-disk.ts'
import type { DiskCheck } from '../watching/file-on-disk.ts'
import type { FileWarning } from '../watching/file-warning.ts'
import { stampOf } from '../watching/known-files.ts'
import type { KnownFile, KnownFiles, ReadTranscript } from '../watching/known-files.ts'

export interface FileChangeDeps extends FileCompareDeps {
  readonly git: GitRecords
  /** Finds other sessions' edits. */
  readonly search: Pick<SearchIndex, 'touches'>
  readonly sessions: Pick<SessionStorage, 'get'>
}

export interface FileChangeRequest {
  /** The session's id in the store. */
  readonly sessionId: string
  readonly known: KnownFiles | undefined
  /** Files of `known` that no longer look as they were seen; only these are checked. */
  readonly suspects: readonly KnownFile[]
  readonly warnings: readonly FileWarning[]
  /** The session's current transcript, if the agent names it. */
  readonly transcript: string | undefined
  /** Whether a change or warning was already reported, by its key. */
  readonly isTold: (key: string) => boolean
}

export interface FileChangeNotice {
  /** The text for the agent; empty if there is nothing new. */
  readonly text: string
  /** Keys of what it reports; to be stored once it was delivered. */
  readonly keys: readonly string[]
  /** Ids of the warnings in it; to be acknowledged then. */
  readonly warnings: readonly string[]
}

/** Maximum number of files named. */
const MOST_NAMED = 10
const NAME_CHARACTERS = 200
const REASON_CHARACTERS = 120
/** Maximum number of files read for comparison, because a hook has little time. The others wait for the next prompt. */
const MOST_READ = 40
/** A transcript that has grown by more than this is not searched. */
const LONGEST_TAIL = 1 << 20

/**
 * Recognises a tool call in any agent's transcript: until it is imported, the agent itself may have written the file.
 */
const TOOL_CALL = /"(?:tool_use|toolCalls?|tool_calls?|[a-z_]*function_call|[a-z_]*tool_call|local_shell_call)"/
/** Transcripts that only grow at the end; in others, new parts can't be told from old ones. */
const GROWING = /\.jsonl?$/

interface Change {
  readonly key: string
  readonly path: string
  readonly who: string | null
}

/**
 * The notice for a prompt; its text is empty if there is nothing new. Changes are left out while the agent may have
 * made them itself: its transcript has tool calls that the store does not know of yet; warnings are not. What `isTold`
 * knows is left out. Changes nothing: the caller stores its `keys` after delivery. Rejects if the store can't be read;
 * unreadable files are left out.
 */
export const fileChangeNotice = async (deps: FileChangeDeps, request: FileChangeRequest): Promise<FileChangeNotice> => {
  const { known, isTold } = request
  const changes =
    known === undefined || (await mayBeAgents(deps, known, request)) ? [] : await changesOf(deps, known, request)
  const fresh = changes.filter(({ key }) => !isTold(key))
  const warnings = request.warnings.filter(({ id }) => !isTold(id))
  const lines = [...warnings.map(warningLine), ...(fresh.length === 0 ? [] : [changeLine(fresh)])]
  return {
    text: lines.length === 0 ? '' : wrapInTag('file_changes', lines.join('\n')),
    keys: [...fresh.map(({ key }) => key), ...warnings.map(({ id }) => id)],
    warnings: warnings.map(({ id }) => id),
  }
}

/**
 * Whether the agent used tools that the store does not know of yet, by what its transcripts have grown by; also true if
 * that can't be told. False without suspects. Reads at most the last `LONGEST_TAIL` bytes of each transcript.
 */
const mayBeAgents = async (
  { fileSystem }: FileCompareDeps,
  { transcripts }: KnownFiles,
  { transcript, suspects }: FileChangeRequest,
): Promise<boolean> => {
  if (suspects.length === 0) return false
  const isRead = transcript === undefined || transcripts.some(({ path }) => path === transcript)
  const all: readonly ReadTranscript[] = isRead ? transcripts : [...transcripts, { path: transcript, bytes: 0 }]
  if (all.length === 0) return true
  for (const { path, bytes } of all) {
    const facts = await fileSystem.stat(path)
    if (facts === undefined) continue
    if (!GROWING.test(path) || facts.size < bytes || facts.size - bytes > LONGEST_TAIL) return true
    if (facts.size === bytes) continue
    const decoder = new TextDecoder()
    let tail = ''
    for await (const chunk of fileSystem.read(path, bytes)) tail += decoder.decode(chunk, { stream: true })
    if (TOOL_CALL.test(tail)) return true
  }
  return false
}

/**
 * Which of the suspected files changed since the session read them, and who did it, as far as the log, git and other
 * sessions tell. Only the first `MOST_READ` are read. Files as the agent knows them, and those that can't be checked,
 * are left out.
 */
const changesOf = async (
  deps: FileChangeDeps,
  { workspace }: KnownFiles,
  { sessionId, suspects }: FileChangeRequest,
): Promise<readonly Change[]> => {
  const compared: (Compared & { readonly file: KnownFile })[] = []
  for (const file of suspects.slice(0, MOST_READ)) {
    const one = await compare(deps, workspace, file)
    if (one !== undefined) compared.push({ ...one, file })
  }
  const written = compared.flatMap(({ file, found }) =>
    found.facts === undefined || file.change !== undefined
      ? []
      : [{ path: found.path, modifiedAt: found.facts.modifiedAt }],
  )
  const byGit = written.length === 0 ? new Set<string>() : await deps.git.writtenByGit(workspace, written)
  const changes: Change[] = []
  for (const { file, found, key, check } of compared) {
    const { path } = file
    if (check.state === 'gone') changes.push({ key, path, who: 'removed' })
    else if (isChange(file, found)) changes.push({ key, path, who: whoText(file.change?.who ?? null) })
    else if (byGit.has(found.path)) changes.push({ key, path, who: whoText('git') })
    else
      changes.push({
        key,
        path,
        who: whoText((await otherAgent(deps, found.path, sessionId, file.at)) ?? check.verdict),
      })
  }
  return changes
}

interface Compared {
  readonly found: FoundFile
  readonly key: string
  readonly check: DiskCheck
}

/**
 * Compares a file with what the agent knows: what it is now, and the key of that change. Undefined if it is as the
 * agent knows it, or can't be checked.
 */
const compare = async (deps: FileChangeDeps, workspace: string, file: KnownFile): Promise<Compared | undefined> => {
  const found = await findFile(deps, file.path, workspace)
  if (found === undefined) return undefined
  const { facts } = found
  const content = facts === undefined ? undefined : await contentOfFile(deps, found)
  const onDisk = facts === undefined ? undefined : { modifiedAt: facts.modifiedAt, content }
  const check = checkOnDisk(file, onDisk, NO_EVIDENCE)
  if (check.state === 'same' || check.state === 'unknown') return undefined
  const state = facts === undefined ? 'gone' : (content?.hash ?? stampOf(facts))
  return { found, key: deps.hasher.sha256(JSON.stringify([file.path, state])).slice(0, 16), check }
}

/** Whether the change was already there at the last check, when its author was determined. */
const isChange = ({ change }: KnownFile, { facts }: FoundFile): boolean =>
  facts !== undefined && change?.stamp === stampOf(facts)

/**
 * The agent of another session that edited a file since a time in ms; undefined if none is known. Undefined also when
 * the index can't be asked.
 */
const otherAgent = async (
  { search, sessions }: FileChangeDeps,
  file: string,
  sessionId: string,
  since: number | null,
): Promise<string | undefined> => {
  // An index that is not complete yet knows none: the change is then told as anybody's.
  const touches = await search.touches({ file, ...(since === null ? {} : { since }) }).catch(() => [])
  const other = touches.find(
    (touch) => touch.operation === 'edit' && touch.sessionId !== sessionId && touch.at !== null,
  )
  return other === undefined ? undefined : (await sessions.get(other.sessionId))?.agent
}

const WORDS: Readonly<Record<string, string | null>> = {
  person: 'a person',
  'agent-tool': 'a command of yours',
  formatter: 'a formatter',
  unsure: null,
}

/** Who changed a file, in words for the model: a known word in ours, an agent's name as it is; null if unknown. */
const whoText = (who: string | null): string | null => (who === null ? null : who in WORDS ? (WORDS[who] ?? null) : who)

/** A line for the model that names the first `MOST_NAMED` changes, escaped. Says how many more there are. */
const changeLine = (changes: readonly Change[]): string => {
  const named = changes
    .slice(0, MOST_NAMED)
    .map(
      ({ path, who }) =>
        `${escapedLine(path, NAME_CHARACTERS)}${who === null ? '' : ` (${escapedLine(who, NAME_CHARACTERS)})`}`,
    )
  const more = changes.length > MOST_NAMED ? ` and ${changes.length - MOST_NAMED} more` : ''
  return `Edited since you read them: ${named.join(', ')}${more}.`
}

/** A line for the model about a warning, with the first `MOST_NAMED` paths, escaped. Says how many more there are. */
const warningLine = ({ reason, paths }: FileWarning): string => {
  const named = paths.slice(0, MOST_NAMED).map((path) => escapedLine(path, NAME_CHARACTERS))
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  return `Since your last look, ${escapedLine(reason, REASON_CHARACTERS)}: ${named.join(', ')}${more} may not be as you know them.`
}
