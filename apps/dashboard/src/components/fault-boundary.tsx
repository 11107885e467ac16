'use client'
/** Keeps a fault in one part of a page from taking the rest with it. */
import { Component } from 'react'
import type { ReactNode } from 'react'

interface FaultBoundaryProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Draws its children, or `fallback` once one of them has thrown while it was drawn. */
export class FaultBoundary extends Component<FaultBoundaryProps, { readonly isFaulty: boolean }> {
  override state = { isFaulty: false }

  static getDerivedStateFromError(): { readonly isFaulty: boolean } {
    return { isFaulty: true }
  }

  override render(): ReactNode {
    return this.state.isFaulty ? this.props.fallback : this.props.children
  }
}
