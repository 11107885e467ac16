/**
 * What is known of models: data only. The price list knows many context windows, but neither how long a
 * reply may be nor the rules of a provider's cache, and it is too large to load for a single number.
 *
 * Each table is read from the top and the first pattern that matches counts. Patterns see a name in lower
 * case without vendor, region, version and variant (`parse-model-name.ts`). A window that hosts set differently
 * is given as the smallest usual one: compressing too early costs less than a refused request.
 */

/** `anthropic`: the request marks what to cache. `automatic`: the provider does by itself. */
export type CacheKind = 'anthropic' | 'automatic' | 'none'

/**
 * How long the signature of a block of reasoning is good. `bound-to-turn`: it may leave with its turn, but while the
 * turn's tools run it comes back unchanged. `bound-to-conversation`: it is refused as soon as anything before it differs
 * from what the model was sent when it made it.
 */
export type ThinkingSignature = 'bound-to-turn' | 'bound-to-conversation'

/** What the rows of both tables may say of a model; what is left out is told by a later source. */
export interface ModelTraits {
  /** Tokens of input and reply together. */
  readonly contextWindow?: number
  /** Tokens that the input may have at most, where that is less than the window. */
  readonly maxInputTokens?: number
  readonly maxOutputTokens?: number
  /** A shorter prefix is not cached; tokens. */
  readonly minimumCacheableTokens?: number
  readonly cache?: CacheKind
  /** How long a prefix that nobody asks for stays cached, in the provider's cheapest way. */
  readonly cacheLifetimeSeconds?: number
  /** Characters of an agent's conversation (code, tool output, prose) per token. */
  readonly charsPerToken?: number
  readonly thinkingSignature?: ThinkingSignature
}

type Row = readonly [pattern: RegExp, traits: ModelTraits]

const MILLION = 1_000_000

/** Both orders of a Claude model's name: `claude-opus-4-5` and `claude-4.5-opus`. */
const claude = (model: string, version: string): RegExp => {
  const digits = `(?:${version.replaceAll('-', '[-.]')})`
  return new RegExp(`^claude-(?:(?:${model})-${digits}|${digits}-(?:${model}))(?!\\d)`)
}

/** Versions of a Claude model whose reasoning is signed for the conversation: from x.y on, `[-.]` between. */
const SINCE_5_5 = '(?:5[-.](?:[5-9]|[1-9]\\d)|(?:[6-9]|[1-9]\\d)(?:[-.]\\d{1,2})?)(?!\\d)'
const SINCE_5_1 = '(?:5[-.](?:[1-9]\\d?)|(?:[6-9]|[1-9]\\d)(?:[-.]\\d{1,2})?)(?!\\d)'
const BOUND_CLAUDE = new RegExp(
  `^claude-(?:(?:opus|sonnet)-${SINCE_5_5}|fable-${SINCE_5_1}|${SINCE_5_5}-(?:opus|sonnet)|${SINCE_5_1}-fable)`,
)

/**
 * Vendors' rules that hold for all of their models.
 *
 * Characters per token: 2.7 for Claude is measured over 63 recorded sessions of Claude Code. 3.3 for OpenAI is
 * measured with the tokenizer `o200k_base` over the text of 12 recorded sessions (3.0 to 3.5 a session). The
 * other families are estimates, on the careful side; calibration replaces them after a few requests.
 */
