/** The pages in the order of the navigation, each with the key that leads to it after `g`. */
export const PAGES = [
  { path: '/', name: 'Overview', key: 'o' },
  { path: '/now', name: 'Now', key: 'n' },
  { path: '/insights', name: 'Insights', key: 'i' },
  { path: '/sessions', name: 'Sessions', key: 's' },
  { path: '/models', name: 'Models', key: 'm' },
  { path: '/projects', name: 'Projects', key: 'p' },
  { path: '/branches', name: 'Branches', key: 'b' },
  { path: '/agents', name: 'Agents', key: 'a' },
  { path: '/files', name: 'Files', key: 'f' },
  { path: '/memory', name: 'Memory', key: 'e' },
  { path: '/checkpoints', name: 'Checkpoints', key: 'c' },
  { path: '/health', name: 'Health', key: 'h' },
  { path: '/settings', name: 'Settings', key: 't' },
] as const
