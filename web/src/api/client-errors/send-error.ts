import { started } from '../start.ts'
import { currentToken, isFresh } from '../token.ts'
import { createErrorLimit, type ErrorKind, toErrorReport } from './error-report.ts'

const isAccepted = createErrorLimit()

/** Sends without `api`, because a report must neither refresh a session nor wait for a sign-in. */
export async function sendError(kind: ErrorKind, error: Error): Promise<void> {
  const report = toErrorReport(kind, error, location)
  if (!isAccepted(report)) return
  await started
  const token = currentToken()
  if (!isFresh(token)) return
  await fetch('/api/client-errors', {
    method: 'POST',
    headers: { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' },
    body: JSON.stringify(report),
    keepalive: true,
  })
}
