/**
 * Puts what the mentions of a text stand for behind it. What comes out of files, git and the store is data: between fences
 * that it can't close, cut where it is long, with what was left out named. What can't be sent is one sentence each.
 */
import type { ContentBlock } from '../../messages.ts'
import { DEFAULT_CHARS_PER_TOKEN, estimateTokens } from '../../tokens/estimate.ts'
import type { WorkspaceFile } from '../../ports/workspace-files.ts'
import { visibleName } from './delimited.ts'
import { fileContribution, folderContribution } from './file-contribution.ts'
import type { Contribution } from './contribution.ts'
import type { MentionCandidate, MentionReading } from './mention.ts'
import type { ExpandedText, MentionLimits, MentionSources, RefusedMention, SentMention } from './mention-sources.ts'
import { MOST_MENTIONS, parseMentions } from './parse-mentions.ts'
import { LARGEST_TEXT, refusalText, resolvePath } from './resolve-path.ts'
import { storedContribution } from './stored-contribution.ts'

const MAX_TOKENS = 10_000
const MAX_TOTAL_TOKENS = 40_000

/**
 * Returns the text as it was typed, followed by one block for each thing that it mentions, within the limits. What is
 * mentioned twice is sent once. A mention that means nothing stays plain text; one that is not sent is in `refused`
 * with a sentence why. Rejects only if a source of the caller does.
 */
export const expandMentions = async (
  text: string,
  sources: MentionSources,
  limits: MentionLimits = {},
): Promise<ExpandedText> => {
  const expansion = new Expansion(text, sources, limits)
  const candidates = parseMentions(text)
  for (const candidate of candidates.slice(0, MOST_MENTIONS)) await expansion.take(candidate)
  for (const { start } of candidates.slice(MOST_MENTIONS)) expansion.refuseRest(start)
  return expansion.result()
}

/** What became of a candidate, and how it was read. */
interface Outcome {
  readonly reading: MentionReading
  readonly found: Contribution | { readonly refused: string }
}

class Expansion {
  readonly #text: string
  readonly #sources: MentionSources
  readonly #maxTokens: number
  readonly #maxTotalTokens: number
  readonly #charsPerToken: number
  readonly #blocks: ContentBlock[] = []
  readonly #sent: SentMention[] = []
  readonly #refused: RefusedMention[] = []
  /** What was sent, by what tells one content from another. */
  readonly #known = new Set<string>()
  #tokens = 0
  #listing: Promise<readonly WorkspaceFile[]> | undefined

  constructor(
    text: string,
    sources: MentionSources,
    {
      maxTokens = MAX_TOKENS,
      maxTotalTokens = MAX_TOTAL_TOKENS,
      charsPerToken = DEFAULT_CHARS_PER_TOKEN,
    }: MentionLimits,
  ) {
    this.#text = text
    this.#sources = sources
    this.#maxTokens = maxTokens
    this.#maxTotalTokens = maxTotalTokens
    this.#charsPerToken = charsPerToken
  }

  /**
   * Takes a mention. What it stands for is sent once, refused with a reason if it exceeds what is left of all tokens; a
   * text that turns out to be no mention is passed over.
   */
  async take(candidate: MentionCandidate): Promise<void> {
    const left = this.#maxTotalTokens - this.#tokens
    const outcome = await this.#outcomeOf(candidate, Math.min(left, this.#maxTokens))
    if (outcome === undefined) return
    const { start } = candidate
    const { reading, found } = outcome
    const mention = this.#text.slice(start, reading.end)
    if ('refused' in found) {
      this.#refused.push({ mention, start, reason: found.refused })
      return
    }
    const { block, name, key, wholeKey = key, leftOut, path } = found
    const isKnown = this.#known.has(key) || this.#known.has(wholeKey)
    const tokens = isKnown ? 0 : estimateTokens(block, { charsPerToken: this.#charsPerToken })
    if (tokens > left) {
      const reason = `${name} is not sent: what the mentions before it stand for takes ${this.#tokens.toLocaleString('en-US')} of at most ${this.#maxTotalTokens.toLocaleString('en-US')} tokens.`
      this.#refused.push({ mention, start, reason })
      return
    }
    if (!isKnown) this.#blocks.push(block)
    this.#known.add(key)
    this.#tokens += tokens
    const details = { ...(leftOut === undefined ? {} : { leftOut }), ...(path === undefined ? {} : { path }) }
    this.#sent.push({ mention, start, target: reading.target, name, tokens, ...details })
  }

  /** Says that mentions from here on are not looked up. */
  refuseRest(start: number): void {
    const mention = this.#text.slice(start).split(/\s/, 1)[0] ?? '@'
    const reason = `The first ${MOST_MENTIONS} mentions of a text are looked up; the others, from ${visibleName(mention.slice(0, 100))} on, are not sent.`
    this.#refused.push({ mention, start, reason })
  }

  result(): ExpandedText {
    return {
      content: [{ type: 'text', text: this.#text }, ...this.#blocks],
      sent: this.#sent,
      refused: this.#refused,
      tokens: this.#tokens,
    }
  }

  /** The longest reading under which there is something; undefined for no mention at all. */
  async #outcomeOf({ readings }: MentionCandidate, maxTokens: number): Promise<Outcome | undefined> {
    const maxCharacters = Math.max(0, Math.floor(maxTokens * this.#charsPerToken) - HEAD_CHARACTERS)
    let refused: Outcome | undefined
    for (const reading of readings) {
      const found = await this.#contributionOf(reading, maxCharacters)
      if (found === undefined) continue
      if (!('refused' in found)) return { reading, found }
      // What stands at the end belongs to the sentence rather than to a file that is not there.
      refused = { reading, found }
    }
    if (refused !== undefined) return refused
    for (const reading of readings.toReversed())
      if (reading.isCertain && reading.target.kind === 'path')
        return { reading, found: { refused: refusalText(reading.target.path, 'gone', LARGEST_TEXT) } }
    return undefined
  }

  /**
   * What a reading of a mention stands for, or why it is refused; undefined where there is nothing under that reading.
   */
  async #contributionOf(
    { target, isCertain }: MentionReading,
    maxCharacters: number,
  ): Promise<Outcome['found'] | undefined> {
    if (target.kind !== 'path') return storedContribution(target, this.#sources, maxCharacters)
    const resolved = await resolvePath(target, isCertain, this.#sources.files, () => this.#list())
    switch (resolved.kind) {
      case 'gone':
        return undefined
      case 'refused':
        return { refused: resolved.reason }
      case 'file':
        return fileContribution(resolved, maxCharacters)
      case 'folder':
        return folderContribution(visibleName(resolved.path), resolved.files, maxCharacters)
    }
  }

  #list(): Promise<readonly WorkspaceFile[]> {
    return (this.#listing ??= this.#sources.files.list().then(({ files }) => files))
  }
}

/** Characters that the heading and the fences of a block take at most, not counting its name. */
const HEAD_CHARACTERS = 200