export const MODEL_FAMILIES: readonly Row[] = [
  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching: 5 minutes, renewed by each hit.
  // Opus 4.7 brought a tokenizer that makes 1.0 to 1.35 times as many tokens; what came later is taken to have it.
  [
    BOUND_CLAUDE,
    {
      cache: 'anthropic',
      cacheLifetimeSeconds: 300,
      charsPerToken: 2.3,
      thinkingSignature: 'bound-to-conversation',
    },
  ],
  [
    /^claude-(?:opus-4[-.][78]|4[-.][78]-opus|(?:opus|sonnet|haiku|fable|mythos)-5|5)/,
    { cache: 'anthropic', cacheLifetimeSeconds: 300, charsPerToken: 2.3 },
  ],
  [/^claude|^(?:opus|sonnet|haiku)$/, { cache: 'anthropic', cacheLifetimeSeconds: 300, charsPerToken: 2.7 }],
  // Open weights of OpenAI; whether a host caches is the host's affair.
  [/^gpt-oss/, { charsPerToken: 3.3 }],
  [/^gpt-(?:3|4(?:-|$))/, { cache: 'none', charsPerToken: 3.3 }],
  // https://developers.openai.com/api/docs/guides/prompt-caching: from 1,024 tokens; kept 5 to 10 minutes, and
  // from GPT-5.6 on at least 30 minutes.
  [
    /^gpt-(?:5\.[6-9]|[6-9])/,
    { cache: 'automatic', minimumCacheableTokens: 1024, cacheLifetimeSeconds: 1800, charsPerToken: 3.3 },
  ],
  [
    /^(?:gpt-|chatgpt-|codex|computer-use|o\d)/,
    { cache: 'automatic', minimumCacheableTokens: 1024, cacheLifetimeSeconds: 300, charsPerToken: 3.3 },
  ],
  // https://ai.google.dev/gemini-api/docs/caching: implicit from 2.5 on; the lifetime is not stated, 5 minutes is taken.
  [/^gemini-(?:pro|[12]\.0|1\.5)/, { cache: 'none', charsPerToken: 3 }],
  [/^gemini-2\.5/, { cache: 'automatic', minimumCacheableTokens: 2048, cacheLifetimeSeconds: 300, charsPerToken: 3 }],
  [/^gemini/, { cache: 'automatic', minimumCacheableTokens: 4096, cacheLifetimeSeconds: 300, charsPerToken: 3 }],
  [/^gemma/, { charsPerToken: 3 }],
  // https://api-docs.deepseek.com/guides/kv_cache: units of 64 tokens, kept for hours.
  [/^deepseek/, { cache: 'automatic', minimumCacheableTokens: 64, cacheLifetimeSeconds: 3600, charsPerToken: 3 }],
  // https://www.alibabacloud.com/help/model-studio/context-cache: implicit from 256 tokens, no lifetime promised.
  [
    /^(?:qwen|qwq|qvq)/,
    { cache: 'automatic', minimumCacheableTokens: 256, cacheLifetimeSeconds: 300, charsPerToken: 3 },
  ],
  [/llama/, { charsPerToken: 3 }],
  // https://docs.mistral.ai/inference/conversations/advanced/prompt-caching: with a `prompt_cache_key`.
  [
    /^(?:open-)?(?:mistral|ministral|mixtral|codestral|devstral|magistral|pixtral)/,
    { cache: 'automatic', cacheLifetimeSeconds: 300, charsPerToken: 2.7 },
  ],
  // https://docs.z.ai/guides/capabilities/cache and the vendors' price lists: cached input has a price of its own.
  [/^(?:grok|kimi|moonshot|glm|minimax)/, { cache: 'automatic', cacheLifetimeSeconds: 300, charsPerToken: 3 }],
]

