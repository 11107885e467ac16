import { startModelServer } from './src/testing/model-server/index.ts'
import { writeFileSync } from 'node:fs'
const server = await startModelServer({ clock: () => Date.now() })
const call = (name: string, input: Record<string, unknown>) => ({ type: 'tool-call' as const, name, input })
const text = (text: string) => ({ type: 'text' as const, text })
server.script(
  { reply: { blocks: [text("I'll look at **the constant** in `src/a.ts` first, then change it so that the name says what it is for."), call('read_file', { path: 'src/a.ts' })] } },
  { reply: { blocks: [call('edit_file', { path: 'src/a.ts', edits: [{ old_text: 'export const old = 2', new_text: 'export const fresh = 3' }] })] } },
  { reply: { blocks: [call('run_command', { command: 'node --version && git status --short' })] } },
  { reply: { blocks: [text('# Done\n\n- `old` is **fresh** now, with the value 3, which every caller of it will have to be told about\n- 日本語のとても長い説明がここにあります、絵文字も 👩‍👩‍👧‍👦 です\n\n```ts\nexport const fresh = 3\n```\nTests were not run.')] } },
)
writeFileSync('/tmp/chat-demo/url', server.url)
setInterval(() => writeFileSync('/tmp/chat-demo/requests.json', JSON.stringify(server.requests.map((r) => r.problem ?? 'ok'))), 500)
process.on('SIGTERM', () => process.exit(0))
