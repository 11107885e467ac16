/** What made-up requests used and cost: of different sizes, and in every state that a cost can have. */
import type { CostState, RequestFact } from '@cairn/core'

interface Priced {
  readonly name: string
  readonly state: CostState
  /** Nano-USD a token of input. */
  readonly inputNano: bigint
}

const MODELS: readonly Priced[] = [
  { name: 'claude-opus-4-5', state: 'computed', inputNano: 5_000n },
  { name: 'claude-sonnet-4-5', state: 'computed', inputNano: 3_000n },
  { name: 'gpt-5.1-codex', state: 'recorded', inputNano: 1_250n },
  { name: 'in-house/coder-32b', state: 'unpriced', inputNano: 0n },
  { name: 'gemini-3-pro', state: 'computed', inputNano: 2_003n },
  { name: 'claude-haiku-4-5', state: 'computed', inputNano: 1_000n },
  { name: 'gpt-5.1', state: 'recorded', inputNano: 1_250n },
  { name: 'tiny', state: 'computed', inputNano: 1n },
  { name: 'vast', state: 'computed', inputNano: 75_000n },
  { name: 'deepseek-v4', state: 'computed', inputNano: 271n },
  { name: 'in-house/tester', state: 'unpriced', inputNano: 0n },
  { name: 'qwen-<4>', state: 'computed', inputNano: 97n },
]

export interface MadeCost {
  readonly fact: Omit<RequestFact, 'callId' | 'at'>
  readonly visibleCharacters: number
}

/** A function that makes the next request of an agent, with so much in its context. @param next a number from 0 to below 1 */
export const createCosts = (next: () => number): ((agent: string, context: number) => MadeCost) => {
  const below = (count: number): number => Math.floor(next() * count)
  return (agent, context) => {
    const model = MODELS[Math.floor(next() ** 1.5 * MODELS.length)] ?? MODELS[0]
    if (model === undefined) throw new Error('there are models')
    const { name, state, inputNano } = model
    const isCold = next() < 0.12
    const grown = below(4_000)
    const output = 1 + Math.floor(10 ** (3.6 * next()))
    const tokens = {
      inputTokens: below(700),
      cacheReadTokens: isCold ? 0 : context,
      cacheWrite5mTokens: isCold ? context : grown,
      cacheWrite1hTokens: next() < 0.2 ? below(9_000) : 0,
      outputTokens: output,
    }
    const latency = { firstTokenMs: 120 + below(4_000), totalMs: 4_200 + below(90_000) }
    const shared = {
      model: name,
      ...tokens,
      costState: state,
      ...(agent === 'cairn' ? { latency, attempt: 1 } : {}),
      ...(state === 'unpriced' ? {} : { outputRate: inputNano * 5n * 1_000_000n }),
    }
    // Every ninth reply shows more than was counted.
    const visibleCharacters = next() < 0.11 ? output * (9 + below(30)) : output * 2
    if (state === 'unpriced') return { fact: { ...shared, costNano: null }, visibleCharacters }
    // From some nano-USD to tens of dollars, with digits down to the last.
    if (state === 'recorded')
      return { fact: { ...shared, costNano: 1n + BigInt(Math.floor(10 ** (10.6 * next()))) }, visibleCharacters }
    const cacheReadNano = (inputNano * BigInt(tokens.cacheReadTokens)) / 10n
    const written = (inputNano * 5n * BigInt(tokens.cacheWrite5mTokens)) / 4n
    const cacheWriteNano = written + inputNano * 2n * BigInt(tokens.cacheWrite1hTokens)
    const outputNano = inputNano * 5n * BigInt(output)
    const cached = BigInt(tokens.cacheReadTokens + tokens.cacheWrite5mTokens + tokens.cacheWrite1hTokens)
    return {
      fact: {
        ...shared,
        costNano: inputNano * BigInt(tokens.inputTokens) + cacheReadNano + cacheWriteNano + outputNano,
        costSplit: {
          cacheReadNano,
          cacheWriteNano,
          outputNano,
          savedNano: inputNano * cached - cacheReadNano - cacheWriteNano,
        },
      },
      visibleCharacters,
    }
  }
}
