/**
 * A conversation within a number of characters, by layers: the newest units whole, older ones shortened, then a line
 * each, then only counted. Cline's progressive summariser keeps the beginning as its last resort, and loses what is
 * newest.
 */
import { cutText } from './bounded-text.ts'
import type { ConversationMessage, FileOperationsOf } from './conversation.ts'
import {
  unitKind,
  unitLine,
  unitText,
  groupIntoUnits,
  type ConversationUnit,
  type UnitKind,
} from './conversation-units.ts'

/** How much of a unit is kept: whole, one line, or counted. */
export type Layer = 'counted' | 'line' | 'shortened' | 'whole'

/** A unit and its layer. */
export interface LayeredUnit {
  readonly layer: Layer
  /** UTF-16 units that stand for it in the text; 0 when it is only counted. */
  readonly characters: number
}

/** The summary and how it was made. */
export interface LayeredSummary {
  /** Escaped, oldest first, without a tag around it: it may stand in any record. Never longer than the target. */
  readonly text: string
  /** Oldest first. */
  readonly units: readonly LayeredUnit[]
}

/** Size of the summary, and how files are found in calls. */
export interface LayeredOptions {
  readonly fileOperations: FileOperationsOf
}

/** The characters of each step, the first of which is the line (shorter than any later one); a unit that is twice as old takes a step when another pays twice its weight. */
const STEPS = [
  { characters: 0, weight: 1 },
  { characters: 600, weight: 4 },
  { characters: 2000, weight: 16 },
  { characters: 8000, weight: 64 },
  { characters: Infinity, weight: 256 },
] as const

const LINE_END = '\n'

/**
 * What fits `targetCharacters` (UTF-16 units) of a conversation. The newest unit is always in it, and a larger target
 * keeps of no unit less: which step comes next depends on the ages of the units alone, never on what would fit.
 */
export const layeredSummary = (
  messages: readonly ConversationMessage[],
  targetCharacters: number,
  { fileOperations }: LayeredOptions,
): LayeredSummary => {
  const units = groupIntoUnits(messages)
  const newestFirst = units.toReversed().map((unit) => createLayers(unit, fileOperations))
  const shown: string[] = []
  const counted = unitCounts(units)
  let characters = 0

  for (const [age, step] of stepsOf(units.length)) {
    const layers = newestFirst[age]
    if (layers === undefined) break
    const before = shown[age]
    const text = layers.at(step)
    const grown = characters + text.length + (before === undefined ? LINE_END.length : -before.length)
    // The counts come second: without room for them, the newest unit has all there is.
    const rest = age === 0 && step === 0 ? '' : counted.line(Math.max(shown.length, age + 1))
    const excess = grown + rest.length - (rest === '' ? LINE_END.length : 0) - targetCharacters
    if (excess > 0) {
      const part = cutText(text, text.length - Math.ceil(excess))
      if (before === undefined ? age === 0 : part.length > before.length) shown[age] = part
      break
    }
    shown[age] = text
    characters = grown
  }

  const rest = counted.line(shown.length)
  const texts = shown.toReversed()
  const whole = [...(rest === '' ? [] : [rest]), ...texts].join(LINE_END)
  return {
    text: whole.length <= targetCharacters ? whole : texts.join(LINE_END),
    units: newestFirst.map((layers, age) => layerOf(layers, shown[age])).toReversed(),
  }
}

/** Age and step of every enlargement, in the order in which they are made. */
const stepsOf = (units: number): readonly (readonly [age: number, step: number])[] => {
  const steps = STEPS.flatMap(({ weight }, step) =>
    Array.from({ length: units }, (_, age) => ({ age, step, order: (age + 1) * weight })),
  )
  return steps
    .sort((left, right) => left.order - right.order || left.step - right.step)
    .map(({ age, step }) => [age, step])
}

interface Layers {
  at(step: number): string
  whole(): string
}

/** The forms of a unit, by step. Texts are made when they are reached; most of a long conversation never is. */
const createLayers = (unit: ConversationUnit, fileOperations: FileOperationsOf): Layers => {
  let text: string | undefined
  const whole = (): string => (text ??= unitText(unit))
  return {
    whole,
    at: (step) => {
      const line = unitLine(unit, fileOperations)
      // A line that is not shorter than the whole would tell less in more.
      if (whole().length <= line.length) return whole()
      return step === 0 ? line : cutText(whole(), STEPS[step]?.characters ?? Infinity)
    },
  }
}

/** In which layer a unit is shown, told by its text. `counted` without one. */
const layerOf = (layers: Layers, text: string | undefined): LayeredUnit => {
  if (text === undefined) return { layer: 'counted', characters: 0 }
  const layer =
    text === layers.whole()
      ? 'whole'
      : text === layers.at(0) || text.length < layers.at(0).length
        ? 'line'
        : 'shortened'
  return { layer, characters: text.length }
}

/** What is said of the units that are older than the newest `shown`: how many of each kind; '' for none. */
const unitCounts = (units: readonly ConversationUnit[]): { line(shown: number): string } => {
  const totals: ReadonlyMap<UnitKind, number>[] = [new Map()]
  for (const unit of units) {
    const before = totals.at(-1) ?? new Map<UnitKind, number>()
    totals.push(new Map(before).set(unitKind(unit), (before.get(unitKind(unit)) ?? 0) + 1))
  }
  return {
    line: (shown) => {
      const older = Math.max(0, units.length - shown)
      if (older === 0) return ''
      const kinds = [...(totals[older] ?? [])].map(([kind, count]) => `${kind} ${count}`).sort()
      return `[earlier, not shown: ${older} (${kinds.join(', ')})]`
    },
  }
}
