'use client'
/** The time, as it passes while a page is seen. */
import { useEffect, useState } from 'react'

const EVERY_MS = 1_000

/**
 * The server's time, ms, again each second: the browser's clock may be another one.
 * @param serverNow what the server's clock said, when the answer came at `receivedAt` by the browser's
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
