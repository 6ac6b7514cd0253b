import { ApiProblem, toProblem } from './problem.ts'
import { createStore } from './store.ts'
import { currentToken, dropToken, isFresh, onToken, refreshToken, storeToken } from './token.ts'

/** `expired`: the page stays as it is, and requests wait until the user has signed in again. */
export const sessionState = createStore<'active' | 'expired'>('active')

// The user can also sign in in another tab.
onToken(() => sessionState.set('active'))

/** The access token of an impersonated user. It is used instead of the own one until the page is loaded again. */
let impersonation: string | undefined

export const setImpersonation = (accessToken: string): void => {
  impersonation = accessToken
}

export async function readAccessToken(): Promise<string> {
  if (impersonation) return impersonation
  const token = currentToken()
  return isFresh(token) ? token.value : await renewAccessToken()
}

let renewal: Promise<string> | undefined

/** Refreshes the session once for all requests that need it. Ends when the user has signed in again, if the session has ended. */
export function renewAccessToken(): Promise<string> {
  if (impersonation) return leaveImpersonation()
  renewal ??= renew().finally(() => {
    renewal = undefined
  })
  return renewal
}

async function renew(): Promise<string> {
  const token = await refreshToken().catch((error: unknown) => {
    throw error instanceof ApiProblem ? error : new ApiProblem(0, {})
  })
  if (token) return token.value
  dropToken()
  sessionState.set('expired')
  await new Promise<void>((resolve) => {
    const stop = sessionState.subscribe(() => {
      if (sessionState.get() !== 'active') return
      stop()
      resolve()
    })
  })
  return currentToken()!.value
}

/** The page is loaded again as the own user. A request of the impersonated user must not be sent in the own name. */
function leaveImpersonation(): Promise<never> {
  location.assign('/')
  return new Promise(() => {})
}

export async function stopImpersonation(): Promise<void> {
  await fetch('/api/auth/logout', {
    method: 'POST',
    headers: { authorization: `Bearer ${impersonation}`, 'content-type': 'application/json' },
    body: '{}',
    // The response would remove the cookie of the own session.
    credentials: 'omit',
  }).catch(() => {})
  await leaveImpersonation()
}

/** Signs in on top of the page, which loses nothing. For another user the page is loaded again. */
export async function signInAgain(email: string, password: string): Promise<void> {
  const response = await fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, refresh_token_delivery: 'cookie' }),
  }).catch(() => {
    throw new ApiProblem(0, {})
  })
  if (!response.ok) throw await toProblem(response)
  storeToken(await response.json())
}
