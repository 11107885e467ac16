/**
 * An index of names that are no longer visible and that the agent may still refer to. A few thousand tokens of names
 * save most of the searches that it would otherwise make for them.
 */
import { textOfBlock } from '../../../messages.ts'
import type { Draft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { namesIn } from '../../names.ts'
import { plainText } from '../../texts.ts'

export interface NameIndex {
  /**
   * A text of at most about `characters` that lists names which the draft leaves out of sight, those chosen first that
   * are needed most likely for their length. Empty when every name is still visible.
   */
  text(draft: Draft, characters: number): string
}

/** Names that no prose holds: with an underscore, a digit, a dot, a slash or an inner capital. */
const IN_CODE = /[_/\d.]|[a-z][A-Z]/
const DIGIT = /\d/
const INNER_CAPITAL = /[a-z][A-Z]/
const FILE_NAME = /\/|\.[a-z]{1,5}$/
const DECLARED =
  /\b(?:function|class|interface|type|const|let|var|def|func|fn|struct|enum|impl|trait|module|package)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]{3,})/g
/** Names are taken from this many characters of the newest texts; older names are rarely needed again. */
const SCANNED = 600_000
const LONGEST_NAME = 120

interface Candidate {
  readonly name: string
  /** Of the calls that have it. */
  calls: number
  /** How many names stand beside it in the newest block that has it, itself included. */
  readonly among: number
  path: string | undefined
}

/**
 * Makes an index of the names that stand only in what a draft leaves out or shortens; those of blocks already seen are
 * cached. `text` chooses the names most likely to be needed for their length, as many as fit in the given characters,
 * and lists them by file, not by likelihood; '' if none fits.
 */
export const createNameIndex = (): NameIndex => {
  const known = new WeakMap<ViewBlock, readonly string[]>()

  /**
   * The names in a block, kept for the next call: any if the model called with it, else those that are written as code
   * or declared there.
   */
  const namesOf = (block: ViewBlock): readonly string[] => {
    const had = known.get(block)
    if (had !== undefined) return had
    const text = plainText(block)
    const declared = new Set<string>()
    if (block.source.original.type === 'tool_result')
      for (const [, name] of text.matchAll(DECLARED)) if (name !== undefined) declared.add(name)
    // A plain word is a name where it was declared, or where the model asked a tool for it.
    const isAsked = block.kind === 'call'
    const names = [...namesIn(text)].filter(
      (name) => name.length <= LONGEST_NAME && (isAsked || IN_CODE.test(name) || declared.has(name)),
    )
    known.set(block, names)
    return names
  }

  return {
    /**
     * The hidden names most likely to be needed, as many as fit, under the files that they stood in; '' for none. It
     * stops at the first that does not fit.
     */
    text: (draft, characters) => {
      const hidden = hiddenNames(draft, namesOf)
      const ranked = hidden.map((candidate) => ({ candidate, score: scoreOf(candidate) }))
      ranked.sort((left, right) => right.score - left.score || (left.candidate.name < right.candidate.name ? -1 : 1))
      const chosen: Candidate[] = []
      let remainingCharacters = characters
      for (const { candidate } of ranked) {
        if (candidate.name.length + 1 > remainingCharacters) break
        remainingCharacters -= candidate.name.length + 1
        chosen.push(candidate)
      }
      return chosen.length === 0 ? '' : laidOut(chosen)
    },
  }
}

/**
 * The names that stand only in what the draft leaves out or shortens, newest first. Only the newest blocks are looked
 * at, up to 600,000 characters; names of blocks that the user dropped are not among them.
 */
const hiddenNames = (draft: Draft, namesOf: (block: ViewBlock) => readonly string[]): readonly Candidate[] => {
  const visible = new Set<string>()
  const hidden = new Map<string, Candidate>()
  const blocks = draft.view.all()
  let scanned = 0
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    if (block === undefined) continue
    if (scanned > SCANNED) break
    scanned += block.characters
    const isInserted = block.kind === 'inserted'
    const sent = draft.contentSent(block)
    const isWhole = sent === block.source.original
    // Of what was made up all names count: an index has plain words that are names elsewhere.
    const shown = sent === null ? [] : isWhole && !isInserted ? namesOf(block) : namesIn(textOfBlock(sent))
    for (const name of shown) visible.add(name)
    // What the user dropped is not to come back by its names.
    if (!isWhole && !isInserted && block.source.pin !== 'dropped') noteHidden(hidden, block, namesOf(block))
  }
  return [...hidden.values()].filter(({ name }) => !visible.has(name))
}

/**
 * Counts the names of a block that the model does not see as it was; blocks come newest first. `path` is the file of
 * the newest block that has one.
 */
const noteHidden = (hidden: Map<string, Candidate>, block: ViewBlock, names: readonly string[]): void => {
  for (const name of names) {
    const candidate = hidden.get(name) ?? { name, calls: 0, among: names.length, path: undefined }
    if (block.kind === 'call') candidate.calls += 1
    candidate.path ??= block.operations[0]?.path
    hidden.set(name, candidate)
  }
}

/**
 * What adds to the chance that a call refers to a hidden name within 80 requests: a logistic fit of 150,000 names at
 * the rewrites of the recorded sessions, 212 of which were needed, rounded to what both halves of the sessions agree
 * on. Fitted on one half, they put 120 of 167 and 41 of 45 needed names of the other into 3,000 tokens
 * (docs/decisions/079).
 */
const WEIGHTS = { calls: 0.6, absolutePath: 1, file: 0.7, digit: -2, innerCapital: 0.6, among: -0.5 } as const

/** The logarithm of how likely a name is needed for each of its characters, up to a constant. */
const scoreOf = ({ name, calls, among }: Candidate): number =>
  WEIGHTS.calls * Math.log1p(calls) +
  (name.startsWith('/') ? WEIGHTS.absolutePath : 0) +
  (FILE_NAME.test(name) ? WEIGHTS.file : 0) +
  (DIGIT.test(name) ? WEIGHTS.digit : 0) +
  (INNER_CAPITAL.test(name) ? WEIGHTS.innerCapital : 0) +
  WEIGHTS.among * Math.log(among) -
  Math.log(name.length + 1)

/**
 * Under each file the names that stood in it, files in the order of their names. The names of no listed file come last,
 * on one line; names in each line are sorted.
 */
const laidOut = (chosen: readonly Candidate[]): string => {
  const listed = new Set(chosen.map(({ name }) => name))
  const files = new Map<string, string[]>()
  const others: string[] = []
  for (const { name, path } of chosen) {
    if (path !== undefined && path !== name && listed.has(path)) files.set(path, [...(files.get(path) ?? []), name])
    else if (!files.has(name)) others.push(name)
  }
  const lines = [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, names]) => `${path}: ${names.sort().join(' ')}`)
  return [
    ...lines,
    others
      .filter((name) => !files.has(name))
      .sort()
      .join(' '),
  ]
    .filter((line) => line !== '')
    .join('\n')
}
