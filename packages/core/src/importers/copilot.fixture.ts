/** Events of Copilot CLI for its tests, in the forms of 1.0.64 to 1.0.102. */
export const ID = '5f0c1a2b-0000-4000-8000-000000000001'
const AT = '2026-05-01T09:00:00.000Z'

let events = 0

/** An event with an id of its own. */
export const event = (type: string, data: object, envelope: object = {}): object => ({
  type,
  data,
  id: `event-${++events}`,
  timestamp: AT,
  parentId: null,
  ...envelope,
})

export const start = (data: object = {}): object =>
  event('session.start', {
    sessionId: ID,
    version: 1,
    producer: 'copilot-agent',
    copilotVersion: '1.0.102',
    startTime: AT,
    selectedModel: 'gpt-5.4',
    context: { cwd: '/code/app', gitRoot: '/code/app', branch: 'main' },
    ...data,
  })

export const user = (content: string, data: object = {}, envelope: object = {}): object =>
  event('user.message', { content, attachments: [], interactionId: 'i', ...data }, envelope)

/** A reply; `apiCallId` is the provider's id of it. */
export const reply = (apiCallId: string, data: object = {}, envelope: object = {}): object =>
  event(
    'assistant.message',
    {
      messageId: `message-${apiCallId}`,
      model: 'gpt-5.4',
      content: '',
      toolRequests: [],
      interactionId: 'i',
      turnId: '0',
      apiCallId,
      ...data,
    },
    envelope,
  )

/** The usage record of a request, as since 1.0.102. */
export const record = (apiCallId: string, usage: object = {}, envelope: object = {}): object =>
  event('session.usage_record', { usage: { model: 'gpt-5.4', apiCallId, ...usage } }, envelope)

/** The end of a session with its totals by model, as `[requests, input with what was cached, read, written, output]`. */
export const shutdown = (totals: Readonly<Record<string, readonly number[]>>): object =>
  event('session.shutdown', {
    shutdownType: 'routine',
    totalPremiumRequests: 3,
    modelMetrics: Object.fromEntries(
      Object.entries(totals).map(
        ([model, [count = 0, inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0]]) => [
          model,
          { requests: { count, cost: 33 }, usage: { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } },
        ],
      ),
    ),
  })
