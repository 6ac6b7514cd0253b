import { X } from 'lucide-react'
import { areaKeys } from '../../../api/area-keys.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { campaignPeopleTexts } from '../../../texts/en/campaign-people-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/button.tsx'
import styles from './add-dialog.module.css'
import { findPeople, type PersonChoice } from './members-api.ts'

const texts = campaignPeopleTexts.add

type PeopleFieldProps = {
  people: readonly PersonChoice[]
  setPeople: (people: readonly PersonChoice[]) => void
  error: string | undefined
}

/** A search that adds one person after the other to a list. */
export function PeopleField({ people, setPeople, error }: PeopleFieldProps) {
  const add = (choice: PersonChoice | undefined) => {
    if (choice && !people.some(({ id }) => id === choice.id)) setPeople([...people, choice])
  }
  return (
    <div className={styles.fields}>
      <RecordSearch
        // A new field after each choice, ready for the next name.
        key={people.length}
        label={texts.people}
        queryKey={areaKeys.campaigns.people}
        find={findPeople}
        chosen={undefined}
        choose={(choice) => add(choice as PersonChoice | undefined)}
        error={error}
        autoFocus
      />
      {people.length > 0 && (
        <ul className={styles.chosen} aria-label={texts.chosen}>
          {people.map(({ id, name, detail, type }) => (
            <li key={id}>
              <Avatar name={name} />
              <span className={styles.name}>
                <b>{name}</b> {[campaignPeopleTexts.kinds[type], detail].filter(Boolean).join(', ')}
              </span>
              <IconButton
                size="small"
                label={texts.removeChosen(name)}
                icon={<X size={14} />}
                onClick={() => setPeople(people.filter((one) => one.id !== id))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
