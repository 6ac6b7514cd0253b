import { Component, type ReactNode } from 'react'
import { ProblemState } from '../patterns/states.tsx'

/** Shows an error in the content while the navigation still works. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <ProblemState error={error} retry={() => location.reload()} />
  }
}
