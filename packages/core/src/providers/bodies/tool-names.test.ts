import { describe, expect, it } from '@jest/globals'
import { toolNames, type NameRule } from './tool-names.ts'

const RULE: NameRule = { refused: /\W/g, longest: 16, beginsWithLetter: true }

describe('names of tools', () => {
  it('are sent as the wire takes them, each of its own, and are read back', () => {
    const long = 'a'.repeat(16)
    const tools = ['list-files', 'list_files', 'Read', 'read', '9', `${long}-`, long].map((name) => ({ name }))
    const names = toolNames(tools, RULE)
    const sent = tools.map(({ name }) => names.sent(name))
    expect(sent).toEqual(['list_files_2', 'list_files', 'Read', 'read_2', '_9', `${'a'.repeat(14)}_2`, long])
    expect(sent.map((name) => names.asked(name.toUpperCase()))).toEqual(tools.map(({ name }) => name))
  })

  it('are made such that the wire takes them, also of tools that the request does not have', () => {
    const names = toolNames([], RULE)
    expect([names.sent('read.file'), names.asked('read_file')]).toEqual(['read_file', 'read_file'])
  })
})
