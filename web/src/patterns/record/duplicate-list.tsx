import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ProblemState, Skeleton } from '../states.tsx'
import styles from './record-items.module.css'

export type Duplicate = Schemas['Duplicate']

const texts = recordTexts.duplicates

const paths: Readonly<Record<Duplicate['entity_type'], string>> = { lead: '/leads', contact: '/contacts' }

type DuplicateListProps = {
  query: UseQueryResult<readonly Duplicate[]>
  renderActions?: (duplicate: Duplicate) => ReactNode
}

/** Leads and contacts that may be the same person. */
export function DuplicateList({ query, renderActions }: DuplicateListProps) {
  if (query.isPending) return <Skeleton rows={3} />
  if (query.error) return <ProblemState error={query.error} part={texts.part} retry={() => void query.refetch()} />
  if (query.data.length === 0) return <p className={styles.none}>{texts.none}</p>
  return (
    <ul className={styles.items}>
      {query.data.map((duplicate) => {
        const { entity_type: kind, record, match } = duplicate
        const name = record.name ?? record.email ?? record.company ?? texts.noName
        return (
          <li key={record.id}>
            <Avatar name={name} size="medium" />
            <div>
              <b>{name}</b>
              <small>
                {[texts.kinds[kind], record.company, record.email, texts.matches[match]].filter(Boolean).join(' · ')}
              </small>
            </div>
            <Link to={`${paths[kind]}/${record.id}` as string} className={styles.link}>
              {texts.open}
            </Link>
            {renderActions?.(duplicate)}
          </li>
        )
      })}
    </ul>
  )
}
