/** What `cairn setup --json` says: which settings files it would change or has changed, and how. */
import { CairnError } from '@cairn/core'
import { z } from 'zod'

const fileSchema = z.object({
  path: z.string(),
  status: z.string(),
  diff: z.string(),
  notes: z.array(z.string()),
})

const answerSchema = z.object({
  written: z.boolean(),
  agents: z.array(
    z.object({
      agent: z.string(),
      name: z.string(),
      found: z.boolean(),
      files: z.array(fileSchema),
      afterwards: z.array(z.string()),
    }),
  ),
  obstacles: z.array(z.string()),
  history: z.array(z.string()),
})

const failureSchema = z.object({ error: z.object({ message: z.string() }) })

export type SetupAnswer = z.infer<typeof answerSchema>
type SetupAgent = SetupAnswer['agents'][number]
export type SetupFile = z.infer<typeof fileSchema>

/** What is said of an answer that is not one. */
const NOT_AN_ANSWER =
  'What the cairn command said about your agents can\'t be read; it may be of another version than the extension. "cairn setup" in a terminal does the same.'

/**
 * Returns the answer in the command's output.
 * @throws CairnError `read-failed` with the command's own sentence if it failed, or one that says that the output is no
 * answer
 */
export const setupAnswer = (output: string): SetupAnswer => {
  let document: unknown
  try {
    document = JSON.parse(output)
  } catch (cause) {
    throw new CairnError('read-failed', NOT_AN_ANSWER, { cause })
  }
  const failure = failureSchema.safeParse(document)
  if (failure.success) throw new CairnError('read-failed', failure.data.error.message)
  const answer = answerSchema.safeParse(document)
  if (!answer.success) throw new CairnError('read-failed', NOT_AN_ANSWER, { cause: answer.error })
  return answer.data
}

/** Files of an agent that setup would change. */
export const changedFiles = ({ files }: SetupAgent): readonly SetupFile[] =>
  files.filter(({ diff, status }) => status === 'change' && diff !== '')

/** The agents of which a file would be changed, in their order. */
export const changedAgents = ({ agents }: SetupAnswer): readonly SetupAgent[] =>
  agents.filter((agent) => changedFiles(agent).length > 0)

/** Returns whether two plans would change the same files in the same way, for some agents alone. */
export const sameChanges = (one: SetupAnswer, other: SetupAnswer, agents: readonly string[]): boolean => {
  const [before, now] = [one, other].map((answer) =>
    JSON.stringify(
      changedAgents(answer)
        .filter(({ agent }) => agents.includes(agent))
        .map((agent) => [agent.agent, changedFiles(agent)]),
    ),
  )
  return before === now
}

/** Both sides of a unified diff: what is shown of the file before and after. */
export interface DiffSides {
  /** Undefined for a file that is not there yet. */
  readonly before: string | undefined
  readonly after: string
}

const HUNK = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/

/**
 * Returns both sides of a diff with two lines of file names before its hunks; what lies between the hunks is one line
 * on both sides. `before` is undefined for a new file. Secrets are replaced in it already.
 */
export const sidesOf = (diff: string): DiffSides => {
  const before: string[] = []
  const after: string[] = []
  let isNew = false
  for (const line of diff.split('\n').slice(2)) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      const [, from = '1', count = '0'] = hunk
      if (from === '0' && count === '0') isNew = true
      const gap = Number(from) > 1 ? [`⋯ from line ${from}`] : []
      before.push(...gap)
      after.push(...gap)
      continue
    }
    const text = line.slice(1)
    if (!line.startsWith('+')) before.push(text)
    if (!line.startsWith('-')) after.push(text)
  }
  const whole = (lines: readonly string[]): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`)
  return { before: isNew ? undefined : whole(before), after: whole(after) }
}
