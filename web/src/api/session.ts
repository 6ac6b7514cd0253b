import { noteLostRequest } from './connection.ts'
import { hasEnded, postLogout } from './logout.ts'
import { ApiProblem, toProblem } from './problem.ts'
import { createStore } from './store.ts'
import { currentToken, dropToken, endSession, isFresh, onToken, refreshToken, storeToken } from './token.ts'

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
    if (error instanceof ApiProblem) throw error
    noteLostRequest()
    throw new ApiProblem(0, {})
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
  await endImpersonation()
  await leaveImpersonation()
}

/** Revokes the session of the impersonated user. The response would remove the cookie of the own session. */
const endImpersonation = async (): Promise<void> => {
  await postLogout(impersonation!, 'omit').catch(() => {})
}

const logoutMs = 4_000

/**
 * Ends the session in every state of the page: also while it acts as another user, after the session has ended, and
 * without a connection. It never waits for the sign-in that the user does not want.
 */
export async function signOut(): Promise<void> {
  const isEnded = await Promise.race([revokeSessions(), waitFor(logoutMs)])
  endSession({ isPending: !isEnded })
}

/** Returns whether the server has ended the session. */
async function revokeSessions(): Promise<boolean> {
  if (impersonation) await endImpersonation()
  if (sessionState.get() === 'expired') return true
  try {
    const current = currentToken()
    const token = isFresh(current) ? current : await refreshToken()
    return token === undefined || hasEnded(await postLogout(token.value))
  } catch {
    return false
  }
}

const waitFor = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms))

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
