import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './similar-records.module.css'

type SimilarRecordsProps = {
  title: string
  records: readonly { id: string; name: string; detail: string }[]
  openText: string
  describeOpen: (name: string) => string
  open: (id: string) => void
}

/** Records that may be the one that the user is about to create. */
export const SimilarRecords = ({ title, records, openText, describeOpen, open }: SimilarRecordsProps) => (
  <div className={styles.similar} role="status">
    <p>{title}</p>
    <ul>
      {records.map(({ id, name, detail }) => (
        <li key={id}>
          <Avatar name={name} />
          <span>
            <b>{name}</b> {detail}
          </span>
          <Button size="small" aria-label={describeOpen(name)} onClick={() => open(id)}>
            {openText}
          </Button>
        </li>
      ))}
    </ul>
  </div>
)

/** The record that has the unique value already. */
export const ExistingRecord = ({ text, openText, open }: { text: string; openText: string; open: () => void }) => (
  <div className={styles.similar} role="alert">
    <p>{text}</p>
    <Button size="small" onClick={open}>
      {openText}
    </Button>
  </div>
)
