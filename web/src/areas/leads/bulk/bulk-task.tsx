import { useMutation, useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useEffect } from 'react'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { showProblem } from '../../../patterns/show-problem.ts'
import { useMe } from '../../../session/me.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import { refreshLeads } from '../lead-queries.ts'
import styles from './bulk.module.css'
import type { BulkTask } from './bulk-results.ts'

const intervalMs = 1_000
const isEnded = (state: string): state is 'succeeded' | 'failed' | 'cancelled' =>
  ['succeeded', 'failed', 'cancelled'].includes(state)

export function BulkTaskBar({
  task: { task_id, total },
  action,
  end,
}: {
  task: BulkTask
  action: keyof typeof texts.tasks
  end: () => void
}) {
  const { locale } = useMe()
  const params = { path: { task_id } }
  const { data } = useQuery({
    queryKey: queryKeys.task(task_id),
    queryFn: ({ signal }) => read(api.GET('/api/tasks/{task_id}/status', { params, signal })),
    refetchInterval: ({ state }) => (state.data && isEnded(state.data.state) ? false : intervalMs),
  })
  const cancel = useMutation({
    mutationFn: () => read(api.POST('/api/tasks/{task_id}/cancel', { params })),
    onError: showProblem,
  })
  useEffect(() => {
    if (!data || !isEnded(data.state)) return
    const failed = (data.result as { failed?: number } | null)?.failed ?? 0
    const note = failed > 0 ? ` ${texts.taskFailures(formatNumber(failed, locale))}` : ''
    showToast(texts.taskEnded[data.state] + note, { tone: data.state === 'failed' ? 'failed' : 'done' })
    void refreshLeads()
    end()
  }, [data, locale, end])
  const done = data?.progress.done ?? 0
  return (
    <section className={styles.task} aria-label={texts.label}>
      <ListChecks size={17} aria-hidden="true" />
      <span>
        <b>{texts.tasks[action](formatNumber(total, locale))}</b>
        <span role="status">{texts.progress(formatNumber(done, locale), formatNumber(total, locale))}</span>
      </span>
      {data?.cancellable !== false && (
        <Button size="small" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {texts.cancelTask}
        </Button>
      )}
    </section>
  )
}
