import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode; onError?: (error: unknown) => void; fallback?: (error: unknown) => ReactNode }

/** Keeps an error in one part of the page. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error)
  }

  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : (this.props.fallback?.(error) ?? null)
  }
}
