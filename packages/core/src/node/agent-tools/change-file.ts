/** Prepares the change of one file: what it would be, as a diff, and how it is made without touching what nobody has seen. */
import type { PreparedCall, ToolContext, ToolOutcome } from '../../agent/agent-tool.ts'
import { refused } from '../../agent/tools/tool-input.ts'
import { unifiedDiff } from '../../setup/unified-diff.ts'
import { CairnError } from '../../errors.ts'
import { fileText } from './file-text.ts'
import { readRegular } from './open-regular.ts'
import { failure, pathFacts, textOutcome, type ToolParts } from './tool-parts.ts'
import type { FoundPath } from './workspace-paths.ts'
import { hashOf, writeRegular } from './write-regular.ts'

/** The text of a file before; undefined where there is none. */
type TextBefore = string | undefined

/** A whole new text for a file, and what the model is told when it is written. */
interface Change {
  readonly text: string
  readonly report: string
}

export interface ChangeRequest {
  readonly found: FoundPath
  readonly title: string
  /** Throws a CairnError, whose message the model is given, for a change that can't be made. */
  readonly change: (before: TextBefore) => Change
}

interface Plan {
  readonly before: TextBefore
  readonly text: string
  readonly content: Buffer
  /** Hash of the content that is replaced; undefined where there is none. */
  readonly expected: string | undefined
  readonly report: string
}

const REDACTED = /\[redacted:[a-z0-9-]+\]/gi

/**
 * Prepares a call that changes a file, with its diff (none where no line differs); nothing is written before it runs.
 * Rejects for a change that can't be made; but where the file needs approval, nothing of what is in it is told before:
 * the call then fails when it runs. The change is worked out again when it runs, as a call of the same session may have
 * changed the file; what anybody else changed is left alone. `change` may be called several times.
 */
export const prepareChange = async (
  parts: ToolParts,
  { found, title, change }: ChangeRequest,
  context: ToolContext,
): Promise<PreparedCall> => {
  const plan = await orRefusal(() => planOf(parts, found, change, context))
  if (CairnError.is(plan) && found.reaches === undefined) throw plan
  const diff = CairnError.is(plan) ? '' : diffOf(found.shown, plan)
  return {
    effect: 'files',
    title,
    ...pathFacts(found),
    ...(diff === '' ? {} : { diff }),
    run: async () => {
      const latest = await orRefusal(() => planOf(parts, found, change, context))
      return CairnError.is(latest) ? failure(latest.message) : carryOut(parts, found, latest, context)
    },
  }
}

/** What `make` gives, or the CairnError that it rejects with, as a value. Other errors are thrown. */
const orRefusal = async <Value>(make: () => Promise<Value>): Promise<Value | CairnError> => {
  try {
    return await make()
  } catch (error) {
    if (CairnError.is(error)) return error
    throw error
  }
}

/**
 * What a change will write; a missing file is planned as a new one. Throws a refusal if the file is unreadable, is not
 * text, or was not read in this session as it is now, unless the change leaves it as it is; and what `change` throws.
 */
const planOf = async (
  { seen }: ToolParts,
  found: FoundPath,
  change: ChangeRequest['change'],
  { sessionId }: ToolContext,
): Promise<Plan> => {
  const { real, shown } = found
  const file = readRegular(real)
  if ('problem' in file && file.isMissing !== true) throw refused(`${shown} ${file.problem}.`)
  if ('problem' in file) return planFor(shown, undefined, undefined, change(undefined))
  const before = fileText(file.content)
  if ('problem' in before) throw refused(`${shown} ${before.problem}, so it can’t be changed with this tool.`)
  const sight = await seen.sightOf(sessionId, real, file.content)
  const made = sight === 'seen' ? change(before.text) : unchanged(change, before.text)
  if (made === undefined)
    throw refused(
      sight === 'changed'
        ? `${shown} has changed since it was read; read it again.`
        : `${shown} was not read in this session; read it first.`,
    )
  return planFor(shown, before.text, hashOf(file.content), made)
}

/**
 * The change, if it leaves the text as it is: that may be written by a session that has not read the file. Undefined
 * for any other change, and for one that can't be made. Throws other errors than Cairn's.
 */
const unchanged = (change: ChangeRequest['change'], before: string): Change | undefined => {
  try {
    const made = change(before)
    return made.text === before ? made : undefined
  } catch (error) {
    if (CairnError.is(error)) return undefined
    throw error
  }
}

/**
 * The plan for a new text. Throws a refusal if it has a placeholder of a secret that the old text lacks.
 * @param expected hash of the file as it is now; undefined for a new one
 */
const planFor = (shown: string, before: TextBefore, expected: string | undefined, { text, report }: Change): Plan => {
  for (const [placeholder] of text.matchAll(REDACTED))
    if (before?.includes(placeholder) !== true)
      throw refused(
        `The new text has ${placeholder}, which stands for a secret that was taken out of the log; leave the lines with it as they are, or use a variable.`,
      )
  return {
    before,
    text,
    content: Buffer.from(text, 'utf8'),
    expected,
    report: before === text ? `${shown} has this text already; nothing was changed.` : report,
  }
}

/** A unified diff with the lines that name the file; '' where no line differs. */
const diffOf = (shown: string, { before, text }: Plan): string => {
  const hunks = unifiedDiff(before ?? '', text)
  const header = [`--- ${before === undefined ? '/dev/null' : `a/${shown}`}`, `+++ b/${shown}`]
  return hunks.length === 0 ? '' : `${[...header, ...hunks].join('\n')}\n`
}

/**
 * Writes the plan unless the file has this content; the outcome is a failure if the file changed since the plan, or
 * can't be written. The session then knows the new content.
 */
const carryOut = ({ seen }: ToolParts, found: FoundPath, plan: Plan, { sessionId }: ToolContext): ToolOutcome => {
  if (plan.expected !== hashOf(plan.content)) {
    const problem = writeRegular(found.real, plan.content, plan.expected)
    if (problem !== undefined) return failure(`${found.shown} ${problem}.`)
  }
  seen.note(sessionId, found.real, plan.content)
  return textOutcome(plan.report, plan.expected === hashOf(plan.content) ? {} : { changed: [found.shown] })
}
