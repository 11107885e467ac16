import { describe, expect, it } from '@jest/globals'
import type { RuleAgent, Workflow } from './rule.ts'
import { workflowPrompts, workflowText } from './workflow-prompts.ts'

const workflow = (name: string, text: string, agent: RuleAgent = 'cline', isOn = true): Workflow => ({
  id: `${agent}/${name}.md`,
  name,
  agent,
  text,
  isOn,
  description: `About ${name}`,
  notices: [],
  tokens: 1,
})

describe('workflows as prompts', () => {
  it('have a name each, without those that are off, empty or the same as another', () => {
    const prompts = workflowPrompts(
      [
        workflow('Release notes!', 'Write them.'),
        workflow('release-notes', 'Others.', 'cursor'),
        workflow('release-notes', 'A third way.', 'cursor'),
        workflow('copy', ' Write them.\n', 'windsurf'),
        workflow('off', 'Not this.', 'cline', false),
        workflow('empty', ' \n'),
        workflow('recall', 'Mine.', 'claude-code'),
        workflow('Übung', 'Wörter\u202e'),
        workflow('…', 'Dots.'),
      ],
      ['recall'],
    )
    expect(prompts.map(({ name, id }) => [name, id])).toEqual([
      ['release-notes', 'cline/Release notes!.md'],
      ['release-notes-cursor', 'cursor/release-notes.md'],
      ['release-notes-cursor-2', 'cursor/release-notes.md'],
      ['recall-claude-code', 'claude-code/recall.md'],
      ['bung', 'cline/Übung.md'],
      ['workflow', 'cline/….md'],
    ])
    expect(prompts.map(({ text }) => text).join()).not.toContain('\u202e')
  })

  it('take what the user types where they have a place for it, else behind them', () => {
    expect(workflowText({ text: 'Fix $ARGUMENTS. Then test $ARGUMENTS.' }, 'a $& b')).toBe(
      'Fix a $& b. Then test a $& b.',
    )
    expect(workflowText({ text: 'Fix $ARGUMENTS.' }, '')).toBe('Fix .')
    expect(workflowText({ text: 'Release.' }, 'version 2')).toBe('Release.\n\nversion 2')
    expect(workflowText({ text: 'Release.' }, '')).toBe('Release.')
  })
})
