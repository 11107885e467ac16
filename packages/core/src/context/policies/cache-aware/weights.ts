/**
 * Weights of the two models, in the order of the features. Fitted by Newton's method with a ridge of 2 on 30
 * recorded sessions of Claude Code and pi: 23,850 looks at a block, 834 of them followed by its use as an
 * anchor and 955 by a reference within 60 requests. Fitted on half of the sessions, they rank blocks of the
 * other half with an area under the curve of .89 (anchors) and .77 (references). `tools/bench/fit-block-value.mjs`
 * makes the table.
 */

/** For each feature: what it adds for an anchor, and for a reference. */
const WEIGHTS: readonly (readonly [feature: string, anchor: number, reference: number])[] = [
  ['constant', -7.48, -8.21],
  ['a read', 3.33, -1.09],
  ['the result of an edit', 2.73, 0.61],
  ['the arguments of an edit', 2.27, -0.71],
  ['the arguments of another call', -1.19, 0.92],
  ['a search', -1.83, -0.43],
  ['another result (commands: none of these)', -0.68, 1.25],
  ['share of its lines that nothing newer repeats', 1.69, 2.91],
  ['none left', -0.71, -0.77],
  ['under a tenth left', -1.64, -0.91],
  ['log age in requests', -0.35, -0.32],
  ['log (1 + times an edit looked for its lines)', -0.55, 0.79],
  ['a later search or command repeats a line', 0.72, 0.17],
  ['part of a file', -1.26, 0.5],
  ['log characters', 0.28, 0.45],
  ['its path touched in the last 2 requests', 0.16, -0.85],
  ['… in the last 40', -0.54, -0.68],
  ['its path edited since', -0.05, 0.07],
  ['a message of the user since', -0.8, 0.14],
  ['a commit since', -1.78, -0.32],
  ['log (1 + touches of its path)', 0.07, 0.1],
]

/** What the features are, in words. */
export const FEATURES: readonly string[] = WEIGHTS.map(([feature]) => feature)
export const ANCHOR_WEIGHTS: readonly number[] = WEIGHTS.map(([, anchor]) => anchor)
export const REFERENCE_WEIGHTS: readonly number[] = WEIGHTS.map(([, , reference]) => reference)
