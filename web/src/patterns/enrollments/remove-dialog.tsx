import { enrollmentTexts as texts } from '../../texts/en/enrollment-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { useForm } from '../use-form.ts'
import { type EnrolledPerson, type Enrollment, updateEnrollment, useRefreshEnrollments } from './enrollment-api.ts'

type RemoveDialogProps = { person: EnrolledPerson; enrollment: Enrollment; close: () => void }

export function RemoveDialog({ person, enrollment, close }: RemoveDialogProps) {
  const { cadence, lead, contact } = enrollment
  const refresh = useRefreshEnrollments(person)
  const form = useForm(async () => {
    await updateEnrollment(enrollment, 'exited')
    showToast(texts.wasRemoved(cadence.name))
    close()
    await refresh()
  }, texts.problem)
  return (
    <FormDialog title={texts.removeFrom(cadence.name)} submit={texts.remove} variant="danger" form={form} close={close}>
      <p>{texts.removeText((lead ?? contact)?.name ?? texts.thisPerson)}</p>
    </FormDialog>
  )
}
