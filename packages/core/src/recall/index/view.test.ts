import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { buildSegment } from './build.ts'
import type { IndexedMessage } from './message-codec.ts'
import { createView, segmentOfMessage } from './view.ts'

const messageAt = (session: number, seq: number, passages = 1): IndexedMessage => ({
  session,
  seq,
  at: seq,
  message: {
    passages: Array.from({ length: passages }, () => ({
      tokens: seq,
      hashes: new Uint32Array(),
      counts: new Uint8Array(),
    })),
    flags: 0,
    author: 0,
    files: [],
  },
})

describe('a view of segments', () => {
  it('puts the messages of each session side by side, in order, whatever segments hold them', () => {
    const positions = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.nat({ max: 20 }), fc.nat({ max: 3 }), fc.integer({ min: 1, max: 3 })),
      { selector: ([session, seq]) => `${session} ${seq}` },
    )
    fc.assert(
      fc.property(positions, (found) => {
        const view = createView(
          [0, 1, 2, 3].map((part) =>
            buildSegment(
              found
                .filter(([, , own]) => own === part)
                .map(([session, seq, , passages]) => messageAt(session, seq, passages)),
            ),
          ),
        )
        const inOrder = Array.from(view.atPosition, (message, position) => {
          const { segment, messageBase, passageBase } = segmentOfMessage(view, message)
          const local = message - messageBase
          const first = passageBase + (segment.firstPassage[local] ?? 0)
          expect(view.position[message]).toBe(position)
          expect(view.passageTokens[first]).toBe(segment.seq[local])
          return [view.sessions[view.sessionOf[first] ?? 0], segment.seq[local]]
        })
        expect(inOrder).toEqual(
          found.map(([session, seq]) => [session, seq]).sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d),
        )
        view.sessions.forEach((session, index) => {
          for (
            let position = view.sessionStart[index] ?? 0;
            position < (view.sessionStart[index + 1] ?? 0);
            position += 1
          )
            expect(inOrder[position]?.[0]).toBe(session)
        })
        expect(view.messages).toBe(found.length)
      }),
    )
  })
})
