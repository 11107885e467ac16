/** `/cost`: the cost of the session's requests. */
import { allInputTokens, formatUsd } from '@cairn/core'
import { counted, formatCount, formatShare } from '../../terminal/format.ts'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { sayWrapped } from '../../terminal/say-wrapped.ts'
import type { Chat } from '../chat.ts'
import { sessionIdOf } from './session.ts'
import type { SlashCommand } from './slash-command.ts'

/** `/cost`: what the session's requests cost, by model and mode. */
export const COST: SlashCommand = {
  name: 'cost',
  forms: [['', "what this session's requests cost, by model and mode"]],
  run: async (_, chat) => {
    const { terminal } = chat.context
    const requests = await chat.engine.store.usage.requests(sessionIdOf(chat))
    const groups = Map.groupBy(
      requests,
      ({ model, mode }) => `${neutraliseLine(model)}${mode === null ? '' : ` (${neutraliseLine(mode)})`}`,
    )
    for (const [name, own] of groups) await sayWrapped(`${name}: ${costText(own)}`, terminal)
    await sayWrapped(`Total: ${costText(requests)}`, terminal)
  },
}

type Requests = Awaited<ReturnType<Chat['engine']['store']['usage']['requests']>>

/** The number, tokens and cost of requests in a sentence; requests without a price are counted separately. */
const costText = (requests: Requests): string => {
  const input = requests.reduce((sum, request) => sum + allInputTokens(request), 0)
  const cached = requests.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0)
  const output = requests.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
  const unpriced = requests.filter(({ costNano }) => costNano === null).length
  const cost = formatUsd(requests.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n))
  const share = input === 0 ? '' : ` (${formatShare(cached / input)} of it cached)`
  return `${counted(requests.length, 'request')}, ${formatCount(input)} tokens of input${share}, ${formatCount(output)} of output, ${cost}${unpriced === 0 ? '' : `, and ${counted(unpriced, 'request')} without a price`}.`
}
