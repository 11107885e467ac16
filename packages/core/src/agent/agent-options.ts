/** The options of an agent: a model, tools, limits, and the parts of an engine that it uses. */
import type { CacheAwarePreset } from '../context/policies/cache-aware/settings.ts'
import type { PolicyName } from '../context/policies/registry.ts'
import type { Policy } from '../context/policy.ts'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import type { Clock } from '../ports/clock.ts'
import type { LanguageModel, ReasoningEffort } from '../ports/language-model.ts'
import type { AppendPosition, EntryWrite, SequenceConflict, SessionFacts } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { WorkspaceFiles } from '../ports/workspace-files.ts'
import type { Requests } from '../requests/send.ts'
import type { Result } from '../result.ts'
import type { LogEntry } from '../session-log.ts'
import type { RelatedAnswer } from '../sources/related/related.ts'
import type { RuleSet } from '../sources/rules/rule.ts'
import type { FileState } from '../tracking/tracked-file.ts'
import type { DiskCheck } from '../watching/file-on-disk.ts'
import type { AgentEvent, AgentLimits, AgentMode, Approver } from './agent.ts'
import type { AgentTool } from './agent-tool.ts'
import type { ApprovalSettings } from './approvals.ts'

/** The parts of an engine that an agent uses; every `Engine` has them. */
export interface AgentEngine {
  readonly privacy: { readonly incognito: boolean; readonly longTermMemory: boolean }
  readonly store: Pick<Store, 'sessions' | 'state' | 'usage'>
  readonly requests: Pick<Requests, 'send'>
  readonly sessions: {
    log(sessionId: string): Promise<readonly LogEntry[]>
    lease(sessionId: string): Promise<{ release(): Promise<void> }>
    append(
      session: SessionFacts,
      expectedSeq: AppendPosition,
      writes: readonly EntryWrite[],
    ): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>>
  }
  readonly context: {
    sessionStart(input: {
      readonly workspace: string
      readonly branch?: string
      readonly request?: string
      readonly at?: number
    }): Promise<{ readonly text: string }>
  }
  readonly files: {
    inContext(
      sessionId: string,
      query: { readonly states: readonly FileState[]; readonly limit: number },
    ): Promise<{ readonly files: readonly { readonly path: string; readonly disk: DiskCheck | null }[] }>
    observe(sessionId: string): Promise<boolean>
  }
  readonly rules: {
    list(input: {
      readonly workspace: string
      readonly home: string
      readonly files: Pick<WorkspaceFiles, 'list'>
    }): Promise<RuleSet>
  }
  readonly related: {
    find(
      query: {
        readonly roots: readonly string[]
        readonly text: string
        readonly workspace: string
        readonly limit: number
      },
      signal?: AbortSignal,
    ): Promise<RelatedAnswer>
  }
  readonly checkpoints: Pick<Checkpoints, 'create'>
}

/** What a session is told about the project, besides its memory. */
export interface ProjectSources {
  /** The folder of the user's own rules files, absolute. */
  readonly home: string
  readonly files: Pick<WorkspaceFiles, 'list'>
  /** Creates the map of the project; if it rejects, the map is left out. */
  readonly map?: (signal?: AbortSignal) => Promise<string>
}

export interface AgentOptions {
  readonly engine: AgentEngine
  /** As created by `createLanguageModel`. */
  readonly languageModel: LanguageModel
  /** The model's name at its provider. */
  readonly model: string
  /** The project, as named in sessions and memory: its absolute folder; for a linked worktree, the repository's. */
  readonly workspace: string
  /** The absolute folder to work in; default: the workspace. */
  readonly folder?: string
  /** Keep them constant across a session's turns, so that the cache is used. */
  readonly tools: readonly AgentTool[]
  /** The id of a session to continue; default: the first message starts a new one. */
  readonly session?: string
  /** The title of a new session. */
  readonly title?: string
  readonly branch?: string
  /** Default `act`. */
  readonly mode?: AgentMode
  /** Replaces Cairn's own instructions; rules, project and memory still follow. */
  readonly system?: string
  /** Default: the session is not told about rules, map and related files. */
  readonly project?: ProjectSources
  readonly limits?: AgentLimits
  /** Which calls run without asking; default: those that only read, or only change what Cairn stores. */
  readonly approvals?: ApprovalSettings
  readonly approve?: Approver
  /**
   * What the user always allows, extended by the approver's answers; keep it for a session's next agent. Default:
   * empty.
   */
  readonly granted?: Set<string>
  /**
   * Makes a checkpoint before the first change of each turn. True: a turn ends if that fails; `where-possible`: it
   * continues and reports the reason. Default false.
   */
  readonly checkpoints?: boolean | 'where-possible'
  /** Asks, at the end of a turn that was long or changed something, what later sessions should know. Default true. */
  readonly learns?: boolean
  /** The context policy; default `cache-aware`. */
  readonly policy?: PolicyName | Policy
  readonly preset?: CacheAwarePreset
  /** In tokens. */
  readonly window?: number
  readonly maxOutputTokens?: number
  readonly effort?: ReasoningEffort
  /** Default: the system's. */
  readonly clock?: Clock
  /** Receives all events in order; a returned promise is awaited. If it throws, the turn ends. */
  readonly onEvent?: (event: AgentEvent) => void | Promise<void>
}
