/** The access token of the current session. It is kept in memory only; the refresh token is in a cookie that scripts cannot read. */
export type AccessToken = { value: string; userId: string; expiresAt: number }

type Message = { type: 'ask' } | { type: 'token'; token: AccessToken } | { type: 'signed_out' }

const marginMs = 60_000
const askMs = 50
const channel = new BroadcastChannel('session')
let token: AccessToken | undefined
let isLeaving = false
const listeners = new Set<(message: Message) => void>()

export const currentToken = (): AccessToken | undefined => token

export const isFresh = (one: AccessToken | undefined): one is AccessToken =>
  one !== undefined && one.expiresAt - marginMs > Date.now()

const say = (message: Message) => channel.postMessage(message)

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'ask' && isFresh(token)) say({ type: 'token', token })
  if (data.type === 'token') adoptToken(data.token)
  if (data.type === 'signed_out') leaveToSignIn('/')
  for (const listener of listeners) listener(data)
}

/** The page is loaded again for another user of the same browser, so that no data of the former user remains. */
function adoptToken(next: AccessToken): void {
  if (token && token.userId !== next.userId) location.reload()
  else token = next
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
    if ([401, 403, 404].includes(response.status)) return undefined
    if (!response.ok) throw new Error(`refresh failed with ${response.status}`)
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

export function endSession(): void {
  token = undefined
  say({ type: 'signed_out' })
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
