import { useNavigate } from '@tanstack/react-router'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { startImpersonation } from '../../session/impersonation.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { TextField } from '../../ui/field.tsx'
import type { Person } from './people-search.ts'

export function ImpersonateDialog({ person: { id, name }, close }: { person: Person; close: () => void }) {
  const navigate = useNavigate()
  const form = useForm(async (data) => {
    await startImpersonation(id, String(data.get('reason')))
    close()
    await navigate({ to: '/' })
  }, peopleTexts.problem)
  return (
    <FormDialog title={peopleTexts.impersonateTitle(name)} submit={peopleTexts.impersonate} form={form} close={close}>
      <p>{peopleTexts.impersonateText}</p>
      <TextField
        label={peopleTexts.impersonateReason}
        name="reason"
        minLength={5}
        maxLength={500}
        required
        error={form.errors.reason}
      />
    </FormDialog>
  )
}
