import { healthAnswer } from './health-answer.ts'

const answerOf = async (isWell: boolean, replica?: Parameters<typeof healthAnswer>[1]) => {
  const answer = healthAnswer(isWell, replica)
  return { status: answer.status, body: await answer.text() }
}
const paused = { seconds: 12, bytes: 3_456, isPaused: true, isConnected: true }

describe('what is told about health', () => {
  const before = process.env['CAIRN_DASHBOARD_TEAM']
  afterEach(() => {
    if (before === undefined) delete process.env['CAIRN_DASHBOARD_TEAM']
    else process.env['CAIRN_DASHBOARD_TEAM'] = before
  })

  it('is ok, and how far a replica is behind', async () => {
    process.env['CAIRN_DASHBOARD_TEAM'] = 'team.json'
    expect(await answerOf(true)).toEqual({ status: 200, body: 'ok\n' })
    expect(await answerOf(true, paused)).toEqual({
      status: 200,
      body: 'ok\nreplica: 12 s and 3,456 bytes behind; it is paused and applies nothing until it is resumed\n',
    })
    expect(await answerOf(false)).toEqual({ status: 503, body: 'not ready\n' })
  })

  it('is nothing in a dashboard of one person', async () => {
    process.env['CAIRN_DASHBOARD_TEAM'] = ''
    expect((await answerOf(true, paused)).status).toBe(404)
  })
})
