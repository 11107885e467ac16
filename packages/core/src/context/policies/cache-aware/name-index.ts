/**
 * An index of names that are no longer visible and that the agent may still refer to. A few thousand tokens of names
 * save most of the searches that it would otherwise make for them.
 */
import type { Draft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { namesIn } from '../../names.ts'
import { plainText } from '../../texts.ts'

export interface NameIndex {
  /**
   * A text of at most about `characters` that lists names which the draft leaves out of sight, those with the highest
   * scores first chosen. Empty when every name is still visible.
   */
  text(draft: Draft, characters: number): string
}

/** Names that no prose holds: with an underscore, a digit, a dot, a slash or an inner capital. */
const IN_CODE = /[_/\d.]|[a-z][A-Z]/
const FILE_NAME = /\/|\.[a-z]{1,5}$/
const DECLARED =
  /\b(?:function|class|interface|type|const|let|var|def|func|fn|struct|enum|impl|trait|module|package)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]{3,})/g
/** Names are taken from this many characters of the newest texts; older names are rarely needed again. */
const SCANNED = 600_000
const LONGEST_NAME = 120

interface Named {
  readonly names: readonly string[]
  readonly declared: ReadonlySet<string>
}

interface Candidate {
  readonly name: string
  mentions: number
  spoken: boolean
  declared: boolean
  newest: number
  path: string | undefined
}

/** Makes an index of the names that stand only in what a draft leaves out or shortens; those of blocks already seen are cached. */
export const createNameIndex = (): NameIndex => {
  const known = new WeakMap<ViewBlock, Named>()

  const namesOf = (block: ViewBlock): Named => {
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
    const made = { names, declared }
    known.set(block, made)
    return made
  }

  return {
    text: (draft, characters) => {
      const hidden = hiddenNames(draft, namesOf)
      const now = Math.max(1, draft.view.requests)
      const ranked = hidden.map((candidate) => ({ candidate, score: scoreOf(candidate, now) }))
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

/** The names that stand only in what the draft leaves out or shortens, of the newest blocks, newest first. */
const hiddenNames = (draft: Draft, namesOf: (block: ViewBlock) => Named): readonly Candidate[] => {
  const visible = new Set<string>()
  const hidden = new Map<string, Candidate>()
  const blocks = draft.view.all()
  let scanned = 0
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    if (block === undefined || block.kind === 'inserted') continue
    if (scanned > SCANNED) break
    scanned += block.characters
    const named = namesOf(block)
    if (block.source.seen === block.source.original && !draft.changes(block))
      for (const name of named.names) visible.add(name)
    else noteHidden(hidden, block, named)
  }
  return [...hidden.values()].filter(({ name }) => !visible.has(name))
}

/** Counts the names of a block that the model does not see as it was; blocks come newest first. */
const noteHidden = (hidden: Map<string, Candidate>, block: ViewBlock, { names, declared }: Named): void => {
  const spoken = block.kind === 'user' || block.kind === 'reply' || block.kind === 'call'
  for (const name of names) {
    const candidate = hidden.get(name) ?? {
      name,
      mentions: 0,
      spoken: false,
      declared: false,
      newest: block.request,
      path: undefined,
    }
    candidate.mentions += 1
    candidate.spoken ||= spoken
    candidate.declared ||= declared.has(name)
    candidate.path ??= block.operations[0]?.path
    hidden.set(name, candidate)
  }
}

const scoreOf = ({ name, mentions, spoken, declared, newest }: Candidate, now: number): number =>
  (spoken ? 3 : 0) + (FILE_NAME.test(name) ? 2 : 0) + (declared ? 1 : 0) + Math.log2(mentions) + (2 * newest) / now

/** Under each file the names that stood in it, files in the order of their names. */
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
