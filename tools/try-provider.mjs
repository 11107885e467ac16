// `npm run try:provider -- acme acme-large "What is two times two?"`: one short request to a provider, and its events.
// The key is read from the provider's environment variable; --base-url asks another address.
import { createLanguageModel, PROVIDERS } from '@cairn/core/providers'
import { parseArgs } from 'node:util'

/** Tokens; what a mistake may cost at most. */
const MOST_OUTPUT = 1000

const { values, positionals } = parseArgs({ options: { 'base-url': { type: 'string' } }, allowPositionals: true })
const [provider, model, text = 'What is two times two?'] = positionals

/** Sends one message to a provider, without retries, and prints each event as JSON. */
const run = async () => {
  const keyNames = PROVIDERS[provider]?.keyNames ?? []
  const apiKey = keyNames.map((name) => process.env[name]).find((key) => key !== undefined && key !== '')
  const languageModel = createLanguageModel({ provider, apiKey, baseUrl: values['base-url'], retries: false })
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }]
  for await (const event of languageModel.stream({ model, messages, maxOutputTokens: MOST_OUTPUT }))
    console.log(JSON.stringify(event))
}

if (model === undefined) {
  console.error(`Name a provider and a model: npm run try:provider -- ${Object.keys(PROVIDERS)[0]} <model>`)
  process.exitCode = 2
} else
  await run().catch(({ code, message, details }) => {
    console.error(`${code}: ${message}`)
    if (details?.usage !== undefined) console.error(JSON.stringify(details.usage))
    process.exitCode = 1
  })
