import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { OpenTask } from '../../patterns/tasks/change-task.ts'
import type { CadenceTask } from './join-tasks.ts'

const pageSize = 100
const keys = areaKeys.openTasks

type Page<Item> = { items: Item[]; next_cursor: string | null }

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: Page<unknown>) => next_cursor ?? undefined,
  staleTime: 0,
}

export const useActivityTasks = () =>
  useInfiniteQuery({
    queryKey: keys.activities,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: pageSize, cursor, count: 'none' as const }
      return read(api.GET('/api/activities', { params: { query }, signal }))
    },
    ...paged,
  })

export const useCadenceTasks = (enabled: boolean) =>
  useInfiniteQuery({
    queryKey: keys.ofCadences,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: pageSize, cursor, count: 'none' as const }
      return read(api.GET('/api/cadences/tasks', { params: { query }, signal }))
    },
    ...paged,
    enabled,
  })

type Pages<Item> = InfiniteData<Page<Item>>

/** Removes a task from both lists before they are read again. */
export function dropTask(id: string): void {
  const drop =
    <Item>(idOf: (item: Item) => string) =>
    (data: Pages<Item> | undefined) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => idOf(item) !== id) })),
      }
  queryClient.setQueryData(
    keys.activities,
    drop<OpenTask>(({ id: own }) => own),
  )
  queryClient.setQueryData(
    keys.ofCadences,
    drop<CadenceTask>(({ activity_id }) => activity_id),
  )
}

/** Reads again what shows the task: the lists, Home and the history of its record. */
export function refreshTasks(record: Pick<OpenTask['record'], 'type'>): Promise<unknown> {
  const all = {
    lead: queryKeys.leads.all,
    opportunity: areaKeys.deals.all,
    contact: ['contacts'],
    account: ['accounts'],
  }
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.activities }),
    queryClient.invalidateQueries({ queryKey: keys.ofCadences }),
    queryClient.invalidateQueries({ queryKey: queryKeys.home }),
    queryClient.invalidateQueries({ queryKey: all[record.type], refetchType: 'none' }),
  ])
}

/** The email of a task as it would be sent to its person. */
export const loadEmail = ({ cadence, step, record }: CadenceTask, signal: AbortSignal) =>
  read(
    api.POST('/api/cadences/{cadence_id}/preview', {
      params: { path: { cadence_id: cadence.id } },
      body: { step_id: step.id, ...(record.type === 'lead' ? { lead_id: record.id } : { contact_id: record.id }) },
      signal,
    }),
  )
