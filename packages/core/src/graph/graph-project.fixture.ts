/** A project with sessions, commits and memory entries, as tests of the graph ask about it. */
import { at, committed, createWorkbench, edited, learnt, read, messageEntry, type Workbench } from './graph.fixture.ts'

export const SOURCE = 'export const refreshToken = (token: Token): Token => {\n  return renew_session(token)\n}'

/** Three sessions of one project around `src/auth.ts`, and one elsewhere. */
export const project = async (): Promise<Workbench> => {
  const bench = createWorkbench()
  await bench.session('one', [
    messageEntry('Mend the login', 0),
    ...read('src/auth.ts', 1),
    ...edited('src/auth.ts', 2, SOURCE),
    ...edited('src/login.ts', 3),
    ...committed('1a2b3c4', 'Mend the login', 4),
    ...edited('src/later.ts', 5),
  ])
  await bench.session('two', [
    messageEntry('Why does refreshToken fail?', 60),
    ...read('/work/app/src/auth.ts', 61),
    ...edited('/work/app/src/auth.ts', 62, SOURCE),
    ...edited('src/login.ts', 63),
  ])
  await bench.session('three', [
    messageEntry('See commit 1a2b3c4', 120),
    ...read('src/auth.ts', 121),
    ...read('src/authors.ts', 122),
  ])
  await bench.session('other', [messageEntry('elsewhere', 180), ...edited('/work/lib/src/auth.ts', 181)], {
    workspace: '/work/lib',
  })
  await bench.learn(
    learnt('01JAAA', 'Tokens are renewed in src/auth.ts', {
      examples: ['src/auth.ts:3-5@1a2b3c4d'],
      sessionId: 'cairn:one',
      messageId: 'm0',
      commit: '1a2b3c4d5e',
      lastConfirmedAt: at(10),
    }),
    learnt('01JBBB', 'refreshToken throws when offline', { kind: 'solution', lastConfirmedAt: at(70) }),
    learnt('01JCCC', 'authors are listed by name', { examples: ['src/authors.ts:1'], lastConfirmedAt: at(71) }),
  )
  return bench
}
