/** Settings files as people have them: each must come back byte for byte, or be left alone. */
import { findAgent } from './agents/index.ts'
import type { Machine } from './machine.ts'
import type { CairnProgram } from './program.ts'
import type { JsonTarget, Target, TomlTarget } from './target.ts'

export const MACHINE: Machine = { home: '/home/ada', platform: 'linux', variables: {} }
export const PROGRAM: CairnProgram = {
  node: '/opt/node/bin/node',
  hook: '/opt/cairn/dist/hook.js',
  command: '/opt/cairn/bin/cairn.js',
}

/** The target of an agent whose path ends so. */
const targetOf = (agent: string, ending: string, program = PROGRAM, machine = MACHINE): Target => {
  const targets = findAgent(agent)
    .installations(machine)
    .flatMap((each) => each.targets(program))
  const found = targets.find(({ paths }) => paths.some((path) => path.endsWith(ending)))
  if (found === undefined) throw new Error(`${agent} has no file ${ending}.`)
  return found
}

export const jsonTarget = (agent: string, ending: string, program = PROGRAM): JsonTarget => {
  const target = targetOf(agent, ending, program)
  if (target.kind !== 'json') throw new Error(`${ending} is no JSON.`)
  return target
}

export const tomlTarget = (program = PROGRAM): TomlTarget => {
  const target = targetOf('codex', 'config.toml', program)
  if (target.kind !== 'toml') throw new Error('config.toml is no TOML.')
  return target
}

const BOM = '\ufeff'
const FOREIGN_HOOK = '{"hooks":[{"type":"command","command":"make lint"}]}'
const FOREIGN_FLAT = '{"type":"command","bash":"make lint","timeoutSec":3}'

/** JSON that every agent's parser takes, but for a byte order mark and repeated keys, which some do not. */
export const PLAIN_JSON: Readonly<Record<string, string>> = {
  'empty file': '',
  'only a line break': '\n',
  'only blanks': '   \r\n\t',
  'empty object': '{}',
  'empty object with a line break': '{}\n',
  'empty object with a blank': '{ }',
  'empty object over two lines': '{\n}\n',
  'empty object over three lines': '{\n\n}\n',
  'empty object, CRLF': '{\r\n}\r\n',
  'byte order mark': `${BOM}{\n  "a": 1\n}\n`,
  'byte order mark, empty object': `${BOM}{}`,
  'two blanks': '{\n  "a": 1,\n  "b": "x"\n}\n',
  'three blanks': '{\n   "a": {\n      "b": 1\n   }\n}',
  'four blanks, no last line break': '{\n    "a": [1, 2]\n}',
  tabs: '{\n\t"a": {\n\t\t"b": null\n\t}\n}\n',
  CRLF: '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n',
  'mixed line breaks': '{\r\n  "a": 1,\n  "b": 2\r\n}\n',
  minified: '{"a":1,"b":{"c":[]}}',
  'one line with blanks': '{ "a": 1, "b": { "c": 2 } }\n',
  'one line, ugly': '{"a" : 1 ,"b":2 }',
  'closing bracket behind a value': '{\n  "a": 1,\n  "b": 2}',
  'two members on a line': '{\n  "a": 1, "b": 2,\n  "c": 3, "d": 4\n}\n',
  'odd indentation': '{\n "a": 1,\n        "b": 2,\n     "c": { "d": 1\n }\n    }\n',
  'no indentation': '{\n"a": 1,\n"b": 2\n}\n',
  'blank lines': '\n\n{\n\n  "a": 1,\n\n  "b": 2\n\n}\n\n\n',
  'comma first': '{\n    "a": 1\n  , "b": 2\n}\n',
  'big numbers': '{"a": 12345678901234567890, "b": 1e400, "c": -0.0, "d": 1.10}',
  unicode: '{"ключ": "значение", "表": "値", "e\\u0301": "\\ud83d\\ude00 😀", "lone": "\\ud800"}\n',
  escapes: '{"a\\"b\\\\": "line\\nbreak \\/ {\\"hooks\\": []} // no comment /* none */"}',
  'a key named __proto__': '{"__proto__": {"hooks": 1}, "constructor": 2}',
  'keys twice': '{"a": 1, "a": 2}',
  'empty key': '{"": {"": []}}',
  'deep nesting': `{"a": ${'['.repeat(200)}${']'.repeat(200)}}`,
  'nesting without end': `{"a": ${'{"x":['.repeat(20_000)}${']}'.repeat(20_000)}}`,
  'a megabyte': `{\n${Array.from({ length: 20_000 }, (_, index) => `  "key ${index}": {"value": "${'x'.repeat(20)}"}`).join(',\n')}\n}\n`,
  'a megabyte on one line': JSON.stringify(
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, { v: 'y'.repeat(30) }])),
  ),
  'servers of others':
    '{\n  "mcpServers": {\n    "db": { "command": "db-mcp", "args": [] }\n  },\n  "mcp": { "db": { "type": "local", "command": ["db"] } },\n  "servers": {\n    "db": {}\n  }\n}\n',
  'empty servers': '{"mcpServers": {}, "mcp": {}, "servers": {}}',
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'empty list of hooks': '{"hooks": {"SessionStart": [], "Stop": [ ], "sessionStart": [\n]}}',
  'hooks of others': `{"hooks": {"SessionStart": [${FOREIGN_HOOK}], "PreToolUse": [${FOREIGN_HOOK}], "agentStop": [${FOREIGN_FLAT}]}}`,
  'hooks of others, in lines': `{\n  "hooks": {\n    "Stop": [\n      ${FOREIGN_HOOK}\n    ],\n    "SessionEnd": [\n      { "matcher": "clear", "hooks": [ { "type": "command", "command": "true" } ] }\n    ],\n    "sessionEnd": [\n      ${FOREIGN_FLAT}\n    ]\n  }\n}\n`,
  'a status line of others': '{\n  "statusLine": { "type": "command", "command": "~/.claude/line.sh" }\n}',
  'a server of that name, of others':
    '{"mcpServers": {"cairn": {"url": "http://127.0.0.1:4680/mcp"}}, "mcp": {"cairn": {"type": "remote", "url": "x"}}, "servers": {"cairn": {}}}',
}

