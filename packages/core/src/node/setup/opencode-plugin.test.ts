import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { openCodePlugin } from '../../setup/agents/own-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-plugin-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Stands in for Cairn's hook: answers with the event and the prompt that it was handed. */
const HOOK = `import { readFileSync } from 'node:fs'
const { prompt = '' } = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify({ additionalContext: process.argv[2] + ' ' + prompt }))
`

/** Does with the plugin what OpenCode does at a prompt. */
const DRIVER = `import { Cairn } from './plugin.mjs'
const hooks = await Cairn({ directory: process.cwd() })
const message = { id: 'msg_0001a' }
const parts = [
  { id: 'prt_0002b', type: 'text', text: 'Why?' },
  { id: 'prt_0003c', type: 'text', text: 'read by the program', synthetic: true },
]
await hooks['chat.message']({ sessionID: 's1' }, { message, parts })
const messages = [{ info: message, parts: parts.slice(0, 1) }, { info: message, parts }]
const own = [...messages]
await hooks['experimental.chat.messages.transform']({}, { messages: own })
const system = ['You are a coding agent']
await hooks['experimental.chat.system.transform']({ sessionID: 's1' }, { system })
const title = ['You are a title generator']
await hooks['experimental.chat.system.transform']({ sessionID: 's1' }, { system: title })
process.stdout.write(JSON.stringify({ messages, own, system, title }))
`

it("puts the memory into OpenCode's system prompt, and what is recalled below the prompt", () => {
  const hook = join(folder, 'hook.mjs')
  writeFileSync(hook, HOOK)
  writeFileSync(join(folder, 'plugin.mjs'), openCodePlugin({ node: process.execPath, hook, command: 'cairn' }))
  writeFileSync(join(folder, 'driver.mjs'), DRIVER)
  const { stdout, stderr } = spawnSync(process.execPath, ['driver.mjs'], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  interface Message {
    parts: { id: string; text: string; synthetic?: boolean; ignored?: boolean }[]
  }
  const { messages, own, system, title } = JSON.parse(stdout) as {
    messages: Message[]
    own: Message[]
    system: string[]
    title: string[]
  }
  expect(system).toEqual(['You are a coding agent', 'session-start '])
  expect(title).toEqual(['You are a title generator'])
  /** In the order in which OpenCode sends them; it passes over parts that are ignored. */
  const sent = (message: Message | undefined) =>
    message?.parts
      .filter(({ ignored }) => ignored !== true)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ text }) => text)
  expect(own.map(sent)).toEqual([['Why?'], ['Why?', 'read by the program', 'user-prompt-submit Why?']])
  // What others of its requests are made of, such as the one for a title.
  expect(messages.map(sent)).toEqual([['Why?'], ['Why?', 'read by the program']])
  expect(messages[1]?.parts.at(-1)?.synthetic).toBe(true)
})
