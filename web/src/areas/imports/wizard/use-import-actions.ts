import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messagesByField } from '../../../api/field-messages.ts'
import { useIntent } from '../../../api/intent.ts'
import { isProblem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/queries.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { startTracking } from '../../../api/tasks.ts'
import { showProblem, showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { useMe } from '../../../session/me.ts'
import { importTexts as texts } from '../../../texts/en/import-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { cancelImport, refreshImport, saveMapping, startImport, storeImport, undoImport } from '../import-api.ts'
import { type Draft, isSaved, toMapping } from '../model/draft.ts'
import type { Step } from '../model/step-names.ts'
import type { RecordImport, RecordType } from '../model/types.ts'

type Wanted = { type: RecordType; file: RecordImport; draft: Draft; go: (step: Step) => void }

/** The requests of the wizard. A failure keeps what the user has chosen. */
export function useImportActions({ type, file, draft, go }: Wanted) {
  const { locale } = useMe()
  const { id, row_count: count } = file
  const intent = useIntent()
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({})
  const refresh = () => refreshImport(type, id)
  const refreshRecords = () => {
    if (type === 'leads') void queryClient.invalidateQueries({ queryKey: queryKeys.leads.all })
    void refresh()
  }

  async function save(): Promise<RecordImport> {
    if (isSaved(draft, file) && (file.state === 'uploaded' || file.state === 'mapped')) return file
    const saved = await saveMapping(type, id, toMapping(draft))
    storeImport(type, saved)
    return saved
  }
  async function start(isDryRun: boolean): Promise<string> {
    const { task_id } = await startImport(type, id, isDryRun, intent.keyOf({ id, isDryRun }))
    intent.end()
    await refresh()
    return task_id
  }
  const track = (kind: 'run' | 'undo', taskId: string): void =>
    void startTracking(taskId, texts.tasks[kind][type](count, formatNumber(count, locale))).then(refreshRecords)

  const actions = {
    save: async () => {
      await save()
      go('options')
    },
    check: async () => {
      const saved = await save()
      if (!saved.dry_run) await start(true)
      go('check')
    },
    run: async () => {
      track('run', await start(false))
      go('import')
    },
    cancel: async () => {
      await cancelImport(type, id)
      await refresh()
    },
    undo: async () => {
      track('undo', (await undoImport(type, id)).task_id)
      await refresh()
    },
  }
  const mutation = useMutation({
    mutationFn: (action: keyof typeof actions) => {
      setMessages({})
      return actions[action]()
    },
    onError: (error, action) => {
      if (isProblem(error, 'validation_failed')) return setMessages(messagesByField(error))
      if (!isProblem(error, 'invalid_transition')) return showRepeatableProblem(error, () => mutation.mutate(action))
      showProblem(error, texts.changedElsewhere)
      void refresh()
    },
  })
  return { messages, start: mutation.mutate, pending: mutation.isPending ? mutation.variables : undefined }
}
