import { api, read } from '../api/client.ts'
import { queryClient } from '../api/queries.ts'
import { setImpersonation } from '../api/session.ts'
import { meQuery } from './me.ts'
import { withReauthentication } from './reauthenticate.ts'

/** Shows the application as another user sees it, until the page is loaded again or the user stops. */
export async function startImpersonation(userId: string, reason: string): Promise<void> {
  const { access_token: accessToken } = await withReauthentication(() =>
    read(api.POST('/api/users/{user_id}/impersonate', { params: { path: { user_id: userId } }, body: { reason } })),
  )
  setImpersonation(accessToken!)
  await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
}
