import { askOtherTabs, leaveToSignIn, refreshToken } from './token.ts'

async function startSession(): Promise<Response | undefined> {
  const token = (await askOtherTabs()) ?? (await refreshToken())
  if (!token) return leaveToSignIn(location.pathname + location.search)
  return await fetch('/api/auth/me', { headers: { authorization: `Bearer ${token.value}` }, cache: 'no-store' })
}

/** The response of `me`, requested while the application loads. Undefined if the browser goes to the sign-in page. */
export const started = startSession()
// The application reports the failure.
started.catch(() => {})
