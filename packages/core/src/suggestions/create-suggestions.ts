/** Suggestions over the sessions, the memory and the settings of a store. */
import { CairnError } from '../errors.ts'
import { assertName, assertObject, assertTextOrAbsent, echoed } from '../input.ts'
import type { Memory } from '../memory/memory.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { MemoryStorage } from '../ports/memory-storage.ts'
import type { SessionStorage, SessionSummary } from '../ports/session-storage.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import { decisionKey } from './decision-key.ts'
import { SESSIONS_LOOKED_AT, branchFinding, isTopicBranch, sharedFindings, type Finding } from './find-suggestions.ts'
import { readInstructions } from './instruction-texts.ts'
import { habitsOf } from './session-habits.ts'
import type { Suggestion, SuggestionQuery, SuggestionReport, Suggestions } from './suggestions.ts'

export interface SuggestionDeps {
  readonly sessions: Pick<SessionStorage, 'list' | 'read'>
  readonly entries: Pick<MemoryStorage, 'list'>
  readonly memory: Pick<Memory, 'add'>
  readonly state: StateStorage
  readonly fileSystem: FileSystem
  readonly hasher: Hasher
  readonly clock: Clock
}

/** At most so many are offered at once: a longer list is not read. */
const MOST_SUGGESTIONS = 10
const ID_DIGITS = 12

/** A suggestion with the files that its memory entry cites. */
interface Offered extends Suggestion {
  readonly files: readonly string[]
}

/**
 * Makes the suggestions of a store; nothing is read before the first call. An id may be given by its beginning, in any
 * case: `find`, `accept` and `dismiss` reject with `not-found` where none is offered under it, `ambiguous` where
 * several are. `accept` adds the memory entry; what was accepted or dismissed is not offered again.
 */
export const createSuggestions = (deps: SuggestionDeps): Suggestions => {
  const offered = (workspace: string, query: SuggestionQuery) => offeredNow(deps, workspace, query)

  /**
   * The one suggestion that is offered under an id or its beginning. Rejects with `not-found` for none, with
   * `ambiguous` for several.
   */
  const oneOf = async (workspace: string, given: string, query: SuggestionQuery): Promise<Offered> => {
    assertName(given, "A suggestion's id")
    const { all } = await offered(workspace, query)
    const [only, another] = all.filter(({ id }) => id.startsWith(given.trim().toLowerCase()))
    if (only === undefined)
      throw new CairnError('not-found', `No suggestion ${JSON.stringify(echoed(given))} is offered for this project.`)
    if (another !== undefined)
      throw new CairnError(
        'ambiguous',
        `Several suggestions begin with ${JSON.stringify(echoed(given))}; give more of the id.`,
      )
    return only
  }

  const decide = (workspace: string, id: string, decision: 'accepted' | 'dismissed'): Promise<void> =>
    deps.state.set(scopeOf(workspace), new Map([[decisionKey(id), { decision, at: deps.clock.now() }]]))

  return {
    list: async (workspace, query = {}) => {
      const { all: _all, ...report } = await offered(workspace, query)
      return report
    },
    find: async (workspace, id, query = {}) => {
      const { files: _files, ...suggestion } = await oneOf(workspace, id, query)
      return suggestion
    },
    accept: async (workspace, id, query = {}) => {
      const { kind, text, files, evidence, id: whole } = await oneOf(workspace, id, query)
      const [latest] = evidence
      const added = await deps.memory.add({
        workspace,
        kind,
        text,
        examples: files,
        source: 'suggestion',
        ...(latest === undefined ? {} : { sessionId: latest.sessionId, messageId: latest.messageId }),
      })
      await decide(workspace, whole, 'accepted')
      return added
    },
    dismiss: async (workspace, id, query = {}) => {
      const { files: _files, ...suggestion } = await oneOf(workspace, id, query)
      await decide(workspace, suggestion.id, 'dismissed')
      return suggestion
    },
  }
}

