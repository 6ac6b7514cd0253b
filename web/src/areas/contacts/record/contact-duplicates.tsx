import { useQuery } from '@tanstack/react-query'
import { mergeContacts } from '../../../api/access.gen.ts'
import { DuplicateList } from '../../../patterns/record/duplicate-list.tsx'
import { MergeLink } from '../../../patterns/record/merge-link.tsx'
import { may, useMe } from '../../../session/me.ts'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'
import { contactDuplicatesQuery } from './tab-queries.ts'

/** Leads and contacts that may be the same person. A contact can be merged into the open one. */
export function ContactDuplicates({ id }: { id: string }) {
  const me = useMe()
  const duplicates = useQuery(contactDuplicatesQuery(id))
  const mayMerge = may(me, mergeContacts)
  return (
    <DuplicateList
      query={duplicates}
      renderActions={({ entity_type: type, record }) =>
        type === 'contact' &&
        mayMerge && (
          <MergeLink
            type="contact"
            id={id}
            duplicateId={record.id}
            name={record.name ?? record.email ?? contactListTexts.noName}
          />
        )
      }
    />
  )
}
