/** What a text mentions, case by case: the names of what is sent, and of what is refused. */
import { describe, expect, it } from '@jest/globals'
import { expandMentions } from './expand-mentions.ts'
import { fakeSources } from './mentions.fixture.ts'

const SOURCES = fakeSources({
  'README.md': 'one\ntwo\nthree\n',
  'src/a.ts': `${Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n')}\n`,
  'src/b.test.ts': 'b\n',
  'src/deep/er/c.py': 'c\n',
  'docs/my notes.md': 'notes\n',
  'what?': 'odd name\n',
  'v1.': 'dot at the end\n',
  'x.ts:12': 'a colon in the name\n',
  'x.ts': `${'x\n'.repeat(40)}`,
  'foo(1).txt': 'copy\n',
  '@types/local.d.ts': 'types\n',
  git: 'a file called git\n',
  Makefile: 'all:\n',
  'naïve/ünï.ts': 'unicode\n',
  'secret.log': { refused: 'ignored' },
  '.env': { refused: 'ignored' },
  build: { refused: 'ignored' },
  'link.ts': { refused: 'outside' },
  'huge.bin': { refused: 'too-large' },
  pipe: { refused: 'not-a-file' },
  'data.bin': { refused: 'binary' },
  'locked.ts': { refused: 'unreadable' },
})

