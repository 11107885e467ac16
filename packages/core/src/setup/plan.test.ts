import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  BROKEN_JSON,
  BROKEN_TOML,
  COMMENTED_JSON,
  PLAIN_JSON,
  PROGRAM,
  TOML_FILES,
  WRONG_SHAPES,
  jsonTarget,
  tomlTarget,
} from './awkward-files.fixture.ts'
import { isRefusal } from './json/document.ts'
import { foreignValues } from './json/foreign.ts'
import { parseDocument, isFault } from './json/parse.ts'
import { ensureTarget, holdsOwn, withdrawTarget } from './plan.ts'
import type { Outcome } from './outcome.ts'
import type { JsonTarget, Target } from './target.ts'

const OPTIONS = { name: 'The agent', replaceStatusLine: false }
const OLD_PROGRAM = { node: '/old/node', hook: '/old/cairn/dist/hook.js', command: '/old/cairn/bin/cairn.js' }

const JSON_FILES: Readonly<Record<string, readonly [string, string]>> = {
  'claude-code servers': ['claude-code', '.claude.json'],
  'claude-code settings': ['claude-code', 'settings.json'],
  'codex hooks': ['codex', 'hooks.json'],
  gemini: ['gemini', 'settings.json'],
  'copilot servers': ['copilot', 'mcp-config.json'],
  'copilot settings': ['copilot', 'settings.json'],
  opencode: ['opencode', 'opencode.json'],
  cline: ['cline', 'cline_mcp_settings.json'],
  roo: ['roo', 'mcp_settings.json'],
  cursor: ['cursor', 'mcp.json'],
  vscode: ['vscode', 'mcp.json'],
}
const targets = Object.entries(JSON_FILES).map(([title, [agent, ending]]) => ({
  title,
  target: jsonTarget(agent, ending),
  older: jsonTarget(agent, ending, OLD_PROGRAM),
}))

const ensured = (text: string, target: Target, options = OPTIONS): Outcome => {
  const outcome = ensureTarget(text, target, options)
  if (isRefusal(outcome)) throw new Error(outcome.reason)
  return outcome
}

const withdrawn = (text: string, target: Target, splices: Outcome['splices'], earlier?: string): string => {
  const outcome = withdrawTarget(text, target, { name: 'The agent', splices, earlier, isMade: false })
  if ('kind' in outcome) throw new Error(outcome.reason)
  return outcome.text ?? ''
}

const rootOf = (text: string, { dialect }: JsonTarget) => {
  const document = parseDocument(text, dialect)
  if (isFault(document)) throw new Error(document.reason)
  return document.root
}

/** Whether an agent's own reader takes a text, by what it was seen to take. */
const isReadBy = ({ dialect }: JsonTarget, title: string, text: string): boolean => {
  const hasMark = text.startsWith('\ufeff')
  if (hasMark && !dialect.byteOrderMark) return false
  if (title.includes('nesting') && dialect.levels !== undefined) return false
  if (title === 'keys twice' && dialect.refusesRepeatedKeys === true) return false
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text.replace('\ufeff', ''))
  return dialect.rootKeys === undefined || Object.keys(value as object).every((key) => dialect.rootKeys?.includes(key))
}

const expectRoundTrip = (text: string, target: Target): void => {
  const first = ensured(text, target)
  expect(ensured(first.text, target)).toMatchObject({ text: first.text, splices: [] })
  expect(withdrawn(first.text, target, first.splices) === text).toBe(true)
  if (first.splices.length > 0) expect(holdsOwn(first.text, target)).toBe(true)
}

/** Large files take a while; one target of each dialect is enough for them. */
const WITH_LARGE = new Set(['claude-code settings', 'codex hooks', 'gemini', 'opencode'])
const LARGE_CHARACTERS = 100_000

