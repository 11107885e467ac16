import { describe, expect, it } from '@jest/globals'
import { decisionKey } from '../suggestions/decision-key.ts'
import type { Suggestion, SuggestionReport, SuggestionRule } from '../suggestions/suggestions.ts'
import { offeredIds, parseWaiting, suggestionNotice, waitingIn } from './suggestion-notice.ts'

const suggestion = (id: string, rule: SuggestionRule): Suggestion => ({
  id,
  rule,
  kind: 'workflow',
  text: `Sessions do ${id}.`,
  sessions: 5,
  of: 9,
  evidence: [],
})
const [CHECK, FILE, BRANCH] = ['0a1b2c3d4e5f', 'ffffffffffff', '123456789012'] as const
const report: SuggestionReport = {
  workspace: '/code/harbour',
  suggestions: [suggestion(BRANCH, 'branch-files'), suggestion(CHECK, 'check-command'), suggestion(FILE, 'first-file')],
  sessions: 9,
  known: 2,
  decided: 1,
  unread: [],
}

describe('suggestions that wait', () => {
  it('are offered until they are decided about, those of a branch while it is checked out', () => {
    const waiting = parseWaiting(JSON.stringify(waitingIn(report, 'tides')))
    expect(offeredIds(waiting, 'tides', new Set())).toEqual([BRANCH, CHECK, FILE])
    expect(offeredIds(waiting, 'main', new Set())).toEqual([CHECK, FILE])
    expect(offeredIds(waiting, undefined, new Set([decisionKey(FILE)]))).toEqual([CHECK])
  })

  it('are read from damaged and foreign text as far as they are some', () => {
    for (const text of ['', '{', 'null', '{"id":"0a1b2c3d4e5f"}', '[1,null,{"id":"../../x"},{"id":7}]'])
      expect(parseWaiting(text)).toEqual([])
    expect(parseWaiting(`[{"id":"${CHECK}","branch":4},{"id":"${CHECK}0"}]`)).toEqual([{ id: CHECK }])
  })

  it('are told with how many they are, and how many of them are new', () => {
    expect(suggestionNotice(4, 0)).toBe('')
    expect(suggestionNotice(1, 1)).toBe("Cairn: 1 suggestion for this project's memory: cairn memory suggest")
    expect(suggestionNotice(3, 3)).toBe("Cairn: 3 suggestions for this project's memory: cairn memory suggest")
    expect(suggestionNotice(3, 1)).toBe("Cairn: 3 suggestions for this project's memory, 1 new: cairn memory suggest")
  })
})
