import { describe, expect, it } from '@jest/globals'
import { workspaceFolders } from './workspace-folders.ts'

describe('workspaceFolders', () => {
  it('reads paths between comments, and leaves folders of other machines out', () => {
    const text =
      '\uFEFF// mine\n{ "folders": [{ "path": "." }, { "name": "b", "path": "../b" }, { "uri": "ssh://x/c" },], /* */ }'
    expect(workspaceFolders(text)).toEqual(['.', '../b'])
  })

  it('tells a text that is no JSON from one without folders', () => {
    expect(
      ['{', '', '{"folders": "a"}', '[]', '{"folders": [1, {"path": 2}, {"path": ""}]}'].map(workspaceFolders),
    ).toEqual([undefined, [], [], [], []])
  })
})
