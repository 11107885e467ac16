/** The key in a workspace's state under which it is kept what was decided about a suggestion. */
export const decisionKey = (id: string): string => `suggestion:${id}`
