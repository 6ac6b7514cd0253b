import { api } from '../api/client.ts'
import { endSession } from '../api/token.ts'

export async function signOut(): Promise<void> {
  await api.POST('/api/auth/logout', { body: {} }).catch(() => {})
  endSession()
}