/** Each is right JSON, but not what any agent expects. */
export const WRONG_SHAPES: Readonly<Record<string, string>> = {
  null: 'null',
  'a list': '[]',
  'a list of objects': '[{"mcpServers": {}}]',
  'a text': '"settings"',
  'a number': '42',
  'servers and hooks as lists': '{"mcpServers": [], "mcp": [], "servers": [], "hooks": []}',
  'servers and hooks as null': '{"mcpServers": null, "mcp": null, "servers": null, "hooks": null}',
  'servers and hooks as texts': '{"mcpServers": "x", "mcp": "x", "servers": "x", "hooks": "x"}',
}

/** With comments; `trailing` has commas before closing brackets, too. */
export const COMMENTED_JSON: Readonly<Record<string, { readonly text: string; readonly trailing?: true }>> = {
  'line comment first': { text: '// mine\n{\n  "a": 1\n}\n' },
  'only a comment': { text: '// nothing yet\n' },
  'only a comment without an end of line': { text: '/* nothing yet */' },
  'comment behind the last value': { text: '{\n  "a": 1, // one\n  "b": 2 // two\n}\n' },
  'comments behind the last value': { text: '{\n  "a": 1 /* one */ // and more\n}\n' },
  'comment below the last value': { text: '{\n  "a": 1\n  // the end\n}\n' },
  'comment in an empty object': { text: '{\n  // nothing yet\n}\n' },
  'block comment in an empty object': { text: '{ /* nothing yet */ }' },
  'comment with brackets and quotes': { text: '{\n  /* "hooks": { [ */ "a": 1 /* } */\n}\n' },
  'comment after the end': { text: '{\n  "a": 1\n}\n// bye' },
  'CRLF and comments': { text: '{\r\n  "a": 1, // eins\r\n  "b": 2 // zwei\r\n}\r\n' },
  'commented-out servers': {
    text: '{\n  "mcpServers": {\n    // "x": {}\n  },\n  "mcp": { /* "x": {} */ },\n  "servers": {\n    // none\n  }\n}\n',
  },
  'comments in hooks': {
    text: `{\n  "hooks": {\n    // at the end\n    "Stop": [ /* first */ ${FOREIGN_HOOK} /* last */ ]\n  } // hooks\n}\n`,
  },
  'trailing comma': { text: '{\n  "a": 1,\n}\n', trailing: true },
  'trailing comma on one line': { text: '{"a": 1,}', trailing: true },
  'trailing comma and comment': { text: '{\n  "a": 1, // one\n}\n', trailing: true },
  'trailing commas within': {
    text: '{\n  "mcpServers": {\n    "db": {"args": [1,],},\n  },\n  "mcp": {"x": {},},\n}\n',
    trailing: true,
  },
}

/** No JSON of any dialect. */
export const BROKEN_JSON: Readonly<Record<string, string>> = {
  'no end': '{"a": 1',
  'no value': '{"a": }',
  'single quotes': "{'a': 1}",
  'bare key': '{a: 1}',
  'two documents': '{}{}',
  'a comma too many': '{"a": 1,, "b": 2}',
  'only a comma': '{,}',
  'a text without an end': '{"a": "x}',
  'a line break in a text': '{"a": "x\ny"}',
  'a comment without an end': '{} /* ',
  'conflict markers': '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n',
  'a number with a plus': '{"a": +1}',
  'a leading zero': '{"a": 01}',
  NaN: '{"a": NaN}',
}

