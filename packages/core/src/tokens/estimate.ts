/**
 * Tokens of a text, a block, a message or a tool before a provider has counted them: characters divided by
 * the model's ratio, rounded up a block. What is estimated in parts adds up to what is estimated at once.
 */
import { CairnError } from '../errors.ts'
import type { ContentBlock, ImageBlock, Message } from '../messages.ts'
import type { ToolDefinition } from '../ports/language-model.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { contentAttachments, contentCharacters, contentTexts, toolCharacters } from './content-characters.ts'
import { imageSize } from './image-size.ts'
import { knownBlock } from './loose-block.ts'

/** Measured for Claude over 63 recorded sessions; other models have theirs in `ModelFacts.charsPerToken`. */
export const DEFAULT_CHARS_PER_TOKEN = 2.7

/** Tokens of a message beyond its content: its role and delimiters. */
export const MESSAGE_OVERHEAD_TOKENS = 4

/** An image whose size is not known, and the most that one takes: Claude scales larger ones down to about this. */
export const IMAGE_TOKENS = 1600
const PIXELS_PER_IMAGE_TOKEN = 750

/** What can be estimated: a text, a block, a message, or lists of these. */
export type Estimable = string | ContentBlock | Message | ToolDefinition

/** How a text is counted. */
export interface EstimateOptions {
  /** Default: 2.7. */
  readonly charsPerToken?: number | undefined
  /** The model whose tokenizer is asked. */
  readonly model?: string | undefined
  /** Counts text instead of dividing its characters. */
  readonly tokenizer?: Tokenizer | undefined
  /** The most that an image takes, default 1,600; newer Claude models see up to about 4,800. */
  readonly maxImageTokens?: number | undefined
}

/**
 * What an image costs by Anthropic's rule, width · height / 750, at most `maxTokens`. That many also where its data
 * does not tell its size.
 */
const imageTokens = (image: ImageBlock | undefined, maxTokens: number = IMAGE_TOKENS): number => {
  const size = image?.data === undefined ? undefined : imageSize(image.data)
  if (size === undefined) return maxTokens
  return Math.max(1, Math.min(maxTokens, Math.ceil((size.width * size.height) / PIXELS_PER_IMAGE_TOKEN)))
}

/**
 * Tokens of all images and binary parts of messages: what calibration must leave out, as no characters stand for them.
 * An image whose size is not known counts `maxImageTokens`.
 */
export const attachmentTokens = (messages: readonly Message[], maxImageTokens: number = IMAGE_TOKENS): number =>
  messages
    .flatMap((message) => message.content.flatMap(contentAttachments))
    .reduce((sum, image) => sum + imageTokens(image, maxImageTokens), 0)

/** A message's blocks; in an API's form its content may be a text. None where it is neither a text nor a list. */
const contentOf = ({ content }: Message): readonly ContentBlock[] => {
  const given: unknown = content
  if (typeof given === 'string') return [{ type: 'text', text: given }]
  return Array.isArray(given) ? content : []
}

const isList = (value: Estimable | readonly Estimable[]): value is readonly Estimable[] => Array.isArray(value)

/**
 * Estimates tokens: characters by `charsPerToken` (default 2.7), rounded up for each block, or the tokenizer's count
 * where one is given; images by their size, and 4 more for each message.
 * @param value a text, a block, a message, a tool's definition, or any list of them
 * @returns a whole number; of a list, the sum of its parts
 * @throws CairnError `invalid-input` for a ratio that is not above 0, and for what is none of these.
 */
export const estimateTokens = (value: Estimable | readonly Estimable[], options: EstimateOptions = {}): number => {
  const { charsPerToken = DEFAULT_CHARS_PER_TOKEN, tokenizer, model = '', maxImageTokens } = options
  if (!(charsPerToken > 0 && Number.isFinite(charsPerToken))) {
    throw new CairnError(
      'invalid-input',
      `Characters per token must be a number above 0, not '${String(charsPerToken)}'.`,
    )
  }

  const text = (characters: number, texts: () => readonly string[]): number =>
    tokenizer === undefined
      ? Math.ceil(characters / charsPerToken)
      : texts().reduce((sum, part) => sum + tokenizer.count(part, model), 0)
  /** Tokens of a block: of its text, and of each image or binary part. */
  const block = (given: ContentBlock): number => {
    const part = knownBlock(given)
    return contentAttachments(part).reduce(
      (sum, image) => sum + imageTokens(image, maxImageTokens),
      text(contentCharacters(part), () => contentTexts(part)),
    )
  }
  /** Throws CairnError `invalid-input` for what is no text, block, message or tool. */
  const one = (part: Estimable): number => {
    if (typeof part === 'string') return text(part.length, () => [part])
    const given: unknown = part
    if (typeof given !== 'object' || given === null) {
      throw new CairnError(
        'invalid-input',
        `Tokens are estimated of texts, blocks, messages and tools, not of ${given === null ? 'null' : typeof given}.`,
      )
    }
    if ('type' in part) return block(part)
    if ('role' in part) return contentOf(part).reduce((sum, inner) => sum + block(inner), MESSAGE_OVERHEAD_TOKENS)
    if (!('name' in part))
      throw new CairnError(
        'invalid-input',
        'Tokens are estimated of texts, blocks, messages and tools; this object is none of them.',
      )
    return text(toolCharacters(part), () => [part.name, part.description, JSON.stringify(part.inputSchema)])
  }
  return isList(value) ? value.reduce((sum, part) => sum + one(part), 0) : one(value)
}
