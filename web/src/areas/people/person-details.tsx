import { useMemo, useState } from 'react'
import type { Fields } from '../../api/merge-fields.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Choice } from '../../patterns/combobox/use-combobox.ts'
import { PersonPicker } from '../../patterns/person-picker.tsx'
import { ConflictBar } from '../../patterns/record/conflict-bar.tsx'
import { FieldList, type RecordField } from '../../patterns/record/field-list.tsx'
import { moneyField } from '../../patterns/record/money-field.ts'
import { PanelSection } from '../../patterns/record/record-panel.tsx'
import { useSaveFields } from '../../patterns/record/use-save-fields.ts'
import { can, useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { type PersonChanges, type Profile, profileQuery, readPerson, updatePerson } from './people-queries.ts'
import type { Person } from './people-search.ts'

const { fields: labels } = peopleTexts

/** The fields of a person. Admins edit them in place. */
export function PersonDetails({ profile }: { profile: Profile }) {
  const me = useMe()
  const { user: person } = profile
  const { queryKey } = profileQuery(person.id)
  const changes = useSaveFields<Person>({
    record: person,
    update: ({ id, version }, fields) => updatePerson(id, version, toChanges(fields)),
    load: () => readPerson(person.id),
    store: (user) => {
      queryClient.setQueryData(queryKey, (before) => before && { ...before, user })
      const shown = [queryKeys.users.lists, queryKeys.users.detail(user.id), queryKeys.users.forecast, queryKeys.me]
      for (const key of shown) void queryClient.invalidateQueries({ queryKey: key })
    },
    readValue: (record, field) => readField(record, field),
  })
  const [isChoosing, setChoosing] = useState(false)
  const [chosen, setChosen] = useState<Choice>()
  const { currency } = me.tenant.general
  const fields = useMemo(
    () => listFields(person, { locale: me.locale, currency, chosen, choose: () => setChoosing(true) }),
    [person, me.locale, currency, chosen],
  )
  const canEdit = can(me, 'users.write') && person.status !== 'erased'
  return (
    <>
      <ConflictBar
        changes={changes}
        labelOf={(field) => fields.find((one) => one.field === field)?.label ?? field}
        format={(field, value) => String(fields.find((one) => one.field === field)?.show?.(value) ?? value ?? '')}
      />
      <PanelSection title={peopleTexts.details}>
        <FieldList fields={fields} changes={changes} canEdit={canEdit} />
      </PanelSection>
      {isChoosing && (
        <PersonPicker
          title={peopleTexts.managerOf(person.name)}
          first={[{ id: null, name: peopleTexts.noManager }]}
          close={() => setChoosing(false)}
          choose={(manager) => {
            setChoosing(false)
            setChosen(manager)
            if (manager.id !== person.manager_id) changes.save({ manager_id: manager.id })
          }}
        />
      )}
    </>
  )
}

const yesOrNo = [
  { value: 'true', label: peopleTexts.yes },
  { value: 'false', label: peopleTexts.no },
]

/** The value of a field as its editor has it, which is a text. */
const readField = (person: Person, field: string): unknown =>
  field === 'forecast_participant' ? String(person.forecast_participant) : person[field as keyof Person]

const toChanges = ({ forecast_participant: isIncluded, ...others }: Fields): PersonChanges => ({
  ...(others as PersonChanges),
  ...(isIncluded !== undefined && { forecast_participant: isIncluded === 'true' }),
})

type FieldOptions = { locale: string; currency: string; chosen: Choice | undefined; choose: () => void }

function listFields(person: Person, { locale, currency, chosen, choose }: FieldOptions): RecordField[] {
  const field = (name: keyof typeof labels & keyof Person, options: Partial<RecordField> = {}): RecordField => ({
    field: name,
    label: labels[name],
    value: readField(person, name),
    ...options,
  })
  const fixed = (name: string, label: string, value: string | undefined): RecordField => ({
    field: name,
    label,
    value,
    isReadOnly: true,
  })
  return [
    fixed('email', labels.email, person.email),
    field('name'),
    field('title'),
    field('phone', { kind: 'tel' }),
    field('forecast_participant', { kind: 'select', options: yesOrNo }),
    field('manager_id', {
      edit: choose,
      show: (id) => (id === person.manager_id ? person.manager?.name : chosen?.id === id && chosen?.name) || '',
    }),
    fixed('teams', labels.teams, person.teams.map(({ name }) => name).join(', ')),
    fixed('timezone', labels.timezone, person.timezone.replaceAll('_', ' ')),
    moneyField(field('quarterly_quota'), locale, currency),
  ]
}
