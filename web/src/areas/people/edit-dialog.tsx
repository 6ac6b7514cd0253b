import { ConflictNotice } from '../../patterns/conflict-notice.tsx'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useRecordForm } from '../../patterns/use-record-form.ts'
import { formTexts } from '../../texts/en/form-texts.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { readPerson, refreshPeople, updatePerson } from './people-queries.ts'
import type { Person } from './people-search.ts'

const fieldsOf = ({ name, title, phone, forecast_participant }: Person) => ({
  name,
  title,
  phone,
  forecast_participant,
})

const readFields = (data: FormData): ReturnType<typeof fieldsOf> => ({
  name: String(data.get('name')).trim(),
  title: String(data.get('title')).trim() || null,
  phone: String(data.get('phone')).trim() || null,
  forecast_participant: data.has('forecast_participant'),
})

export function EditDialog({ person, close }: { person: Person; close: () => void }) {
  const form = useRecordForm({
    record: person,
    fieldsOf,
    readFields,
    send: (changes, version) => updatePerson(person.id, version, changes),
    reload: () => readPerson(person.id),
    onSaved: () => {
      void refreshPeople()
      close()
    },
  })
  const { base, errors } = form
  const { fields } = peopleTexts
  return (
    <FormDialog
      key={form.formKey}
      title={peopleTexts.editTitle(person.name)}
      submit={formTexts.save}
      form={form}
      close={close}
    >
      <TextField
        label={fields.name}
        name="name"
        defaultValue={base.name}
        required
        maxLength={120}
        error={errors.name}
      />
      <TextField
        label={fields.title}
        name="title"
        defaultValue={base.title ?? ''}
        maxLength={120}
        error={errors.title}
      />
      <TextField
        label={fields.phone}
        name="phone"
        type="tel"
        defaultValue={base.phone ?? ''}
        maxLength={40}
        error={errors.phone}
      />
      <Checkbox
        label={peopleTexts.forecastParticipant}
        name="forecast_participant"
        defaultChecked={base.forecast_participant}
      />
      <ConflictNotice form={form} labels={fields} />
    </FormDialog>
  )
}
