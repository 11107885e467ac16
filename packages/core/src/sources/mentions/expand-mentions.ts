/**
 * Puts what the mentions of a text stand for behind it. What comes out of files, git and the store is data: between fences
 * that it can't close, cut where it is long, with what was left out named. What can't be sent is one sentence each.
 */
import type { ContentBlock } from '../../messages.ts'
import { DEFAULT_CHARS_PER_TOKEN } from '../../tokens/estimate.ts'
import type { WorkspaceFile } from '../../ports/workspace-files.ts'
import { visibleName } from './delimited.ts'
import { fileDraft, folderDraft } from './file-draft.ts'
import { holds } from './contribution.ts'
import type { Draft, FilePart, Refusal } from './contribution.ts'
import { fitDraft } from './fit-draft.ts'
import type { MentionCandidate, MentionReading } from './mention.ts'
import type { ExpandedText, MentionLimits, MentionSources, RefusedMention, SentMention } from './mention-sources.ts'
import { MOST_MENTIONS, parseMentions } from './parse-mentions.ts'
import { LARGEST_TEXT, refusalText, resolvePath } from './resolve-path.ts'
import { storedDraft } from './stored-draft.ts'

const MAX_TOKENS = 10_000
const MAX_TOTAL_TOKENS = 40_000
/** Characters that git is asked for at least, however few may be sent. */
const LEAST_ASKED = 4_000

/**
 * Returns the text as it was typed, followed by one block for each thing that it mentions, within the limits (by
 * default 10,000 tokens for one, 40,000 for all; 200 mentions). What is mentioned twice is sent once. A mention that
 * means nothing stays plain text; one that is not sent is in `refused` with a sentence why. Rejects only if a source of
 * the caller does.
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
  readonly found: Draft | Refusal
}

/** What is sent for a mention. */
interface Sent {
  readonly mention: SentMention
  /** Of its content; undefined where another one has it. */
  readonly block?: ContentBlock
  readonly key: string
  /** The lines of a file that it is. */
  readonly part?: FilePart
}

class Expansion {
  readonly #text: string
  readonly #sources: MentionSources
  readonly #maxTokens: number
  readonly #maxTotalTokens: number
  readonly #charsPerToken: number
  #sent: readonly Sent[] = []
  readonly #refused: RefusedMention[] = []
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
   * Takes a mention. What it stands for is sent once, as much of it as fits, and refused with a reason if nothing does; a
   * text that turns out to be no mention is passed over.
   */
  async take(candidate: MentionCandidate): Promise<void> {
    const outcome = await this.#outcomeOf(candidate)
    if (outcome === undefined) return
    const { start } = candidate
    const { reading, found } = outcome
    const mention = this.#text.slice(start, reading.end)
    if ('refused' in found) this.#refused.push({ mention, start, reason: found.refused })
    else this.#add({ mention, start, target: reading.target }, found)
  }

  /** Adds what a mention stands for, unless another one has it. One that does not fit is refused, with the reason. */
  #add(mention: Pick<SentMention, 'mention' | 'start' | 'target'>, draft: Draft): void {
    const { key, path } = draft
    const known = { ...mention, name: draft.name, tokens: 0, ...(path === undefined ? {} : { path }) }
    const holder = this.#holderOf(draft)
    if (holder !== undefined) {
      this.#push({ ...holder, key, mention: { ...known, ...holder.mention, ...mention, tokens: 0 } })
      return
    }
    const fitted = fitDraft(draft, Math.min(this.#left(), this.#maxTokens), this.#charsPerToken)
    if ('least' in fitted) {
      const reason = this.#reasonAgainst(draft.name, fitted.least)
      this.#refused.push({ mention: mention.mention, start: mention.start, reason })
      return
    }
    const { contribution, tokens } = fitted
    const { block, name = draft.name, leftOut, notice, part } = contribution
    // A part that stood alone until now is in this one.
    this.#sent = this.#sent.map((one) =>
      holds(part, one.part) && one.part !== undefined
        ? { key: one.key, part: one.part, mention: { ...one.mention, tokens: 0, containedIn: name } }
        : one,
    )
    const details = {
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(notice === undefined ? {} : { notice }),
      name,
      tokens,
    }
    this.#push({ key, block, mention: { ...known, ...details }, ...(part === undefined ? {} : { part }) })
  }

  /** What is known of a content that is sent already: the same one, or lines that are among others; otherwise undefined. */
  #holderOf({ key, part }: Draft): (Pick<Sent, 'part'> & { readonly mention: Partial<SentMention> }) | undefined {
    const same = this.#sent.find((one) => one.key === key)
    if (same !== undefined) return { mention: same.mention }
    const whole = this.#sent.find((one) => one.block !== undefined && holds(one.part, part))
    if (whole === undefined || part === undefined) return undefined
    return { part, mention: { containedIn: whole.mention.name } }
  }

  #push(sent: Sent): void {
    this.#sent = [...this.#sent, sent]
  }

  #tokens(): number {
    return this.#sent.reduce((sum, { mention }) => sum + mention.tokens, 0)
  }

  #left(): number {
    return this.#maxTotalTokens - this.#tokens()
  }

  /** Why not even the shortest form of something, which takes `least` tokens, is sent. */
  #reasonAgainst(name: string, least: number): string {
    const text = (tokens: number): string => tokens.toLocaleString('en-US')
    return least > this.#maxTokens
      ? `${name} is not sent: with its heading, it takes at least ${text(least)} tokens, and one mention may take ${text(this.#maxTokens)}.`
      : `${name} is not sent: what the mentions before it stand for takes ${text(this.#tokens())} of at most ${text(this.#maxTotalTokens)} tokens.`
  }

  /** Says that mentions from here on are not looked up. */
  refuseRest(start: number): void {
    const mention = this.#text.slice(start).split(/\s/, 1)[0] ?? '@'
    const reason = `The first ${MOST_MENTIONS} mentions of a text are looked up; the others, from ${visibleName(mention.slice(0, 100))} on, are not sent.`
    this.#refused.push({ mention, start, reason })
  }

  /** The text with what its mentions stand for, behind it in their order; the refused ones with their reasons. */
  result(): ExpandedText {
    return {
      content: [{ type: 'text', text: this.#text }, ...this.#sent.flatMap(({ block }) => block ?? [])],
      sent: this.#sent.map(({ mention }) => mention),
      refused: this.#refused,
      tokens: this.#tokens(),
    }
  }

  /**
   * The longest reading under which there is something; undefined for no mention at all. Else why the shortest with a
   * reason was refused; a certain one of a file that is not there is refused, too.
   */
  async #outcomeOf({ readings }: MentionCandidate): Promise<Outcome | undefined> {
    let refused: Outcome | undefined
    for (const reading of readings) {
      const found = await this.#draftOf(reading)
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
  async #draftOf({ target, isCertain }: MentionReading): Promise<Outcome['found'] | undefined> {
    if (target.kind !== 'path') {
      const most = Math.min(this.#left(), this.#maxTokens) * this.#charsPerToken
      return storedDraft(target, this.#sources, Math.max(LEAST_ASKED, Math.floor(most)))
    }
    const resolved = await resolvePath(target, isCertain, this.#sources.files, () => this.#list())
    switch (resolved.kind) {
      case 'gone':
        return undefined
      case 'refused':
        return { refused: resolved.reason }
      case 'file':
        return fileDraft(resolved)
      case 'folder':
        return folderDraft(visibleName(resolved.path), resolved.files)
    }
  }

  #list(): Promise<readonly WorkspaceFile[]> {
    return (this.#listing ??= this.#sources.files.list().then(({ files }) => files))
  }
}
