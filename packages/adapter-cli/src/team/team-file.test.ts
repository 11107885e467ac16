import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTeam } from './team-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-team-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (text: string): ReturnType<typeof readTeam> => {
  writeFileSync(join(folder, 'team.json'), text)
  return readTeam({ variables: { CAIRN_HOME: folder }, platform: 'linux', home: folder, folder })
}

describe('readTeam', () => {
  it('says of a file that holds no object, and of a wrong setting, what must be there', () => {
    for (const text of ['[]', 'null', '"figures"', '7'])
      expect(() => read(text)).toThrow(/team\.json are not valid: the file must hold a JSON object; nothing was sent/)
    expect(() => read('{"share": []}')).toThrow(/'share' must be one of nothing, figures, text;/)
    expect(read('{"share": "text"}').choices.share).toBe('text')
  })
})
