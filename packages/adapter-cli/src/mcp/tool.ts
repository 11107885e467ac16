/** What a tool is: its description for the model, its arguments, and what it does with them. */
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { z } from 'zod'
import type { OwnProject } from './projects.ts'
import { shortLine } from './quoted.ts'
import type { ToolAnswer } from './quoted.ts'

export type { ToolAnswer } from './quoted.ts'

/** What a tool may use during a call. */
export interface Call {
  readonly engine: Engine
  /** Aborted when the client cancels the call or is gone. */
  readonly signal: AbortSignal
  /** The client's name for provenance: `claude-code`, `cursor`, … */
  readonly client: string
  readonly now: number
  readonly timeZone: string
  readonly longTermMemory: boolean
  /** The project that is asked for, else the client's own. Rejects when there is none. */
  readonly project: (asked: string | undefined) => Promise<string>
  /** The client's project; undefined when it is in none (its home folder, say). */
  readonly ownProject: () => Promise<OwnProject | undefined>
  /** Searches look in all projects unless one is asked for. */
  readonly isEverywhere: boolean
  /** A path or name as the filter of a search; undefined: all projects. */
  readonly filterProject: (asked: string) => Promise<string | undefined>
  /** The folder of a project on disk, the client's own where none is asked for. Rejects where there is none. */
  readonly sourceFolder: (asked: string | undefined) => Promise<string>
  /** The user's home folder, absolute. */
  readonly home: string
  /** Where caches are kept, absolute. */
  readonly dataFolder: string
}

/** Hints about what a client may allow without asking the user. */
interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

/** A tool as it is defined. */
interface Definition<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: ToolHints
  readonly input: Input
  /** Whether it is part of long-term memory, and off where that is. */
  readonly isMemory?: boolean
  readonly run: (args: z.infer<Input>, call: Call) => Promise<ToolAnswer>
}

/** A tool of the server. */
export interface Tool extends Pick<Definition<z.ZodObject>, 'name' | 'title' | 'description' | 'hints'> {
  readonly isMemory: boolean
  /** JSON Schema. */
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  /** Checks the arguments and gives the call to run. Throws `invalid-input` with one sentence about wrong ones. */
  prepare(args: unknown): (call: Call) => Promise<ToolAnswer>
}

/** The argument that names a project. */
export const WORKSPACE = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('Project folder or name. Default: the current project.')
/** The argument for the start of a time range. */
export const SINCE = z
  .string()
  .min(1)
  .max(40)
  .optional()
  .describe('From this time on: 2026-01-31, an ISO instant, 7d, 12h, yesterday.')
/** The argument for the end of a time range. */
export const UNTIL = z.string().min(1).max(40).optional().describe('Before the end of this time; same forms as since.')

/** Problems that one sentence lists. */
const MOST_ISSUES = 3
const SHOWN_MESSAGE = 200
const SHOWN_PATH = 100

/** A problem with an argument. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/**
 * Returns one sentence that lists the first three problems with arguments, with their names; `what` starts it. Paths
 * and messages are cut.
 */
export const sentenceAbout = (what: string, issues: readonly Issue[]): string => {
  const parts = issues
    .slice(0, MOST_ISSUES)
    .map(
      ({ path, message }) =>
        `${path.length === 0 ? '' : `"${shortLine(path.map(String).join('.'), SHOWN_PATH)}": `}${shortLine(message, SHOWN_MESSAGE)}`,
    )
  return `${what} are wrong: ${parts.join('; ')}${issues.length > MOST_ISSUES ? '; …' : ''}.`
}

/**
 * Creates a tool from its definition, with its input schema as JSON. Its `prepare` checks arguments before the store is
 * needed and throws CairnError `invalid-input` with what is wrong.
 */
export const defineTool = <Input extends z.ZodObject>({
  name,
  title,
  description,
  hints,
  input,
  isMemory = false,
  run,
}: Definition<Input>): Tool => {
  let schema: Tool['inputSchema'] | undefined
  return {
    name,
    title,
    description,
    hints,
    isMemory,
    get inputSchema() {
      // Without `$schema`, which some clients refuse.
      if (schema === undefined) {
        const { $schema: _, ...own } = z.toJSONSchema(input, { io: 'input' })
        schema = { ...own, type: 'object' }
      }
      return schema
    },
    prepare: (args) => {
      const parsed = input.safeParse(args ?? {})
      if (!parsed.success)
        throw new CairnError('invalid-input', sentenceAbout(`The arguments of ${name}`, parsed.error.issues))
      return (call) => run(parsed.data, call)
    },
  }
}

/**
 * Returns an argument that an operation needs.
 * @throws CairnError `invalid-input` if it is missing or empty
 */
export const required = <T>(value: T | undefined, tool: string, operation: string, argument: string): T => {
  if (value === undefined || value === '')
    throw new CairnError('invalid-input', `${tool} with operation "${operation}" needs "${argument}".`)
  return value
}
