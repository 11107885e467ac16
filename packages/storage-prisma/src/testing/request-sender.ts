/**
 * A process that sends one request of a session and is killed by itself at an event of it; started by tests.
 *
 * Arguments: address of the store, id of the session, base URL of the model server, message, event at which it is killed.
 */
import { createLanguageModel } from '@cairn/core/providers'
import { openEngine } from './process-engine.ts'

const [address = '', session = '', baseUrl = '', message = '', killAt = ''] = process.argv.slice(2)
const engine = await openEngine(address)
await engine.requests.send({
  session,
  message,
  languageModel: createLanguageModel({ provider: 'anthropic', apiKey: 'test-key', baseUrl }),
  model: 'claude-opus-5-5',
  onEvent: ({ type }) => {
    if (type === killAt) process.kill(process.pid, 'SIGKILL')
  },
})
await engine.close()
