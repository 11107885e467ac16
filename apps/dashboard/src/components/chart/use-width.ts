'use client'
/** The width of an element as it is laid out, px; 0 before that. */
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

export const useWidth = (): readonly [RefObject<HTMLDivElement | null>, number] => {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(entry.contentRect.width))
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
