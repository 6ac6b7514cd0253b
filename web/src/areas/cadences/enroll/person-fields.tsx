import { X } from 'lucide-react'
import { useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { cadencePeopleTexts } from '../../../texts/en/cadence-people-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/button.tsx'
import styles from './enroll.module.css'
import { findPersons, type Person, toPerson } from './enroll-api.ts'

const texts = cadencePeopleTexts.enroll

/** People who are searched one after the other. */
export function PersonFields({ people, change }: { people: readonly Person[]; change: (people: Person[]) => void }) {
  const [fieldKey, setFieldKey] = useState(0)
  return (
    <>
      <RecordSearch
        key={fieldKey}
        label={texts.person}
        autoFocus={fieldKey > 0}
        queryKey={areaKeys.cadences.personSearch}
        find={findPersons}
        chosen={undefined}
        choose={(choice) => {
          if (!choice) return
          const person = toPerson(choice)
          change([...people.filter(({ id }) => id !== person.id), person])
          setFieldKey((key) => key + 1)
        }}
      />
      {people.length > 0 && (
        <ul className={styles.people} aria-label={texts.chosen}>
          {people.map(({ id, name, detail }) => (
            <li key={id}>
              <Avatar name={name} />
              <span>
                {name} <small>{detail}</small>
              </span>
              <IconButton
                label={texts.removePerson(name)}
                size="small"
                icon={<X size={14} />}
                onClick={() => change(people.filter((person) => person.id !== id))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
