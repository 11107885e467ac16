/** How much memory the process takes for what lives for a moment only. */

/**
 * For commands that search: searches make much that lives for a moment, and with V8's usual room for it a process takes 100 MB
 * more and no less time. To be called before the store is opened.
 */
export const limitHeap = async (): Promise<void> => {
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
}
