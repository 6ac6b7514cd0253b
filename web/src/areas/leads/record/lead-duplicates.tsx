import { useQuery } from '@tanstack/react-query'
import { mergeLeads } from '../../../api/access.gen.ts'
import { DuplicateList } from '../../../patterns/record/duplicate-list.tsx'
import { MergeLink } from '../../../patterns/record/merge-link.tsx'
import { may, useMe } from '../../../session/me.ts'
import { nameOfLead } from '../lead-names.ts'
import { duplicatesQuery } from './record-queries.ts'

/** Leads and contacts that may be the same person. A lead can be merged into the open one. */
export function LeadDuplicates({ id }: { id: string }) {
  const me = useMe()
  const duplicates = useQuery(duplicatesQuery(id))
  const mayMerge = may(me, mergeLeads)
  return (
    <DuplicateList
      query={duplicates}
      renderActions={({ entity_type: type, record }) =>
        type === 'lead' &&
        mayMerge && <MergeLink type="lead" id={id} duplicateId={record.id} name={nameOfLead(record)} />
      }
    />
  )
}
