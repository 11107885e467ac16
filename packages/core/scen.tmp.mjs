import { createContext, policyOf, cacheAwarePolicy } from '@cairn/core'
const line = (s, n) => Array.from({ length: n }, (_, i) => `  const ${s}Value${i} = compute${s}(${i}, options.${s}Flag)\n`).join('')
const go = (name, make, asked = {}) => {
  const context = createContext(name === 'cache-aware' ? cacheAwarePolicy('safe') : policyOf(name), 2.7)
  let at = 0, n = 0
  const add = (role, content, more = {}) => context.step([{ kind: 'message', seq: context.view.nextSeq, at, id: `m${context.view.nextSeq}`, role, content, ...more }])
  add('user', [{ type: 'text', text: 'Do it.' }])
  const out = []
  make({ tool: (text, think) => { n++; add('assistant', [...(think ? [{ type: 'thinking', text: think, signature: `s${n}` }] : []), { type: 'tool_call', id: `c${n}`, name: 'Read', input: { file_path: `src/f${n}.ts` } }], { responseId: `r${n}` }); at += 10000; add('tool', [{ type: 'tool_result', callId: `c${n}`, content: [{ type: 'text', text }] }])
    const p = context.prepare({ now: at + 1000, window: 200000, room: 172000, prefix: 20000, lastUsed: 20000 + context.view.tokens(), prices: { input: 3, output: 15, write: 3.75, read: 0.3 }, cacheLifetime: 300, refusals: 0, ...asked })
    const th = p.messages.flatMap(m => m.content).filter(b => b.type === 'thinking').length
    out.push(`${p.tokens}${p.fits ? '' : '!'}${p.entriesToAppend.length ? '(' + p.entriesToAppend.map(e => e.trigger) + ')' : ''}${think ? ' t' + th : ''}`) },
    end: () => { add('assistant', [{ type: 'text', text: 'done' }], { responseId: `e${n}` }); add('user', [{ type: 'text', text: 'next' }]) } })
  console.log(name, out.join(' '))
}
for (const p of ['cline', 'cache-aware']) go(p, ({ tool }) => { for (let i = 0; i < 10; i++) tool(line(`a${i}`, 60)); tool('x y z\n'.repeat(150000)); for (let i = 0; i < 15; i++) tool(line(`b${i}`, 60)) })
go('cache-aware', ({ tool, end }) => { for (let i = 0; i < 60; i++) { tool(line(`a${i}`, 60), 'I think of this. '.repeat(60)); if (i % 20 === 19) end() } }, { thinkingSignature: 'bound-to-conversation' })
go('cache-aware', ({ tool, end }) => { for (let i = 0; i < 60; i++) { tool(line(`a${i}`, 60), 'I think of this. '.repeat(60)); if (i % 20 === 19) end() } }, { thinkingSignature: 'bound-to-turn' })