describe.each(targets)('$title', ({ title: name, target, older }) => {
  const texts = Object.fromEntries(
    Object.entries(PLAIN_JSON).filter(([, text]) => text.length < LARGE_CHARACTERS || WITH_LARGE.has(name)),
  )

  it.each(Object.entries(texts))('restores: %s', (title, text) => {
    if (isReadBy(target, title, text)) expectRoundTrip(text, target)
    else expect(ensureTarget(text, target, OPTIONS)).toMatchObject({ kind: 'refused' })
  })

  it.each(Object.entries(texts))('removes only its own entries where it has no record: %s', (title, text) => {
    if (!isReadBy(target, title, text)) return
    const { text: after } = ensured(text, target)
    const rest = withdrawn(after, target, [], text)
    expect(holdsOwn(rest, target)).toBe(false)
    expect(foreignValues(rootOf(rest, target), target.entries)).toEqual(
      foreignValues(rootOf(text, target), target.entries),
    )
  })

  it.each(Object.entries(COMMENTED_JSON))('restores, or leaves alone: %s', (_, { text, trailing }) => {
    const isRead = target.dialect.comments && (trailing !== true || target.dialect.trailingCommas)
    if (isRead) expectRoundTrip(text, target)
    else expect(ensureTarget(text, target, OPTIONS)).toMatchObject({ kind: 'refused' })
  })

  it.each([...Object.entries(BROKEN_JSON), ...Object.entries(WRONG_SHAPES)])('leaves alone: %s', (_, text) => {
    const outcome = ensureTarget(text, target, OPTIONS)
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^[^.\n]{10,200}$/) })
  })

  it("keeps others' changes on removal", () => {
    const before = '{\n  "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "a"}]}]}\n}\n'
    const { text, splices } = ensured(before, target)
    const change = (whole: string): string => whole.replace('"command": "a"', '"command": "changed"')
    expect(withdrawn(change(text), target, splices)).toBe(change(before))
    const grown = (whole: string): string => whole.replace(/\n\}\n$/, ',\n  "hooksOfMine": {"x": 1}\n}\n')
    if (target.dialect.rootKeys === undefined) expect(withdrawn(grown(text), target, splices)).toBe(grown(before))
  })

  it('removes its entries from a file that the agent has rewritten', () => {
    const before = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}'
    const { text, splices } = ensured(before, target)
    const again = JSON.stringify(JSON.parse(text), undefined, 1)
    expect(JSON.parse(withdrawn(again, target, splices, before))).toEqual(JSON.parse(before))
  })

  it('updates the entries of an older installation in place', () => {
    const before = '{\n  "hooks": {}\n}\n'
    const old = ensured(before, older)
    const foreign = old.text.replace('{\n', target.dialect.rootKeys === undefined ? '{\n  "z": 1,\n' : '{\n')
    const renewed = ensured(foreign, target)
    expect(renewed.text).not.toContain('/old/')
    expect(renewed.text).toBe(
      ensured(foreign.replaceAll('/old/cairn', '/opt/cairn').replaceAll('/old/node', PROGRAM.node), target).text,
    )
    expect(ensured(renewed.text, target).splices).toEqual([])
    const back = withdrawn(renewed.text, target, [...old.splices, ...renewed.splices])
    expect(back).toBe(before.replace('{\n', target.dialect.rootKeys === undefined ? '{\n  "z": 1,\n' : '{\n'))
  })
})

describe('codex, config.toml', () => {
  const target = tomlTarget()

  it.each(Object.entries(TOML_FILES))('restores: %s', (_, text) => {
    expectRoundTrip(text, target)
    const { text: after } = ensured(text, target)
    const rest = withdrawn(after, target, [])
    expect(holdsOwn(rest, target)).toBe(false)
    expect(rest.trimEnd()).toBe(text.trimEnd())
  })

  it.each(Object.entries(BROKEN_TOML))('leaves alone: %s', (_, text) => {
    expect(ensureTarget(text, target, OPTIONS)).toMatchObject({ kind: 'refused' })
  })

  it("keeps others' changes on removal", () => {
    const before = 'model = "a" # mine\n'
    const { text, splices } = ensured(before, target)
    const changed = `${text.replace('"a"', '"b"')}\n[tui]\nx = 1\n`
    expect(withdrawn(changed, target, splices)).toBe('model = "b" # mine\n\n[tui]\nx = 1\n')
    expect(withdrawn(changed, target, [])).toBe('model = "b" # mine\n\n[tui]\nx = 1\n')
  })

  it('updates program and arguments, and keeps what others added', () => {
    const old = ensured('a = 1\n', tomlTarget(OLD_PROGRAM))
    const tuned = `${old.text.replace('"mcp"]', '"mcp", "--workspace", "x"]')}startup_timeout_sec = 20\n`
    const { text } = ensured(tuned, target)
    expect(text).toContain(
      'command = "/opt/node/bin/node"\nargs = ["/opt/cairn/bin/cairn.js", "mcp", "--workspace", "x"]',
    )
    expect(text).toContain('startup_timeout_sec = 20')
    expect(ensured(text, target).splices).toEqual([])
  })
})

