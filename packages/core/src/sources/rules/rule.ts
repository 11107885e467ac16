/** Rules files: what agents are told about a project in files of it. */

/** The agent whose format a rules file has; `agents-md` is the shared one. */
export type RuleAgent = 'agents-md' | 'claude-code' | 'cline' | 'copilot' | 'cursor' | 'gemini' | 'windsurf'

/** When rules apply. Folders end with `/`. */
export type RuleScope =
  | { readonly kind: 'always' }
  /** For files below a folder. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** For files that a pattern matches, relative to `folder` where there is one. */
  | { readonly kind: 'globs'; readonly globs: readonly string[]; readonly folder?: string }
  /** The model asks for them, by what they say of themselves. */
  | { readonly kind: 'description'; readonly description: string }
  /** Where the user names them. */
  | { readonly kind: 'manual' }

/** A rules file that was read. */
export interface RuleFile {
  /** Its path: relative to the workspace, `~/…` below the home folder, absolute above the workspace. */
  readonly id: string
  readonly agent: RuleAgent
  readonly scope: RuleScope
  /** Without front matter, with what it imports. */
  readonly text: string
  /** Paths that it imports, theirs included, in order. */
  readonly imports: readonly string[]
  /** What is odd about it, a sentence each. */
  readonly notices: readonly string[]
}

/** A prompt that the user can call by name. */
export interface WorkflowFile extends Pick<RuleFile, 'id' | 'agent' | 'text' | 'notices'> {
  /** Without folder and ending. */
  readonly name: string
  /** The first line that says something. */
  readonly description: string
}

/** A rules file with whether and how it counts. */
export interface Rule extends RuleFile {
  readonly isOn: boolean
  /** The id of one that has the same text, is on, and counts instead. */
  readonly sameAs?: string
  /** The id of one in its folder that takes its place. */
  readonly replacedBy?: string
  /** Estimated; 0 where it does not count: off, the same as another, or replaced. */
  readonly tokens: number
  /** Of the whole text. */
  readonly textTokens: number
  /** Whether it holds for the file that was asked for; without one, for every file. */
  readonly applies: boolean
}

/** A workflow with whether it is switched on. */
export interface Workflow extends WorkflowFile {
  readonly isOn: boolean
  readonly tokens: number
}

/** All rules and workflows of a workspace. */
export interface RuleSet {
  /** In the order in which a model is given them: of two that contradict each other the later one holds. */
  readonly rules: readonly Rule[]
  readonly workflows: readonly Workflow[]
  /** Of all that apply. */
  readonly tokens: number
  /** Files that could not be read, a sentence each. */
  readonly problems: readonly string[]
}
