/**
 * Weights of the two models, in the order of the features. Fitted by Newton's method with a ridge of 2 on 30
 * recorded sessions of Claude Code and pi: 25,229 looks at a block, 836 of them followed by its use as an
 * anchor and 1,049 by a reference within 60 requests. Fitted on half of the sessions, they rank blocks of the
 * other half with an area under the curve of .89 (anchors) and .77 (references). `tools/bench/fit-block-value.mjs`
 * makes the table.
 */

/** For each feature: what it adds for an anchor, and for a reference. */
const WEIGHTS: readonly (readonly [feature: string, anchor: number, reference: number])[] = [
  ['constant', -7.42, -7.82],
  ['a read', 2.87, -0.84],
  ['the result of an edit', 2.65, 0.71],
  ['the arguments of an edit', 1.55, -0.42],
  ['the arguments of another call', -1.26, 1.09],
  ['a search', -1.71, -0.42],
  ['another result (commands: none of these)', -0.64, 1.27],
  ['share of its lines that nothing newer repeats', 1.47, 2.72],
  ['none left', -0.71, -0.84],
  ['under a tenth left', -1.61, -1.06],
  ['log age in requests', -0.42, -0.32],
  ['log (1 + times an edit looked for its lines)', -0.61, 0.9],
  ['a later search or command repeats a line', 0.82, 0.16],
  ['part of a file', -1.09, 0.36],
  ['log characters', 0.27, 0.42],
  ['its path touched in the last 2 requests', 0.28, -0.87],
  ['… in the last 40', -0.52, -0.67],
  ['its path edited since', -0.27, 0.05],
  ['a message of the user since', -0.44, 0.11],
  ['a commit since', -1.87, -0.38],
  ['log (1 + touches of its path)', 0.15, 0.04],
  ['the user named its file', 1.25, -0.49],
]

/** What the features are, in words. */
export const FEATURES: readonly string[] = WEIGHTS.map(([feature]) => feature)
export const ANCHOR_WEIGHTS: readonly number[] = WEIGHTS.map(([, anchor]) => anchor)
export const REFERENCE_WEIGHTS: readonly number[] = WEIGHTS.map(([, , reference]) => reference)
