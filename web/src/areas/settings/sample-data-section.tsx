import { useMutation, useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { isFinished, startTracking, type TaskStatus, useTask } from '../../api/tasks.ts'
import { describeProblem, showRepeatableProblem } from '../../patterns/show-problem.ts'
import { ProblemState, Skeleton, State } from '../../patterns/states.tsx'
import { TaskProgress } from '../../patterns/task-progress.tsx'
import { can, useMe } from '../../session/me.ts'
import { sampleDataTexts, settingsTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SectionHeader } from './card.tsx'
import { RemoveSampleDialog } from './remove-sample-dialog.tsx'
import { SampleRecords } from './sample-records.tsx'
import styles from './settings.module.css'
import { loadSampleData, removeSampleData, sampleDataQuery, sampleDataTaskQuery } from './settings-queries.ts'

type Status = Schemas['SampleDataStatus']

export function SampleDataSection() {
  const { data, error, refetch } = useQuery(sampleDataQuery)
  return (
    <>
      <SectionHeader title={settingsTexts.sections['sample-data']} text={sampleDataTexts.text} />
      {error ? (
        <ProblemState error={error} part={settingsTexts.sections['sample-data']} retry={() => void refetch()} />
      ) : data ? (
        <SampleData status={data} />
      ) : (
        <Skeleton rows={4} />
      )}
    </>
  )
}

function SampleData({ status }: { status: Status }) {
  const me = useMe()
  const [isRemoving, setRemoving] = useState(false)
  const [startedId, setStartedId] = useState<string>()
  const task = useSampleDataTask(status, startedId)
  const start = useMutation({
    mutationFn: (run: () => Promise<{ task_id: string }>) => run(),
    onSuccess: ({ task_id }) => setStartedId(task_id),
    onError: (error, run) => {
      const text = settingsTexts.actionFailed(describeProblem(error, sampleDataTexts.problem))
      showRepeatableProblem(error, () => start.mutate(run), text)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: sampleDataQuery.queryKey }),
  })
  const mayWrite = can(me, 'admin.write')
  const { state } = status
  const hasFailed = isFinished(task) && task?.state !== 'succeeded'
  return (
    <>
      {task && (
        <TaskProgress
          label={state === 'removing' ? sampleDataTexts.removing : sampleDataTexts.loading}
          task={task}
          locale={me.locale}
          result={describeResult(task, me.locale)}
        />
      )}
      {state === 'none' && (
        <div className={styles.boxed}>
          <State
            icon={<Database size={20} />}
            hue="info"
            title={sampleDataTexts.empty}
            actions={
              mayWrite && (
                <Button variant="primary" disabled={start.isPending} onClick={() => start.mutate(loadSampleData)}>
                  {sampleDataTexts.load}
                </Button>
              )
            }
          >
            {sampleDataTexts.emptyText}
          </State>
        </div>
      )}
      {state === 'loading' && hasFailed && mayWrite && (
        <Button disabled={start.isPending} onClick={() => start.mutate(loadSampleData)}>
          {sampleDataTexts.continueLoading}
        </Button>
      )}
      {state === 'removing' && hasFailed && mayWrite && (
        <Button disabled={start.isPending} onClick={() => start.mutate(() => removeSampleData(false))}>
          {sampleDataTexts.tryAgain}
        </Button>
      )}
      {state === 'loaded' && (
        <SampleRecords
          status={status}
          action={
            can(me, 'admin.delete') && (
              <Button variant="danger" disabled={start.isPending} onClick={() => setRemoving(true)}>
                {sampleDataTexts.remove}
              </Button>
            )
          }
        />
      )}
      {isRemoving && (
        <RemoveSampleDialog
          modifiedCount={status.modified_count}
          remove={async (includesModified) => {
            await start.mutateAsync(() => removeSampleData(includesModified))
          }}
          close={() => setRemoving(false)}
        />
      )}
    </>
  )
}

/** The task that the user started here, or the one that was running when the page was opened. */
function useSampleDataTask({ state }: Status, startedId: string | undefined): TaskStatus | undefined {
  const isRunning = state === 'loading' || state === 'removing'
  const { data: tasks } = useQuery({
    ...sampleDataTaskQuery(state === 'removing' ? 'removing' : 'loading'),
    enabled: isRunning && startedId === undefined,
  })
  const task = useTask(startedId ?? (isRunning ? tasks?.items[0]?.task_id : undefined))
  const hasFinished = isFinished(task)
  useEffect(() => {
    if (hasFinished) void refreshLists()
  }, [hasFinished])
  const running = useRef<TaskStatus>(undefined)
  running.current = task && !hasFinished ? task : undefined
  useEffect(
    () => () => {
      // The shell shows the task after the user has left the page.
      if (running.current) void startTracking(running.current.task_id, running.current.title).then(refreshLists)
    },
    [],
  )
  return task
}

/** Every list has other records after the task. */
const refreshLists = () => queryClient.invalidateQueries({ predicate: ({ queryKey: [object] }) => object !== 'tasks' })

function describeResult({ result }: TaskStatus, locale: string): string {
  const { removed, kept } = (result ?? {}) as { removed?: number; kept?: number }
  return removed === undefined
    ? sampleDataTexts.loadedDone
    : sampleDataTexts.removed(formatNumber(removed, locale), formatNumber(kept ?? 0, locale))
}