describe('conflicting entries', () => {
  const settings = jsonTarget('claude-code', 'settings.json')
  const servers = jsonTarget('claude-code', '.claude.json')

  it('keeps another status line, unless asked', () => {
    const before = '{\n  "statusLine": {"type": "command", "command": "mine.sh"}\n}\n'
    const kept = ensured(before, settings)
    expect(kept).toMatchObject({ kept: ['status-line'], text: expect.stringContaining('mine.sh') })
    const replaced = ensured(before, settings, { ...OPTIONS, replaceStatusLine: true })
    expect(replaced.text).not.toContain('mine.sh')
    expect(withdrawn(replaced.text, settings, replaced.splices)).toBe(before)
    const again = JSON.stringify(JSON.parse(replaced.text))
    expect(JSON.parse(withdrawn(again, settings, replaced.splices, before))).toEqual(JSON.parse(before))
  })

  it('keeps another server of that name, and one that is started by its name', () => {
    const other = '{"mcpServers": {"cairn": {"url": "http://127.0.0.1:4680/mcp"}}}'
    expect(ensured(other, servers)).toMatchObject({ text: other, kept: ['server'] })
    const installed = '{"mcpServers": {"cairn": {"command": "cairn", "args": ["mcp", "--no-ltm"]}}}'
    expect(ensured(installed, servers)).toMatchObject({ text: installed, kept: [], splices: [] })
  })

  it('updates a server that was added by hand, keeps its arguments and variables, and restores it', () => {
    const byHand =
      '{"mcpServers": {"cairn": {"type": "stdio", "command": "node", "args": ["/src/cairn/bin/cairn.js", "mcp", "--workspace", "x"], "env": {"A": "b"}}}}'
    const { text, splices } = ensured(byHand, servers)
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        cairn: {
          type: 'stdio',
          command: '/opt/node/bin/node',
          args: ['/opt/cairn/bin/cairn.js', 'mcp', '--workspace', 'x'],
          env: { A: 'b' },
        },
      },
    })
    expect(withdrawn(text, servers, splices, byHand)).toBe(byHand)
  })

  it('renews what starts a batch file on Windows, of an older form too, and keeps arguments', () => {
    const withServer = (command: string, args: readonly string[]): JsonTarget => ({
      ...servers,
      entries: servers.entries.map((entry) =>
        entry.kind === 'server' ? { ...entry, value: { ...entry.value, command, args: [...args] } } : entry,
      ),
    })
    const batch = withServer('cmd', ['/c', 'call', 'C:/new/cairn-node.cmd', 'C:/new/cairn.js', 'mcp'])
    const serverIn = (text: string): unknown =>
      (JSON.parse(text) as { mcpServers: { cairn: unknown } }).mcpServers.cairn
    for (const before of [['/c'], ['/c', 'call']]) {
      const args = [...before, 'C:/old/cairn-node.cmd', 'C:/old/cairn.js', 'mcp', '--workspace', 'x']
      const { text } = ensured(JSON.stringify({ mcpServers: { cairn: { command: 'cmd', args } } }), batch)
      expect(serverIn(text)).toMatchObject({
        command: 'cmd',
        args: ['/c', 'call', 'C:/new/cairn-node.cmd', 'C:/new/cairn.js', 'mcp', '--workspace', 'x'],
      })
      expect(ensured(text, batch).splices).toEqual([])
      const program = withServer('C:/node/node.exe', ['C:/new/cairn.js', 'mcp'])
      expect(serverIn(ensured(text, program).text)).toMatchObject({
        command: 'C:/node/node.exe',
        args: ['C:/new/cairn.js', 'mcp', '--workspace', 'x'],
      })
    }
  })

  it('keeps a changed time limit', () => {
    const { text } = ensured('{}', settings)
    const tuned = text.replaceAll('"timeout": 10', '"timeout": 60')
    expect(ensured(tuned, settings).splices).toEqual([])
  })

  it('keeps a wrapper around a command', () => {
    const { text } = ensured('{}', settings)
    const tuned = text.replaceAll(/"(\/opt\/node[^"]+)"/g, '"CAIRN_HOME=/data $1 2>/dev/null || true"')
    expect(ensured(tuned, settings).splices).toEqual([])
    expect(withdrawn(tuned, settings, [])).toBe('{}')
  })

  it('removes its handler from a group that others added one to', () => {
    const { text } = ensured('{}', settings)
    const value = JSON.parse(text) as { hooks: Record<string, { hooks: unknown[] }[]> }
    const other = { type: 'command', command: 'make lint' }
    value.hooks['Stop']?.[0]?.hooks.push(other)
    expect(JSON.parse(withdrawn(JSON.stringify(value), settings, []))).toEqual({
      hooks: { Stop: [{ hooks: [other] }] },
    })
  })

  it('removes copies of its entries, too', () => {
    const { text, splices } = ensured('{"a": 1}', settings)
    const value = JSON.parse(text) as { hooks: Record<string, unknown> }
    const copied = text.replace('"hooks": {', `"hooks": { "Notification": ${JSON.stringify(value.hooks['Stop'])}, `)
    expect(withdrawn(copied, settings, splices, '{"a": 1}')).toBe('{"a": 1}')
  })

  it('does not restore a status line of its own', () => {
    const own = '{"statusLine": {"type": "command", "command": "/old/node /old/dist/hook.js statusline"}}'
    expect(withdrawn(own, settings, [], own)).toBe('{}')
  })

  it('removes hooks of events that are no longer used', () => {
    const text = `{"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "/x/node /y/dist/hook.js stop --agent claude-code"}]}]}}`
    expect(withdrawn(text, settings, [])).toBe('{}')
  })
})