/** `-` is a mention that is not sent, with a part of its sentence behind it. */
const TABLE: readonly (readonly [text: string, ...expected: readonly string[]])[] = [
  // What is no range of lines.
  ['@src/a.ts:-5', '- is not in the workspace'],
  ['@src/a.ts:12-20-30', '- is not in the workspace'],
  ['@src/a.ts#12', '- is not in the workspace'],
  ['@jo.miller:matrix.org says hello'],
  // Where a mention begins.
  ['@README.md', 'README.md'],
  ['look at @README.md please', 'README.md'],
  ['first line\n@README.md', 'README.md'],
  ['tab\t@README.md', 'README.md'],
  ['(@README.md)', 'README.md'],
  ['(see @README.md)', 'README.md'],
  ['[text](@README.md)', 'README.md'],
  ['x@README.md'],
  ['me@example.com'],
  ['mail me@src/a.ts'],
  ['<@README.md>'],
  ['"@README.md"'],
  ['\\@README.md'],
  ['@@README.md'],
  ['@@types/local.d.ts', '@types/local.d.ts'],
  ['@'],
  ['@ README.md'],
  // Where it ends.
  ['Read @README.md.', 'README.md'],
  ['Is it @README.md?', 'README.md'],
  ['No: @README.md!?', 'README.md'],
  ['@README.md, then @src/a.ts; done', 'README.md', 'src/a.ts'],
  ['@src/a.ts: it fails', 'src/a.ts'],
  ['@what?', 'what?'],
  ['@what??', 'what?'],
  ['@v1.', 'v1.'],
  ['(all of it is in @README.md).', 'README.md'],
  // Lines.
  ['@src/a.ts:12', 'src/a.ts:12'],
  ['@src/a.ts:12-20', 'src/a.ts:12-20'],
  ['@src/a.ts:12-20.', 'src/a.ts:12-20'],
  ['@src/a.ts:20-12', 'src/a.ts:12-20'],
  ['@src/a.ts:12:5', 'src/a.ts:12'],
  ['@src/a.ts#L12', 'src/a.ts:12'],
  ['@src/a.ts#L12-20', 'src/a.ts:12-20'],
  ['@src/a.ts#L12-L20)', 'src/a.ts:12-20'],
  ['@src/a.ts:25-99', 'src/a.ts:25-30'],
  ['@src/a.ts:31', '- no line 31'],
  ['@src/a.ts:0', '- counted from 1'],
  ['@x.ts:12', 'x.ts:12'],
  ['@Makefile:1', 'Makefile:1'],
  // Quotes.
  ['@"docs/my notes.md"', 'docs/my notes.md'],
  ['@"docs/my notes.md":1, or', 'docs/my notes.md:1'],
  ['@"docs/my notes.md"#L1', 'docs/my notes.md:1'],
  ['@"docs/my notes.md".', 'docs/my notes.md'],
  ['@"foo(1).txt"', 'foo(1).txt'],
  ['@"no such file.md"', '- not in the workspace'],
  ['@"git"', 'git'],
  ['@"docs/my notes.md'],
  ['@""'],
  // Folders.
  ['@src/', 'src/'],
  ['@src/deep/.', 'src/deep/'],
  ['@src', 'src/'],
  ['@./', './'],
  ['@nowhere/', '- not in the workspace'],
  // How a path may be written.
  ['@./README.md', 'README.md'],
  ['@src/../README.md', 'README.md'],
  ['@src//a.ts', 'src/a.ts'],
  ['@src\\a.ts', 'src/a.ts'],
  ['@/src/a.ts', 'src/a.ts'],
  ['@/ws/src/a.ts', 'src/a.ts'],
  ['@naïve/ünï.ts', 'naïve/ünï.ts'],
  ['@./git', 'git'],
  ['@../other/a.ts', '- outside of the workspace'],
  ['@src/../../a.ts', '- outside of the workspace'],
  ['@/etc/passwd', '- outside of the workspace'],
  ['@~/.ssh/id_rsa', '- outside of the workspace'],
  ['@C:\\Users\\me\\a.ts', '- outside of the workspace'],
  // Not mentions.
  ['@Injectable()'],
  ['@app.route("/")'],
  ['@pytest.fixture'],
  ['@Override public'],
  ['@alice should look'],
  ['ask @jo.miller about it'],
  ['@types/node'],
  ['npm i @scope/package'],
  ['npm i @scope/package@1.2.3'],
  ['@angular/core and @vue/compiler-sfc'],
  ['`@README.md`'],
  ['`` a ` @README.md ``'],
  ['a ` alone and @README.md', 'README.md'],
  ['```\n@README.md\n```'],
  ['~~~ts\n@README.md\n~~~\n@src/a.ts', 'src/a.ts'],
  ['````\n```\n@README.md\n```\n````'],
  ['- ```\n  @README.md\n  ```'],
  ['> ```\n> @README.md\n> ```'],
  ['```\n@README.md'],
  // What can't be sent.
  ['@src/missing.ts', '- not in the workspace'],
  ['@secret.log', '- is ignored'],
  ['@.env', '- is ignored'],
  ['@build'],
  ['@link.ts', '- outside of the workspace'],
  ['@huge.bin', '- more than 2 MB'],
  ['@pipe', '- neither a file nor a folder'],
  ['@data.bin', '- no text'],
  ['@locked.ts', "- can't be read"],
  // Keywords.
  ['@git', 'git diff'],
  ['@git, please', 'git diff'],
  ['@git:diff', 'git diff'],
  ['@git:branch', 'git branch'],
  ['@git:abc1234.', 'git commit abc1234'],
  ['@git:v1.0', 'git commit v1.0'],
  ['@git:nope', '- there is no commit nope'],
  ['@git:--output=x'],
  ['@session', 'session newest'],
  ['@session:0ccf1a04', 'session 0ccf1a04'],
  ['@session:ffffffff', '- not in the store'],
  ['@memory', 'memory'],
  ['@memory:', 'memory'],
  ['@problems', '- needs an editor'],
  ['@selection', '- needs an editor'],
  ['@memorandum'],
]

describe('the table of mentions', () => {
  it('has at least 60 cases', () => {
    expect(TABLE.length).toBeGreaterThanOrEqual(60)
  })

  it.each(TABLE.map(([text, ...expected]) => ({ text, expected })))('$text', async ({ text, expected }) => {
    const { sent, refused } = await expandMentions(text, SOURCES)
    const found = [...sent, ...refused].sort((left, right) => left.start - right.start)
    expect(found).toHaveLength(expected.length)
    for (const [index, wanted] of expected.entries()) {
      const one = found[index]
      if (wanted.startsWith('- ')) expect(one).toMatchObject({ reason: expect.stringContaining(wanted.slice(2)) })
      else expect(one).toMatchObject({ name: wanted })
    }
  })
})
