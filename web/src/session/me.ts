import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { queryClient } from '../api/queries.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useStore } from '../api/store.ts'
import { setTimeZone } from '../ui/time-zone.ts'

export type Me = Schemas['Me']

export const meQuery = queryOptions({
  queryKey: queryKeys.me,
  queryFn: async () => adoptTimeZone(await read(api.GET('/api/auth/me'))),
  staleTime: 300_000,
})

const refreshMs = 60_000
const unreachableMs = 5_000

/** Reads the user again while the page is visible, for the number of unread notifications and the version of the application. */
export const useRefreshedMe = (): void => {
  const refetchInterval = useStore(connection) === 'unreachable' ? unreachableMs : refreshMs
  useQuery({ ...meQuery, refetchInterval, refetchOnWindowFocus: 'always' })
}

/** The current user, who is known before the first screen is shown. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

export const storeMe = (me: Me): void => {
  queryClient.setQueryData(queryKeys.me, adoptTimeZone(me))
}

function adoptTimeZone(me: Me): Me {
  setTimeZone(me.timezone)
  return me
}

export const can = ({ scopes }: Me, scope: Me['scopes'][number]): boolean => scopes.includes(scope)

/** Requirements of an operation, from `api/access.gen.ts`. */
export type Access = { scopes: readonly Me['scopes'][number][]; roles: readonly Me['role'][] }

/** Whether the user may call the operation. Who may change a record can also depend on its owner. */
export const may = (me: Me, { scopes, roles }: Access): boolean =>
  scopes.every((scope) => can(me, scope)) && (roles.length === 0 || roles.includes(me.role))

/** For rules that depend on the record: operations that always require a role are asked with `may`. */
export const isManagerOrAdmin = ({ role }: Me): boolean => role === 'manager' || role === 'admin'

/** Whether the user may delete the record: all of its kind, or only own ones. */
export function mayDelete(me: Me, resource: string, ownerId: string | null): boolean {
  const permission = me.permissions[`${resource}.delete`]
  return permission === 'all' || (permission === 'own' && ownerId === me.id)
}
