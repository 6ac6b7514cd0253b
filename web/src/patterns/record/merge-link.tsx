import { Link } from '@tanstack/react-router'
import { recordTexts } from '../../texts/en/record-texts.ts'
import styles from './record-items.module.css'

const paths = { lead: '/leads', contact: '/contacts' } as const

type MergeLinkProps = { type: keyof typeof paths; id: string; duplicateId: string; name: string }

/** Opens the comparison of a record with a duplicate, which then becomes a part of it. */
export const MergeLink = ({ type, id, duplicateId, name }: MergeLinkProps) => (
  <Link
    to={`${paths[type]}/${id}/merge` as string}
    search={{ with: duplicateId }}
    className={styles.link}
    aria-label={recordTexts.duplicates.mergeWith(name)}
  >
    {recordTexts.duplicates.merge}
  </Link>
)
