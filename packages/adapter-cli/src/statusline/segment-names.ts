/** What the status line can show, in the order in which it does unless told otherwise; what matters most stands first. */
export const SEGMENT_NAMES = [
  'model',
  'context',
  'session',
  'today',
  'cache',
  'limits',
  'budget',
  'burn',
  'project',
  'folder',
] as const
