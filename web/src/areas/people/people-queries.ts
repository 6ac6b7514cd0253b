import { queryOptions } from '@tanstack/react-query'
import { readArrayPage } from '../../api/array-page.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import type { PageRequest } from '../../api/pages.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { withReauthentication } from '../../session/reauthenticate.ts'
import type { PeopleSearch, Person } from './people-search.ts'

export type PersonChanges = Schemas['UpdateUserRequest']
export type Profile = Schemas['Profile']

const toUserQuery = ({ status, role, q, sort }: PeopleSearch) => ({
  status: status && [status],
  role: role && [role],
  search: q,
  sort: sort ?? ('name' as const),
})

export const peopleListKey = (search: PeopleSearch) => queryKeys.users.list(toUserQuery(search))

export const loadPeoplePage = (search: PeopleSearch) => (request: PageRequest, signal: AbortSignal) =>
  readArrayPage(api.GET('/api/users/', { params: { query: { ...toUserQuery(search), ...request } }, signal }))

/** The person with teams and the number of records they own. */
export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.users.profile(userId),
    queryFn: ({ signal }) =>
      read(api.GET('/api/users/{user_id}/profile', { params: { path: { user_id: userId } }, signal })),
  })

export const readPerson = (userId: string): Promise<Person> =>
  read(api.GET('/api/users/{user_id}', { params: { path: { user_id: userId } } }))

export const teamsQuery = queryOptions({
  queryKey: queryKeys.users.teams,
  queryFn: ({ signal }) => read(api.GET('/api/teams/', { params: { query: { limit: 200, count: 'none' } }, signal })),
})

const successorLimit = 100

/** Active users who can take over records. */
export const successorsQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.users.successors(search),
    queryFn: ({ signal }) =>
      readArrayPage(
        api.GET('/api/users/', {
          params: { query: { status: ['active'], search: search || undefined, limit: successorLimit, count: 'none' } },
          signal,
        }),
      ),
  })

export type NewPerson = Schemas['CreateUserRequest']

export const invitePerson = (body: NewPerson, key: string) =>
  withReauthentication(() => read(api.POST('/api/users/', { headers: withKey(key), body })))

export const updatePerson = (userId: string, version: number, body: PersonChanges) =>
  withReauthentication(() =>
    read(
      api.PATCH('/api/users/{user_id}', {
        params: { path: { user_id: userId } },
        headers: ifMatch(version),
        body,
      }),
    ),
  )

export const resendInvitation = (userId: string) =>
  read(api.POST('/api/users/{user_id}/resend-invite', { params: { path: { user_id: userId } } }))

export const refreshPeople = (): Promise<void> => queryClient.invalidateQueries({ queryKey: queryKeys.users.all })
