import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { changeTask, type OpenTask } from '../../patterns/tasks/change-task.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { showToast } from '../../ui/toast.tsx'

export type Home = Schemas['Home']
export type HomeTask = OpenTask

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
    mutationFn: (task: HomeTask) => changeTask(task, { completed_at: null }),
    onError: (error, task) => showRepeatableProblem(error, () => reopen.mutate(task)),
    onSettled: refresh,
  })
  const complete = useMutation({
    mutationFn: (task: HomeTask) => changeTask(task, { completed_at: new Date().toISOString() }),
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
