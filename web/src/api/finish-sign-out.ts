import { hasEnded, postLogout } from './logout.ts'
import { endSession, refreshToken } from './token.ts'

/** Ends the session of a user who signed out while the server could not be reached. */
export async function finishSignOut(): Promise<void> {
  const token = await refreshToken()
  const isEnded = token === undefined || hasEnded(await postLogout(token.value))
  endSession({ isPending: !isEnded })
}
