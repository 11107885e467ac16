/** Where the content of mentions comes from, and what comes of a text. */
import type { ContentBlock } from '../../messages.ts'
import type { GitFacts } from '../../ports/git-facts.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import type { LineRange, MentionTarget } from './mention.ts'

/** Text that is selected in an editor. */
export interface EditorSelection {
  /** Relative to the workspace where it lies inside. */
  readonly path: string
  readonly lines: LineRange
  readonly text: string
}

/** A problem that an editor or compiler reports. */
export interface EditorProblem {
  readonly path: string
  readonly line: number
  readonly severity: 'error' | 'warning' | 'information'
  readonly message: string
}

/** Where the content of mentions comes from; an absent source means that the mention is refused with a reason. */
export interface MentionSources {
  readonly files: WorkspaceFiles
  readonly git: GitFacts
  /**
   * The text of a session (undefined: the current one), newest last; `refused`, one sentence, or undefined where there is
   * no such one.
   */
  readonly session?: (id: string | undefined) => Promise<NamedText | { readonly refused: string } | undefined>
  /** What is remembered of the workspace; undefined where there is nothing. */
  readonly memory?: () => Promise<string | undefined>
  /** Given by editors; absent: there is none. */
  readonly problems?: readonly EditorProblem[]
  readonly selections?: readonly EditorSelection[]
}

/** A text and what it is called in a sentence. */
export interface NamedText {
  readonly name: string
  readonly text: string
}

/** How much mentions may add to a message. */
export interface MentionLimits {
  /** Tokens of one mention's content with what stands around it; default 10,000. */
  readonly maxTokens?: number
  /** Tokens of all of them; default 40,000. */
  readonly maxTotalTokens?: number
  readonly charsPerToken?: number
}

/** A mention whose content is sent. */
export interface SentMention {
  /** As it stands in the text. */
  readonly mention: string
  /** Index of its `@` in the text. */
  readonly start: number
  readonly target: MentionTarget
  /** What is sent, in a few words: a path with its lines, "git diff". */
  readonly name: string
  /** Estimated tokens of its block; 0 where the content is sent for another mention. */
  readonly tokens: number
  /** What of the content is not sent, in words. */
  readonly leftOut?: string
  /** The name of the mention whose content holds all of this one, which is therefore not sent by itself. */
  readonly containedIn?: string
  /** What is odd about the content, as the end of a sentence that begins with its name. */
  readonly notice?: string
  /** The file whose content it is, relative to the workspace: it counts as mentioned. */
  readonly path?: string
}

/** A mention whose content is not sent, and why. */
export interface RefusedMention {
  readonly mention: string
  readonly start: number
  /** One sentence. */
  readonly reason: string
}

/** A message with what its mentions stand for. */
export interface ExpandedText {
  /** The text itself, as the user wrote it, and then what its mentions stand for. */
  readonly content: readonly ContentBlock[]
  readonly sent: readonly SentMention[]
  readonly refused: readonly RefusedMention[]
  /** Of all that was added to the text. */
  readonly tokens: number
}
