/**
 * Which of the model's reasoning a request may hold. Providers take a block of reasoning back only with their signature,
 * only from the model that made it, and newer models only while the conversation before it is what it was then.
 */
import type { ContentBlock, Message } from '../messages.ts'
import type { ThinkingSignature } from '../models/known-models.ts'
import { parseModelName } from '../models/parse-model-name.ts'
import { isJsonObject } from '../json.ts'
import { hasBrokenSignature } from '../redaction/broken-signatures.ts'

/** Who is asked: what decides which reasoning may be sent. */
export interface AskedModel {
  /** As the agent names it; absent: whoever made the reasoning. */
  readonly model?: string | undefined
  readonly provider?: string | undefined
  /** Default `bound-to-turn`. */
  readonly thinkingSignature?: ThinkingSignature | undefined
}

/** Who made a block of reasoning, as far as the log says. */
export type ThinkingMaker = Pick<AskedModel, 'model' | 'provider'>

/** Why a block of reasoning is not sent; `bound-thinking` is also what rewrites call it. `last-thinking`: its reply has nothing behind it. */
export type WithheldThinking = 'unsigned-thinking' | 'foreign-thinking' | 'bound-thinking' | 'last-thinking'

const WITHHELD: readonly string[] = [
  'unsigned-thinking',
  'foreign-thinking',
  'bound-thinking',
  'last-thinking',
] satisfies WithheldThinking[]

/** Whether a code for why a block is withheld is one for reasoning. */
export const isWithheldThinking = (why: string | undefined): why is WithheldThinking =>
  why !== undefined && WITHHELD.includes(why)

/**
 * Why reasoning is left out, by a rewrite or of one request: its signature was for the conversation as it was, and
 * something before it has changed.
 */
export const BOUND_THINKING = 'bound-thinking'

/** Reasoning whose text the provider keeps to itself comes as a block of its own kind. */
const isRedacted = (block: ContentBlock): boolean =>
  block.type === 'other' && isJsonObject(block.value) && block.value.type === 'redacted_thinking'

/** Whether a block is the model's reasoning, readable or encrypted. */
export const isThinking = (block: ContentBlock): boolean => block.type === 'thinking' || isRedacted(block)

/**
 * The message without reasoning at its end, as a reply may not end with it: nothing came of it, or what did has left.
 * Content may be empty then; any other message is the same object. It only affects the assistant's messages.
 */
export const withoutLastThinking = <M extends Message>(message: M): M => {
  const last = message.content.findLastIndex((block) => !isThinking(block))
  return message.role !== 'assistant' || last === message.content.length - 1
    ? message
    : { ...message, content: message.content.slice(0, last + 1) }
}

/**
 * Reasoning that a provider takes back: signed, and as far as one can see still what was signed. Where a secret was
 * replaced by a placeholder, it is not.
 */
export const isSignedThinking = (block: ContentBlock): boolean =>
  (block.type === 'thinking' ? block.signature !== undefined && block.signature !== '' : isRedacted(block)) &&
  isWellFormedThinking(block) &&
  !hasBrokenSignature(block)

/**
 * Whether reasoning holds no half of a surrogate pair. A provider's text never does, so reasoning with one was cut or
 * damaged, and neither as it is nor mended is it what was signed. True of every other block.
 */
export const isWellFormedThinking = (block: ContentBlock): boolean => {
  if (block.type === 'thinking') return block.text.isWellFormed() && (block.signature ?? '').isWellFormed()
  return !isRedacted(block) || !/\\ud[89a-f]/.test(JSON.stringify(block))
}

/**
 * Why this reasoning can't be sent whatever happened to the conversation; undefined when it can. A maker or model that
 * is not known counts as the same.
 */
export const withheldAlways = (
  block: ContentBlock,
  maker: ThinkingMaker,
  asked: AskedModel,
): 'unsigned-thinking' | 'foreign-thinking' | undefined => {
  if (!isSignedThinking(block)) return 'unsigned-thinking'
  if (isForeignForm(block, asked)) return 'foreign-thinking'
  return isSame(maker.provider, asked.provider) && isSameModel(maker.model, asked.model)
    ? undefined
    : 'foreign-thinking'
}

/** The models of those whose signatures have a form of their own, by the words of their names. */
const MODELS_OF = { openai: /^(?:gpt|o\d|codex|computer)/, google: /gemini/ } as const

/**
 * Whether the form in which reasoning came says that another provider's model signed it than the one asked. False where
 * the form or the model is not known.
 */
export const isForeignForm = (block: ContentBlock, { model }: Pick<AskedModel, 'model'>): boolean => {
  if (block.type !== 'thinking' || block.signedBy === undefined || model === undefined) return false
  const words = MODELS_OF[block.signedBy]
  return !parseModelName(model).names.some((name) => words.test(name))
}

const isSame = (left: string | undefined, right: string | undefined): boolean =>
  left === undefined || right === undefined || left.toLowerCase() === right.toLowerCase()

/** A release's date, or a word for the newest one. */
const RELEASE = /[-@](?:20\d{2}-?\d{2}-?\d{2}|latest)$/
/** Claude Code's names for the newest model of a family. */
const FAMILY = /^(?:opus|sonnet|haiku|fable|mythos)$/

/**
 * Whether two names may be the same model's: the same but for its release, its host, or as a family's short name. True
 * where one is not known.
 */
export const isSameModel = (left: string | undefined, right: string | undefined): boolean => {
  if (left === undefined || right === undefined || left === right) return true
  const [first, second] = [plainName(left), plainName(right)]
  return first === second || isOfFamily(first, second) || isOfFamily(second, first)
}

/** `claude-4.5-sonnet` and `claude-sonnet-4-5` alike: the words in order of the alphabet, then the version. */
const plainName = (model: string): string => {
  const parts = (parseModelName(model).names[0] ?? '').replace(RELEASE, '').split(/[-.]/)
  const isNumber = (part: string): boolean => /^\d+$/.test(part)
  return [...parts.filter((part) => !isNumber(part)).sort(), ...parts.filter(isNumber)].join('-')
}

const isOfFamily = (family: string, name: string): boolean => FAMILY.test(family) && name.split('-').includes(family)
