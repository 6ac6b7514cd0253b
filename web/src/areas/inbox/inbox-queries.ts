import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas } from '../../api/client.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { meQuery } from '../../session/me.ts'

export type Notification = Schemas['Notification']

const pageSize = 50
const refreshMs = 60_000

export const useNotifications = (isUnread: boolean) =>
  useInfiniteQuery({
    queryKey: areaKeys.notifications.list(isUnread),
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, cursor: pageParam, count: 'none' as const, unread: isUnread || undefined }
      return read(api.GET('/api/auth/notifications', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: refreshMs,
  })

export function useMarkRead() {
  const queries = useQueryClient()
  const mark = useMutation({
    mutationFn: (body: { ids: string[] } | { all: true }) => read(api.POST('/api/auth/notifications/read', { body })),
    onError: (error, body) => showRepeatableProblem(error, () => mark.mutate(body)),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: areaKeys.notifications.all }),
        queries.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]),
  })
  return mark
}
