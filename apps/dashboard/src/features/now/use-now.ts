'use client'
/** The time, as it passes while a page is seen. */
import { useEffect, useState } from 'react'

const EVERY_MS = 1_000

/**
 * Returns the server's time in ms, updated every second: the browser's clock may differ.
 * @param serverNow what the server's clock said when its answer arrived at `receivedAt` by the browser's clock
 */
export const useNow = (serverNow: number, receivedAt: number): number => {
  const [browserNow, setBrowserNow] = useState(receivedAt)
  useEffect(() => {
    const timer = setInterval(() => setBrowserNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  // An answer that came since the last tick is not of the future.
  return serverNow + Math.max(0, browserNow - receivedAt)
}