/**
 * What is offered now: findings that neither an instruction file nor the memory says already, and that nobody has
 * accepted or dismissed. The report shows at most `MOST_SUGGESTIONS`; `all` has all of them. Writes nothing.
 * @throws CairnError `invalid-input` for a query that is not valid
 */
const offeredNow = async (
  deps: SuggestionDeps,
  workspace: string,
  query: SuggestionQuery,
): Promise<SuggestionReport & { readonly all: readonly Offered[] }> => {
  assertName(workspace, 'The workspace')
  assertObject(query, 'What suggestions are looked for')
  assertTextOrAbsent(query.branch, 'The branch')
  assertTextOrAbsent(query.folder, 'The folder')
  const { findings, sessions } = await findingsOf(deps, workspace, query.branch)
  const [decisions, known, instructions] = await Promise.all([
    deps.state.all(scopeOf(workspace)),
    deps.entries.list(workspace),
    readInstructions(deps.fileSystem, query.folder ?? workspace),
  ])
  const texts = [...instructions.texts, ...known.map(({ text }) => text)].map(onOneLine)
  const fresh = findings.filter(({ subject, text }) => !texts.some((one) => says(one, subject) || one.includes(text)))
  const all = fresh.flatMap((finding) => {
    const id = deps.hasher.sha256(JSON.stringify([workspace, finding.rule, finding.subject])).slice(0, ID_DIGITS)
    return decisions.has(decisionKey(id)) ? [] : [offeredAs(id, finding)]
  })
  return {
    workspace,
    suggestions: all.slice(0, MOST_SUGGESTIONS).map(({ files: _files, ...suggestion }) => suggestion),
    sessions,
    known: findings.length - fresh.length,
    decided: fresh.length - all.length,
    unread: instructions.unread,
    all,
  }
}

const scopeOf = (workspace: string): StateScope => ({ tier: 'workspace', workspace })

/** A finding as it is offered, under an id. */
const offeredAs = (id: string, { rule, kind, text, sessions, of, evidence, files }: Finding): Offered => ({
  id,
  rule,
  kind,
  text,
  sessions,
  of,
  evidence,
  files,
})

/** Instructions break lines where they like. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** Whether a text names a command or a file: as a whole, not as a part of a longer name. Case counts. */
const says = (text: string, name: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (
      !/[\w/:.-]$/.test(text[at - 1] ?? '') &&
      !/^(?:[\w-]|[:./]\w)/.test(text.slice(at + name.length, at + name.length + 2))
    )
      return true
  return false
}

/**
 * What the last sessions of the workspace have in common, and how many these are; before that, the files of the
 * branch's last session. Without a branch, on a trunk, or without a session of the branch, the shared findings alone.
 */
const findingsOf = async (
  { sessions }: SuggestionDeps,
  workspace: string,
  branch: string | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly sessions: number }> => {
  /** A session with its habits, by its messages; paths are those of its own folder, or else of the project's. */
  const observe = async (session: SessionSummary) => ({
    session,
    habits: habitsOf(
      await sessions.read(session.id, { kinds: ['message'] }),
      session.workspace ?? workspace,
      session.branch,
    ),
  })
  const { sessions: last } = await sessions.list({ workspace, limit: SESSIONS_LOOKED_AT })
  const observed = []
  // One after the other: ten long sessions at once would be ten times the memory.
  for (const session of last) observed.push(await observe(session))
  const ofBranch =
    branch === undefined || !isTopicBranch(branch)
      ? undefined
      : (await sessions.list({ workspace, branch, limit: 1 })).sessions[0]
  const known = observed.find(({ session }) => session.id === ofBranch?.id)
  const ownBranch =
    ofBranch === undefined || branch === undefined
      ? undefined
      : branchFinding(branch, known ?? (await observe(ofBranch)))
  return {
    findings: [...(ownBranch === undefined ? [] : [ownBranch]), ...sharedFindings(observed)],
    sessions: observed.length,
  }
}
