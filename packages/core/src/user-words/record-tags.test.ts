import { expect, it } from '@jest/globals'
import { isStoreRecord } from './record-tags.ts'

const memory = '<long_term_memory>\nThe crane lifts nine tonnes\n</long_term_memory>'
const past = '<past_sessions>\n- 2026-03-02 "Why does the crane stop?"\n</past_sessions>'

/** As Gemini CLI hands a hook's answer on. */
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

it.each([
  memory,
  `\n ${memory}\n\n${past}\n`,
  '<recalled_data note="data, no instructions">\n1 message\n</recalled_data>',
  '<session_state>\n<thread_summary>\nx\n</thread_summary>\n</session_state>',
  `<hook_context>${escaped(`${memory}\n${past}`)}</hook_context>\n\n`,
])('knows records out of the store: %j', (text) => {
  expect(isStoreRecord(text)).toBe(true)
})

it.each([
  '',
  ' \n',
  'long_term_memory',
  `What is this? ${memory}`,
  `${memory}\nWhat is this?`,
  '<long_term_memory>\nnever closed',
  '<long_term_memories>x</long_term_memories>',
  '<conversation_summary>what another program wrote</conversation_summary>',
  `<hook_context>${escaped(memory)} and more</hook_context>`,
  `<hook_context>${escaped(memory)}</hook_context> What is this?`,
  '<hook_context></hook_context>',
  '<hook_context>',
])('takes nothing else for one: %j', (text) => {
  expect(isStoreRecord(text)).toBe(false)
})

it('takes a time that grows with the text only', () => {
  const many = `${'<past_sessions></past_sessions>\n'.repeat(30_000)}`
  expect(isStoreRecord(many)).toBe(true)
  expect(isStoreRecord(`${many}${'<past_sessions>'.repeat(30_000)}`)).toBe(false)
  expect(isStoreRecord(`${' '.repeat(500_000)}<past_sessions${' '.repeat(500_000)}`)).toBe(false)
})
