import { ApiProblem, toProblem } from './problem.ts'
import { createStore } from './store.ts'
import { currentToken, isFresh, refreshToken, storeToken } from './token.ts'

/** `expired`: the page stays as it is, and requests wait until the user has signed in again. */
export const sessionState = createStore<'active' | 'expired'>('active')

/** The access token of an impersonated user. It is used instead of the own one until the page is loaded again. */
let impersonation: string | undefined

export const isImpersonating = (): boolean => impersonation !== undefined
export const setImpersonation = (accessToken: string | undefined): void => {
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
  renewal ??= renew().finally(() => {
    renewal = undefined
  })
  return renewal
}

async function renew(): Promise<string> {
  const token = await refreshToken().catch(() => {
    throw new ApiProblem(0, {})
  })
  if (token) return token.value
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

/** Signs in on top of the page, which loses nothing. For another user the page is loaded again. */
export async function signInAgain(email: string, password: string): Promise<void> {
  const response = await fetch('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, refresh_token_delivery: 'cookie' }),
  })
  if (!response.ok) throw await toProblem(response)
  storeToken(await response.json())
  sessionState.set('active')
}
