import { toProblem } from './problem.ts'

/** The access token of the current session. It is kept in memory only; the refresh token is in a cookie that scripts cannot read. */
export type AccessToken = { value: string; userId: string; expiresAt: number }

/** The sign-in page sends `signed_in`. */
type Message =
  | { type: 'ask' }
  | { type: 'token'; token: AccessToken }
  | { type: 'signed_in'; userId: string }
  | { type: 'signed_out' }

const marginMs = 60_000
const askMs = 50
const channel = new BroadcastChannel('session')
let token: AccessToken | undefined
/** The user whose data the page shows, also after the session has ended. */
let userId: string | undefined
let isLeaving = false
const listeners = new Set<() => void>()

export const currentToken = (): AccessToken | undefined => token

export const isFresh = (one: AccessToken | undefined): one is AccessToken =>
  one !== undefined && one.expiresAt - marginMs > Date.now()

/** Calls the listener for every new token, also one of another tab. */
export const onToken = (listener: () => void): void => {
  listeners.add(listener)
}

const say = (message: Message) => channel.postMessage(message)

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'ask' && isFresh(token)) say({ type: 'token', token })
  if (data.type === 'token') adoptToken(data.token)
  if (data.type === 'signed_in' && isOtherUser(data.userId)) restartPage()
  if (data.type === 'signed_out') leaveAfterSignOut()
}

const isOtherUser = (id: string): boolean => userId !== undefined && userId !== id

/** The page is loaded again for another user of the same browser, so that no data of the former user remains. */
function restartPage(): void {
  dropToken()
  sessionStorage.clear()
  location.reload()
}

function adoptToken(next: AccessToken): void {
  if (isOtherUser(next.userId)) {
    restartPage()
    return
  }
  token = next
  userId = next.userId
  for (const listener of listeners) listener()
}

/** Forgets a token that the server no longer accepts, so that no other tab gets it. */
export const dropToken = (): void => {
  token = undefined
}

/** Gets a new access token. Only one tab at a time refreshes; the others take over its token. Undefined if the session has ended. */
export async function refreshToken(): Promise<AccessToken | undefined> {
  const before = token
  return await navigator.locks.request('refresh', async () => {
    if (token !== before && isFresh(token)) return token
    // The request outlives the page, because a lost response would make the next refresh look like a stolen token.
    const response = await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      keepalive: true,
      cache: 'no-store',
    })
    if ([401, 403].includes(response.status)) return undefined
    if (!response.ok) throw await toProblem(response)
    const body = await response.json()
    if (body.must_change_password) return leaveToSignIn(location.pathname)
    return storeToken(body)
  })
}

type TokenBody = { access_token: string; expires_in: number; user: { id: string } }

export function storeToken({ access_token, expires_in, user }: TokenBody): AccessToken {
  const next = { value: access_token, userId: user.id, expiresAt: Date.now() + expires_in * 1_000 }
  adoptToken(next)
  say({ type: 'token', token: next })
  return next
}

export function leaveToSignIn(returnTo: string): undefined {
  if (isLeaving) return
  isLeaving = true
  location.replace(`/login#return_to=${encodeURIComponent(returnTo)}`)
}

/** Set if the server does not know of the sign-out yet. The sign-in page removes it. */
const pendingKey = 'sign-out'

export const isSignOutPending = (): boolean => localStorage.getItem(pendingKey) !== null

/** Leaves all tabs. A sign-out that did not reach the server is repeated at the next start. */
export function endSession({ isPending }: { isPending: boolean }): void {
  if (isPending) localStorage.setItem(pendingKey, 'pending')
  else localStorage.removeItem(pendingKey)
  say({ type: 'signed_out' })
  leaveAfterSignOut()
}

function leaveAfterSignOut(): void {
  dropToken()
  sessionStorage.clear()
  leaveToSignIn('/')
}

/** A new tab takes over the token of another one, which saves a refresh. */
export function askOtherTabs(): Promise<AccessToken | undefined> {
  return new Promise((resolve) => {
    const finish = () => {
      listeners.delete(finish)
      resolve(token)
    }
    listeners.add(finish)
    setTimeout(finish, askMs)
    say({ type: 'ask' })
  })
}
