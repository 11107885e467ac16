/** The sixteen cases of who changed a file that are known from agents. */
import { renameSync, rmSync, utimesSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CODE, FORMATTED, FORMATTER_PAUSE_MS, OTHER } from './texts.ts'
import type { AttributionCase } from './world.ts'

/** The sixteen that are known from agents, in their order. */
export const KNOWN_CASES: readonly AttributionCase[] = [
  { name: 'an agent writes', expected: ['agent'], run: (w) => w.agent('a', CODE) },
  {
    name: 'a formatter after the agent',
    expected: ['agent', 'formatter'],
    run: async (w) => {
      await w.agent('a', CODE)
      await wait(FORMATTER_PAUSE_MS)
      w.soon('a', FORMATTED)
    },
  },
  {
    name: 'two writes of the agent at once',
    expected: ['agent', 'agent'],
    run: async (w) => {
      await Promise.all([w.agent('a', CODE), w.agent('a', OTHER)])
    },
  },
  {
    name: 'a person between two writes of the agent',
    expected: ['agent', 'unsure', 'agent'],
    run: async (w) => {
      await w.agent('a', CODE)
      await wait(5)
      w.soon('a', OTHER)
      await w.agent('a', 'third\n')
    },
  },
  {
    name: 'a person two seconds after the agent',
    expected: ['agent', 'person'],
    run: async (w) => {
      await w.agent('a', CODE)
      await wait(2_000)
      w.put('a', OTHER)
    },
  },
  {
    name: 'touch',
    expected: ['agent'],
    run: async (w) => {
      await w.agent('a', CODE)
      utimesSync(w.at('a'), new Date(), new Date())
    },
  },
  {
    name: 'a save of the same bytes',
    expected: ['agent'],
    run: async (w) => {
      await w.agent('a', CODE)
      w.put('a', CODE)
    },
  },
  {
    name: 'git that was announced',
    git: true,
    expected: ['agent', 'git'],
    run: async (w) => {
      await w.git('checkout', '-q', '-b', 'other')
      await w.agent('a', CODE)
      await w.git('commit', '-qam', 'second')
      await w.git('checkout', '-q', '--detach')
      await w.files.during(
        { kind: 'git', agent: 'me', paths: [w.at('')] },
        async () => await w.git('checkout', '-q', 'first'),
      )
    },
  },
  {
    name: 'git that nobody announced',
    git: true,
    expected: ['agent', 'restored'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.git('checkout', '-q', '--', 'a')
    },
  },
  {
    name: 'a generator in the agent’s shell',
    expected: ['agent-tool=codex'],
    run: (w) => w.shell(['a'], 'echo generated > a'),
  },
  {
    name: 'an undo to the agent’s bytes',
    expected: ['agent', 'person', 'unsure'],
    run: async (w) => {
      await w.agent('a', CODE)
      await w.later()
      w.put('a', OTHER)
      await w.told(2)
      w.put('a', CODE)
    },
  },
  {
    name: 'removed, and back with the same bytes',
    expected: ['person', 'restored'],
    run: async (w) => {
      rmSync(w.at('a'))
      await w.told(1)
      w.put('a', 'first\n')
    },
  },
  {
    name: 'line ends after the agent',
    expected: ['agent', 'formatter'],
    run: async (w) => {
      await w.agent('a', CODE)
      await wait(FORMATTER_PAUSE_MS)
      w.soon('a', CODE.replaceAll('\n', '\r\n'))
    },
  },
  {
    name: 'the agent writes what a person wrote',
    expected: ['person', 'agent'],
    run: async (w) => {
      w.put('a', OTHER)
      await w.told(1)
      await w.agent('a', OTHER)
    },
  },
  { name: 'removed in the agent’s shell', expected: ['agent-tool=codex'], run: (w) => w.shell(['a'], 'rm a') },
  {
    name: 'renamed',
    expected: ['agent=codex', 'person', 'b:restored=codex'],
    run: async (w) => {
      await w.agent('a', CODE)
      renameSync(w.at('a'), w.at('b'))
    },
  },
]
