import { type AccessToken, askOtherTabs, isSignOutPending, leaveToSignIn, refreshToken } from './token.ts'

async function startSession(): Promise<Response | undefined> {
  if (isSignOutPending()) {
    await (await import('./finish-sign-out.ts')).finishSignOut()
    return
  }
  const shared = await askOtherTabs()
  const response = shared && (await readMe(shared))
  // The token of another tab can be one that was revoked.
  if (response && response.status !== 401) return response
  const token = await refreshToken()
  return token ? await readMe(token) : leaveToSignIn(location.pathname + location.search)
}

const readMe = ({ value }: AccessToken): Promise<Response> =>
  fetch('/api/auth/me', { headers: { authorization: `Bearer ${value}` }, cache: 'no-store' })

/** The response of `me`, requested while the application loads. Undefined if the browser goes to the sign-in page. */
export const started = startSession()
// The application reports the failure.
started.catch(() => {})
