import { useMemo } from 'react'
import type { Fields } from '../../api/merge-fields.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { ConflictBar } from '../../patterns/record/conflict-bar.tsx'
import { FieldList, type RecordField } from '../../patterns/record/field-list.tsx'
import { PanelSection } from '../../patterns/record/record-panel.tsx'
import { useSaveFields } from '../../patterns/record/use-save-fields.ts'
import { can, useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { formatMoney } from '../../ui/format.ts'
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
      void queryClient.invalidateQueries({ queryKey: queryKeys.users.lists })
    },
    readValue: (record, field) => readField(record, field),
  })
  const fields = useMemo(() => listFields(person, me.locale), [person, me.locale])
  const canEdit = can(me, 'users.write') && person.status !== 'erased'
  return (
    <>
      <ConflictBar
        changes={changes}
        labelOf={(field) => fields.find((one) => one.field === field)?.label ?? field}
        format={(_, value) => String(value ?? '')}
      />
      <PanelSection title={peopleTexts.details}>
        <FieldList fields={fields} changes={changes} canEdit={canEdit} />
      </PanelSection>
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

function listFields(person: Person, locale: string): RecordField[] {
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
  const { quarterly_quota: quota } = person
  return [
    fixed('email', labels.email, person.email),
    field('name'),
    field('title'),
    field('phone', { kind: 'tel' }),
    field('forecast_participant', { kind: 'select', options: yesOrNo }),
    fixed('manager', labels.manager, person.manager?.name),
    fixed('teams', labels.teams, person.teams.map(({ name }) => name).join(', ')),
    fixed('timezone', labels.timezone, person.timezone.replaceAll('_', ' ')),
    ...(quota ? [fixed('quota', labels.quota, formatMoney(quota, locale))] : []),
  ]
}
