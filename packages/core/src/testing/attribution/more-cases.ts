/** More of what happens to files: editors, links, git, shells, two agents; and what can't be told. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, copyFileSync, linkSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CODE, FORMATTED, FORMATTER_PAUSE_MS, OTHER } from './texts.ts'
import type { AttributionCase } from './world.ts'

/** More of what happens to files, thought of without the rules in view. */
export const MORE_CASES: readonly AttributionCase[] = [
  {
    name: 'an editor that writes beside and renames',
    expected: ['person', 'person'],
    run: async (w) => {
      for (const [index, text] of [OTHER, 'again\n'].entries()) {
        w.put('.a.swp', text)
        renameSync(w.at('.a.swp'), w.at('a'))
        await w.told(index + 1)
      }
    },
  },
  {
    name: 'an editor that truncates, then writes',
    expected: ['person'],
    run: async (w) => {
      w.put('a', '')
      await wait(20)
      w.put('a', OTHER)
    },
  },
  {
    name: 'a link and what it leads to, written by the agent, then by a person',
    before: { real: 'first\n' },
    expected: ['link:agent=codex', 'link:person', 'real:agent=codex', 'real:person'],
    run: async (w) => {
      symlinkSync('real', w.at('link'))
      await w.files.track(w.at('link'))
      await w.agent('link', CODE)
      await w.told(2)
      await w.later()
      w.put('real', OTHER)
    },
  },
  {
    name: 'two names of one file',
    expected: ['agent=codex', 'twin:agent=codex'],
    run: async (w) => {
      linkSync(w.at('a'), w.at('twin'))
      await w.files.track(w.at('twin'))
      await w.agent('a', CODE)
    },
  },
  {
    name: 'another file saved over it, with its old time',
    before: { a: 'first\n', old: OTHER },
    expected: ['person'],
    run: async (w) => {
      utimesSync(w.at('old'), 1_000_000_000, 1_000_000_000)
      spawnSync('cp', ['-p', w.at('old'), w.at('a')])
      await w.told(1)
    },
  },
  {
    name: 'git stash of one file, announced',
    git: true,
    expected: ['agent', 'git'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.files.during(
        { kind: 'git', agent: 'me', paths: [w.at('')] },
        async () => await w.git('stash', 'push', '-q', '--', 'a'),
      )
    },
  },
  {
    name: 'git stash of one file, not announced',
    git: true,
    expected: ['agent', 'restored'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.git('stash', 'push', '-q', '--', 'a')
    },
  },
  {
    name: 'a formatter in the agent’s shell, and another by a person later',
    expected: ['agent', 'agent-tool', 'person'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.shell(['a'], `printf '%s' '${FORMATTED}' > a`)
      await w.later()
      w.put('a', FORMATTED.replaceAll(' ', '  '))
    },
  },
  {
    name: 'a byte order mark after the agent',
    expected: ['agent', 'formatter'],
    run: async (w) => {
      await w.agent('a', CODE)
      await wait(FORMATTER_PAUSE_MS)
      w.soon('a', `\uFEFF${CODE}`)
    },
  },
  {
    name: 'the agent’s formatter twice, to the same bytes',
    expected: ['agent', 'formatter', 'agent', 'formatter'],
    run: async (w) => {
      for (const count of [2, 4]) {
        await w.agent('a', CODE)
        await wait(FORMATTER_PAUSE_MS)
        w.soon('a', FORMATTED)
        await w.told(count)
      }
    },
  },
  {
    name: 'emptied by a person, then by the agent',
    expected: ['person', 'agent'],
    run: async (w) => {
      w.put('a', '')
      await w.told(1)
      await w.agent('a', '')
    },
  },
  {
    name: 'brackets that the agent wrote are emptied at once: that is no form',
    expected: ['agent', 'unsure'],
    run: async (w) => {
      await w.agent('a', '()\n')
      await wait(FORMATTER_PAUSE_MS)
      w.soon('a', '')
    },
  },
  {
    name: 'permissions alone',
    expected: [],
    run: async (w) => {
      chmodSync(w.at('a'), 0o755)
      await w.files.settle()
    },
  },
  {
    name: 'a name in another case',
    before: { 'README.md': 'first\n' },
    expected: ['README.md:person', 'readme.md:restored'],
    run: async (w) => renameSync(w.at('README.md'), w.at('readme.md')),
  },
  {
    name: 'two agents',
    expected: ['agent=codex', 'agent=claude', 'agent=codex'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.agent('a', OTHER, 'claude')
      await w.agent('a', CODE)
    },
  },
  {
    name: 'the agent removes it, a person rebuilds it with other bytes',
    expected: ['agent', 'person'],
    run: async (w) => {
      await w.agent('a', null)
      await w.later()
      w.put('a', OTHER)
    },
  },
  {
    name: 'a write of the agent’s that failed, and a person who writes the same later',
    before: { 'd/x': 'x' },
    expected: ['d:person'],
    run: async (w) => {
      await w.agent('d', CODE).catch(() => undefined)
      rmSync(w.at('d'), { recursive: true })
      w.put('d', CODE)
    },
  },
  {
    name: 'a person saves a file while the agent’s shell works on another',
    before: { a: 'first\n', b: 'first\n' },
    expected: ['agent-tool', 'b:person'],
    run: async (w) => {
      await w.files.during({ kind: 'shell', agent: 'codex', paths: [w.at('a')] }, async () => {
        w.put('a', CODE)
        w.put('b', OTHER)
        await w.files.settle([w.at('b')])
      })
    },
  },
  {
    name: 'the agent’s shell moves an older file over it',
    before: { a: 'first\n', old: OTHER },
    expected: ['agent-tool', 'old:agent-tool'],
    run: async (w) => {
      utimesSync(w.at('old'), 1_000_000_000, 1_000_000_000)
      await w.shell(['a', 'old'], 'mv old a')
    },
  },
  {
    name: 'a person’s content change with a time set back',
    expected: ['agent', 'person'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.later()
      w.put('a', OTHER)
      utimesSync(w.at('a'), 1_000_000_000, 1_000_000_000)
    },
  },
  {
    name: 'a copy of a file that was never the agent’s, over and over',
    before: { a: 'first\n', b: OTHER },
    expected: ['person', 'restored', 'restored'],
    run: async (w) => {
      copyFileSync(w.at('b'), w.at('a'))
      await w.told(1)
      w.put('a', 'first\n')
      await w.told(2)
      copyFileSync(w.at('b'), w.at('a'))
    },
  },
]

/** What bytes and times can't tell: these are the answers that are given. */
export const UNDECIDABLE_CASES: readonly AttributionCase[] = [
  {
    name: 'a person saves the file that the agent’s shell works on',
    expected: ['agent-tool'],
    run: (w) => w.files.during({ kind: 'shell', agent: 'codex', paths: [w.at('a')] }, async () => w.put('a', OTHER)),
  },
  {
    name: 'a formatter that changes words, or a quick person',
    expected: ['agent', 'unsure'],
    run: async (w) => {
      await w.agent('a', CODE)
      await wait(FORMATTER_PAUSE_MS)
      w.soon('a', CODE.replace('const', 'let'))
    },
  },
  {
    name: 'two programs between two looks',
    expected: ['person'],
    run: async (w) => {
      w.put('a', CODE)
      appendFileSync(w.at('a'), OTHER)
    },
  },
]
