import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { formTexts } from '../../texts/en/form-texts.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { refreshPeople, updatePerson } from './people-queries.ts'
import type { Person, Role } from './people-search.ts'
import { RoleField } from './role-field.tsx'

export function RoleDialog({ person: { id, name, role, version }, close }: { person: Person; close: () => void }) {
  const form = useForm(async (data) => {
    const chosen = data.get('role') as Role
    if (chosen !== role) {
      await updatePerson(id, version, { role: chosen }).finally(refreshPeople)
      showToast(peopleTexts.roleChanged(name, peopleTexts.roles[chosen]))
    }
    close()
  }, peopleTexts.problem)
  return (
    <FormDialog title={peopleTexts.changeRoleTitle(name)} submit={formTexts.save} form={form} close={close}>
      <RoleField chosen={role} />
    </FormDialog>
  )
}
