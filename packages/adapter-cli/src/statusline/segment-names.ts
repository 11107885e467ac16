/** What the status line can show, in its default order, the most important first. */
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
