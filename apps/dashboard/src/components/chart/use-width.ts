'use client'
/** The width of an element as it is laid out, px (0 before that), and how much larger than usual the page's letters are. */
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** px of a rem. */
const USUAL_LETTERS = 16

/**
 * Returns a ref for an element, its width in px (0 before layout), and a scale (1 for letters of the usual size); both
 * follow changes of the layout.
 */
export const useWidth = (): readonly [frame: RefObject<HTMLDivElement | null>, width: number, scale: number] => {
  const element = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, scale: 1 })
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_LETTERS || 1
      setSize({ width: Math.round(entry.contentRect.width), scale })
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, size.width, size.scale]
}
