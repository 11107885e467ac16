// A store of many messages for the MCP server: sessions of made-up words, as common or rare as words are, imported by
// the command itself; with entries of the memory and notes.
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { cairnCommand, cairnEnvironment } from './cairn.mjs'
import { removeStore } from './import-speed.mjs'
import { randomNumbers } from './numbers.mjs'
import { cacheFolder, schemaHash } from './paths.mjs'
import { runWell } from './processes.mjs'

/** Increase it when the generator changes. */
const GENERATOR = 2
const MESSAGES_PER_SESSION = 100
const WORKSPACES = 5
const VOCABULARY = 30_000
const MESSAGES_PER_FILE = 50
const START = Date.UTC(2026, 0, 1)

/** The workspace of the session with this index: the same few, in turns. */
export const workspaceOf = (index) => `/bench/project-${index % WORKSPACES}`
/** The path of the file with this index; no two are the same. */
export const fileOf = (index) => `src/part-${index % 40}/module-${index}.ts`

/** How many files the messages of a store touch; each several times. */
export const filesOf = (messages) => Math.floor(messages / MESSAGES_PER_FILE)

/** The made-up word of a rank, the same each time; common words (of a low rank) are short. */
export function wordOf(rank) {
  let text = ''
  for (let value = rank + 20; value > 0; value = Math.floor(value / 20))
    text += 'bcdfghklmnprstvwzjxy'[value % 20] + 'aeiou'[(value + rank) % 5]
  return text
}

/** A random word's rank, distributed by Zipf's law. */
export const randomRank = (random) => Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random()) - 1)

/**
 * A store of so many messages with files and memory to ask for, made once and kept.
 * @param {{ messages: number, log: (text: string) => void }} options
 * @returns {Promise<string>} the store's file
 */
export async function mcpStore({ messages, log }) {
  const file = join(cacheFolder('stores'), `mcp-${messages}-${GENERATOR}-${schemaHash()}.db`)
  if (existsSync(file)) return file
  log(`mcp: making a store of ${messages} messages (once)…`)
  const lines = join(cacheFolder('mcp'), `messages-${messages}.jsonl`)
  await writeMessages(lines, messages)
  const fresh = `${file}.tmp`
  removeStore(fresh)
  await runWell(cairnCommand(['import', '--agent', 'generic', '--from', lines, '--store', `file:${fresh}`]), {
    env: cairnEnvironment,
  })
  rmSync(lines)
  renameSync(fresh, file)
  return file
}

/** Writes so many made-up messages as lines; the same each time. */
async function writeMessages(file, messages) {
  const random = randomNumbers(20_261_121)
  const out = createWriteStream(file)
  for (let index = 0; index < messages; index += 1) {
    const session = Math.floor(index / MESSAGES_PER_SESSION)
    const role = ['user', 'assistant', 'assistant', 'tool'][index % 4]
    const words = Array.from({ length: 8 + Math.floor(random() ** 3 * 300) }, () => wordOf(randomRank(random)))
    const line = {
      session: `s${String(session).padStart(6, '0')}`,
      id: `m${index}`,
      at: new Date(START + index * 60_000).toISOString(),
      role,
      text: words.join(' '),
      workspace: workspaceOf(session),
      branch: session % 3 === 0 ? 'main' : `feature-${session % 50}`,
      ...(index % 4 === 2
        ? {
            tool: {
              name: 'edit',
              path: fileOf(Math.floor(random() * filesOf(messages))),
              kind: random() < 0.3 ? 'edit' : 'read',
            },
          }
        : {}),
    }
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}
