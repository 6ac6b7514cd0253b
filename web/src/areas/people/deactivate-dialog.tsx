import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../api/queries.ts'
import { isFinished, startTracking, useTask } from '../../api/tasks.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { TaskProgress } from '../../patterns/task-progress.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { textLanguage } from '../../texts/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { type Profile, refreshPeople, successorsQuery, updatePerson } from './people-queries.ts'
import type { Person } from './people-search.ts'
import { ownedRecordsOf } from './person-figures.tsx'

type DialogProps = { person: Person; book: Profile['book'] | null; close: () => void }
type Reassignment = { taskId: string; to: string }

/** Deactivates a person and, if the user chooses a new owner, shows how their records are reassigned. */
export function DeactivateDialog({ person, book, close }: DialogProps) {
  const { locale } = useMe()
  const [reassignment, setReassignment] = useState<Reassignment>()
  const [search, setSearch] = useState('')
  const { data: successors } = useQuery(successorsQuery(search))
  const others = successors?.items.filter(({ id }) => id !== person.id) ?? []
  const form = useForm(async (data) => {
    const successorId = String(data.get('successor') ?? '')
    const { reassign_task_id } = await updatePerson(person.id, person.version, {
      status: 'deactivated',
      ...(successorId && { reassign_to_user_id: successorId }),
    }).finally(refreshPeople)
    showToast(peopleTexts.deactivated(person.name))
    const to = others.find(({ id }) => id === successorId)?.name ?? ''
    if (reassign_task_id) setReassignment({ taskId: reassign_task_id, to })
    else close()
  }, peopleTexts.problem)
  if (reassignment) return <ReassignmentDialog name={person.name} reassignment={reassignment} close={close} />
  const owned = ownedRecordsOf(book ?? noBook).filter(([, count]) => count > 0)
  const hasMore = Boolean(successors?.next_cursor) || search !== ''
  return (
    <FormDialog
      title={peopleTexts.deactivateTitle(person.name)}
      submit={peopleTexts.deactivate}
      variant="danger"
      form={form}
      close={close}
    >
      <p>{peopleTexts.deactivateText}</p>
      {owned.length > 0 && (
        <p>
          {peopleTexts.ownsRecords(
            new Intl.ListFormat(textLanguage()).format(
              owned.map(([kind, count]) => peopleTexts.ownedCount[kind](count, formatNumber(count, locale))),
            ),
          )}
        </p>
      )}
      {hasMore && (
        <TextField
          label={peopleTexts.searchOwner}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <SelectField
        label={peopleTexts.newOwner}
        name="successor"
        options={[
          { value: '', label: peopleTexts.keepRecords },
          ...others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
        ]}
        error={form.errors.reassign_to_user_id}
      />
    </FormDialog>
  )
}

const noBook: Profile['book'] = {
  leads: null,
  contacts: null,
  accounts: null,
  opportunities: null,
  campaigns: null,
  rooms: null,
}

type ReassignedResult = { reassigned?: Record<string, number> } | null

function ReassignmentDialog({
  name,
  reassignment: { taskId, to },
  close,
}: {
  name: string
  reassignment: Reassignment
  close: () => void
}) {
  const { locale } = useMe()
  const task = useTask(taskId)
  const counts = Object.values((task?.result as ReassignedResult)?.reassigned ?? {})
  const count = counts.reduce((sum, one) => sum + one, 0)
  const finish = () => {
    // Every list can contain the records, with their former owner.
    const refresh = () => queryClient.invalidateQueries()
    if (isFinished(task)) void refresh()
    else void startTracking(taskId, peopleTexts.reassigning).then(refresh)
    close()
  }
  return (
    <Dialog
      title={peopleTexts.deactivateTitle(name)}
      close={finish}
      footer={
        <Button variant="primary" onClick={finish}>
          {isFinished(task) ? peopleTexts.close : peopleTexts.closeWhileRunning}
        </Button>
      }
    >
      <TaskProgress
        label={peopleTexts.reassigning}
        task={task}
        locale={locale}
        result={count === 0 ? peopleTexts.noneReassigned : peopleTexts.reassigned(count, to)}
      />
    </Dialog>
  )
}
