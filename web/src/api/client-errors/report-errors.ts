import { ApiProblem } from '../problem.ts'
import type { ErrorKind } from './error-report.ts'

export function reportUncaughtErrors(): void {
  addEventListener('error', ({ error }) => reportError('error', error))
  addEventListener('unhandledrejection', ({ reason }) => reportError('rejection', reason))
}

/** Leaves out problem responses, which the server has logged, and errors of extensions, which are not ours. */
export function reportError(kind: ErrorKind, error: unknown): void {
  if (!(error instanceof Error) || error instanceof ApiProblem || error.stack?.includes('-extension://')) return
  import('./send-error.ts').then(({ sendError }) => sendError(kind, error)).catch(() => {})
}
