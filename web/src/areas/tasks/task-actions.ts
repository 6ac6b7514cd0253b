import { useMutation } from '@tanstack/react-query'
import { completeCadenceTask, skipCadenceTask } from '../../api/access.gen.ts'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas, withKey } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { showRepeatableProblem } from '../../patterns/show-problem.ts'
import { changeTask, mayChangeTask, type OpenTask } from '../../patterns/tasks/change-task.ts'
import { isManagerOrAdmin, type Me, may } from '../../session/me.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { showToast } from '../../ui/toasts.ts'
import type { TaskRow } from './join-tasks.ts'
import { dropTask, refreshTasks } from './task-queries.ts'

type Completion = Schemas['CompleteCadenceTaskRequest']

export const titleOf = ({ subject, kind, cadence }: TaskRow): string =>
  subject ?? (cadence ? `${texts.kinds[kind]}: ${cadence.cadence.name}` : texts.kinds[kind])

/** Returns what the user may do with a task. One of a cadence is done by its assignee or a manager. */
export function permissionsOf(me: Me, { activity, cadence }: TaskRow) {
  const isOwn = cadence?.assignee_id === me.id || isManagerOrAdmin(me)
  return {
    complete: cadence ? isOwn && may(me, completeCadenceTask) : activity !== undefined && mayChangeTask(me, activity),
    skip: cadence !== undefined && isOwn && may(me, skipCadenceTask),
    postpone: activity !== undefined && mayChangeTask(me, activity),
  }
}

/** Completes a task that is not of a cadence before the server has confirmed it, and offers to reopen it. */
export function useCompleteTask() {
  const reopen = useMutation({
    mutationFn: (task: OpenTask) => changeTask(task, { completed_at: null }),
    onError: (error, task) => showRepeatableProblem(error, () => reopen.mutate(task)),
    onSettled: (_, __, task) => refreshTasks(task.record),
  })
  const complete = useMutation({
    mutationFn: ({ task, outcome }: { task: OpenTask; outcome?: string }) =>
      changeTask(task, { completed_at: new Date().toISOString(), ...(outcome && { outcome }) }),
    onMutate: async ({ task }) => {
      await queryClient.cancelQueries({ queryKey: areaKeys.openTasks.all })
      dropTask(task.id)
    },
    onSuccess: ({ version }, { task }) =>
      showToast(texts.completed(task.subject ?? texts.kinds.task), {
        action: { label: texts.undo, run: () => reopen.mutate({ ...task, version }) },
      }),
    onError: (error, sent) => showRepeatableProblem(error, () => complete.mutate(sent)),
    onSettled: (_, __, { task }) => refreshTasks(task.record),
  })
  return complete
}

type Postponement = { task: OpenTask; dueAt: string | null; text: string }

export function usePostponeTask() {
  const postpone = useMutation({
    mutationFn: ({ task, dueAt }: Postponement) => changeTask(task, { due_at: dueAt }),
    onSuccess: ({ version }, { task, text }) =>
      showToast(text, {
        action: {
          label: texts.undo,
          run: () => postpone.mutate({ task: { ...task, version }, dueAt: task.due_at, text: texts.dueRestored }),
        },
      }),
    onError: (error, sent) => showRepeatableProblem(error, () => postpone.mutate(sent)),
    onSettled: (_, __, { task }) => refreshTasks(task.record),
  })
  return postpone
}

/** Completes a task of a cadence, whose person then continues. Cannot be undone. */
export async function completeOfCadence({ id, record }: TaskRow, key: string, body: Completion): Promise<void> {
  const { state } = await read(
    api.POST('/api/cadences/tasks/{activity_id}/complete', {
      params: { path: { activity_id: id } },
      headers: withKey(key),
      body,
    }),
  )
  dropTask(id)
  showToast(state === 'waiting' ? texts.sending : texts.continued(record.name ?? texts.thePerson))
  void refreshTasks(record)
}

export async function skipTask({ id, record }: TaskRow): Promise<void> {
  await read(api.POST('/api/cadences/tasks/{activity_id}/skip', { params: { path: { activity_id: id } } }))
  dropTask(id)
  showToast(texts.skipped(record.name ?? texts.thePerson))
  void refreshTasks(record)
}