/** Limits of single models. */
export const MODEL_LIMITS: readonly Row[] = [
  // Anthropic: https://platform.claude.com/docs/en/models (windows, replies) and .../build-with-claude/prompt-caching
  // (shortest prefix). For Haiku 5 that is not stated, and taken as for Haiku 4.5.
  [claude('opus|fable|mythos', '5'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 512 }],
  [claude('sonnet', '5'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 1024 }],
  [claude('haiku', '5'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 4096 }],
  [claude('opus', '4-8'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 1024 }],
  [claude('opus', '4-7'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 2048 }],
  [claude('opus', '4-6'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 4096 }],
  // Stated as 1,024; seen to cache from 2,048 (anthropics/anthropic-sdk-python#1194).
  [claude('sonnet', '4-6'), { contextWindow: MILLION, maxOutputTokens: 128_000, minimumCacheableTokens: 2048 }],
  [claude('opus|haiku', '4-5'), { contextWindow: 200_000, maxOutputTokens: 64_000, minimumCacheableTokens: 4096 }],
  [claude('opus', '4-1|4'), { contextWindow: 200_000, maxOutputTokens: 32_000, minimumCacheableTokens: 1024 }],
  [claude('sonnet', '4-5|4|3-7'), { contextWindow: 200_000, maxOutputTokens: 64_000, minimumCacheableTokens: 1024 }],
  [claude('sonnet', '3-5'), { contextWindow: 200_000, maxOutputTokens: 8192, minimumCacheableTokens: 1024 }],
  [claude('haiku', '3-5'), { contextWindow: 200_000, maxOutputTokens: 8192, minimumCacheableTokens: 2048 }],
  [claude('haiku', '3'), { contextWindow: 200_000, maxOutputTokens: 4096, minimumCacheableTokens: 2048 }],
  [claude('opus|sonnet', '3'), { contextWindow: 200_000, maxOutputTokens: 4096, minimumCacheableTokens: 1024 }],
  [/^claude-(?:instant|v1|2(?:\.0)?$)/, { contextWindow: 100_000, maxOutputTokens: 4096 }],
  [/^claude-2/, { contextWindow: 200_000, maxOutputTokens: 4096 }],
  // Claude Code's short names, and models yet to come.
  [
    /^claude|^(?:opus|sonnet|haiku)$/,
    { contextWindow: 200_000, maxOutputTokens: 64_000, minimumCacheableTokens: 4096 },
  ],

  // OpenAI: https://developers.openai.com/api/docs/models. The longest reply is kept free whatever a request asks
  // for: GPT-5 refuses more than 272,000 tokens of input.
  [
    /^gpt-(?:5\.[6-9]|[6-9])|^gpt-5\.[45](?!.*(?:mini|nano))/,
    { contextWindow: 1_050_000, maxInputTokens: 922_000, maxOutputTokens: 128_000 },
  ],
  [/^gpt-5.*(?:-chat|-spark)|^gpt-5\.3(?!-codex)/, { contextWindow: 128_000, maxOutputTokens: 16_384 }],
  [/^gpt-5/, { contextWindow: 400_000, maxInputTokens: 272_000, maxOutputTokens: 128_000 }],
  [/^gpt-4\.1/, { contextWindow: 1_047_576, maxOutputTokens: 32_768 }],
  [/^(?:chat)?gpt-4o|^gpt-4\.5/, { contextWindow: 128_000, maxOutputTokens: 16_384 }],
  [/^gpt-4-(?:turbo|vision|\d{4}-preview)/, { contextWindow: 128_000, maxOutputTokens: 4096 }],
  [/^gpt-4-32k/, { contextWindow: 32_768, maxOutputTokens: 4096 }],
  [/^gpt-4(?:-|$)/, { contextWindow: 8192, maxOutputTokens: 4096 }],
  [/^gpt-3\.?5/, { contextWindow: 16_385, maxOutputTokens: 4096 }],
  [/^gpt-oss/, { contextWindow: 131_072, maxOutputTokens: 32_768 }],
  [/^o1-mini/, { contextWindow: 128_000, maxOutputTokens: 65_536 }],
  [/^o1-preview/, { contextWindow: 128_000, maxOutputTokens: 32_768 }],
  [/^(?:o[134](?:-|$)|codex-mini)/, { contextWindow: 200_000, maxOutputTokens: 100_000 }],

  // Google: https://ai.google.dev/gemini-api/docs/models
  [/^gemini-1\.5-pro/, { contextWindow: 2_097_152, maxOutputTokens: 8192 }],
  [/^gemini-(?:1\.5|2\.0)/, { contextWindow: 1_048_576, maxOutputTokens: 8192 }],
  [/^gemini-(?:2\.5|[3-9])/, { contextWindow: 1_048_576, maxOutputTokens: 65_536 }],

  // DeepSeek: https://api-docs.deepseek.com/quick_start/pricing, whichever interface it is called through.
  [/^deepseek-v4/, { contextWindow: MILLION, maxOutputTokens: 384_000 }],
  [/^deepseek-(?:reasoner|r1)/, { contextWindow: 128_000, maxOutputTokens: 64_000 }],
  [/^deepseek/, { contextWindow: 128_000, maxOutputTokens: 8192 }],

  // Alibaba: https://www.alibabacloud.com/help/model-studio/models; open weights: the cards on Hugging Face.
  [/^qwen3-coder-(?:plus|flash)|^qwen3\.\d-(?:plus|flash)/, { contextWindow: MILLION, maxOutputTokens: 65_536 }],
  [/^qwen3(?:\.\d)?-(?:max|coder|next)|^qwen3.*-2507/, { contextWindow: 262_144, maxOutputTokens: 65_536 }],
  [/^(?:qwen3|qwq)/, { contextWindow: 131_072, maxOutputTokens: 16_384 }],
  [/^qwen-?2\.5/, { contextWindow: 131_072, maxOutputTokens: 8192 }],

  // Meta: https://www.llama.com/docs/model-cards-and-prompt-formats. Llama 4 could do more; its hosts mostly do not.
  [/llama-?v?4/, { contextWindow: 131_072, maxOutputTokens: 8192 }],
  [/llama-?v?3[-.p][1-3]/, { contextWindow: 128_000, maxOutputTokens: 8192 }],
  [/llama-?v?3/, { contextWindow: 8192, maxOutputTokens: 2048 }],

  // Mistral: https://docs.mistral.ai/getting-started/models
  [/^ministral-3b/, { contextWindow: 131_072 }],
  [/^(?:mistral|ministral|devstral)-.*(?:2512|26\d\d)|^mistral-medium-3[-.]5/, { contextWindow: 262_144 }],
  [/^codestral/, { contextWindow: 256_000 }],
  [/^(?:open-)?mixtral-8x22b/, { contextWindow: 65_536 }],
  [/^(?:open-)?(?:mixtral|mistral-7b)/, { contextWindow: 32_768 }],
  [/^(?:open-)?(?:mistral|ministral|devstral|magistral|pixtral)/, { contextWindow: 128_000 }],

  // xAI: https://docs.x.ai/docs/models
  [/^grok-4[-.](?:1-)?fast/, { contextWindow: 2_000_000 }],
  [/^grok-4\.(?:20|3)/, { contextWindow: MILLION }],
  [/^grok-4\.[5-9]/, { contextWindow: 500_000 }],
  [/^grok-(?:4|code|build)/, { contextWindow: 256_000 }],
  [/^grok-3/, { contextWindow: 131_072 }],

  // Moonshot, Z.ai, MiniMax: https://platform.moonshot.ai/docs/pricing, https://docs.z.ai/guides/llm,
  // https://platform.minimax.io/docs
  [/^kimi-k3/, { contextWindow: 1_048_576 }],
  [/^kimi-k2(?:[.p]|-0905|-thinking|-turbo)/, { contextWindow: 262_144 }],
  [/^kimi/, { contextWindow: 131_072 }],
  [/^glm-5[.p][2-9]/, { contextWindow: MILLION, maxOutputTokens: 131_072 }],
  [/^glm-(?:5|4[.p][67])/, { contextWindow: 200_000, maxOutputTokens: 131_072 }],
  [/^glm-4[.p]5/, { contextWindow: 128_000, maxOutputTokens: 98_304 }],
  [/^minimax-m[13]/, { contextWindow: MILLION }],
  [/^minimax-m2/, { contextWindow: 204_800, maxOutputTokens: 131_072 }],

  // Amazon: https://docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html
  [/^nova-(?:2|premier)/, { contextWindow: MILLION, maxOutputTokens: 10_000 }],
  [/^nova-(?:pro|lite)/, { contextWindow: 300_000, maxOutputTokens: 10_000 }],
  [/^nova-micro/, { contextWindow: 128_000, maxOutputTokens: 10_000 }],
]

/** What is assumed of a model that nobody knows. */
export const UNKNOWN_MODEL: Required<Omit<ModelTraits, 'maxInputTokens'>> = {
  contextWindow: 128_000,
  maxOutputTokens: 8192,
  minimumCacheableTokens: 1024,
  cache: 'none',
  cacheLifetimeSeconds: 0,
  charsPerToken: 2.7,
  thinkingSignature: 'bound-to-turn',
}
