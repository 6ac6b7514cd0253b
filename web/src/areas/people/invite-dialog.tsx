import { useQuery } from '@tanstack/react-query'
import { useIntent } from '../../api/intent.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { FormProblem } from '../../patterns/form-message.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { can, useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './people.module.css'
import { invitePerson, type NewPerson, refreshPeople, teamsQuery } from './people-queries.ts'
import type { Role } from './people-search.ts'
import { RoleField } from './role-field.tsx'

export function InviteDialog({
  close,
  openPerson,
}: {
  close: () => void
  openPerson: (person: { id: string }) => void
}) {
  const me = useMe()
  const { data: teams } = useQuery({ ...teamsQuery, enabled: can(me, 'teams.read') })
  const intent = useIntent()
  const form = useForm(async (data) => {
    const teamIds = data.getAll('team_ids').map(String)
    const person: NewPerson = {
      email: String(data.get('email')).trim(),
      name: String(data.get('name')).trim(),
      role: data.get('role') as Role,
      ...(teamIds.length > 0 && { team_ids: teamIds }),
    }
    const { email } = await invitePerson(person, intent.keyOf(person))
    showToast(peopleTexts.invited(email))
    close()
    await refreshPeople()
  }, peopleTexts.problem)
  const existingId = form.problem?.code === 'already_exists' ? form.problem.extra.existing_id : undefined
  return (
    <FormDialog
      title={peopleTexts.inviteTitle}
      submit={peopleTexts.sendInvitation}
      form={existingId ? { ...form, message: undefined } : form}
      close={close}
    >
      <p>{peopleTexts.inviteText}</p>
      <TextField
        label={peopleTexts.email}
        name="email"
        type="email"
        required
        maxLength={254}
        error={form.errors.email}
      />
      {typeof existingId === 'string' && (
        <FormProblem>
          {peopleTexts.exists}
          <Button
            size="small"
            onClick={() => {
              close()
              openPerson({ id: existingId })
            }}
          >
            {peopleTexts.openExisting}
          </Button>
        </FormProblem>
      )}
      <TextField label={peopleTexts.name} name="name" required maxLength={120} error={form.errors.name} />
      <RoleField chosen="member" />
      {teams && teams.items.length > 0 && (
        <fieldset className={styles.teams}>
          <legend>{peopleTexts.teams}</legend>
          {teams.items.map(({ id, name }) => (
            <Checkbox key={id} label={name} name="team_ids" value={id} />
          ))}
        </fieldset>
      )}
    </FormDialog>
  )
}
