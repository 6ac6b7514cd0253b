import { Link } from '@tanstack/react-router'
import { badgeButtonClass, ConsentBadges, OwnerBadge, RecordWho } from '../../../patterns/record/record-who.tsx'
import { StageBadge } from '../../../patterns/stage-badge.tsx'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import { nameOfContact } from '../contact-names.ts'
import { type ContactStage, canFollow, contactStages } from '../contact-stages.ts'
import type { ShownContact } from './contact-changes.ts'
import styles from './record.module.css'

type ContactHeaderProps = {
  contact: ShownContact
  ownerName: string | undefined
  canEdit: boolean
  /** Whether changes wait for the network. */
  isUnsaved: boolean
  setStage: (stage: ContactStage) => void
  assign: () => void
}

/** Shows who the contact is, with the account, the stage and the owner. */
export function ContactHeader({ contact, ownerName, canEdit, isUnsaved, setStage, assign }: ContactHeaderProps) {
  const { title, department, account, lifecycle_stage: stage } = contact
  const badge = <StageBadge stage={stage} />
  const role = (
    <>
      {[title, department].filter(Boolean).join(', ')}
      {(title || department) && account && ', '}
      {account && (
        <Link to={`/accounts/${account.id}` as string} className={styles.account}>
          {account.name}
        </Link>
      )}
    </>
  )
  return (
    <RecordWho name={nameOfContact(contact)} role={role} person={contact} isUnsaved={isUnsaved}>
      {canEdit ? (
        <MenuButton
          variant="plain"
          align="start"
          className={badgeButtonClass}
          label={texts.changeStage(contactListTexts.stages[stage])}
          items={contactStages.map((one) => ({
            label: contactListTexts.stages[one],
            isDisabled: !canFollow(stage, one),
            run: () => setStage(one),
          }))}
        >
          {badge}
        </MenuButton>
      ) : (
        badge
      )}
      <OwnerBadge name={ownerName} assign={canEdit ? assign : undefined} />
      <ConsentBadges {...contact} />
    </RecordWho>
  )
}
