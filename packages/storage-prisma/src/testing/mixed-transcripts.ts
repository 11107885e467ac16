/** A folder of transcripts of several agents, sound and damaged, for comparing imports. The same seed gives the same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const START = Date.UTC(2026, 1, 2, 9)
const NUL = '\u0000'

/** Numbers from 0 up to `below`, the same ones for a seed. */
const numbersFrom = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const WORDS = 'harbour walrus ledger parser frigate λόγος 検索 wrench token lantern'.split(' ')

interface Source {
  readonly next: (below: number) => number
  /** Some words; above 512 characters where `count` is a hundred. */
  readonly words: (count: number) => string
}

const sourceOf = (seed: number): Source => {
  const next = numbersFrom(seed)
  return {
    next,
    words: (count) => Array.from({ length: count }, () => WORDS[next(WORDS.length)]).join(' '),
  }
}

const at = (line: number): string => new Date(START + line * 1_000).toISOString()
const uuid = (session: number): string => `00000000-0000-4000-8000-${String(session).padStart(12, '0')}`

/** The lines of a session of Claude Code's: questions, thoughts and replies with their requests. */
const claudeLines = (session: number, turns: number, { next, words }: Source): string[] => {
  const name = uuid(session)
  // What is read again and again, also by other sessions.
  const everywhere = `const everywhere = '${'the same in all sessions '.repeat(40)}'`
  const lines: string[] = []
  const add = (part: string, more: object): void => {
    const own = { uuid: `${name}-${lines.length}-${part}`, sessionId: name, timestamp: at(lines.length) }
    lines.push(JSON.stringify({ ...own, cwd: `/work/project-${session % 3}`, gitBranch: 'main', ...more }))
  }
  for (let turn = 0; turn < turns; turn += 1) {
    const secret = next(9) === 0 ? ' token ghp_0123456789abcdefghijABCDEFGHIJ012345' : ''
    const content = next(4) === 0 ? everywhere : `${words(next(200))}${secret}`
    add('user', { type: 'user', message: { role: 'user', content } })
    const message = { id: `msg_${session}_${turn}`, role: 'assistant', model: 'claude-sonnet-4-6' }
    const usage = { input_tokens: 5, cache_read_input_tokens: next(9_000), output_tokens: next(900) }
    add('text', {
      type: 'assistant',
      message: { ...message, content: [{ type: 'text', text: words(next(150)) }], usage },
    })
    add('call', {
      type: 'assistant',
      message: {
        ...message,
        content: [{ type: 'tool_use', id: `t${turn}`, name: 'Read', input: { file_path: `/work/a/${next(30)}.ts` } }],
        usage,
      },
    })
  }
  return lines
}

const codexLines = (session: number, turns: number, { next, words }: Source): string[] => {
  const line = (type: string, payload: object, index: number): string =>
    JSON.stringify({ timestamp: at(index), type, payload })
  const count = (value: number) => ({
    input_tokens: value,
    cached_input_tokens: 0,
    output_tokens: value,
    reasoning_output_tokens: 0,
    total_tokens: value * 2,
  })
  const lines = [
    line('session_meta', { id: uuid(session), timestamp: at(0), cwd: '/work/codex', model_provider: 'openai' }, 0),
    line('turn_context', { cwd: '/work/codex', model: 'gpt-5.5' }, 1),
  ]
  let total = 0
  for (let turn = 0; turn < turns; turn += 1) {
    const last = 1 + next(500)
    total += last
    const say = (role: string, type: string): string =>
      line('response_item', { type: 'message', role, content: [{ type, text: words(next(300)) }] }, lines.length)
    lines.push(say('user', 'input_text'))
    lines.push(say('assistant', 'output_text'))
    const info = { total_token_usage: count(total), last_token_usage: count(last) }
    lines.push(line('event_msg', { type: 'token_count', info }, lines.length))
  }
  return lines
}

const geminiDocument = ({ next, words }: Source): string =>
  JSON.stringify({
    sessionId: uuid(900),
    projectHash: 'f'.repeat(64),
    startTime: at(0),
    lastUpdated: at(9),
    messages: Array.from({ length: 40 }, (_, turn) => ({
      id: `g${turn}`,
      timestamp: at(turn),
      type: turn % 2 === 0 ? 'user' : 'gemini',
      content: words(next(200)),
      ...(turn % 2 === 0 ? {} : { model: 'gemini-2.5-pro', thoughts: [], tokens: { input: 600, output: turn } }),
    })),
  })

/** One of the ways in which a line is damaged, or odd. */
const damaged = (line: string, { next }: Source): string | Uint8Array => {
  const cut = next(line.length)
  const forms: readonly (() => string | Uint8Array)[] = [
    () => line.slice(0, cut),
    () => `${line}\r`,
    () => '',
    () => `// ${line}`,
    () => `${NUL.repeat(3)}${line}`,
    () => Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
    () => line.replace('"sessionId"', '"session"'),
    () => line.replace('walrus', '\\ud800'),
    () => line.replace('walrus', '\\u0077alrus'),
    () => `${'['.repeat(600)}${']'.repeat(600)}`,
    () => JSON.stringify(next(1_000)),
    () => line.replaceAll('frigate', `frigate${'x'.repeat(next(3_000))}`),
  ]
  return forms[next(forms.length)]?.() ?? line
}

const joined = (lines: readonly (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))

/** Writes the folder, two megabytes or so. */
export const writeMixedTranscripts = (folder: string, seed: number): void => {
  const source = sourceOf(seed)
  const write = (name: string, content: string | Uint8Array): void => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const claude = (session: number): string => `projects/-work-project-${session % 3}/${uuid(session)}.jsonl`
  const sound = Array.from({ length: 5 }, (_, session) => claudeLines(session, 20 + source.next(150), source))
  sound.forEach((lines, session) => write(claude(session), joined(lines)))
  for (let session = 10; session < 25; session += 1) {
    const lines = claudeLines(session, 1 + source.next(30), source)
    write(claude(session), joined(lines.map((line) => (source.next(6) === 0 ? damaged(line, source) : line))))
  }
  // A session that goes on in a file which repeats its beginning.
  write(
    'projects/-work-project-0/repeated.jsonl',
    joined([...(sound[0] ?? []).slice(0, 90), ...claudeLines(0, 30, source)]),
  )
  write('projects/-work-project-0/packed.jsonl.gz', gzipSync(joined(claudeLines(50, 150, source))))
  const packed = gzipSync(joined(claudeLines(51, 120, source)))
  write('projects/-work-project-0/torn.jsonl.gz', packed.subarray(0, Math.floor(packed.length * 0.7)))
  write(
    'projects/-work-project-0/behind.jsonl.gz',
    Buffer.concat([gzipSync(joined(claudeLines(52, 9, source))), Buffer.from('rest')]),
  )
  write('projects/-work-project-0/open.jsonl', joined(claudeLines(53, 5, source)).subarray(0, -40))
  write('projects/-work-project-0/empty.jsonl', '')
  write(
    'projects/-work-project-0/binary.jsonl',
    Uint8Array.from({ length: 9_000 }, (_, byte) => byte % 7),
  )
  write(`sessions/2026/02/02/rollout-2026-02-02T09-00-00-${uuid(60)}.jsonl`, joined(codexLines(60, 120, source)))
  write('tmp/proj/chats/session-2026-02-02T09-00-00000000.json', geminiDocument(source))
  write('chat.jsonl', joined(['{"session":"s","at":null,"role":"user","id":"m1","text":"walrus"}', '{"session":"s"}']))
}
