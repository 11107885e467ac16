/** What an agent is made of: a model, tools, what it may spend, and the parts of an engine that it works with. */
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

/** The parts of an engine that an agent works with; every `Engine` has them. */
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

/** The project as a session is told of it, beside its memory. */
export interface ProjectSources {
  /** Where the user's own rules files are, absolute. */
  readonly home: string
  readonly files: Pick<WorkspaceFiles, 'list'>
  /** Makes the map of the project; what it rejects with leaves the map out. */
  readonly map?: (signal?: AbortSignal) => Promise<string>
}

export interface AgentOptions {
  readonly engine: AgentEngine
  /** As `createLanguageModel` makes it. */
  readonly languageModel: LanguageModel
  /** The model's name for its provider. */
  readonly model: string
  /** The project, as sessions and memory name it: its folder, absolute; of a linked worktree the repository's. */
  readonly workspace: string
  /** The folder that it works in, absolute; default: the workspace. */
  readonly folder?: string
  /** The same in all turns of a session, its cache is used. */
  readonly tools: readonly AgentTool[]
  /** The id of a session to go on with; default: the first message begins one. */
  readonly session?: string
  /** Of a new session. */
  readonly title?: string
  readonly branch?: string
  /** Default `act`. */
  readonly mode?: AgentMode
  /** In the place of Cairn's own instructions; rules, project and memory still follow it. */
  readonly system?: string
  /** Default: the session is told nothing of rules, map and related files. */
  readonly project?: ProjectSources
  readonly limits?: AgentLimits
  /** Which calls run by themselves; default: those that only read, or change only what Cairn keeps. */
  readonly approvals?: ApprovalSettings
  readonly approve?: Approver
  /** What the user always allows, which answers of the approver add to: to be kept for a session's next agent. Default: empty. */
  readonly granted?: Set<string>
  /**
   * Keeps the files before the first change of each turn. True: a turn ends where that can't be done; `where-possible`: it
   * goes on, and the reason is told. Default false.
   */
  readonly checkpoints?: boolean | 'where-possible'
  /** Asks at the end of a turn that changed something, or was long, what later sessions should know. Default true. */
  readonly learns?: boolean
  /** Of the context; default `cache-aware`. */
  readonly policy?: PolicyName | Policy
  readonly preset?: CacheAwarePreset
  /** Tokens. */
  readonly window?: number
  readonly maxOutputTokens?: number
  readonly effort?: ReasoningEffort
  /** Default: the system's. */
  readonly clock?: Clock
  /** Hears of everything in order; a promise is waited for. What it throws ends the turn. */
  readonly onEvent?: (event: AgentEvent) => void | Promise<void>
}
