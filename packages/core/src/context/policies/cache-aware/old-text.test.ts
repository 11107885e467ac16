import { describe, expect, it } from '@jest/globals'
import { reasonText } from '../../block-reason.ts'
import type { Prepared } from '../../create-context.ts'
import { withoutOldText } from '../../texts.ts'
import { code, session, textOf, type Session } from './cache-aware.fixture.ts'
import { warmCut } from './cuts.ts'
import { CACHE_AWARE_PRESETS } from './settings.ts'

const PAUSE = 4000
const QUIET = { leastWarm: 1e9, leastCold: 1e9, outputTokens: 1e9 }

/** An edit whose new text is worth more than carrying it, some more requests, and a pause after which a rewrite is free. */
const editThenPause = (run: Session): Prepared => {
  run.tool('Edit', { file_path: 'src/a.ts', old_string: code('old', 30), new_string: code('new', 12) }, 'done')
  for (let index = 0; index < 4; index++) run.tool('Bash', { command: `echo ${index}` }, code(`out${index}`, 60))
  return run.tool('Bash', { command: 'true' }, 'ok', PAUSE)
}

describe('the text that an edit replaced', () => {
  it('leaves with the next rewrite, and what the edit wrote stays', () => {
    const prepared = editThenPause(session({ missUsd: 1, referenceShare: 0 }))
    const text = textOf(prepared)
    expect(prepared.entriesToAppend.flatMap(({ changes }) => changes.map(({ why }) => why))).toContain('old-text')
    expect(text).toContain('oldValue0')
    expect(text).not.toContain('computeold(29')
    expect(text).toContain('newValue11')
    expect(reasonText('old-text')).toBe('without the text that an edit replaced')
  })

  it('is counted as spared where a rewrite is weighed', () => {
    const pays = (linesReplaced: number): boolean | undefined => {
      const run = session(QUIET)
      for (let index = 0; index < 60; index++) run.tool('Bash', { command: `echo ${index}` }, `${index}`)
      run.tool('Bash', { command: 'make' }, code('made', 300))
      for (let index = 0; index < 16; index++) {
        const input = { old_string: code(`old${index}`, linesReplaced), new_string: code(`new${index}`, 4) }
        run.tool('Edit', { file_path: `src/${index}.ts`, ...input }, 'done')
      }
      for (let index = 0; index < 3; index++) run.tool('Bash', { command: `echo ${index}` }, `${index}`)
      const { view } = run.context
      const index = view.blocks().findIndex(({ kind, tokens }) => kind === 'command' && tokens > 1000)
      const block = view.blocks()[index]
      const evictable = block === undefined ? [] : [{ block, index, tokens: block.tokens }]
      return warmCut(view, evictable, run.situation(), CACHE_AWARE_PRESETS.safe)?.pays
    }
    expect(pays(60)).toBe(true)
    expect(pays(1)).toBe(false)
  })

  it('is cut in every edit of a list, and a call without any stays as it is', () => {
    const run = session()
    const long = code('old', 10)
    run.tool('Edit', { file_path: 'src/a.ts', old_string: 'short', new_string: long }, 'done')
    run.context.step([
      {
        kind: 'message',
        seq: run.context.view.nextSeq,
        at: 0,
        id: 'edits',
        role: 'assistant',
        content: [
          {
            type: 'tool_call',
            id: 'many',
            name: 'MultiEdit',
            input: {
              file_path: 'src/b.ts',
              edits: [
                { oldText: long, newText: 'first' },
                { oldText: 'kept', newText: long },
              ],
            },
          },
        ],
      },
    ])
    const [single, many] = run.context.view.all().filter(({ kind }) => kind === 'call')
    expect(single === undefined || withoutOldText(single)).toBeUndefined()
    const short: unknown = JSON.parse((many === undefined ? undefined : withoutOldText(many)) ?? 'null')
    expect(short).toEqual({
      file_path: 'src/b.ts',
      edits: [
        { oldText: `${long.slice(0, 80)}…`, newText: 'first' },
        { oldText: 'kept', newText: long },
      ],
    })
  })
})
