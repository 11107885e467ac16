import { parsePageMessage } from './messages.ts'

describe('what the page of a session asks for', () => {
  it.each([
    { type: 'ready' },
    { type: 'entries', page: 199 },
    { type: 'text', seq: 3, block: 0 },
    { type: 'image', seq: 3, position: [1, null] },
    { type: 'image', seq: 3, position: [1, 2] },
    { type: 'find', text: '' },
    { type: 'open-edit', seq: 0 },
    { type: 'open-link', address: 'src/a.ts:3' },
  ])('is %j', (message) => {
    expect(parsePageMessage(message)).toEqual(message)
  })

  it.each([
    undefined,
    'ready',
    { type: 'entries' },
    { type: 'entries', page: -1 },
    { type: 'entries', page: 1.5 },
    { type: 'entries', page: 0, sessionId: 'another' },
    { type: 'image', seq: 3, position: [1] },
    { type: 'find', text: 'x'.repeat(201) },
    { type: 'open-edit', seq: 'all' },
    { type: 'open-link', address: '' },
    { type: 'run', command: 'workbench.action.closeWindow' },
  ])('is nothing else: %j', (message) => {
    expect(parsePageMessage(message)).toBeUndefined()
  })
})
