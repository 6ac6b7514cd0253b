import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import styles from './deal-record.module.css'

/** The owner is chosen from the users, unlike the other fields, which are typed. */
export function OwnerField({ owner, change }: { owner: { name: string } | null; change?: () => void }) {
  const name = owner?.name ?? dealTexts.noOwner
  const content = (
    <>
      {owner && <Avatar name={owner.name} />}
      <span>{name}</span>
    </>
  )
  return (
    <div className={styles.owner}>
      <span className={styles.muted}>{dealTexts.owner}</span>
      {change ? (
        <button
          type="button"
          className={styles.person}
          aria-label={`${recordTexts.edit(dealTexts.owner)}: ${name}`}
          onClick={change}
        >
          {content}
          <Kbd keys="a" />
        </button>
      ) : (
        <span className={styles.person}>{content}</span>
      )}
    </div>
  )
}
