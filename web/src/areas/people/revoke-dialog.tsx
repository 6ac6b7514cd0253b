import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { refreshPeople, updatePerson } from './people-queries.ts'
import type { Person } from './people-search.ts'

export function RevokeDialog({ person: { id, name, version }, close }: { person: Person; close: () => void }) {
  const form = useForm(async () => {
    await updatePerson(id, version, { status: 'deactivated' }).finally(refreshPeople)
    showToast(peopleTexts.revoked(name))
    close()
  }, peopleTexts.problem)
  return (
    <FormDialog title={peopleTexts.revoke} submit={peopleTexts.revoke} variant="danger" form={form} close={close}>
      <p>{peopleTexts.revokeText(name)}</p>
    </FormDialog>
  )
}
