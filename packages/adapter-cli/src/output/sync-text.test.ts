import { describe, expect, it } from '@jest/globals'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import { showSync } from './sync-text.ts'

/** What is printed of sessions that were not sent. */
const printed = async (kept: { readonly withdrawn: number; readonly otherCopy: number }): Promise<string> => {
  const lines: string[] = []
  const terminal = { ...SILENT_TERMINAL, width: 200, line: async (text = '') => void lines.push(text) }
  const report = { sessions: 2, requests: 7, entries: 0, withdrawn: 0, commits: 1 }
  await showSync({ ...report, kept: { private: 0, text: 0, ...kept } }, 12, terminal)
  return lines.join('\n')
}

describe('showSync', () => {
  it('agrees with the number of sessions', async () => {
    expect(await printed({ withdrawn: 1, otherCopy: 0 })).toMatch(/^Left out 1 session that was withdrawn\.$/m)
    expect(await printed({ withdrawn: 5, otherCopy: 0 })).toMatch(/^Left out 5 sessions that were withdrawn\.$/m)
  })

  it("says of another machine's copy nothing about text, of which there may be none", async () => {
    const text = await printed({ withdrawn: 0, otherCopy: 12 })
    expect(text).toMatch(/^Of 12 sessions another machine's copy is there, which stays\.$/m)
    expect(text).not.toMatch(/text/i)
  })
})
