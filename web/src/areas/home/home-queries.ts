import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, read, type Schemas } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { showToast } from '../../ui/toast.tsx'

export type Home = Schemas['Home']
export type HomeTask = Schemas['OpenTask']

const refreshMs = 60_000

export const homeQuery = queryOptions({
  queryKey: queryKeys.home,
  queryFn: ({ signal }) => read(api.GET('/api/home', { signal })),
  refetchInterval: refreshMs,
})

/** Whether the workspace has any lead. Only asked if the user has none. */
export const hasLeadsQuery = queryOptions({
  queryKey: queryKeys.leads.any,
  queryFn: async ({ signal }) => {
    const { items } = await read(
      api.GET('/api/leads/', { params: { query: { limit: 1, count: 'none', fields: 'summary' } }, signal }),
    )
    return items.length > 0
  },
})

/** Marks a task as done before the server has confirmed it, and offers to reopen it. */
export function useCompleteTask() {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: homeQuery.queryKey })
  const reopen = useMutation({
    mutationFn: (task: HomeTask) => changeTask(task, null),
    onError: (error, task) => showRepeatableProblem(error, () => reopen.mutate(task)),
    onSettled: refresh,
  })
  const complete = useMutation({
    mutationFn: (task: HomeTask) => changeTask(task, new Date().toISOString()),
    onMutate: async (task) => {
      await queries.cancelQueries({ queryKey: homeQuery.queryKey })
      queries.setQueryData(homeQuery.queryKey, (home) => home && withoutTask(home, task.id))
    },
    onSuccess: ({ version }, task) =>
      showToast(homeTexts.completed(task.subject ?? homeTexts.noSubject), {
        action: { label: homeTexts.undo, run: () => reopen.mutate({ ...task, version }) },
      }),
    onError: (error, task) => showRepeatableProblem(error, () => complete.mutate(task)),
    onSettled: refresh,
  })
  return complete
}

const withoutTask = (home: Home, id: string): Home => ({
  ...home,
  tasks: home.tasks && { ...home.tasks, items: home.tasks.items.filter((task) => task.id !== id) },
})

function changeTask({ id, version, record }: HomeTask, completedAt: string | null): Promise<Schemas['Activity']> {
  const headers = ifMatch(version)
  const body = { completed_at: completedAt }
  const path = { activity_id: id, lead_id: record.id, contact_id: record.id, account_id: record.id }
  const options = { params: { path: { ...path, opportunity_id: record.id } }, headers, body }
  if (record.type === 'lead') return read(api.PATCH('/api/leads/{lead_id}/activities/{activity_id}', options))
  if (record.type === 'contact') return read(api.PATCH('/api/contacts/{contact_id}/activities/{activity_id}', options))
  if (record.type === 'account') return read(api.PATCH('/api/accounts/{account_id}/activities/{activity_id}', options))
  return read(api.PATCH('/api/opportunities/{opportunity_id}/activities/{activity_id}', options))
}