/** Configurations of Codex. */
export const TOML_FILES: Readonly<Record<string, string>> = {
  'empty file': '',
  'only a line break': '\n',
  'only a comment': '# mine',
  'keys and a table': 'model = "gpt-5"\n\n[tui]\nnotifications = true\n',
  'no last line break': 'model = "gpt-5"\n[tui]\nx = 1',
  CRLF: 'model = "gpt-5"\r\n\r\n[tui]\r\nx = 1\r\n',
  'byte order mark': `${BOM}model = "gpt-5"\n`,
  'blank lines at the end': 'a = 1\n\n\n\n',
  'comments everywhere': '# one\na = 1 # two\n# three\n[b] # four\n# five\n',
  'servers of others': '[mcp_servers.db]\ncommand = "db"\nargs = ["a", "b"]\n\n[mcp_servers.db.env]\nKEY = "v"\n',
  'a table of servers': '[mcp_servers]\ndb = { command = "db" }\n',
  'dotted keys': 'mcp_servers.db.command = "db"\nmcp_servers.db.args = []\n',
  'inline tables': 'a = { b = { c = [1, 2, { d = 1 }] } }\n',
  'arrays of tables': '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n',
  'many-line texts': 'a = """\n[mcp_servers.cairn]\ncommand = "x"\n"""\nb = \'\'\'\n[x]\n\'\'\'\n',
  'many-line arrays': 'a = [\n  1, # one\n  2,\n]\n[projects."/home/ada/x"]\ntrust_level = "trusted"\n',
  'odd indentation': '  a = 1\n\t[ b ]\n\t\tc = 2\n   [ b . d ]\n',
  'dates and numbers': 'a = 1979-05-27T07:32:00Z\nb = 0xff\nc = 1_000\nd = inf\ne = 9223372036854775807\nf = 1.10\n',
  unicode: '"ключ" = "значение 😀"\n"a.b" = 1\n',
  'a hook state': '[hooks.state."/home/ada/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:00"\n',
  'only blanks': '  \n\t\n',
  'only blanks, no last line break': '\n  ',
  'comment without a last line break': 'a = 1\n# the end',
  'CRLF without a last line break': 'a = 1\r\n[b]\r\nc = 2',
  'mixed line breaks': 'a = 1\r\nb = 2\n',
  'byte order mark alone': BOM,
  'a table without keys at the end': 'a = 1\n[tui]\n',
  'a table of an array at the end': '[[profiles]]\nname = "a"\n\n',
  'quoted names of tables': '["a b"."c.d"]\n\'e\' = 1\n',
  'tables out of order': '[a.b]\nx = 1\n[c]\ny = 2\n[a]\nz = 3\n',
  'servers in quoted tables': '["mcp_servers"."db"]\ncommand = "db"\n',
  'servers of others with comments': '# servers\n[mcp_servers.db] # mine\n# which\ncommand = "db" # how\n',
  'a table named cairn that is no server': '[cairn]\nx = 1\n[profiles.cairn]\ny = 2\n',
  'an array of many lines at the end': 'a = [\n  "x",\n  "y",\n]',
  'an inline table of many lines': 'a = {\n  b = 1,\n}\n',
  'texts with escapes': 'a = "\\u00e9\\t\\"[x]\\""\nb = \'C:\\Users\\ada\'\n',
  'long lines': `a = "${'x'.repeat(20_000)}"\n`,
  'deep nesting': `a = ${'['.repeat(200)}${']'.repeat(200)}\n`,
  'empty texts and lists': 'a = ""\nb = []\nc = {}\n',
  'a server of that name, of others': '[mcp_servers.cairn]\nurl = "http://127.0.0.1:4680/mcp"\n',
  'a megabyte': Array.from({ length: 20_000 }, (_, index) => `[t${index}]\nkey = "${'x'.repeat(30)}"\n`).join(''),
}

/** What Codex can't read, or where a table can't be added. */
export const BROKEN_TOML: Readonly<Record<string, string>> = {
  'a key twice': 'a = 1\na = 2\n',
  'no value': 'a =\n',
  'no end of a text': 'a = "x\n',
  JSON: '{"a": 1}',
  'inline servers': 'mcp_servers = { db = { command = "db" } }\n',
  'empty inline servers': 'mcp_servers = {}\n',
  'servers as a list': 'mcp_servers = []\n',
  'servers as tables of an array': '[[mcp_servers]]\nname = "x"\n',
  'servers as a text': 'mcp_servers = "x"\n',
}