describe('any JSON document', () => {
  const target = jsonTarget('gemini', 'settings.json')
  const document = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
    .chain((value) => fc.constantFrom('', ' ', '\t', 3).map((unit) => JSON.stringify(value, undefined, unit)))

  it('is parsed as by JSON.parse, or refused where that refuses', () => {
    const text = fc.oneof(
      document,
      fc.string(),
      fc.stringMatching(/^[[\]{}:,"01a\s\\]{0,12}$/),
      document.chain((whole) => fc.nat(whole.length).map((at) => whole.slice(0, at) + whole.slice(at + 1))),
    )
    fc.assert(
      fc.property(text, (whole) => {
        const parsed = parseDocument(whole, { comments: false, trailingCommas: false, byteOrderMark: false })
        let isJson = true
        try {
          JSON.parse(whole)
        } catch {
          isJson = false
        }
        if (/^[ \t\r\n]*$/.test(whole)) return
        expect(!isFault(parsed)).toBe(isJson)
      }),
      { numRuns: 2_000 },
    )
  })

  it("is restored byte for byte, also after others' changes", () => {
    fc.assert(
      fc.property(document, fc.constantFrom('\n', '\r\n'), (whole, lineBreak) => {
        const text = whole.replaceAll('\n', lineBreak)
        const outcome = ensureTarget(text, target, OPTIONS)
        if (isRefusal(outcome)) return
        expect(withdrawn(outcome.text, target, outcome.splices)).toBe(text)
        if (text.replace(/\s/g, '') === '{}') return
        const changed = (each: string): string => each.replace('{', '{"added by others": [1, 2],')
        expect(withdrawn(changed(outcome.text), target, outcome.splices)).toBe(changed(text))
      }),
      { numRuns: 500 },
    )
  })
})
